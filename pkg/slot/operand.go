package slot

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/pkg/plan"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// operand writes an operand in the notation of the tools: a literal, $LABEL$,
// or {"key_name": ...} for a column of the same row.
func (e *emitter) operand(t *table, o plan.Operand) any {
	switch o.Kind {
	case plan.ColumnOf:
		return object("key_name", t.of[o.Col])
	case plan.Result:
		return ref(e.tables[o.Step])
	}
	return Literal(o.Value)
}

func (e *emitter) operands(t *table, ops []plan.Operand) any {
	out := make([]any, len(ops))
	for i, o := range ops {
		out[i] = e.operand(t, o)
	}
	return out
}

// Literal writes a value as the JSON that the tools read it back from: a
// number with a point or exponent is a REAL, one without an INTEGER. A text
// that reads like a label, and a blob, are put in an object.
func Literal(v value.Value) any {
	switch v.Kind() {
	case value.Integer:
		return json.Number(strconv.FormatInt(v.Int64(), 10))
	case value.Real:
		return number(v.Float64())
	case value.Text:
		if s := v.Raw(); len(s) > 2 && s[0] == '$' && s[len(s)-1] == '$' {
			return object("literal", s)
		}
		return v.Raw()
	case value.Blob:
		return object("blob", hex.EncodeToString([]byte(v.Raw())))
	}
	return nil
}

// number writes a REAL so that it reads as one: with a point or an exponent.
// Infinity is a number too large for any REAL, which SQLite reads the same.
func number(f float64) json.Number {
	switch {
	case math.IsInf(f, 1):
		return "9e999"
	case math.IsInf(f, -1):
		return "-9e999"
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return json.Number(strings.Replace(s, "e+", "e", 1))
}

// object is an object with one name.
func object(name, v string) tools.Arguments {
	return tools.Arguments{{Name: name, Value: v}}
}

// frameArg writes a window frame.
func frameArg(f *plan.Frame) any {
	return tools.Arguments{
		{Name: "unit", Value: strings.ToLower(f.Unit)},
		{Name: "start", Value: boundArg(f.Start)},
		{Name: "end", Value: boundArg(f.End)},
	}
}

func boundArg(b plan.Bound) any {
	switch {
	case b.Unbounded:
		return "unbounded"
	case b.Offset == 0:
		return "current"
	}
	return b.Offset
}
