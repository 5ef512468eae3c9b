package rowscore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

// rowsFrom reads rows in JSON.
func rowsFrom(t testing.TB, text string) [][]value.Value {
	t.Helper()
	list, err := Parse([]byte(`{"QuestionID": "d.1", "rows": `+text+`}`), Gold)
	if err != nil || !list[0].HasRows {
		t.Fatal(text, err, list)
	}
	return list[0].Rows
}

// TestMatch lists rows with whether they match, in any order and in order, and
// whether they are gold's exactly.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		gold, predicted         string
		match, inOrder, exactly bool
	}{
		{`[]`, `[]`, true, true, true},
		{`[]`, `[{"a": 1}]`, false, false, false},
		{`[{"a": 1}]`, `[]`, false, false, false},
		{`[{"a": 1}]`, `[{"b": 1}]`, true, true, true},
		{`[{"a": 1}]`, `[{"b": 1.0}]`, true, true, true},
		{`[{"a": 1}]`, `[{"b": "1"}]`, false, false, false},
		{`[{"a": null}]`, `[{"b": ""}]`, false, false, false},
		{`[{"a": 1}, {"a": 2}]`, `[{"a": 2}, {"a": 1}]`, true, false, true},
		{`[{"a": 1}, {"a": 1}]`, `[{"a": 1}]`, false, false, false},
		{`[{"a": 1, "b": "x"}]`, `[{"c": "y", "b": "x", "a": 1}]`, true, true, false},
		{`[{"a": 1, "b": "x"}]`, `[{"a": 1}]`, false, false, false},
		{`[{"a": 1, "b": 1}]`, `[{"a": 1, "b": 2}]`, false, false, false},
		{`[{"a": 1, "b": 2}, {"a": 2, "b": 1}]`, `[{"a": 1, "b": 1}, {"a": 2, "b": 2}]`, false, false, false},
		{`[{"a": 1, "b": 2}, {"a": 2, "b": 1}]`, `[{"x": 1, "y": 1, "z": 2}, {"x": 2, "y": 2, "z": 1}]`, true, true, false},
		{`[{"names": ["a", "b"]}]`, `[["a"], ["b"]]`, true, true, true},
		{`["a", "b"]`, `[{"n": "b"}, {"n": "a"}]`, true, false, true},
		{`[{"a": 1}, {"b": 2}]`, `[{"a": 1, "b": null}, {"a": null, "b": 2}]`, true, true, true},
		{`[{}]`, `[{"a": 1}]`, true, true, false},
		{`[{}]`, `[{}]`, true, true, true},
		{`[{"a": 9007199254740993}]`, `[{"a": 9007199254740992}]`, false, false, false},
	} {
		gold, predicted := rowsFrom(t, c.gold), rowsFrom(t, c.predicted)
		if m, o, e := Match(gold, predicted, false), Match(gold, predicted, true), Exact(gold, predicted, false); m != c.match || o != c.inOrder || e != c.exactly {
			t.Errorf("%s and %s: match %v, in order %v, exactly %v", c.gold, c.predicted, m, o, e)
		}
	}
}

// TestMatchRandomly shuffles rows and columns, and adds columns: they match, and do
// not after a value is another one.
func TestMatchRandomly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n, width, more := 1+r.IntN(8), 1+r.IntN(4), r.IntN(3)
		gold := make([][]value.Value, n)
		predicted := make([][]value.Value, n)
		place := r.Perm(width + more)
		for i, to := range r.Perm(n) {
			gold[i] = make([]value.Value, width)
			predicted[to] = make([]value.Value, width+more)
			for j := range width + more {
				v := value.Int(int64(r.IntN(3)))
				predicted[to][place[j]] = v
				if j < width {
					gold[i][j] = v
				}
			}
		}
		if !Match(gold, predicted, false) {
			t.Fatalf("%v does not match %v", predicted, gold)
		}
		gold[r.IntN(n)][r.IntN(width)] = value.Str("another")
		if Match(gold, predicted, false) {
			t.Fatalf("%v matches %v", predicted, gold)
		}
	}
}

// TestManyColumns says that columns of the same values do not take for ever.
func TestManyColumns(t *testing.T) {
	const n = 12
	gold, predicted := make([][]value.Value, n), make([][]value.Value, n)
	for i := range n {
		for j := range n {
			gold[i] = append(gold[i], value.Bool(i == j))
			predicted[i] = append(predicted[i], value.Bool(i == (j+1)%n))
		}
		gold[i][n-1] = value.Bool(i == 0) // no column of predicted twice
	}
	if Match(gold, predicted, false) {
		t.Error("they match")
	}
}

// TestParse lists files with what is read of them.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		kind Kind
		want string
	}{
		{`{"QuestionID": "poker_player.172", "AugmentedQuestion": "q", "PredictedQueryRows": [{"names": ["Todor"]}], "AugmentedProducesRows": true, "time_spent": 32.5}`, Predicted, "poker_player.172 poker_player q  true [[Todor]]  32.5 1"},
		{"\ufeff[\n{\"QuestionID\": 7, \"db_id\": \"zoo\", \"utterance\": \"u\", \"SQL\": \"SELECT 1\", \"GoldRows\": [[1]], \"PredictedQueryRows\": [[2]]}]", Gold, "7 zoo u SELECT 1 true [[1]]  0 2"},
		{`{"QuestionID": "a.1", "GoldRows": [[1]], "PredictedQueryRows": [[2]]}`, Predicted, "a.1 a   true [[2]]  0 1"},
		{`{"QuestionID": "a.1", "PredictedQueryRows": null}`, Predicted, "a.1 a   false []  0 1"},
		{`{"QuestionID": "a.1", "PredictedQueryRows": "none"}`, Predicted, "a.1 a   false [] PredictedQueryRows: it is no list of rows 0 1"},
		{`{"QuestionID": "a.1", "PredictedQueryRows": [[1, [2]]]}`, Predicted, "a.1 a   false [] PredictedQueryRows: row 1 has in column 2 no single value 0 1"},
		{`{"QuestionID": "a.1"}` + "\n\n" + `{"QuestionID": "a.1"}`, Gold, "line 3: question a.1 is in line 1 already; keep one"},
		{`{"Question": "q"}`, Gold, "line 1: it has no QuestionID"},
		{`[1]`, Gold, "line 1: it is no JSON object"},
		{`[null]`, Gold, "line 1: it is no JSON object"},
		{`[{"QuestionID": "a.1"}, "x"]`, Gold, "line 1: it is no JSON object"},
		{`{"QuestionID"`, Gold, "line 1: unexpected EOF"},
		{``, Gold, "there is no question in it"},
		{`[]`, Gold, "there is no question in it"},
	} {
		got, err := Parse([]byte(c.text), c.kind)
		text := fmt.Sprint(err)
		if err == nil {
			a := got[0]
			text = fmt.Sprint(a.ID, " ", a.DB, " ", a.Question, " ", a.SQL, " ", a.HasRows, " ", a.Rows, " ", a.Wrong, " ", a.Seconds, " ", a.Line)
		}
		if text != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, text, c.want)
		}
	}
}

// TestIsOrdered lists queries with whether their rows have an order.
func TestIsOrdered(t *testing.T) {
	for sql, want := range map[string]bool{
		"":                              false,
		"SELECT a FROM t":               false,
		"select a from t order by f(a)": true,
		"SELECT a FROM t WHERE b = (SELECT b FROM t ORDER BY c LIMIT 1)":    false,
		"SELECT rank() OVER (ORDER BY a) FROM t":                            false,
		"SELECT 'ORDER BY' FROM t":                                          false,
		"SELECT a FROM (SELECT a FROM t) ORDER BY ((a)) LIMIT (SELECT 1);":  true,
		"SELECT a FROM t WHERE b IN (1, 2) GROUP BY a ORDER BY count(*), a": true,
	} {
		if got := IsOrdered(sql); got != want {
			t.Errorf("%s: %v", sql, got)
		}
	}
}

// FuzzParse looks for a file that cannot be scored against itself.
func FuzzParse(f *testing.F) {
	f.Add(`[{"QuestionID": "a.1", "rows": [{"a": 1, "b": null}, {"b": 2.5}]}]`)
	f.Add(`{"QuestionID": "a.1", "rows": [{"a": [1, 2], "b": ["x", "y"]}]}` + "\n" + `{"QuestionID": "b.1", "rows": [1, [2, 3], {}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse([]byte(text), Gold)
		if err != nil {
			return
		}
		r := Score(all, all)
		withRows := len(slices.DeleteFunc(slices.Clone(all), func(a Answer) bool { return !a.HasRows }))
		if r.Total.Questions != withRows || r.Total.Exact != withRows || strings.Contains(fmt.Sprint(r.Problems), "no question of gold") {
			t.Errorf("%+v of %d", r.Total, withRows)
		}
	})
}
