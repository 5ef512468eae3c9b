package tools

import (
	"context"
	"errors"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/ctxtest"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// odd are values that some arguments take and others do not.
var odd = []any{nil, "", "none", 0, -1, 1.5, true, []any{}, []any{1, "x"}, Arguments{{Name: toolname.ArgKeyName, Value: "none"}}, "$none$"}

// checkMistakes says that a call which works fails in three cases: with an argument of
// a wrong type, without an argument that is required, and where its context ends. An
// argument that is another value works, or is a mistake that can be mended.
func checkMistakes(t *testing.T, s *Session, c Call) {
	t.Helper()
	ctxtest.Everywhere(t, func(ctx context.Context) error {
		_, err := s.Fork().Run(ctx, c)
		return err
	})
	var tool Definition
	for _, d := range Definitions() {
		if d.Name == c.Name {
			tool = d
		}
	}
	fails := func(args Arguments, what, name string) {
		t.Helper()
		_, err := s.Fork().Run(t.Context(), Call{Name: c.Name, Arguments: args, Label: c.Label})
		if mendable := (*ToolError)(nil); !errors.As(err, &mendable) && (err != nil || what != "is odd") {
			t.Errorf("%s of %v %s: the error is %v", name, c, what, err)
		}
	}
	wrong := Arguments{{Name: "no such thing", Value: true}}
	for _, p := range tool.Parameters {
		for _, v := range odd {
			fails(c.Arguments.Set(p.Name, v), "is odd", p.Name)
		}
		if _, given := c.Arguments.Get(p.Name); !given {
			continue
		}
		if p.Required {
			fails(without(c.Arguments, p.Name), "is left out", p.Name)
		}
		fails(c.Arguments.Set(p.Name, wrong), "is an object", p.Name)
		name, _ := c.Arguments.Get(toolname.ArgOperationType)
		inner, _ := c.Arguments.Get(toolname.ArgOperationArgs)
		args, _ := inner.(Arguments)
		if p.Name != toolname.ArgOperationArgs {
			continue
		}
		for _, o := range operations {
			if o.Name != name {
				continue
			}
			for _, q := range o.Parameters {
				for _, v := range odd {
					fails(c.Arguments.Set(toolname.ArgOperationArgs, args.Set(q.Name, v)), "is odd", q.Name)
				}
				if _, given := args.Get(q.Name); !given {
					continue
				}
				if q.Required {
					fails(c.Arguments.Set(toolname.ArgOperationArgs, without(args, q.Name)), "is left out", q.Name)
				}
				fails(c.Arguments.Set(toolname.ArgOperationArgs, args.Set(q.Name, wrong)), "is an object", q.Name)
			}
		}
	}
}

// without returns arguments without one of them.
func without(args Arguments, name string) Arguments {
	var out Arguments
	for _, a := range args {
		if a.Name != name {
			out = append(out, a)
		}
	}
	return out
}

// TestMistakesOfValues makes calls on columns of every layout, with NULLs and values of
// several types.
func TestMistakesOfValues(t *testing.T) {
	table, err := NewTable([]Field{{Key: "id"}, {Key: "mixed"}, {Key: "text"}, {Key: "real"}}, []*Column{
		NewColumn(value.Int(1), value.Int(2), value.Int(3), value.Int(4)),
		NewColumn(value.Str("b"), value.Float(1.5), value.Int(1), value.NullValue()),
		NewColumn(value.Str("b"), value.NullValue(), value.Str("a"), value.Str("b")),
		NewColumn(value.Float(2.5), value.Float(-1), value.NullValue(), value.Float(2.5)),
	})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(NewMemory(), Options{})
	s.Put("s", table)
	for _, key := range table.Keys() {
		for _, step := range []string{
			`{"name": "sort_data", "arguments": {"data_source": "$s$", "key_name": ["` + key + `", "id"], "ascending": false}, "label": "a"}`,
			`{"name": "filter_data", "arguments": {"data_source": "$s$", "key_name": "` + key + `", "condition": "in", "value": [1, "b", 2.5]}, "label": "b"}`,
			`{"name": "retrieve_data", "arguments": {"data_source": "$s$", "key_name": ["` + key + `"], "distinct": true, "limit": 2}, "label": "c"}`,
			`{"name": "select_unique_values", "arguments": {"unique_array": "$c$"}, "label": "u"}`,
			`{"name": "group_data_by", "arguments": {"data_source": "$s$", "key_name": "` + key + `"}, "label": "g"}`,
			`{"name": "aggregate_data", "arguments": {"data_source": "$g$", "key_name": "` + key + `", "aggregation_type": "max"}, "label": "h"}`,
			`{"name": "aggregate_data", "arguments": {"data_source": "$s$", "key_name": "` + key + `", "aggregation_type": "count", "distinct": true}, "label": "d"}`,
			`{"name": "join_data", "arguments": {"data_source": "$s$", "other_data_source": "$s$", "key_name": "` + key + `", "other_key_name": "` + key + `", "join_type": "full"}, "label": "e"}`,
			`{"name": "combine_data", "arguments": {"data_source": "$s$", "other_data_source": "$b$", "operation": "except"}, "label": "f"}`,
			`{"name": "window_data", "arguments": {"data_source": "$s$", "function": "rank", "partition_by": "` + key + `", "order_by": "mixed", "output_key": "w"}, "label": "w"}`,
			`{"name": "window_data", "arguments": {"data_source": "$s$", "function": "sum", "key_name": "` + key + `", "order_by": "id", "frame": {"unit": "rows", "start": -1, "end": 1}, "output_key": "w"}, "label": "x"}`,
		} {
			runDocs(t, s, step)
		}
	}
}
