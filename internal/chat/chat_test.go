package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// table makes a table of rows under the keys c0, c1 and so on.
func table(t *testing.T, columns int, rows ...[]value.Value) *tools.Table {
	t.Helper()
	fields := make([]tools.Field, columns)
	list := make([]*tools.Column, columns)
	for i := range columns {
		cells := make([]value.Value, len(rows))
		for r, row := range rows {
			cells[r] = row[i]
		}
		fields[i].Key, list[i] = fmt.Sprintf("c%d", i), tools.NewColumn(cells...)
	}
	out, err := tools.NewTable(fields, list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTable lists results of calls with what is shown of them, and what their
// answer is.
func TestTable(t *testing.T) {
	long := strings.Repeat("é", MostBytes)
	for name, c := range map[string]struct {
		table         *tools.Table
		shown, answer string
	}{
		"no rows": {
			table(t, 2),
			`{"label":"L","row_count":0,"columns":["c0","c1"],"rows":[]}`, `[]`,
		},
		"one value": {
			table(t, 1, []value.Value{value.Float(3)}),
			`{"label":"L","row_count":1,"columns":["c0"],"rows":[[3.0]]}`, `3.0`,
		},
		"a column": {
			table(t, 1, []value.Value{value.NullValue()}, []value.Value{value.Str("<a>")}),
			`{"label":"L","row_count":2,"columns":["c0"],"rows":[[null],["<a>"]]}`, `[null,"<a>"]`,
		},
		"a row": {
			table(t, 2, []value.Value{value.Int(9007199254740993), value.Bytes("\x00")}),
			`{"label":"L","row_count":1,"columns":["c0","c1"],"rows":[[9007199254740993,{"blob":"00"}]]}`, `[[9007199254740993,{"blob":"00"}]]`,
		},
		"a text that is too long": {
			table(t, 2, []value.Value{value.Str(long), value.Int(1)}, []value.Value{value.Str("b"), value.Int(2)}),
			`{"label":"L","row_count":2,"columns":["c0","c1"],"rows":[["` + long[:2*MostText] + `… (1900 more characters)",1]],"rows_not_shown":1,"texts_cut":true}`,
			`{"result":"$L$","row_count":2}`,
		},
		"one text that is too long": {
			table(t, 1, []value.Value{value.Str(long)}),
			`{"label":"L","row_count":1,"columns":["c0"],"rows":[["` + long[:2*MostText] + `… (1900 more characters)"]],"texts_cut":true}`,
			`{"result":"$L$","row_count":1}`,
		},
	} {
		got, err := NewTable(t.Context(), "L", c.table)
		if err != nil {
			t.Fatal(err)
		}
		if shown, err := got.JSON(); err != nil || shown != c.shown {
			t.Errorf("%s: %v, shown is\n%s, want\n%s", name, err, shown, c.shown)
		}
		if answer, err := got.Answer(); err != nil || answer != c.answer {
			t.Errorf("%s: %v, the answer is %s, want %s", name, err, answer, c.answer)
		}
	}
}

// TestBounds says how much is shown of large results.
func TestBounds(t *testing.T) {
	rows := func(n, columns int, v value.Value) [][]value.Value {
		out := make([][]value.Value, n)
		for i := range out {
			for range columns {
				out[i] = append(out[i], v)
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		rows, columns               int
		v                           value.Value
		shown, moreRows, moreColumn int
		whole                       bool
	}{
		"all columns that are allowed": {20, 100, value.Int(1), 9, 11, 0, false}, // of 201 bytes each
		"as many rows as fit":          {50, 3, value.Int(1), 50, 0, 0, true},
		"one row more":                 {51, 3, value.Int(1), 50, 1, 0, false},
		"as many bytes as fit":         {8, 1, value.Str(strings.Repeat("x", 246)), 8, 0, 0, true},
		"more bytes":                   {8, 1, value.Str(strings.Repeat("x", 247)), 7, 1, 0, false},
		"one column more":              {1, 101, value.Int(1), 1, 0, 1, false},
		"numbers are not cut":          {1, 100, value.Float(1.0 / 3), 1, 0, 0, true},
		"a wide row of blobs":          {1, 100, value.Bytes(strings.Repeat("x", 300)), 1, 0, 0, false},
	} {
		got, err := NewTable(t.Context(), "L", table(t, c.columns, rows(c.rows, c.columns, c.v)...))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := got.Answer()
		if err != nil {
			t.Fatal(err)
		}
		whole := !strings.Contains(answer, "result")
		if len(got.Rows) != c.shown || got.MoreRows != c.moreRows || got.MoreColumns != c.moreColumn || whole != c.whole {
			t.Errorf("%s: %d rows are shown and %d not, %d columns are not, the answer is written out: %v", name, len(got.Rows), got.MoreRows, got.MoreColumns, whole)
		}
		text, err := got.JSON()
		if most := MostBytes + MostColumns*(2*MostText+20) + 2000; err != nil || len(text) > most {
			t.Errorf("%s: %v, %d bytes are shown", name, err, len(text))
		}
	}
}

// TestBody does the same with answers of endpoints.
func TestBody(t *testing.T) {
	many := strings.Repeat(`{"a":1},`, MostRows+4) + `{"a":1}`
	long := strings.Repeat("x", MostBytes)
	for name, c := range map[string]struct{ text, shown, answer string }{
		"no rows": {
			`{"data":[],"count":0,"truncated":false}`, `{"data":[],"count":0,"truncated":false}`, `"gold"`,
		},
		"a row": {
			`{"data":[{"b":1.0,"a":"<x>"}],"count":1,"truncated":false}`, `{"data":[{"b":1.0,"a":"<x>"}],"count":1,"truncated":false}`, `"gold"`,
		},
		"many rows": {
			`{"data":[` + many + `],"count":55,"truncated":true,"next_offset":55}`,
			`{"data":[` + many[:MostRows*8-1] + `],"count":55,"truncated":true,"next_offset":55,"rows_not_shown":5}`, `{"result":"get_it","row_count":55}`,
		},
		"a text that is too long": {
			`{"data":[{"b":null,"a":"` + long + `","c":{"blob":"` + long + `"}}],"count":1,"truncated":false}`,
			`{"data":[{"b":null,"a":"` + long[:MostText] + `… (1900 more characters)","c":{"blob":"` + long[:MostText] + `… (1900 more characters)"}}],"count":1,"truncated":false,"texts_cut":true}`,
			`{"result":"get_it","row_count":1}`,
		},
	} {
		got, err := NewBody(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if shown, err := got.JSON(); err != nil || shown != c.shown {
			t.Errorf("%s: %v, shown is\n%s, want\n%s", name, err, shown, c.shown)
		}
		if answer, err := got.Answer("get_it", "gold"); err != nil || answer != c.answer {
			t.Errorf("%s: %v, the answer is %s, want %s", name, err, answer, c.answer)
		}
	}
	for _, text := range []string{"", "[]", `{"data":1}`, "null"} {
		if _, err := NewBody(text); err == nil {
			t.Errorf("%.20s is an answer", text)
		}
	}
}

// TestMessagesFail says that each call needs what it returned.
func TestMessagesFail(t *testing.T) {
	if _, err := (Sample{Calls: []tools.Call{{Name: "a"}}}).Messages(); err == nil {
		t.Error("a call without a result is told")
	}
	if _, err := (Sample{Calls: []tools.Call{{Name: "a", Arguments: tools.Arguments{{Name: "x", Value: func() {}}}}}, Returned: []string{"1"}}).Messages(); err == nil {
		t.Error("an argument that is no JSON is told")
	}
}
