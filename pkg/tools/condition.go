package tools

import (
	"slices"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// shape is the form of the value that a condition takes.
type shape uint8

const (
	shapeNone shape = iota
	shapeOne
	shapeList
	shapePair
)

// condition is one test that FilterData knows. Every condition is also an
// operation of TransformData.
type condition struct {
	Choice
	shape   shape
	negated bool // the answer is NOT that of build
	build   func(*binder) (test, error)
}

// test is the three-valued answer about a value and its operands.
type test func(x value.Value, args []value.Value) value.Truth

// conditions lists the tests in the order in which they are documented.
var conditions = []condition{
	{Choice: Choice{string(Equal), "equal to the value", true}, shape: shapeOne, build: comparing(value.False, value.True, value.False)},
	{Choice: Choice{string(NotEqual), "not equal to the value", true}, shape: shapeOne, build: comparing(value.True, value.False, value.True)},
	{Choice: Choice{string(Greater), "greater than the value", true}, shape: shapeOne, build: comparing(value.False, value.False, value.True)},
	{Choice: Choice{string(Less), "less than the value", true}, shape: shapeOne, build: comparing(value.True, value.False, value.False)},
	{Choice: Choice{string(GreaterOrEqual), "greater than or equal to the value", true}, shape: shapeOne, build: comparing(value.False, value.True, value.True)},
	{Choice: Choice{string(LessOrEqual), "less than or equal to the value", true}, shape: shapeOne, build: comparing(value.True, value.True, value.False)},
	{Choice: Choice{string(Contains), "contains the text, upper and lower case told apart", true}, shape: shapeOne, build: containing},
	{Choice: Choice{string(Like), "matches the pattern, where % is any text and _ any character; ASCII case does not matter", true}, shape: shapeOne, build: liking},
	{Choice: Choice{string(NotContains), "does not contain the text", false}, shape: shapeOne, negated: true, build: containing},
	{Choice: Choice{string(NotLike), "does not match the pattern", false}, shape: shapeOne, negated: true, build: liking},
	{Choice: Choice{string(Glob), "matches the pattern, where * is any text, ? any character and [a-z] one of a set", false}, shape: shapeOne, build: globbing},
	{Choice: Choice{string(NotGlob), "does not match the glob pattern", false}, shape: shapeOne, negated: true, build: globbing},
	{Choice: Choice{string(In), "equal to one of the values of a list or of another result", false}, shape: shapeList, build: belonging},
	{Choice: Choice{string(NotIn), "equal to none of the values of a list or of another result", false}, shape: shapeList, negated: true, build: belonging},
	{Choice: Choice{string(Between), "at least low and at most high of [low, high]", false}, shape: shapePair, build: ranging},
	{Choice: Choice{string(NotBetween), "less than low or greater than high of [low, high]", false}, shape: shapePair, negated: true, build: ranging},
	{Choice: Choice{string(IsNull), "is NULL", false}, build: always(func(x value.Value) bool { return x.IsNull() })},
	{Choice: Choice{string(IsNotNull), "is not NULL", false}, build: always(func(x value.Value) bool { return !x.IsNull() })},
	{Choice: Choice{string(Is), "equal to the value, where NULL equals NULL", false}, shape: shapeOne, build: identical},
	{Choice: Choice{string(IsNot), "not equal to the value, where NULL equals NULL", false}, shape: shapeOne, negated: true, build: identical},
	{Choice: Choice{string(IsTrue), "a number other than 0", false}, build: always(func(x value.Value) bool { return value.TruthOf(x) == value.True })},
	{Choice: Choice{string(IsFalse), "the number 0", false}, build: always(func(x value.Value) bool { return value.TruthOf(x) == value.False })},
}

// IsCondition reports whether the operation is a Condition, which gives 1, 0 or
// NULL.
func (o Operation) IsCondition() bool {
	return slices.ContainsFunc(conditions, func(c condition) bool { return c.Name == string(o) })
}

// findCondition returns the condition of that name.
func findCondition(tool string, name Condition) (*condition, error) {
	for i := range conditions {
		if conditions[i].Name == string(name) {
			return &conditions[i], nil
		}
	}
	return nil, notAmong(tool, toolname.ArgCondition, string(name), conditionChoices())
}

// test builds the condition for the binder's table.
func (c *condition) test(b *binder) (test, error) {
	if v := b.args[toolname.ArgValue]; c.shape == shapeNone && v.kind != operandNone && (v.kind != operandLiteral || !v.literal.IsNull()) {
		return nil, &ToolError{Tool: b.tool, Argument: toolname.ArgValue, Reason: c.Name + " takes no value", Hint: "leave it out"}
	}
	t, err := c.build(b)
	if err != nil || !c.negated {
		return t, err
	}
	return func(x value.Value, args []value.Value) value.Truth { return t(x, args).Not() }, nil
}

// kernel is the test as an expression that gives 1, 0 or NULL.
func (c *condition) kernel(b *binder) (kernel, error) {
	t, err := c.test(b)
	if err != nil {
		return nil, err
	}
	return func(x value.Value, args []value.Value) (value.Value, error) { return t(x, args).Value(), nil }, nil
}

// comparator orders the value of a row and one operand as SQLite's comparison
// operators do (https://www.sqlite.org/datatype3.html, sections 4.2 and 7.1).
type comparator struct {
	left, right value.Affinity
	coerce      bool
	collation   value.Collation
}

// comparator prepares the comparison with the operand at that place. A
// constant is converted here and once.
func (b *binder) comparator(place int) (comparator, error) {
	left, right := &b.expr.left, &b.expr.operands[place]
	c := comparator{left: left.affinity, right: right.affinity, coerce: true}
	collation, given, err := b.collation()
	switch {
	case given || err != nil:
		c.collation = collation
	case left.collated:
		c.collation = left.collation
	case right.collated:
		c.collation = right.collation
	}
	if right.constant {
		_, right.value = value.Coerce(value.NullValue(), right.value, c.left, c.right)
		c.coerce = right.affinity != value.AffinityNone
	}
	return c, err
}

// compare returns the order and whether there is one: NULL has none.
func (c *comparator) compare(x, y value.Value) (int, bool) {
	if x.IsNull() || y.IsNull() {
		return 0, false
	}
	if c.coerce {
		x, y = value.Coerce(x, y, c.left, c.right)
	}
	return value.Compare(x, y, c.collation), true
}

// comparing builds a comparison from its answers for less, equal and greater.
func comparing(less, equal, greater value.Truth) func(*binder) (test, error) {
	answers := [3]value.Truth{less, equal, greater}
	return func(b *binder) (test, error) {
		place, err := b.operand(toolname.ArgValue)
		if err != nil {
			return nil, err
		}
		c, err := b.comparator(place)
		if err != nil {
			return nil, err
		}
		if c.keepsNumbers() {
			b.expr.typed = &comparison{place, answers}
		}
		return func(x value.Value, args []value.Value) value.Truth {
			order, known := c.compare(x, args[place])
			if !known {
				return value.Unknown
			}
			return answers[order+1]
		}, nil
	}
}

// identical builds IS: equality where NULL is a value like any other.
func identical(b *binder) (test, error) {
	place, err := b.operand(toolname.ArgValue)
	if err != nil {
		return nil, err
	}
	c, err := b.comparator(place)
	return func(x value.Value, args []value.Value) value.Truth {
		y := args[place]
		if x.IsNull() || y.IsNull() {
			return truth(x.IsNull() && y.IsNull())
		}
		order, _ := c.compare(x, y)
		return truth(order == 0)
	}, err
}

// ranging builds BETWEEN: x >= low AND x <= high.
func ranging(b *binder) (test, error) {
	low, count, err := b.operands(toolname.ArgValue)
	if err != nil {
		return nil, err
	}
	if count != 2 {
		return nil, &ToolError{Tool: b.tool, Argument: toolname.ArgValue, Reason: "is not a list of two values", Hint: "give [low, high]"}
	}
	lower, err := b.comparator(low)
	if err != nil {
		return nil, err
	}
	upper, err := b.comparator(low + 1)
	return func(x value.Value, args []value.Value) value.Truth {
		above, below := value.Unknown, value.Unknown
		if order, known := lower.compare(x, args[low]); known {
			above = truth(order >= 0)
		}
		if order, known := upper.compare(x, args[low+1]); known {
			below = truth(order <= 0)
		}
		return above.And(below)
	}, err
}

// containing builds instr(x, text) > 0.
func containing(b *binder) (test, error) {
	place, err := b.operand(toolname.ArgValue)
	return func(x value.Value, args []value.Value) value.Truth {
		at, err := value.Call("instr", []value.Value{x, args[place]}, b.now)
		if err != nil || at.IsNull() {
			return value.Unknown
		}
		return truth(at.Int64() > 0)
	}, err
}

// liking builds LIKE, with an optional escape character.
func liking(b *binder) (test, error) {
	text, err := b.text(toolname.ArgEscape)
	if err != nil {
		return nil, err
	}
	var escape rune
	if text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if size != len(text) {
			return nil, &ToolError{Tool: b.tool, Argument: toolname.ArgEscape, Reason: "is not one character", Hint: `give one character, as in "\\"`}
		}
		escape = r
	}
	return b.matching(
		func(p string) *value.Pattern { return value.CompileLike(p, escape) },
		func(pattern, x value.Value) value.Value { return value.Like(pattern, x, escape) })
}

// globbing builds GLOB.
func globbing(b *binder) (test, error) { return b.matching(value.CompileGlob, value.Glob) }

// matching builds a test against a pattern, which is compiled once where it is
// a constant text.
func (b *binder) matching(compile func(string) *value.Pattern, match func(pattern, x value.Value) value.Value) (test, error) {
	place, err := b.operand(toolname.ArgValue)
	if err != nil {
		return nil, err
	}
	if o := b.expr.operands[place]; o.constant && o.value.Kind() == value.Text {
		pattern := compile(o.value.Raw())
		return func(x value.Value, args []value.Value) value.Truth {
			if x.Kind() == value.Text {
				return truth(pattern.Match(x.Raw()))
			}
			return value.TruthOf(match(args[place], x))
		}, nil
	}
	return func(x value.Value, args []value.Value) value.Truth { return value.TruthOf(match(args[place], x)) }, nil
}

// belonging builds IN. A list of operands is converted by the affinity of the
// left side alone; the column of another table takes part in the choice as it
// does in x = y (https://www.sqlite.org/datatype3.html, section 4.3).
func belonging(b *binder) (test, error) {
	o := b.args[toolname.ArgValue]
	if o.kind == operandTable {
		return b.belongingToTable(o.table)
	}
	if o.IsZero() {
		return nil, missing(b.tool, toolname.ArgValue)
	}
	first, count, err := b.operands(toolname.ArgValue)
	if err != nil {
		return nil, err
	}
	c, err := b.comparator0()
	if err != nil {
		return nil, err
	}
	constant := true
	for _, item := range b.expr.operands[first:] {
		constant = constant && item.constant
	}
	if constant {
		set := newValueSet(c)
		for _, item := range b.expr.operands[first:] {
			set.add(item.value)
		}
		b.expr.operands = b.expr.operands[:first]
		return set.test, nil
	}
	return func(x value.Value, args []value.Value) value.Truth {
		answer := value.False
		for _, y := range args[first : first+count] {
			order, known := c.compare(x, y)
			if known && order == 0 {
				return value.True
			}
			if !known {
				answer = value.Unknown
			}
		}
		return answer
	}, nil
}

// comparator0 is the comparison with an operand that has neither affinity nor
// collation and is not known yet.
func (b *binder) comparator0() (comparator, error) {
	place := b.add(bound{})
	c, err := b.comparator(place)
	b.expr.operands = b.expr.operands[:place]
	return c, err
}

func (b *binder) belongingToTable(t *Table) (test, error) {
	if err := t.check(b.tool, toolname.ArgValue); err != nil {
		return nil, err
	}
	column, err := bindColumn(b.ctx, t, 0)
	if err != nil {
		return nil, err
	}
	place := b.add(column)
	c, err := b.comparator(place)
	b.expr.operands = b.expr.operands[:place]
	if err != nil {
		return nil, err
	}
	set := newValueSet(c)
	set.stored = true
	for row := range t.rows {
		if err := stopped(b.ctx, row); err != nil {
			return nil, err
		}
		set.add(column.view.At(row))
	}
	return set.test, nil
}

// valueSet is the right side of IN, in the form in which it is compared.
type valueSet struct {
	comparator
	keys   map[value.Value]struct{}
	null   bool
	empty  bool
	stored bool // they are those of a subquery
}

func newValueSet(c comparator) *valueSet {
	return &valueSet{comparator: c, keys: map[value.Value]struct{}{}, empty: true}
}

func (s *valueSet) add(v value.Value) {
	s.empty = false
	if v.IsNull() {
		s.null = true
		return
	}
	_, v = value.Coerce(value.NullValue(), v, s.left, s.right)
	s.keys[value.Key(s.real(v, s.right, s.left), s.collation)] = struct{}{}
}

// real makes a REAL of an INTEGER without affinity that meets the affinity REAL.
// SQLite applies an affinity to the rows of a subquery as if they were stored,
// but not to a list (https://www.sqlite.org/datatype3.html, section 4.2).
func (s *valueSet) real(v value.Value, own, other value.Affinity) value.Value {
	if s.stored && v.Kind() == value.Integer && own == value.AffinityNone && other == value.AffinityReal {
		return value.Float(value.ToFloat64(v))
	}
	return v
}

func (s *valueSet) test(x value.Value, _ []value.Value) value.Truth {
	switch {
	case s.empty:
		return value.False
	case x.IsNull():
		return value.Unknown
	}
	x, _ = value.Coerce(x, value.NullValue(), s.left, s.right)
	x = s.real(x, s.left, s.right)
	if _, found := s.keys[value.Key(x, s.collation)]; found {
		return value.True
	}
	if s.null {
		return value.Unknown
	}
	return value.False
}

// always builds a test without a value, which is never NULL.
func always(holds func(value.Value) bool) func(*binder) (test, error) {
	return func(*binder) (test, error) {
		return func(x value.Value, _ []value.Value) value.Truth { return truth(holds(x)) }, nil
	}
}

func truth(b bool) value.Truth {
	if b {
		return value.True
	}
	return value.False
}
