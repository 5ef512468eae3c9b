package observation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// table makes a table of computed columns under the keys c0, c1 and so on.
func table(t testing.TB, columns int, rows ...[]value.Value) *tools.Table {
	t.Helper()
	fields := make([]tools.Field, columns)
	for i := range fields {
		fields[i] = tools.Field{Key: fmt.Sprintf("c%d", i), Computed: true}
	}
	return tableOf(t, fields, rows...)
}

func tableOf(t testing.TB, fields []tools.Field, rows ...[]value.Value) *tools.Table {
	t.Helper()
	list := make([]*tools.Column, len(fields))
	for i := range fields {
		cells := make([]value.Value, len(rows))
		for r, row := range rows {
			cells[r] = row[i]
		}
		list[i] = tools.NewColumn(cells...)
	}
	out, err := tools.NewTable(fields, list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// repeated returns rows of one value.
func repeated(rows, columns int, v value.Value) [][]value.Value {
	out := make([][]value.Value, rows)
	for i := range out {
		out[i] = slices.Repeat([]value.Value{v}, columns)
	}
	return out
}

// TestOfTable lists results of calls with what a model is shown for them.
func TestOfTable(t *testing.T) {
	null, one, text := value.NullValue(), value.Int(1), value.Str("a")
	long := strings.Repeat("é", observation.MaxBytes)
	cut := long[:2*observation.MaxText] + "… (1900 more characters)"
	declared := []tools.Field{{Key: "n", Type: "INTEGER"}, {Key: "day", Type: "DATE"}, {Key: "x", Computed: true}}
	schema := schemaOf(t, "slot")
	for name, c := range map[string]struct {
		table *tools.Table
		want  string
	}{
		"no rows": {
			table(t, 2),
			`{"label":"L","row_count":0,"shown":0,"truncated":false,"columns":{"c0":"null","c1":"null"},"rows":[]}`,
		},
		"no values": {
			table(t, 1),
			`{"label":"L","row_count":0,"shown":0,"truncated":false,"columns":{"c0":"null"},"values":[]}`,
		},
		"a value": {
			table(t, 1, []value.Value{value.Float(3)}),
			`{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"c0":"number"},"value":3.0}`,
		},
		"NULL": {
			table(t, 1, []value.Value{null}),
			`{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"c0":"null"},"value":null}`,
		},
		"a column": {
			table(t, 1, []value.Value{null}, []value.Value{value.Str("<a>")}),
			`{"label":"L","row_count":2,"shown":2,"truncated":false,"columns":{"c0":"string"},"values":[null,"<a>"]}`,
		},
		"a row": {
			table(t, 2, []value.Value{value.Int(9007199254740993), value.Bytes("\x00")}),
			`{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"c0":"integer","c1":"blob"},"rows":[[9007199254740993,{"blob":"00"}]]}`,
		},
		"a text that looks like a label": {
			table(t, 1, []value.Value{value.Str("$COUNT$")}),
			`{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"c0":"string"},"value":{"literal":"$COUNT$"}}`,
		},
		"types of computed columns": {
			table(t, 3, []value.Value{one, one, null}, []value.Value{value.Float(0.5), text, value.Bytes("")}, []value.Value{one, one, null}),
			`{"label":"L","row_count":3,"shown":3,"truncated":false,"columns":{"c0":"number","c1":"mixed","c2":"blob"},"rows":[[1,1,null],[0.5,"a",{"blob":""}],[1,1,null]]}`,
		},
		"types that are declared": {
			tableOf(t, declared, []value.Value{text, null, text}),
			`{"label":"L","row_count":1,"shown":1,"truncated":false,"columns":{"n":"integer","day":"string","x":"string"},"rows":[["a",null,"a"]]}`,
		},
		"a text that is too long": {
			table(t, 2, []value.Value{value.Str(long), one}, []value.Value{text, one}),
			`{"label":"L","row_count":2,"shown":1,"truncated":true,"texts_cut":true,"columns":{"c0":"string","c1":"integer"},"rows":[["` + cut + `",1]]}`,
		},
		"a single text that is too long": {
			table(t, 1, []value.Value{value.Str(long)}),
			`{"label":"L","row_count":1,"shown":1,"truncated":true,"texts_cut":true,"columns":{"c0":"string"},"value":"` + cut + `"}`,
		},
		"the first of two texts is too long": {
			table(t, 1, []value.Value{value.Str(long)}, []value.Value{text}),
			`{"label":"L","row_count":2,"shown":1,"truncated":true,"texts_cut":true,"columns":{"c0":"string"},"values":["` + cut + `"]}`,
		},
	} {
		o, err := observation.OfTable(t.Context(), tools.Call{Label: "L"}, c.table)
		if err != nil {
			t.Fatal(err)
		}
		got, err := o.JSON()
		if err != nil || got != c.want {
			t.Errorf("%s: %v, shown is\n%s, want\n%s", name, err, got, c.want)
		}
		if marshaled, err := json.Marshal(o); err != nil || len(got) > len(marshaled) {
			t.Errorf("%s: %v, marshalled it is %s", name, err, marshaled)
		}
		if err := fits(schema, got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGrouped says that a model sees groups, and what they are groups of.
func TestGrouped(t *testing.T) {
	for _, c := range []struct {
		columns int
		key     string
		want    string // the end of what is shown
	}{
		{1, "c0", `"grouped":true,"columns":{"c0":"integer"},"value":1}`},
		{90, "c89", `,"c89":"integer"},"rows":[[` + strings.Repeat("1,", 62) + `1]]}`},
	} {
		groups, err := tools.GroupDataBy(t.Context(), table(t, c.columns, repeated(2, c.columns, value.Int(1))...), tools.GroupArgs{Keys: []string{c.key}})
		if err != nil {
			t.Fatal(err)
		}
		o, err := observation.OfTable(t.Context(), tools.Call{Label: "GROUPED"}, groups)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := o.JSON(); err != nil || !o.Grouped || o.RowCount != 1 || !strings.HasSuffix(got, c.want) {
			t.Errorf("%v, shown is\n%s, want\n%s", err, got, c.want)
		}
	}
}

// TestBounds says how much is shown of large results.
func TestBounds(t *testing.T) {
	schema := schemaOf(t, "slot")
	for name, c := range map[string]struct {
		rows, columns int
		v             value.Value
		shown, left   int // rows shown and columns left out
		whole         bool
	}{
		"as many rows as fit":  {50, 3, value.Int(1), 50, 0, true},
		"one row more":         {51, 3, value.Int(1), 50, 0, false},
		"as many bytes as fit": {8, 1, value.Str(strings.Repeat("x", 248)), 8, 0, true},
		"more bytes":           {8, 1, value.Str(strings.Repeat("x", 249)), 7, 0, false},
		"many columns":         {50, 63, value.Int(1), 15, 0, false}, // of 16 bytes each but for ten of 15, and rows of 127
		"one column more":      {50, 64, value.Int(1), 15, 1, false},
		"a hundred columns":    {1, 100, value.Int(1), 1, 37, false},
		"numbers are not cut":  {1, 60, value.Float(1.0 / 3), 1, 0, true},
		"a wide row of blobs":  {1, 60, value.Bytes(strings.Repeat("x", 300)), 1, 0, false},
	} {
		o, err := observation.OfTable(t.Context(), tools.Call{Label: "L"}, table(t, c.columns, repeated(c.rows, c.columns, c.v)...))
		if err != nil {
			t.Fatal(err)
		}
		if o.Shown != c.shown || o.ColumnsNotShown != c.left || len(o.Columns) != c.columns-c.left || o.Truncated == c.whole {
			t.Errorf("%s: %d rows are shown, and %d columns are not; truncated is %v", name, o.Shown, o.ColumnsNotShown, o.Truncated)
		}
		text, err := o.JSON()
		if limit := observation.MaxKeyBytes + observation.MaxBytes + 64*(2*observation.MaxText+20); err != nil || len(text) > limit {
			t.Errorf("%s: %v, %d bytes are shown", name, err, len(text))
		}
		if err := fits(schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestColumns says which columns are shown of very many: those that the call
// names, wherever they are among its arguments, then computed ones, and the
// first of the others. They keep their order.
func TestColumns(t *testing.T) {
	fields := make([]tools.Field, 90)
	for i := range fields {
		fields[i] = tools.Field{Key: fmt.Sprintf("schools_%02d", i), Type: "TEXT"}
	}
	fields[70] = tools.Field{Key: "ratio", Computed: true}
	wide := tableOf(t, fields, repeated(1, len(fields), value.Str("a"))...)
	var arguments tools.Arguments
	if err := json.Unmarshal([]byte(`{"key_name":["schools_80"],"value":{"key_name":"schools_60"},"condition":"schools_99"}`), &arguments); err != nil {
		t.Fatal(err)
	}
	arguments = arguments.Set("order_by", []string{"schools_89"})
	o, err := observation.OfTable(t.Context(), tools.Call{Arguments: arguments}, wide)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range o.Columns {
		got = append(got, c.Key)
	}
	want := []string{}
	for i := range 39 { // of 23 bytes each
		want = append(want, fields[i].Key)
	}
	want = append(want, "schools_60", "ratio", "schools_80", "schools_89")
	if !slices.Equal(got, want) {
		t.Errorf("%d columns are shown, want %d: %v", len(got), len(want), got)
	}
	// One column is shown in any case.
	fields = []tools.Field{{Key: "a"}, {Key: strings.Repeat("x", 2*observation.MaxKeyBytes), Type: "TEXT"}}
	long := tableOf(t, fields, repeated(1, 2, value.Int(1))...)
	for key, want := range map[string]int{"a": 0, fields[1].Key: 1} {
		o, err := observation.OfTable(t.Context(), tools.Call{Arguments: tools.Arguments{{Name: "key_name", Value: key}}}, long)
		if err != nil || len(o.Columns) != 1 || o.Columns[0].Key != fields[want].Key {
			t.Errorf("%v, the columns of a call of %.10s are %+v", err, key, o)
		}
	}
}
