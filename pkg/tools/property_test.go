package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestAnyCall draws sequences of calls from the definitions, with arguments of
// the right kinds and sometimes of wrong ones. No call may panic, and an error
// must say how to mend the call.
func TestAnyCall(t *testing.T) {
	o := newOracle(t)
	o.awkwardTable()
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		s := NewSession(o.memory, Options{Now: testNow, MaxRows: 5000, MaxBytes: 1 << 20})
		if _, err := s.Init(ctx, start("t=w")); err != nil {
			t.Fatal(err)
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "calls") {
			d := rapid.SampledFrom(Definitions()).Draw(t, "tool")
			c := Call{Name: d.Name, Label: fmt.Sprintf("r%d", i)}
			table, _ := s.Table(s.Labels()[len(s.Labels())-1])
			for _, p := range d.Parameters {
				if p.Required || rapid.Bool().Draw(t, "given") {
					c.Arguments = append(c.Arguments, Argument{Name: p.Name, Value: anyArgument(t, p, table.Keys(), s.Labels())})
				}
			}
			got, err := s.Run(ctx, c)
			var mendable *ToolError
			var limit *LimitError
			if err != nil && !errors.As(err, &mendable) && !errors.As(err, &limit) {
				t.Fatalf("%v: %v", c, err)
			}
			if err == nil {
				if _, err := got.Rows(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

// anyArgument draws an argument for a parameter.
func anyArgument(t *rapid.T, p Parameter, keys, labels []string) any {
	if p.Categorical() {
		return rapid.SampledFrom(choiceNames(p.Choices)).Draw(t, p.Name)
	}
	key := rapid.SampledFrom(keys)
	label := "$" + labels[len(labels)-1] + "$"
	operand := func() any {
		return rapid.OneOf(
			rapid.Map(anyValue(), LiteralJSON),
			rapid.Map(key, func(k string) any { return Arguments{{Name: "key_name", Value: k}} }),
			rapid.Just[any](label),
		).Draw(t, "operand")
	}
	many := func(item func() any) any {
		out := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			out = append(out, item())
		}
		return out
	}
	switch p.Kind {
	case KindTable:
		return label
	case KindKey:
		return key.Draw(t, "key")
	case KindKeys:
		return many(func() any { return key.Draw(t, "key") })
	case KindValue:
		return operand()
	case KindValues:
		if rapid.Bool().Draw(t, "list") {
			return many(operand)
		}
		return operand()
	case KindInteger:
		return rapid.IntRange(-2, 5).Draw(t, "integer")
	case KindBoolean, KindFlags:
		return rapid.Bool().Draw(t, "flag")
	case KindObject:
		if p.Name == "frame" {
			bound := rapid.SampledFrom([]any{"unbounded", "current", -1, 0, 2})
			return Arguments{{Name: "unit", Value: rapid.SampledFrom([]string{"rows", "range", "groups"}).Draw(t, "unit")},
				{Name: "start", Value: bound.Draw(t, "start")}, {Name: "end", Value: bound.Draw(t, "end")}}
		}
		op := rapid.SampledFrom(Operations()).Draw(t, "operation")
		out := Arguments{}
		for _, param := range op.Parameters {
			out = append(out, Argument{Name: param.Name, Value: anyArgument(t, param, keys, labels)})
		}
		return out
	}
	return rapid.StringMatching(`[a-z%]{0,3}`).Draw(t, "text")
}

// anyTable fills the table p with drawn values in columns of every affinity.
func anyTable(t *rapid.T, o *oracle) {
	if _, err := o.database.Exec("DROP TABLE IF EXISTS p"); err != nil {
		t.Fatal(err)
	}
	var data [][]any
	for i := range rapid.IntRange(0, 12).Draw(t, "rows") {
		row := []any{i}
		for range pairings[1:] {
			row = append(row, driverValue(anyValue().Draw(t, "cell")))
		}
		data = append(data, row)
	}
	o.add("p", pairings, data...)
}

func driverValue(v value.Value) any {
	switch v.Kind() {
	case value.Integer:
		return v.Int64()
	case value.Real:
		return v.Float64()
	case value.Text:
		return v.Raw()
	case value.Blob:
		return []byte(v.Raw())
	}
	return nil
}

// TestAgainstSQLite compares sorting, grouping, distinct rows, joins and
// ranges of drawn values with SQLite.
func TestAgainstSQLite(t *testing.T) {
	o := newOracle(t)
	rapid.Check(t, func(rt *rapid.T) {
		anyTable(rt, o)
		a := rapid.SampledFrom(awkwardColumns).Draw(rt, "a")
		b := rapid.SampledFrom(awkwardColumns).Draw(rt, "b")
		for _, test := range []struct {
			start Start
			query string
			steps []string
		}{
			{start("t=p"), "SELECT id FROM p ORDER BY $a", []string{
				`sort_data("data_source": "$s", "key_name": "t_$a", "ascending": true) -> a`, `retrieve_data("data_source": "$a$", "key_name": "t_id")`}},
			{start("t=p"), "SELECT id FROM p ORDER BY $a DESC, $b DESC, id DESC", []string{
				`sort_data("data_source": "$s", "key_name": ["t_$a", "t_$b", "t_id"], "ascending": false) -> a`, `retrieve_data("data_source": "$a$", "key_name": "t_id")`}},
			{start("t=p"), "SELECT min(id), count(*), count($b) FROM p GROUP BY $a ORDER BY min(id)", []string{
				`group_data_by("data_source": "$s", "key_name": "t_$a") -> g`,
				`aggregate_data("data_source": "$g$", "aggregation_type": "count", "output_key": "n") -> g`,
				`aggregate_data("data_source": "$g$", "key_name": "t_$b", "aggregation_type": "count", "output_key": "m") -> g`,
				`retrieve_data("data_source": "$g$", "key_name": ["t_id", "n", "m"])`}},
			{start("t=p"), "SELECT count(DISTINCT $a) FROM p", []string{
				`aggregate_data("data_source": "$s", "key_name": "t_$a", "aggregation_type": "count", "distinct": true)`}},
			{start("t=p"), "SELECT max($a) FROM p", []string{
				`aggregate_data("data_source": "$s", "key_name": "t_$a", "aggregation_type": "max")`}},
			{start("x=p y=p", "x.$a y.$b INNER"), "SELECT x.id, y.id FROM p x CROSS JOIN p y ON x.$a = y.$b ORDER BY x.id, y.id", []string{
				`retrieve_data("data_source": "$s", "key_name": ["x_id", "y_id"])`}},
			{start("x=p y=p", "y.$a x.$b LEFT"), "SELECT x.id, y.id FROM p x LEFT JOIN p y ON y.$a = x.$b ORDER BY x.id, y.id", []string{
				`retrieve_data("data_source": "$s", "key_name": ["x_id", "y_id"])`}},
			{start("t=p"), "SELECT id FROM p WHERE $a < $b OR $a = 1", []string{
				`filter_data("data_source": "$s", "key_name": "t_$a", "condition": "less_than", "value": {"key_name": "t_$b"}) -> a`,
				`filter_data("data_source": "$s", "key_name": "t_$a", "condition": "equal_to", "value": 1) -> b`,
				`combine_data("data_source": "$a$", "other_data_source": "$b$", "operation": "either") -> c`,
				`retrieve_data("data_source": "$c$", "key_name": "t_id")`}},
			{start("t=p"), "SELECT id, rank() OVER (PARTITION BY $a ORDER BY $b) FROM p ORDER BY id", []string{
				`window_data("data_source": "$s", "function": "rank", "partition_by": "t_$a", "order_by": "t_$b") -> w`,
				`retrieve_data("data_source": "$w$", "key_name": ["t_id", "rank"])`}},
		} {
			// In a step $a$ is a label, so only t_$a is a column there.
			name := strings.NewReplacer("$a", a, "$b", b)
			query, steps := name.Replace(test.query), make([]string, len(test.steps))
			for i := range test.start.Conditions {
				c := &test.start.Conditions[i]
				c.Left, c.Right = name.Replace(c.Left), name.Replace(c.Right)
			}
			for i, s := range test.steps {
				steps[i] = strings.NewReplacer("t_$a", "t_"+a, "t_$b", "t_"+b).Replace(s)
			}
			session := NewSession(o.memory, Options{})
			got, err := session.Init(context.Background(), test.start)
			for _, text := range steps {
				if err == nil {
					got, err = session.Run(context.Background(), step(t, text))
				}
			}
			if err != nil {
				rt.Fatal(err)
			}
			if d := diff(o.query(query), rows(t, got)); d != "" {
				rt.Fatalf("%s\n%s", query, d)
			}
		}
	})
}
