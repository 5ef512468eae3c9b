package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestOperations runs every operation on every kind of column and compares
// with the SQL that means the same. $ is the column, @ the other column.
func TestOperations(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	tests := []struct{ operation, args, sql string }{
		{"substring", `"start_index": 0, "end_index": 2`, "substr($, 1, 2)"},
		{"substring", `"start_index": 1`, "substr($, 2)"},
		{"substring", `"start_index": 2, "end_index": 1`, "substr($, 3, 0)"},
		{"substring", `"start_index": -4, "end_index": 3`, "substr($, 1, 3)"},
		{"substring", `"start_index": 0, "end_index": null`, "NULL"},
		{"strftime", `"format": "%Y-%j"`, "strftime('%Y-%j', $)"},
		{"strftime", `"format": "%d", "modifiers": ["start of year", "+40 days"]`, "strftime('%d', $, 'start of year', '+40 days')"},
		{"datetime", `"modifiers": "+1 hour"`, "datetime($, '+1 hour')"},
		{"date", ``, "date($)"},
		{"time", ``, "time($)"},
		{"julianday", ``, "julianday($)"},
		{"unixepoch", `"modifiers": []`, "unixepoch($)"},
		{"round", ``, "round($)"},
		{"round", `"digits": 1`, "round($, 1)"},
		{"round", `"digits": {"key_name": "t_id"}`, "round($, id)"},
		{"add", `"value": {"key_name": "@"}`, "$ + @"},
		{"subtract", `"value": {"key_name": "@"}`, "$ - @"},
		{"subtract", `"value": 3, "swap": true`, "3 - $"},
		{"multiply", `"value": {"key_name": "@"}`, "$ * @"},
		{"multiply", `"value": 100.0`, "$ * 100.0"},
		{"divide", `"value": {"key_name": "@"}`, "$ / @"},
		{"divide", `"value": 4`, "$ / 4"},
		{"divide", `"value": "4", "swap": false`, "$ / '4'"},
		{"ratio", `"value": {"key_name": "@"}`, "CAST($ AS REAL) / @"},
		{"ratio", `"value": {"key_name": "@"}, "scale": 100`, "CAST($ AS REAL) * 100 / @"},
		{"ratio", `"value": 7, "scale": 100.0`, "CAST($ AS REAL) * 100.0 / 7"},
		{"ratio", `"value": {"key_name": "@"}, "scale": 100, "swap": true`, "CAST(@ AS REAL) * 100 / $"},
		{"modulo", `"value": {"key_name": "@"}`, "$ % @"},
		{"bit_and", `"value": {"key_name": "@"}`, "$ & @"},
		{"bit_or", `"value": {"key_name": "@"}`, "$ | @"},
		{"shift_left", `"value": 3`, "$ << 3"},
		{"shift_right", `"value": {"key_name": "@"}, "swap": true`, "@ >> $"},
		{"concat", `"value": {"key_name": "@"}`, "$ || @"},
		{"concat", `"value": "-", "swap": true`, "'-' || $"},
		{"negate", ``, "-$"},
		{"bit_not", ``, "~$"},
		{"not", ``, "NOT $"},
		{"and", `"value": {"key_name": "@"}`, "$ AND @"},
		{"or", `"value": {"key_name": "@"}`, "$ OR @"},
		{"upper", ``, "upper($)"},
		{"lower", ``, "lower($)"},
		{"length", ``, "length($)"},
		{"trim", ``, "trim($)"},
		{"trim", `"characters": "a "`, "trim($, 'a ')"},
		{"ltrim", `"characters": {"key_name": "@"}`, "ltrim($, @)"},
		{"rtrim", ``, "rtrim($)"},
		{"replace", `"old": "b", "new": {"key_name": "@"}`, "replace($, 'b', @)"},
		{"instr", `"value": {"key_name": "@"}`, "instr($, @)"},
		{"substr", `"start": -2, "length": 1`, "substr($, -2, 1)"},
		{"substr", `"start": 2`, "substr($, 2)"},
		{"typeof", ``, "typeof($)"},
		{"coalesce", `"values": [{"key_name": "@"}, "none"]`, "coalesce($, @, 'none')"},
		{"nullif", `"value": {"key_name": "@"}`, "nullif($, @)"},
		{"nullif", `"value": ""`, "nullif($, '')"},
		{"least", `"values": [{"key_name": "@"}, 5]`, "min($, @, 5)"},
		{"greatest", `"values": [{"key_name": "@"}]`, "max($, @)"},
		{"conditional", `"condition": "greater_than", "value": {"key_name": "@"}, "then": "more", "else": {"key_name": "t_id"}`, "CASE WHEN $ > @ THEN 'more' ELSE id END"},
		{"conditional", `"condition": "is_null", "then": 0`, "CASE WHEN $ IS NULL THEN 0 END"},
		{"conditional", `"condition": "in", "value": [1, "abc"], "then": 1.0, "else": "$s"`, "CASE WHEN $ IN (1, 'abc') THEN 1.0 ELSE (SELECT id FROM w) END"},
		{"constant", `"value": 1.0`, "1.0"},
		{"cast", `"type": "integer"`, "CAST($ AS INTEGER)"},
		{"cast", `"type": "real"`, "CAST($ AS REAL)"},
		{"cast", `"type": "text"`, "CAST($ AS TEXT)"},
		{"cast", `"type": "numeric"`, "CAST($ AS NUMERIC)"},
		{"cast", `"type": "blob"`, "CAST($ AS BLOB)"},
		{"copy", ``, "$"},
		{"collate", `"collation": "nocase"`, "$ COLLATE NOCASE"},
		{"call", `"function": "quote"`, "quote($)"},
		{"call", `"function": "PRINTF", "arguments": ["<%s>"], "position": 1`, "printf('<%s>', $)"},
		{"call", `"function": "iif", "arguments": [{"key_name": "@"}, 2]`, "iif($, @, 2)"},
	}
	tested := map[string]bool{}
	for _, test := range tests {
		tested[test.operation] = true
		t.Run(test.operation, func(t *testing.T) {
			for _, column := range awkwardColumns {
				for _, other := range []string{"n", "c", "i", "f"} {
					sql := strings.NewReplacer("$", column, "@", other).Replace(test.sql)
					args := strings.ReplaceAll(test.args, "@", "t_"+other)
					o.checkPipeline(t, start("t=w"), "SELECT "+sql+" FROM w",
						fmt.Sprintf(`transform_data("data_source": "$s", "key_name": "t_%s", "operation_type": "%s", "operation_args": {%s}, "output_key": "out") -> a`, column, test.operation, args),
						`retrieve_data("data_source": "$a$", "key_name": "out")`)
					if !strings.Contains(test.sql, "@") {
						break
					}
				}
			}
		})
	}
	// abs() fails on the smallest integer, and does in SQLite.
	tested["abs"] = true
	o.checkPipeline(t, start("t=w"), "SELECT abs(x) FROM w WHERE x <> '-9223372036854775808'",
		`filter_data("data_source": "$s", "key_name": "t_x", "condition": "not_equal_to", "value": "-9223372036854775808") -> a`,
		`transform_data("data_source": "$a$", "key_name": "t_x", "operation_type": "abs") -> a`,
		`retrieve_data("data_source": "$a$", "key_name": "t_x")`)
	for _, o := range jsonOperations {
		tested[o.Name] = true // see TestJSONOperations
	}
	for _, op := range Operations() {
		if _, err := findCondition("", Condition(op.Name)); err != nil && !tested[op.Name] {
			t.Errorf("operation %s is not tested", op.Name)
		}
	}
}

// TestCollate counts the values that are equal by another collation than the
// column's.
func TestCollate(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	for _, c := range []struct{ column, collation string }{{"x", "nocase"}, {"x", "rtrim"}, {"c", "binary"}, {"c", "rtrim"}} {
		o.checkPipeline(t, start("t=w"), fmt.Sprintf("SELECT count(*) FROM w GROUP BY %s COLLATE %s ORDER BY 1", c.column, c.collation),
			fmt.Sprintf(`transform_data("data_source": "$s", "key_name": "t_%s", "operation_type": "collate", "operation_args": {"collation": "%s"}, "output_key": "d") -> a`, c.column, c.collation),
			`group_data_by("data_source": "$a$", "key_name": "d") -> g`,
			`aggregate_data("data_source": "$g$", "aggregation_type": "count", "output_key": "n") -> n`,
			`sort_data("data_source": "$n$", "key_name": "n", "ascending": true) -> o`,
			`retrieve_data("data_source": "$o$", "key_name": "n")`)
	}
}

// TestDerivedComparison checks the affinity and collation that results of
// operations have when they are compared.
func TestDerivedComparison(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	derive := func(column, operation, args string) string {
		return fmt.Sprintf(`transform_data("data_source": "$s", "key_name": "t_%s", "operation_type": "%s", "operation_args": {%s}, "output_key": "d") -> a`, column, operation, args)
	}
	for _, derived := range []struct{ step, sql string }{
		{derive("x", "copy", ""), "w.x"},
		{derive("c", "copy", ""), "w.c"},
		{derive("i", "copy", ""), "w.i"},
		{derive("c", "lower", ""), "lower(w.c)"},
		{derive("i", "add", `"value": 0`), "(w.i + 0)"},
		{derive("u", "cast", `"type": "text"`), "CAST(w.u AS TEXT)"},
		{derive("c", "cast", `"type": "integer"`), "CAST(w.c AS INTEGER)"},
		{derive("c", "cast", `"type": "text"`), "CAST(w.c AS TEXT)"},
		{derive("c", "cast", `"type": "blob"`), "CAST(w.c AS BLOB)"},
		{derive("c", "coalesce", `"values": [1]`), "coalesce(w.c, 1)"},
	} {
		for _, column := range awkwardColumns {
			o.checkPipeline(t, start("t=w"),
				fmt.Sprintf("SELECT w.id, b.id FROM w CROSS JOIN w b ON %s = b.%s ORDER BY w.id, b.id", derived.sql, column), derived.step,
				fmt.Sprintf(`join_data("data_source": "$a$", "other_data_source": "$s", "key_name": "d", "other_key_name": "t_%s", "join_type": "inner") -> j`, column),
				`retrieve_data("data_source": "$j$", "key_name": ["t_id", "t_id_1"])`)
			for _, condition := range []string{"equal_to", "less_than", "is"} {
				forward := fmt.Sprintf(sqlConditions[condition], derived.sql, column)
				o.checkPipeline(t, start("t=w"), "SELECT id FROM w WHERE "+forward, derived.step,
					fmt.Sprintf(`filter_data("data_source": "$a$", "key_name": "d", "condition": "%s", "value": {"key_name": "t_%s"}) -> a`, condition, column),
					`retrieve_data("data_source": "$a$", "key_name": "t_id")`)
				backward := fmt.Sprintf(sqlConditions[condition], column, derived.sql)
				o.checkPipeline(t, start("t=w"), "SELECT id FROM w WHERE "+backward, derived.step,
					fmt.Sprintf(`filter_data("data_source": "$a$", "key_name": "t_%s", "condition": "%s", "value": {"key_name": "d"}) -> a`, column, condition),
					`retrieve_data("data_source": "$a$", "key_name": "t_id")`)
			}
		}
	}
}

// TestNow checks that 'now' is the session's time.
func TestNow(t *testing.T) {
	o := newOracle(t)
	o.add("w", []string{"a TEXT"}, []any{"now"})
	got := run(t, o.session("w"), `{"name": "transform_data", "arguments": {"data_source": "$starting_table_var$", "operation_type": "datetime"}}`)
	if d := diff([][]value.Value{{value.Str("2024-03-01 12:30:15")}}, rows(t, got)); d != "" {
		t.Error(d)
	}
}

// TestTransformKeys shows where results go.
func TestTransformKeys(t *testing.T) {
	table, err := NewTable([]Field{{Key: "a"}, {Key: "b"}}, []*Column{NewColumn(value.Int(1)), NewColumn(value.Int(2))})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key, output string
		want        []string
	}{
		{"a", "", []string{"a", "b"}},
		{"b", "c", []string{"a", "b", "c"}},
		{"b", "a", []string{"a", "b"}},
	} {
		got, err := TransformData(context.Background(), table, TransformArgs{Key: test.key, Operation: "negate", OutputKey: test.output})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(test.want)
		if keys, _ := json.Marshal(got.Keys()); string(keys) != string(want) {
			t.Errorf("key %q, output %q: keys %s, want %s", test.key, test.output, keys, want)
		}
	}
}
