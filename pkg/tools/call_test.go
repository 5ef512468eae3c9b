package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestStartJSON shows the JSON form of a start; the tables keep their order.
func TestStartJSON(t *testing.T) {
	start := Start{
		Conditions: []JoinKey{{"T2.a", "T1.b", InnerJoin}, {"T1", "T3", CrossJoin}},
		Tables:     []StartTable{{"T2", "x y", "xy"}, {"T1", "z", "z"}, {"T3", "z", ""}},
		Database:   "shop.sqlite",
	}
	const want = `{"name":"initialize_active_data","arguments":{"condition_sequence":[["T2.a","T1.b","INNER"],["T1","T3","CROSS"]],` +
		`"alias_to_table_dict":{"T2":{"original_table_name":"x y","modified_table_name":"xy"},"T1":{"original_table_name":"z","modified_table_name":"z"},` +
		`"T3":{"original_table_name":"z","modified_table_name":"T3"}},"database_path":"shop.sqlite"},"label":"starting_table_var"}`
	text, err := json.Marshal(start)
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v", text, err)
	}
	var got Start
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	start.Tables[2].Modified, start.Label = "T3", StartLabel
	if d := cmp.Diff(start, got); d != "" {
		t.Error(d)
	}
}

// TestCallJSON shows that numbers and the order of arguments are kept.
func TestCallJSON(t *testing.T) {
	const text = `{"name":"x","arguments":{"z":1,"a":1.0,"m":[9223372036854775807,{"q":1e5,"b":"<&>"}],"n":null},"label":"l"}`
	var c Call
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil || strings.TrimSpace(b.String()) != text {
		t.Errorf("%s, %v", b.String(), err)
	}
	if err := json.Unmarshal([]byte(`{"arguments":{"a":1,"a":2}}`), &c); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a name given twice: %v", err)
	}
}

// TestLiteralJSON checks that every value has a JSON form that is read as the
// same value.
func TestLiteralJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue().Draw(t, "value")
		text, err := json.Marshal(Arguments{{Name: "v", Value: LiteralJSON(v)}})
		if err != nil {
			t.Fatal(err)
		}
		var args Arguments
		if err := json.Unmarshal(text, &args); err != nil {
			t.Fatal(err)
		}
		d := &decoder{session: NewSession(NewMemory(), Options{}), tool: &catalog[0], args: args}
		if got := d.operand("v"); d.err != nil || got.literal != v {
			t.Fatalf("%s is read as %v, %v", text, got.literal, d.err)
		}
	})
}

// TestKeyName shows how keys are made of names.
func TestKeyName(t *testing.T) {
	for _, test := range []struct{ table, column, want string }{
		{"frpm", "Free Meal Count (K-12)", "frpm_Free_Meal_Count_K_12"},
		{"T1", "id", "T1_id"},
		{"T1", "__a--b__", "T1_a_b"},
		{"T1", "été", "T1_t"},
		{"", "", "column"},
		{"T1", "%", "T1"},
	} {
		if got := KeyName(test.table, test.column); got != test.want {
			t.Errorf("KeyName(%q, %q) = %q, want %q", test.table, test.column, got, test.want)
		}
	}
}

// TestStartKeys shows the keys of a starting table whose columns clash, in the
// order of the tables and not of the joins.
func TestStartKeys(t *testing.T) {
	m := NewMemory()
	for _, name := range []string{"a", "b", "c"} {
		columns := []ColumnInfo{{Name: "x-y"}, {Name: "x y"}}
		if err := m.Add(name, columns, [][]value.Value{{value.Int(1), value.Int(1)}}); err != nil {
			t.Fatal(err)
		}
	}
	s := Start{
		Tables:     []StartTable{{"A", "a", "t"}, {"B", "b", "t"}, {"C", "c", "c"}},
		Conditions: []JoinKey{{"A.x y", "C.x-y", InnerJoin}, {"C.X Y", "B.x-y", InnerJoin}},
	}
	got, err := NewSession(m, Options{}).Init(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"t_x_y", "t_x_y_1", "t_x_y_2", "t_x_y_3", "c_x_y", "c_x_y_1"}, got.Keys()); d != "" {
		t.Error(d)
	}
}

// TestErrors shows what is said about calls that cannot be run.
func TestErrors(t *testing.T) {
	o := birds(t)
	for _, test := range []struct{ step, want string }{
		{`drop_data() -> a`, `drop_data: unknown tool "drop_data"; use one of filter_data, sort_data,`},
		{`filter_data("data_source": "$s", "key_nam": "t_id", "condition": "is_null")`, `filter_data: unknown argument "key_nam"; it takes data_source, key_name,`},
		{`filter_data("data_source": "$s", "key_name": "t_id")`, `filter_data: condition: is missing`},
		{`filter_data("data_source": "$s", "key_name": "t_idd", "condition": "is_null")`, `filter_data: key_name: unknown key "t_idd"; use one of t_id, t_species_id, t_site, t_count, t_seen`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equals", "value": 1)`, `filter_data: condition: unknown value "equals"; use one of equal_to, not_equal_to,`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to")`, `filter_data: value: is missing`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to", "value": [1])`, `filter_data: value: a list where one value is expected`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to", "value": {"a": 1})`, `filter_data: value: is not a value; give a literal,`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "between", "value": [1])`, `give [low, high]`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "is_null", "value": 3)`, `is_null takes no value`},
		{`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to", "value": "$x$")`, `unknown label "x"; use one of starting_table_var; write {"literal": "$x$"} for the text itself`},
		{`filter_data("data_source": "starting_table_var", "key_name": "t_id", "condition": "is_null")`, `write the label between dollar signs`},
		{`sort_data("data_source": "$s", "key_name": [], "ascending": true)`, `sort_data: key_name: names no key`},
		{`sort_data("data_source": "$s", "key_name": "t_id", "ascending": "yes")`, `sort_data: ascending: is not a boolean; give true or false`},
		{`sort_data("data_source": "$s", "key_name": "t_id", "ascending": true, "nulls": "middle")`, `use one of first, last`},
		{`sort_data("data_source": "$s", "key_name": "t_id", "ascending": true, "collation": "de")`, `use one of binary, nocase, rtrim`},
		{`aggregate_data("data_source": "$s", "aggregation_type": "sum")`, `aggregate_data: key_name: is missing`},
		{`aggregate_data("data_source": "$s", "key_name": "t_id", "aggregation_type": "median")`, `use one of min, max, sum,`},
		{`aggregate_data("data_source": "$s", "key_name": "t_id", "aggregation_type": "sum", "limit": 1.5)`, `limit: is not a whole number`},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "substrin", "operation_args": {})`, `the nearest are substring,`},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "substring", "operation_args": {})`, `substring needs start_index`},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "abs", "operation_args": {"x": 1})`, `abs takes no "x"; it takes no arguments`},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "multiply", "operation_args": {"value": "t_count"})`, `operation_args.value: is the text "t_count", which is a key of the table; write {"key_name": "t_count"} for the column, or {"literal": "t_count"} for the text itself`},
		{`transform_data("data_source": "$s", "operation_type": "abs")`, `transform_data: key_name: is missing`},
		{`transform_data("data_source": "$s", "operation_type": "constant", "operation_args": {"value": 1})`, `output_key: is missing`},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "cast", "operation_args": {"type": "date"})`, `use one of integer, real,`},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "call", "operation_args": {"function": "load_extension"})`, `no function "load_extension" of 1 arguments`},
		{`combine_data("data_source": "$s", "other_data_source": "$s", "operation": "minus")`, `use one of union_all, union,`},
		{`join_data("data_source": "$s", "other_data_source": "$s", "join_type": "inner")`, `the keys of the two tables do not pair up`},
		{`window_data("data_source": "$s", "function": "sum")`, `window_data: key_name: unknown key ""`},
		{`window_data("data_source": "$s", "function": "rank", "frame": {"unit": "rows"})`, `window_data: frame: is not a frame`},
		{`retrieve_data("data_source": "$s") -> a b`, `"a b" is not a label`},
	} {
		_, err := o.session("sighting").Run(context.Background(), step(t, test.step))
		var mendable *ToolError
		if !errors.As(err, &mendable) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\n got %v\nwant %s", test.step, err, test.want)
		}
	}
}

// TestStartErrors does the same for starts.
func TestStartErrors(t *testing.T) {
	o := birds(t)
	for _, test := range []struct {
		start Start
		want  string
	}{
		{Start{}, "names no table"},
		{start("a=nothing"), `no table "nothing"`},
		{start("a=site a=site"), `alias "a" is used twice`},
		{start("a=site b=site"), `table "b" is joined to nothing`},
		{start("a=site b=site", "a.id b.id OUTER"), "use one of INNER, LEFT"},
		{start("a=site b=site", "a.idd b.id INNER"), `unknown column "a.idd"; use one of id, town`},
		{start("a=site b=site", "c.id b.id INNER"), `unknown table in "c.id"; use one of a, b`},
		{start("a=site b=site", "a.id b.id INNER", "a.id b.id LEFT"), "are both joined already"},
		{start("a=site b=site c=site d=site", "a.id b.id INNER", "c.id d.id INNER"), `neither "c" nor "d" is joined yet`},
	} {
		_, err := NewSession(o.memory, Options{}).Init(context.Background(), test.start)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

// TestLimits checks the bound on rows and that contexts are honoured.
func TestLimits(t *testing.T) {
	o := birds(t)
	ctx := context.Background()
	session := NewSession(o.memory, Options{MaxRows: 20, MaxBytes: 200})
	var limit *LimitError
	if _, err := session.Init(ctx, start("a=sighting b=sighting", "a b CROSS")); !errors.As(err, &limit) || limit.Limit != 20 {
		t.Errorf("cross join: %v", err)
	}
	if _, err := session.Init(ctx, start("t=sighting")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		step    string
		limited bool
	}{
		{`join_data("data_source": "$s", "other_data_source": "$s", "key_name": "t_site", "other_key_name": "t_site", "join_type": "inner")`, true},
		{`join_data("data_source": "$s", "other_data_source": "$s", "key_name": "t_id", "other_key_name": "t_id", "join_type": "inner")`, false},
		{`combine_data("data_source": "$s", "other_data_source": "$s", "operation": "union_all") -> a`, false},
		{`combine_data("data_source": "$a$", "other_data_source": "$s", "operation": "union_all")`, true},
		{`transform_data("data_source": "$s", "key_name": "t_seen", "operation_type": "concat", "operation_args": {"value": "."})`, false},
		{`transform_data("data_source": "$s", "key_name": "t_id", "operation_type": "call", "operation_args": {"function": "printf", "arguments": ["%200d"], "position": 1})`, true},
		{`window_data("data_source": "$s", "key_name": "t_seen", "function": "concat", "order_by": "t_id")`, true},
	} {
		if _, err := session.Run(ctx, step(t, test.step)); errors.As(err, &limit) != test.limited || !test.limited && err != nil {
			t.Errorf("%s: %v", test.step, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := session.Run(cancelled, step(t, `sort_data("data_source": "$s", "key_name": "t_id", "ascending": true)`)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFailedCall checks that a call that fails leaves earlier results alone.
func TestFailedCall(t *testing.T) {
	o := birds(t)
	s := o.session("site")
	before, _ := s.Table(StartLabel)
	if _, err := s.Run(context.Background(), step(t, `filter_data("data_source": "$s", "key_name": "x", "condition": "is_null") -> starting_table_var`)); err == nil {
		t.Fatal("no error")
	}
	if after, _ := s.Table(StartLabel); after != before {
		t.Error("the label has another table now")
	}
}

// TestFork checks that a fork sees earlier results and keeps its own.
func TestFork(t *testing.T) {
	o := birds(t)
	s := o.session("site")
	table, _ := s.Table(StartLabel)
	s.Put("mine", table)
	fork := s.Fork()
	if _, err := fork.Run(context.Background(), step(t, `select_unique_values("unique_array": "$mine$") -> theirs`)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{StartLabel, "mine"}, s.Labels()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{StartLabel, "mine", "theirs"}, fork.Labels()); d != "" {
		t.Error(d)
	}
}

// TestTypedArguments checks that a program can write calls with the constants
// of this package.
func TestTypedArguments(t *testing.T) {
	var s Session
	if err := s.Put("books", books(t)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args Arguments
		want int
	}{
		{toolname.Filter, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgKeyName, "pages"}, {toolname.ArgCondition, Greater}, {toolname.ArgValue, 300}}, 3},
		{toolname.Sort, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgKeyName, []string{"genre", "pages"}}, {toolname.ArgAscending, true}, {toolname.ArgNulls, NullsLast}, {toolname.ArgCollation, CollateNoCase}}, 5},
		{toolname.Transform, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgKeyName, "pages"}, {toolname.ArgOperationType, OpConditional}, {toolname.ArgOperationArgs, Arguments{{toolname.ArgCondition, Less}, {toolname.ArgValue, 1.5}, {toolname.ArgThen, "few"}}}}, 5},
		{toolname.Transform, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgKeyName, "pages"}, {toolname.ArgOperationType, Operation(IsNull)}}, 5},
		{toolname.Aggregate, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgAggregationType, Count}}, 1},
		{toolname.Combine, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgOtherDataSource, "$books$"}, {toolname.ArgOperation, UnionAll}}, 10},
		{toolname.Join, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgOtherDataSource, "$books$"}, {toolname.ArgJoinType, CrossJoin}}, 25},
		{toolname.Window, Arguments{{toolname.ArgDataSource, "$books$"}, {toolname.ArgFunction, WindowCount}, {toolname.ArgFrame, Arguments{{toolname.ArgUnit, FrameRows}, {toolname.ArgStart, -1}, {toolname.ArgEnd, toolname.BoundCurrent}}}}, 5},
	} {
		got, err := s.Run(context.Background(), Call{Name: test.name, Arguments: test.args})
		if err != nil || got.Len() != test.want {
			t.Errorf("%s: %d rows, want %d: %v", test.name, got.Len(), test.want, err)
		}
	}
}
