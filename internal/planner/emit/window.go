package emit

import (
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
)

func (e *emitter) window(s *plan.Window) *table {
	t := e.tables[s.In]
	label := e.label(toolname.Window)
	from, named := t.of[s.From]
	word := string(s.Func)
	if named {
		word = phrase(word, "of", e.column(t, s.From))
	}
	key := e.free(t, e.alias(s.Out, word), s.Out)
	args := []argument{dataSource(t), arg(toolname.ArgFunction, string(s.Func)), optional(toolname.ArgKeyName, from, named)}
	for _, a := range s.Args {
		args = append(args, arg(a.Name, e.operand(t, a.Values[0])))
	}
	args = append(args, optional(toolname.ArgPartitionBy, list(t.keysOf(s.Partition)), len(s.Partition) > 0),
		optional(toolname.ArgOrderBy, list(t.keysOf(s.Order)), len(s.Order) > 0))
	if len(s.Order) > 0 {
		ascending := make([]any, len(s.Desc))
		for i, d := range s.Desc {
			ascending[i] = !d
		}
		args = append(args, arg(toolname.ArgAscending, ascending), optional(toolname.ArgNulls, string(s.Nulls), s.Nulls != ""))
	}
	if f := s.Frame; f != nil {
		args = append(args, arg(toolname.ArgFrame, frameArg(f)), optional(toolname.ArgExclude, string(f.Exclude), f.Exclude != ""))
	}
	e.call(toolname.Window, label, append(args, arg(toolname.ArgOutputKey, key))...)
	return t.with(label, s.Out, key)
}

func list(keys []string) any {
	out := make([]any, len(keys))
	for i, k := range keys {
		out[i] = k
	}
	return out
}
