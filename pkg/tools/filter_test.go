package tools

import (
	"encoding/json"
	"fmt"
	"testing"
)

// sqlConditions gives the SQL of each condition; %[1]s is the column and
// %[2]s the value.
var sqlConditions = map[string]string{
	"equal_to":              "%[1]s = %[2]s",
	"not_equal_to":          "%[1]s <> %[2]s",
	"greater_than":          "%[1]s > %[2]s",
	"less_than":             "%[1]s < %[2]s",
	"greater_than_equal_to": "%[1]s >= %[2]s",
	"less_than_equal_to":    "%[1]s <= %[2]s",
	"contains":              "instr(%[1]s, %[2]s) > 0",
	"like":                  "%[1]s LIKE %[2]s",
	"not_contains":          "NOT instr(%[1]s, %[2]s) > 0",
	"not_like":              "%[1]s NOT LIKE %[2]s",
	"glob":                  "%[1]s GLOB %[2]s",
	"not_glob":              "%[1]s NOT GLOB %[2]s",
	"is":                    "%[1]s IS %[2]s",
	"is_not":                "%[1]s IS NOT %[2]s",
	"is_null":               "%[1]s IS NULL",
	"is_not_null":           "%[1]s IS NOT NULL",
	"is_true":               "%[1]s IS TRUE",
	"is_false":              "%[1]s IS FALSE",
}

var awkwardColumns = []string{"n", "x", "c", "r", "i", "f", "u"}

// TestConditions filters by every condition with every kind of column against
// literals, other columns and scalar results, and compares with SQLite.
func TestConditions(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	for name, pattern := range sqlConditions {
		c, err := findCondition("", Condition(name))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			for _, column := range awkwardColumns {
				if c.shape == shapeNone {
					o.checkFilter(t, column, name, "null", fmt.Sprintf(pattern, column))
					continue
				}
				for _, literal := range awkward {
					text := literalText(t, literal)
					o.checkFilter(t, column, name, text, fmt.Sprintf(pattern, column, "?"), literal)
				}
				for _, other := range awkwardColumns {
					o.checkFilter(t, column, name, fmt.Sprintf(`{"key_name": "t_%s"}`, other), fmt.Sprintf(pattern, column, other))
					for _, id := range []int{0, 1, 7, 12, 17, 23, 25, 99} {
						scalar := fmt.Sprintf("(SELECT %s FROM w WHERE id = %d)", other, id)
						label := fmt.Sprintf("%s%d", other, id)
						o.checkFilterAfter(t, []string{
							fmt.Sprintf(`{"name": "filter_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_id", "value": %d, "condition": "equal_to"}, "label": "a"}`, id),
							fmt.Sprintf(`{"name": "retrieve_data", "arguments": {"data_source": "$a$", "key_name": "t_%s"}, "label": "%s"}`, other, label),
						}, column, name, fmt.Sprintf(`"$%s$"`, label), fmt.Sprintf(pattern, column, scalar))
					}
				}
			}
		})
	}
}

// TestMembership does the same for in and between.
func TestMembership(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	lists := [][]any{{}, {nil}, {1, "abc"}, {"1", 2.5, nil}, {"ABC", "7", 10.0}, {int64(9007199254740993), []byte("abc")}}
	for _, column := range awkwardColumns {
		for _, list := range lists {
			texts, places := "", ""
			for i, v := range list {
				if i > 0 {
					texts, places = texts+", ", places+", "
				}
				texts, places = texts+literalText(t, v), places+"?"
			}
			o.checkFilter(t, column, "in", "["+texts+"]", column+" IN ("+places+")", list...)
			o.checkFilter(t, column, "not_in", "["+texts+"]", column+" NOT IN ("+places+")", list...)
		}
		for _, other := range awkwardColumns {
			retrieve := []string{fmt.Sprintf(`{"name": "retrieve_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_%s", "limit": 20, "offset": 8}, "label": "list"}`, other)}
			list := fmt.Sprintf("(SELECT %s FROM w LIMIT 20 OFFSET 8)", other)
			o.checkFilterAfter(t, retrieve, column, "in", `"$list$"`, column+" IN "+list)
			o.checkFilterAfter(t, retrieve, column, "not_in", `"$list$"`, column+" NOT IN "+list)
			o.checkFilter(t, column, "in", fmt.Sprintf(`[7, {"key_name": "t_%s"}]`, other), fmt.Sprintf("%s IN (7, %s)", column, other))
			o.checkFilter(t, column, "between", fmt.Sprintf(`[0, {"key_name": "t_%s"}]`, other), fmt.Sprintf("%s BETWEEN 0 AND %s", column, other))
			o.checkFilter(t, column, "not_between", fmt.Sprintf(`["1", {"key_name": "t_%s"}]`, other), fmt.Sprintf("%s NOT BETWEEN '1' AND %s", column, other))
		}
	}
}

// TestFilterOptions covers escape and collation.
func TestFilterOptions(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	for _, test := range []struct{ arguments, sql string }{
		{`"condition": "like", "value": "a!%b", "escape": "!"`, "x LIKE 'a!%b' ESCAPE '!'"},
		{`"condition": "like", "value": "a!_b", "escape": "!"`, "x LIKE 'a!_b' ESCAPE '!'"},
		{`"condition": "not_like", "value": "a!%b", "escape": "!"`, "x NOT LIKE 'a!%b' ESCAPE '!'"},
		{`"condition": "equal_to", "value": "abc", "collation": "nocase"`, "x = 'abc' COLLATE NOCASE"},
		{`"condition": "equal_to", "value": "abc", "collation": "rtrim"`, "x = 'abc' COLLATE RTRIM"},
		{`"condition": "in", "value": ["ABC"], "collation": "nocase"`, "x COLLATE NOCASE IN ('ABC')"},
		{`"condition": "between", "value": ["ABB", "ABD"], "collation": "nocase"`, "x COLLATE NOCASE BETWEEN 'ABB' AND 'ABD'"},
		{`"condition": "equal_to", "value": {"literal": "$a$"}`, "x = '$a$'"},
		{`"condition": "equal_to", "value": {"blob": "616263"}`, "x = x'616263'"},
		{`"condition": "equal_to", "value": true`, "x = 1"},
	} {
		got := run(t, o.session("w"), fmt.Sprintf(`{"name": "filter_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_x", %s}}`, test.arguments))
		if d := diff(o.query("SELECT * FROM w WHERE "+test.sql), rows(t, got)); d != "" {
			t.Errorf("%s:\n%s", test.arguments, d)
		}
	}
}

func literalText(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(LiteralJSON(fromDriver(v)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (o *oracle) checkFilter(t *testing.T, column, condition, value, where string, args ...any) {
	t.Helper()
	o.checkFilterAfter(t, nil, column, condition, value, where, args...)
}

// checkFilterAfter runs calls and a filter, and compares the rows kept, and
// the same test as an operation, with SQLite.
func (o *oracle) checkFilterAfter(t *testing.T, calls []string, column, condition, operand, where string, args ...any) {
	t.Helper()
	s := o.session("w")
	run(t, s, calls...)
	want := o.query("SELECT id FROM w WHERE "+where, args...)
	got := run(t, s,
		fmt.Sprintf(`{"name": "filter_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_%s", "value": %s, "condition": "%s"}, "label": "kept"}`, column, operand, condition),
		`{"name": "retrieve_data", "arguments": {"data_source": "$kept$", "key_name": "t_id"}}`)
	if d := diff(want, rows(t, got)); d != "" {
		t.Errorf("WHERE %s %v with %s:\n%s", where, args, operand, d)
	}
	c, err := findCondition("", Condition(condition))
	if err != nil {
		t.Fatal(err)
	}
	operationArgs := fmt.Sprintf(`{"value": %s}`, operand)
	if c.shape == shapeNone {
		operationArgs = "{}"
	}
	want = o.query("SELECT "+where+" FROM w", args...)
	got = run(t, s,
		fmt.Sprintf(`{"name": "transform_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "t_%s", "operation_type": "%s", "operation_args": %s, "output_key": "test"}, "label": "tested"}`, column, condition, operationArgs),
		`{"name": "retrieve_data", "arguments": {"data_source": "$tested$", "key_name": "test"}}`)
	if d := diff(want, rows(t, got)); d != "" {
		t.Errorf("SELECT %s %v with %s:\n%s", where, args, operand, d)
	}
}
