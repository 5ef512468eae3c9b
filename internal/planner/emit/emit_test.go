package emit

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// baseTable describes a base table. key, if it is one of the columns, is the rowid.
func baseTable(name, key string, columns ...string) *engine.Table {
	t := &engine.Table{Name: name, IntegerPrimaryKey: key, RowID: true}
	for _, c := range columns {
		t.Columns = append(t.Columns, engine.Column{Name: c, Collation: "BINARY"})
	}
	return t
}

var shop = &engine.Schema{Tables: []*engine.Table{
	baseTable("people", "id", "id", "name", "boss"),
	baseTable("orders", "id", "id", "customer", "placed", "total (EUR)"),
	baseTable("odd", "", "a b", "a_b"),
}}

func emit(t *testing.T, sql string, paper bool) (*Sequence, error) {
	t.Helper()
	q, err := sqltree.Read(sql, shop)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	p, err := plan.Build(q, shop, plan.Options{AsOf: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return Emit(p, shop, paper)
}

// lines writes a sequence for reading: label = tool arguments.
func lines(t *testing.T, s *Sequence) []string {
	t.Helper()
	var out []string
	for _, c := range s.Calls {
		args, err := json.Marshal(c.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c.Label+" = "+c.Name+" "+strings.ReplaceAll(string(args), `"`, ""))
	}
	return out
}

func TestSequences(t *testing.T) {
	for _, c := range []struct {
		about, sql string
		want       []string
	}{
		{
			"keys are made safe; a comparison is one call",
			"SELECT id FROM orders WHERE `total (EUR)` >= 10.0",
			[]string{
				"FILTERED_DF_0 = filter_data {data_source:$starting_table_var$,key_name:orders_total_EUR,value:10.0,condition:greater_than_equal_to}",
				"SELECT_COL_0 = retrieve_data {data_source:$FILTERED_DF_0$,key_name:orders_id,distinct:false,limit:-1}",
			},
		},
		{
			"keys that would be the same are told apart",
			"SELECT `a b`, a_b FROM odd",
			[]string{"SELECT_COL_0 = retrieve_data {data_source:$starting_table_var$,key_name:[odd_a_b,odd_a_b_1],distinct:false,limit:-1}"},
		},
		{
			"a derived column gets a key that says what it is",
			"SELECT id FROM orders WHERE substr(placed, 1, 4) = '2024'",
			[]string{
				"TRANSFORMED_DF_0 = transform_data {data_source:$starting_table_var$,key_name:orders_placed,operation_type:substring,operation_args:{start_index:0,end_index:4},output_key:placed_first_4}",
				"FILTERED_DF_1 = filter_data {data_source:$TRANSFORMED_DF_0$,key_name:placed_first_4,value:2024,condition:equal_to}",
				"SELECT_COL_0 = retrieve_data {data_source:$FILTERED_DF_1$,key_name:orders_id,distinct:false,limit:-1}",
			},
		},
		{
			"beside the column that it is derived from",
			"SELECT placed FROM orders WHERE substr(placed, 1, 4) = '2024'",
			[]string{
				"TRANSFORMED_DF_0 = transform_data {data_source:$starting_table_var$,key_name:orders_placed,operation_type:substring,operation_args:{start_index:0,end_index:4},output_key:placed_first_4}",
				"FILTERED_DF_1 = filter_data {data_source:$TRANSFORMED_DF_0$,key_name:placed_first_4,value:2024,condition:equal_to}",
				"SELECT_COL_0 = retrieve_data {data_source:$FILTERED_DF_1$,key_name:orders_placed,distinct:false,limit:-1}",
			},
		},
		{
			"results are referred to by their labels",
			"SELECT CAST(count(*) AS REAL) / (SELECT count(*) FROM people) FROM orders",
			[]string{
				"COUNT = aggregate_data {data_source:$starting_table_var$,key_name:orders_id,aggregation_type:count}",
				"TRANSFORMED_DF_0 = transform_data {data_source:$COUNT$,operation_type:cast,operation_args:{type:real}}",
				"COUNT_1 = aggregate_data {data_source:$starting_table_var_1$,key_name:people_id,aggregation_type:count}",
				"TRANSFORMED_DF_1 = transform_data {data_source:$TRANSFORMED_DF_0$,operation_type:divide,operation_args:{value:$COUNT_1$}}",
			},
		},
		{
			"the same value is used twice without a second column",
			"SELECT count(*) * 2 + count(*) * 3 FROM orders",
			[]string{
				"COUNT = aggregate_data {data_source:$starting_table_var$,key_name:orders_id,aggregation_type:count}",
				"TRANSFORMED_DF_0 = transform_data {data_source:$COUNT$,operation_type:multiply,operation_args:{value:2}}",
				"TRANSFORMED_DF_1 = transform_data {data_source:$COUNT$,operation_type:multiply,operation_args:{value:3}}",
				"TRANSFORMED_DF_2 = transform_data {data_source:$TRANSFORMED_DF_0$,operation_type:add,operation_args:{value:$TRANSFORMED_DF_1$}}",
			},
		},
		{
			"a text that reads like a label is marked as a literal",
			"SELECT id FROM people WHERE name = '$COUNT$'",
			[]string{
				"FILTERED_DF_0 = filter_data {data_source:$starting_table_var$,key_name:people_name,value:{literal:$COUNT$},condition:equal_to}",
				"SELECT_COL_0 = retrieve_data {data_source:$FILTERED_DF_0$,key_name:people_id,distinct:false,limit:-1}",
			},
		},
	} {
		s, err := emit(t, c.sql, false)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if diff := cmp.Diff(c.want, lines(t, s)); diff != "" {
			t.Errorf("%s: %s (-want +got)\n%s", c.about, c.sql, diff)
		}
	}
}

func TestStarts(t *testing.T) {
	s, err := emit(t, "SELECT a.name FROM people a JOIN people b ON a.boss = b.id WHERE b.id IN (SELECT customer FROM orders)", false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, start := range s.Starts {
		data, err := json.Marshal(start)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(data))
	}
	want := []string{
		`{"name":"initialize_active_data","arguments":{"condition_sequence":[["a.boss","b.id","INNER"]],"alias_to_table_dict":{"a":{"original_table_name":"people","modified_table_name":"people"},"b":{"original_table_name":"people","modified_table_name":"people_1"}},"database_path":""},"label":"starting_table_var"}`,
		`{"name":"initialize_active_data","arguments":{"condition_sequence":[],"alias_to_table_dict":{"orders":{"original_table_name":"orders","modified_table_name":"orders"}},"database_path":""},"label":"starting_table_var_1"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("starts (-want +got):\n%s", diff)
	}
}

// TestPaperToolset gives statements that the paper's tools can say, and the
// construct of those that they cannot.
func TestPaperToolset(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want []string
	}{
		{"SELECT count(*) FROM orders", []string{"COUNT = aggregate_data {data_source:$starting_table_var$,key_name:orders_id,aggregation_type:count}"}},
		{"SELECT id FROM orders WHERE customer BETWEEN 2 AND 3", []string{
			"FILTERED_DF_0 = filter_data {data_source:$starting_table_var$,key_name:orders_customer,value:2,condition:greater_than_equal_to}",
			"FILTERED_DF_1 = filter_data {data_source:$FILTERED_DF_0$,key_name:orders_customer,value:3,condition:less_than_equal_to}",
			"SELECT_COL_0 = retrieve_data {data_source:$FILTERED_DF_1$,key_name:orders_id,distinct:false,limit:-1}",
		}},
		{"SELECT id FROM orders ORDER BY customer, placed DESC LIMIT 1", []string{
			"SORTED_DF = sort_data {data_source:$starting_table_var$,key_name:orders_placed,ascending:false}",
			"SORTED_DF_1 = sort_data {data_source:$SORTED_DF$,key_name:orders_customer,ascending:true}",
			"SELECT_COL_0 = retrieve_data {data_source:$SORTED_DF_1$,key_name:orders_id,distinct:false,limit:1}",
		}},
	} {
		s, err := emit(t, c.sql, true)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if diff := cmp.Diff(c.want, lines(t, s)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.sql, diff)
		}
	}
	for _, c := range []struct{ sql, construct string }{
		{"SELECT id FROM orders WHERE placed IS NULL", "IS NULL"},
		{"SELECT id FROM orders WHERE customer = 1 OR placed = 'x'", "OR or set operator"},
		{"SELECT id FROM orders WHERE customer IN (1, 2)", "IN"},
		{"SELECT id FROM orders WHERE customer = id", "comparison of columns"},
		{"SELECT id FROM orders WHERE customer = (SELECT max(id) FROM people)", "nested SELECT"},
		{"SELECT id + 1 FROM orders", "arithmetic"},
		{"SELECT id FROM orders LIMIT 2 OFFSET 1", "OFFSET"},
		{"SELECT min(id), max(id) FROM orders", "several aggregates"},
		{"SELECT count(*) FROM odd", "arithmetic on results"},
		{"SELECT rank() OVER (ORDER BY id) FROM orders", "window function"},
	} {
		_, err := emit(t, c.sql, true)
		var u *plan.Unsupported
		if !errors.As(err, &u) {
			t.Errorf("%s: got %v, want it refused for %s", c.sql, err, c.construct)
		} else if u.Construct != c.construct {
			t.Errorf("%s: refused for %s, want %s", c.sql, u.Construct, c.construct)
		}
	}
}
