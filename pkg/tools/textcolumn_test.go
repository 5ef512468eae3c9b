package tools

import (
	"context"
	"slices"
	"testing"

	"github.com/birdcall/birdcall/internal/text/toolname"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// TestTexts holds expressions about a column of texts, each of which is computed
// once, against the same texts in a mixed column, which are computed row by row.
func TestTexts(t *testing.T) {
	ctx := context.Background()
	texts := []value.Value{value.Str("Ann"), value.Str("ann"), value.Str(""), value.Str("7"), value.Str("-7.5"), value.Str("7up"), value.Str("é"), value.Str("a\x00b"), value.Str("{\"a\": 1}"), value.NullValue()}
	filters := []FilterArgs{
		{Condition: Equal, Value: Literal(value.Str("Ann"))},
		{Condition: NotEqual, Value: Literal(value.Str("ann")), Collation: "NOCASE"},
		{Condition: Less, Value: Literal(value.Int(8))},
		{Condition: Like, Value: Literal(value.Str("a%"))},
		{Condition: In, Value: List(Literal(value.Str("7")), Literal(value.NullValue()))},
		{Condition: IsNull},
		{Condition: IsNot, Value: Literal(value.NullValue())},
	}
	transforms := []TransformArgs{
		{Operation: OpUpper},
		{Operation: OpLength},
		{Operation: OpAdd, Args: map[string]Operand{toolname.ArgValue: Literal(value.Int(1))}},
		{Operation: OpNullIf, Args: map[string]Operand{toolname.ArgValue: Literal(value.Str("7"))}},
		{Operation: OpConcat, Args: map[string]Operand{toolname.ArgValue: Literal(value.Str("!"))}},
		{Operation: OpSubstring, Args: map[string]Operand{toolname.ArgStartIndex: Literal(value.Int(1))}},
		{Operation: OpCast, Args: map[string]Operand{toolname.ArgType: Literal(value.Str("BLOB"))}},
		{Operation: OpCall, Args: map[string]Operand{toolname.ArgFunction: Literal(value.Str("json")), toolname.ArgArguments: List()}}, // fails for some
		{Operation: OpUpper, MaxBytes: 20},
	}
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.SliceOfN(rapid.SampledFrom(texts), 1, 4).Draw(t, "texts")
		values := rapid.SliceOfN(rapid.SampledFrom(some), 0, 40).Draw(t, "values")
		values = slices.Repeat(values, rapid.SampledFrom([]int{1, 2, 60}).Draw(t, "repeat"))
		var rows []int32
		if rapid.Bool().Draw(t, "some rows") {
			for row := range len(values) {
				if row%3 != 0 {
					rows = append(rows, int32(row))
				} else if row%2 == 0 {
					rows = append(rows, -1)
				}
			}
		}
		affinity := rapid.SampledFrom([]value.Affinity{value.AffinityNone, value.AffinityText, value.AffinityNumeric}).Draw(t, "affinity")
		typed, mixed := twins(t, []Field{{Key: "a", Affinity: affinity}}, [][]value.Value{values}, rows)
		for _, a := range filters {
			a.Key = "a"
			checkTwins(t, typed, mixed, a, func(t *Table) (*Table, error) { return FilterData(ctx, t, a) })
		}
		for _, a := range transforms {
			a.Key, a.OutputKey = "a", "out"
			checkTwins(t, typed, mixed, a, func(t *Table) (*Table, error) { return TransformData(ctx, t, a) })
		}
	})
}
