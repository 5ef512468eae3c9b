package emit

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// operand writes an operand in the notation of the tools: a literal, $LABEL$,
// or {"key_name": ...} for a column of the same row.
func (e *emitter) operand(t *table, o plan.Operand) any {
	switch o.Kind {
	case plan.ColumnOf:
		return tools.Arguments{{Name: toolname.ArgKeyName, Value: t.of[o.Col]}}
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

// compared are the conditions that apply the affinity of the column to what they
// compare it with.
var compared = []tools.Condition{
	tools.Equal, tools.NotEqual, tools.Greater, tools.Less, tools.GreaterOrEqual, tools.LessOrEqual,
	tools.In, tools.NotIn, tools.Between, tools.NotBetween, tools.Is, tools.IsNot,
}

// typed returns what a filter compares with, constants with the type of the
// column: 31 as a text where the column is one, and a text that is a number as
// that where the column is numeric. The comparison does the same before it
// compares (datatype3.html, section 4.2), so that nothing changes.
func (e *emitter) typed(s *plan.Filter) []plan.Operand {
	affinity := e.declared(s.In, s.Col)
	if affinity == value.AffinityNone || affinity == value.AffinityBlob || !slices.Contains(compared, s.Condition) {
		return s.Args
	}
	out := slices.Clone(s.Args)
	for i, o := range out {
		isText := o.Value.Kind() == value.Text
		switch {
		case o.Kind != plan.Constant:
		case isText && affinity.Numeric():
			out[i].Value = value.AffinityNumeric.Apply(o.Value)
		case !isText && affinity == value.AffinityText:
			out[i].Value = value.AffinityText.Apply(o.Value)
		}
	}
	return out
}

// declared is the affinity of a column of a base table in the rows of a step, or
// none where the rows may have another one: where set operations put rows
// together.
func (e *emitter) declared(in plan.StepID, c plan.Col) value.Affinity {
	col := e.plan.Columns[c]
	if !col.IsBase {
		return value.AffinityNone
	}
	for in != col.Start {
		from := plan.Sources(e.plan.Steps[in])
		if _, ok := e.plan.Steps[in].(*plan.SetOp); ok || len(from) == 0 {
			return value.AffinityNone
		}
		in = from[0]
	}
	start := e.plan.Steps[in].(*plan.Start)
	t := e.schema.Table(start.Tables[col.Table].Name)
	if t == nil || t.View || t.Column(col.Name) == nil {
		return value.AffinityNone
	}
	return t.Column(col.Name).Affinity
}

// frameArg writes a window frame.
func frameArg(f *plan.Frame) any {
	return tools.Arguments{
		{Name: toolname.ArgUnit, Value: strings.ToLower(f.Unit)},
		{Name: toolname.ArgStart, Value: boundArg(f.Start)},
		{Name: toolname.ArgEnd, Value: boundArg(f.End)},
	}
}

func boundArg(b plan.Bound) any {
	switch {
	case b.Unbounded:
		return toolname.BoundUnbounded
	case b.Offset.Float64() == 0:
		return toolname.BoundCurrent
	}
	return tools.LiteralJSON(b.Offset)
}
