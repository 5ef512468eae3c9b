package vocabulary

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Condition is what planning knows of a condition of the tools.
type Condition struct {
	Condition tools.Condition
	// Operator is SQL's operator that it is.
	Operator sqltree.Op
	// Opposite is TRUE where the condition is FALSE. Both are NULL together; the tests
	// of NULL and truth are never NULL.
	Opposite tools.Condition
	// Mirrored is the comparison that holds with the sides exchanged.
	Mirrored tools.Condition
	// Infix is said in a name between the column and what it is compared with.
	Infix string
	// Construct is what SQL calls it.
	Construct string
	// RejectsNull is set for a comparison that is never TRUE for NULL. NOT IN is if the
	// list is empty, and NOT BETWEEN may be without its bounds.
	RejectsNull bool
}

const comparison = "comparison as a value"

// conditions lists the conditions of the tools. A test holds it against their
// definitions.
var conditions = []Condition{
	{tools.Equal, sqltree.Equal, tools.NotEqual, tools.Equal, "is", comparison, true},
	{tools.NotEqual, sqltree.NotEqual, tools.Equal, tools.NotEqual, "is_not", comparison, true},
	{tools.Greater, sqltree.Greater, tools.LessOrEqual, tools.Less, "above", comparison, true},
	{tools.Less, sqltree.Less, tools.GreaterOrEqual, tools.Greater, "below", comparison, true},
	{tools.GreaterOrEqual, sqltree.GreaterEq, tools.Less, tools.LessOrEqual, "at_least", comparison, true},
	{tools.LessOrEqual, sqltree.LessEq, tools.Greater, tools.GreaterOrEqual, "at_most", comparison, true},
	{tools.Contains, "", tools.NotContains, "", "contains", "", true},
	{tools.NotContains, "", tools.Contains, "", "lacks", "", true},
	{tools.Like, sqltree.Like, tools.NotLike, "", "like", "", true},
	{tools.NotLike, "", tools.Like, "", "not_like", "NOT LIKE", true},
	{tools.Glob, sqltree.Glob, tools.NotGlob, "", "like", "", true},
	{tools.NotGlob, "", tools.Glob, "", "not_like", "", true},
	{tools.In, "", tools.NotIn, "", "among", "IN", true},
	{tools.NotIn, "", tools.In, "", "not_among", "NOT IN", false},
	{tools.Between, "", tools.NotBetween, "", "from", "", true},
	{tools.NotBetween, "", tools.Between, "", "not_from", "NOT BETWEEN", false},
	{tools.IsNull, "", tools.IsNotNull, "", "missing", "IS NULL", false},
	{tools.IsNotNull, "", tools.IsNull, "", "present", "IS NOT NULL", false},
	{tools.Is, sqltree.Is, tools.IsNot, tools.Is, "is", "IS", false},
	{tools.IsNot, sqltree.IsNot, tools.Is, tools.IsNot, "is_not", "IS NOT", false},
	{tools.IsTrue, "", tools.IsFalse, "", "true", "truth of a value", true},
	{tools.IsFalse, "", tools.IsTrue, "", "false", "NOT of a value", true},
}

var (
	byCondition  = index(conditions, func(c *Condition) tools.Condition { return c.Condition })
	byComparison = index(conditions, func(c *Condition) sqltree.Op { return c.Operator })
)

// OfCondition returns what is known of a condition, which is also an operation, if it is
// one.
func OfCondition(c tools.Condition) (Condition, bool) {
	if known := byCondition[c]; known != nil {
		return *known, true
	}
	return Condition{}, false
}

// IsCondition reports whether an operation is a condition as a value.
func IsCondition(op tools.Operation) bool { return byCondition[tools.Condition(op)] != nil }

// Comparison returns the condition that an operator is, LIKE and GLOB among them, if it
// is one.
func Comparison(op sqltree.Op) (tools.Condition, bool) {
	if c := byComparison[op]; c != nil {
		return c.Condition, true
	}
	return "", false
}

// Opposite returns the condition that is TRUE where another is FALSE.
func Opposite(c tools.Condition) tools.Condition {
	known, _ := OfCondition(c)
	return known.Opposite
}

// Mirrored returns the comparison that holds with the sides exchanged.
func Mirrored(c tools.Condition) tools.Condition {
	known, _ := OfCondition(c)
	return known.Mirrored
}
