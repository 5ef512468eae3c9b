package tools

import (
	"errors"
	"fmt"
	"testing"
)

// TestMaxRows calls each tool with a bound on rows below, at and above the number that
// its result has.
func TestMaxRows(t *testing.T) {
	o := newOracle(t)
	var rows [][]any
	for i := range 12 {
		rows = append(rows, []any{i, i % 4, "[1,2]"})
	}
	o.add("n", []string{"id INTEGER", "part INTEGER", "list TEXT"}, rows...)
	session := NewSession(o.memory, Options{Now: testNow})
	if _, err := session.Init(t.Context(), start("n=n")); err != nil {
		t.Fatal(err)
	}
	part, err := session.Run(t.Context(), step(t, `retrieve_data("data_source": "$s", "key_name": "n_part")`))
	if err != nil {
		t.Fatal(err)
	}
	const both = `"data_source": "$s", "other_data_source": "$s"`
	for call, n := range map[string]int{
		`filter_data("data_source": "$s", "key_name": "n_id", "condition": "less_than", "value": 7)`:      7,
		`sort_data("data_source": "$s", "key_name": "n_part", "ascending": true)`:                         12,
		`retrieve_data("data_source": "$s", "key_name": "n_id", "limit": 5)`:                              5,
		`transform_data("data_source": "$s", "key_name": "n_id", "operation_type": "abs")`:                12,
		`select_unique_values("unique_array": "$p$")`:                                                     4,
		`group_data_by("data_source": "$s", "key_name": "n_part")`:                                        4,
		`join_data(` + both + `, "key_name": "n_part", "other_key_name": "n_part", "join_type": "inner")`: 36,
		`join_data(` + both + `, "join_type": "cross")`:                                                   144,
		`combine_data(` + both + `, "operation": "union_all")`:                                            24,
		`combine_data(` + both + `, "operation": "union")`:                                                12,
		`combine_data(` + both + `, "operation": "intersect")`:                                            12,
		`combine_data(` + both + `, "operation": "either")`:                                               12,
		`window_data("data_source": "$s", "function": "row_number", "order_by": "n_id")`:                  12,
		`expand_json("data_source": "$s", "value": {"key_name": "n_list"})`:                               24,
	} {
		for most, fits := range map[int]bool{n - 1: false, n: true, n + 1: true} {
			session := NewSession(o.memory, Options{Now: testNow, MaxRows: most})
			if _, err := session.Init(t.Context(), start("n=n")); err != nil {
				t.Fatal(err)
			}
			if err := session.Put("p", part); err != nil {
				t.Fatal(err)
			}
			got, err := session.Run(t.Context(), step(t, call))
			var limit *LimitError
			switch {
			case fits && (err != nil || got.Len() != n):
				t.Errorf("%s: of %d rows at most: %v, %v", call, most, got, err)
			case !fits && (!errors.As(err, &limit) || limit.Limit != most || limit.What != "rows"):
				t.Errorf("%s: of %d rows at most: %v", call, most, fmt.Sprint(err))
			}
		}
	}
}
