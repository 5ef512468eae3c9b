package emit

import (
	"strings"

	"github.com/birdcall/birdcall/internal/plan"
	"github.com/birdcall/birdcall/pkg/tools"
)

// operand writes an operand in the notation of the tools: a literal, $LABEL$,
// or {"key_name": ...} for a column of the same row.
func (e *emitter) operand(t *table, o plan.Operand) any {
	switch o.Kind {
	case plan.ColumnOf:
		return tools.Arguments{{Name: tools.ArgKeyName, Value: t.of[o.Col]}}
	case plan.Result:
		return ref(e.tables[o.Step])
	}
	return tools.LiteralJSON(o.Value)
}

func (e *emitter) operands(t *table, ops []plan.Operand) any {
	out := make([]any, len(ops))
	for i, o := range ops {
		out[i] = e.operand(t, o)
	}
	return out
}

// frameArg writes a window frame.
func frameArg(f *plan.Frame) any {
	return tools.Arguments{
		{Name: tools.ArgUnit, Value: strings.ToLower(f.Unit)},
		{Name: tools.ArgStart, Value: boundArg(f.Start)},
		{Name: tools.ArgEnd, Value: boundArg(f.End)},
	}
}

func boundArg(b plan.Bound) any {
	switch {
	case b.Unbounded:
		return tools.BoundUnbounded
	case b.Offset.Float64() == 0:
		return tools.BoundCurrent
	}
	return tools.LiteralJSON(b.Offset)
}
