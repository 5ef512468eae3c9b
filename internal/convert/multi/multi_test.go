package multi_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/multi"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestNumber lists answers and whether their question can be a part.
func TestNumber(t *testing.T) {
	one := func(v value.Value) [][]value.Value { return [][]value.Value{{v}} }
	for _, c := range []struct {
		name string
		of   record.Facts
		rows [][]value.Value
		want bool
	}{
		{"an integer", record.Facts{}, one(value.Int(7)), true},
		{"a real", record.Facts{}, one(value.Float(-0.5)), true},
		{"infinity", record.Facts{}, one(value.Float(math.Inf(1))), false},
		{"NULL", record.Facts{}, one(value.NullValue()), false},
		{"a text of digits", record.Facts{}, one(value.Str("7")), false},
		{"no row", record.Facts{}, nil, false},
		{"two rows", record.Facts{}, append(one(value.Int(7)), one(value.Int(7))...), false},
		{"two columns", record.Facts{}, [][]value.Value{{value.Int(7), value.Int(8)}}, false},
		{"an open answer", record.Facts{TieDependent: true}, one(value.Int(7)), false},
		{"the clock", record.Facts{TimeDependent: true}, one(value.Int(7)), false},
	} {
		if _, got := multi.Number(c.of, c.rows); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestCheck lists records that lack something.
func TestCheck(t *testing.T) {
	start := tools.Start{}
	part := record.Part{Initialization: &start, StartingTables: []record.StartingTable{{Name: "t"}}}
	two := []string{"a", "b"}
	for _, c := range []struct {
		record record.Multi
		want   string
	}{
		{record.Multi{}, `its calls are of the form ""; there are slot and rest`},
		{record.Multi{Form: record.REST}, "it has 0 parts of 0 databases, and not two"},
		{record.Multi{Form: record.REST, Databases: two, Parts: []record.Part{{}}}, "it has 1 parts of 2 databases, and not two"},
		{record.Multi{Form: record.REST, Databases: two, Parts: []record.Part{{}, {}}}, ""},
		{record.Multi{Form: record.SLOT, Databases: two, Parts: []record.Part{part, {}}}, "part 1 has 0 initialization steps for 0 starting tables"},
		{record.Multi{Form: record.SLOT, Databases: two, Parts: []record.Part{{Initialization: &start}, part}}, "part 0 has 1 initialization steps for 0 starting tables"},
		{record.Multi{Form: record.SLOT, Databases: two, Parts: []record.Part{part, part}}, ""},
	} {
		got := ""
		if err := c.record.Check(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestNew makes a record of two questions whose calls have the same labels and
// texts that look like labels.
func TestNew(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	var parts []*multi.Verified
	for i, q := range []bird.Question{
		{ID: bird.Number(1), DB: "city_library", Text: "How many branches are called \"$COUNT$\"?", SQL: "SELECT count(*) FROM branch WHERE name <> '$COUNT$'", Evidence: "not at all; "},
		{ID: bird.Number(2), DB: "bird_club", Text: "Count the species", SQL: "SELECT count(*) - (SELECT count(*) FROM site WHERE name <> '$COUNT$') FROM species"},
	} {
		db, err := slot.Open(t.Context(), dataset.Database(q.DB))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		r, err := slot.NewConverter(db, slot.Options{}).Convert(t.Context(), &q)
		if err != nil {
			t.Fatal(i, err)
		}
		n, _ := tools.LiteralValue(r.Gold.Rows[0][0])
		rows := [][]value.Value{{n}}
		number, ok := multi.Number(r.Facts, rows)
		if !ok {
			t.Fatalf("%v is no number", rows)
		}
		parts = append(parts, &multi.Verified{Question: &q, Number: number, Facts: r.Facts, Slot: r})
	}
	r := multi.New(bird.Number(0), multi.Pair{Which: multi.Smaller, Template: 1}, parts[0], parts[1], record.SLOT)
	if want := `Q1: How many branches are called "$COUNT$"? Q2: Count the species. Which of the two questions has the smaller number as its answer, Q1 or Q2?`; r.Question != want {
		t.Errorf("%s\nwant %s", r.Question, want)
	}
	if want := "Q1: not at all."; r.Evidence != want {
		t.Errorf("%s, want %s", r.Evidence, want)
	}
	var b strings.Builder
	for _, c := range r.Calls {
		text, err := json.Marshal(c.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(c.Label + " = " + c.Name + " " + string(text) + "\n")
	}
	want := `FILTERED_DF_0 = filter_data {"data_source":"$city_library_starting_table_var$","key_name":"branch_name","value":{"literal":"$COUNT$"},"condition":"not_equal_to"}
COUNT = aggregate_data {"data_source":"$FILTERED_DF_0$","aggregation_type":"count"}
`
	if !strings.HasPrefix(b.String(), want) || !strings.Contains(b.String(), `"$bird_club_starting_table_var_1$"`) || !strings.HasSuffix(b.String(),
		`COMPARISON = compare_numbers {"q1":"$COUNT$","q2":"$`+r.Parts[1].Result+`$","which":"smaller"}`+"\n") {
		t.Errorf("%s\nwant %s...", b.String(), want)
	}
	if system := multi.System(r); !strings.Contains(system, "the databases bird_club and city_library") || strings.Count(system, "Starting tables:") != 2 {
		t.Error(system)
	}
}
