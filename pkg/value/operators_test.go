package value_test

import (
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
)

func TestBinaryOperators(t *testing.T) {
	for _, c := range []struct {
		expr string
		op   func(a, b value.Value) value.Value
	}{
		{"a.x + b.x", value.Add},
		{"a.x - b.x", value.Subtract},
		{"a.x * b.x", value.Multiply},
		{"a.x / b.x", value.Divide},
		{"a.x % b.x", value.Modulo},
		{"a.x & b.x", value.BitAnd},
		{"a.x | b.x", value.BitOr},
		{"a.x << b.x", value.ShiftLeft},
		{"a.x >> b.x", value.ShiftRight},
		{"a.x || b.x", value.Concat},
		{"a.x LIKE b.x", func(a, b value.Value) value.Value { return value.Like(b, a, 0) }},
		{`a.x LIKE b.x ESCAPE '\'`, func(a, b value.Value) value.Value { return value.Like(b, a, '\\') }},
		{"a.x GLOB b.x", func(a, b value.Value) value.Value { return value.Glob(b, a) }},
		{"a.x AND b.x", func(a, b value.Value) value.Value { return value.TruthOf(a).And(value.TruthOf(b)).Value() }},
		{"a.x OR b.x", func(a, b value.Value) value.Value { return value.TruthOf(a).Or(value.TruthOf(b)).Value() }},
	} {
		t.Run(c.expr, func(t *testing.T) { checkBinary(t, c.expr, c.op) })
	}
}

func TestUnaryOperators(t *testing.T) {
	for _, c := range []struct {
		expr string
		op   func(v value.Value) value.Value
	}{
		{"-x", value.Negate},
		{"~x", value.BitNot},
		{"NOT x", func(v value.Value) value.Value { return value.TruthOf(v).Not().Value() }},
		{"CAST(x AS TEXT)", func(v value.Value) value.Value { return value.Cast(v, value.AffinityText) }},
		{"CAST(x AS INTEGER)", func(v value.Value) value.Value { return value.Cast(v, value.AffinityInteger) }},
		{"CAST(x AS REAL)", func(v value.Value) value.Value { return value.Cast(v, value.AffinityReal) }},
		{"CAST(x AS NUMERIC)", func(v value.Value) value.Value { return value.Cast(v, value.AffinityNumeric) }},
		{"CAST(x AS BLOB)", func(v value.Value) value.Value { return value.Cast(v, value.AffinityBlob) }},
		{"x + 0", func(v value.Value) value.Value { return value.Add(value.ToNumeric(v), value.Int(0)) }},
	} {
		t.Run(c.expr, func(t *testing.T) { checkUnary(t, c.expr, c.op) })
	}
}
