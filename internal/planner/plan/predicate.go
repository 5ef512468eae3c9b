package plan

import (
	"slices"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/planner/vocabulary"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// predicate is a condition whose columns are all planned: a tree of AND and OR
// over leaves, NOT pushed down. A leaf has no kids.
type predicate struct {
	or   bool // with kids: any of them, else all of them
	kids []*predicate

	col       Col
	condition tools.Condition
	args      []Operand
	escape    string
	collation string
}

// where filters the relation by conjuncts, one after the other.
func (e *env) where(conj []sqltree.Expr) error {
	for _, x := range conj {
		if done, err := e.whereMatch(x, false); done || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		p, err := e.predicate(x, false)
		if err != nil {
			return err
		}
		e.rel.step = e.b.filter(e.rel.step, p)
	}
	return nil
}

// filter appends the steps that keep the rows for which p is TRUE.
func (b *builder) filter(in StepID, p *predicate) StepID {
	switch {
	case len(p.kids) == 0:
		return b.add(&Filter{In: in, Col: p.col, Condition: p.condition, Args: p.args, Escape: p.escape, Collation: p.collation})
	case p.or:
		out := b.filter(in, p.kids[0])
		for _, k := range p.kids[1:] {
			if other := b.filter(in, k); other != out {
				out = b.add(&Either{A: out, B: other})
			}
		}
		return out
	}
	for _, k := range p.kids {
		in = b.filter(in, k)
	}
	return in
}

// predicate plans a condition; not asks for where it is FALSE.
func (e *env) predicate(x sqltree.Expr, not bool) (*predicate, error) {
	switch x := x.(type) {
	case *sqltree.Unary:
		if x.Op == sqltree.Not {
			return e.predicate(x.X, !not)
		}
	case *sqltree.Binary:
		switch x.Op {
		case sqltree.And:
			if sqltree.IsFalse(x) {
				return e.leaf(tools.IsTrue, constant(value.Bool(not))), nil
			}
			return e.connect(not, not, x.X, x.Y)
		case sqltree.Or:
			return e.connect(!not, not, x.X, x.Y)
		}
		if _, ok := vocabulary.Comparison(x.Op); ok {
			return e.comparison(x, not)
		}
	case *sqltree.Pattern:
		p, err := e.pattern(x)
		return negated(p, not != x.Not), err
	case *sqltree.In:
		return e.in(x, not)
	case *sqltree.Exists:
		if e.isCorrelated(x.Query) {
			c, err := e.correlate(x.Query, nil, true)
			if err != nil {
				return nil, err
			}
			return c.test(not), nil
		}
	case *sqltree.Between:
		return e.between(x, not)
	}
	op, err := e.scalar(x)
	if err != nil {
		return nil, err
	}
	return negated(e.leaf(tools.IsTrue, op), not), nil
}

func negated(p *predicate, not bool) *predicate {
	if not && p != nil {
		p.condition = vocabulary.Opposite(p.condition)
	}
	return p
}

func (e *env) connect(or, not bool, parts ...sqltree.Expr) (*predicate, error) {
	var kids []*predicate
	for _, x := range parts {
		p, err := e.predicate(x, not)
		if err != nil {
			return nil, err
		}
		kids = append(kids, p)
	}
	return combined(or, kids), nil
}

// combined is the AND or the OR of predicates.
func combined(or bool, parts []*predicate) *predicate {
	out := &predicate{or: or}
	for _, p := range parts {
		if len(p.kids) > 0 && p.or == or {
			out.kids = append(out.kids, p.kids...)
		} else {
			out.kids = append(out.kids, p)
		}
	}
	if or {
		out.kids = mergeEqualities(out.kids)
	}
	if len(out.kids) == 1 {
		return out.kids[0]
	}
	return out
}

// mergeEqualities turns x = 1 OR x = 2 into x IN (1, 2), which compares alike
// (lang_expr.html, section 7).
func mergeEqualities(kids []*predicate) []*predicate {
	var out []*predicate
	for _, k := range kids {
		merged := false
		if k.isConstantEquality() {
			for i, o := range out {
				if o.col == k.col && o.collation == k.collation && (o.isConstantEquality() || o.condition == tools.In && constants(o.args)) {
					out[i] = &predicate{col: o.col, condition: tools.In, args: append(slices.Clone(o.args), k.args...), collation: o.collation}
					merged = true
					break
				}
			}
		}
		if !merged {
			out = append(out, k)
		}
	}
	return out
}

func (p *predicate) isConstantEquality() bool {
	return len(p.kids) == 0 && p.condition == tools.Equal && constants(p.args)
}

func constants(ops []Operand) bool {
	return !slices.ContainsFunc(ops, func(o Operand) bool { return o.Kind != Constant })
}

// leaf tests one operand, which becomes a column if it is not one.
func (e *env) leaf(condition tools.Condition, left Operand, args ...Operand) *predicate {
	return &predicate{condition: condition, col: e.columnOf(left), args: args}
}

func (e *env) comparison(x *sqltree.Binary, not bool) (*predicate, error) {
	if l, ok := x.Y.(*sqltree.Literal); ok && (x.Op == sqltree.Is || x.Op == sqltree.IsNot) && (l.Word || l.Value.IsNull()) {
		return e.isWord(x.X, l, not != (x.Op == sqltree.IsNot))
	}
	if isRow(x.X) || isRow(x.Y) {
		return e.rowComparison(x, not)
	}
	left, err := e.scalar(x.X)
	if err != nil {
		return nil, err
	}
	right, err := e.scalar(x.Y)
	if err != nil {
		return nil, err
	}
	condition, _ := vocabulary.Comparison(x.Op)
	return negated(e.collate(e.compare(condition, left, right), x.X, x.Y), not), nil
}

// compare tests one operand against another.
func (e *env) compare(condition tools.Condition, left, right Operand) *predicate {
	if left.Kind != ColumnOf && right.Kind == ColumnOf {
		condition, left, right = vocabulary.Mirrored(condition), right, left
	}
	return e.leaf(condition, left, right)
}

// pattern plans LIKE and GLOB, without their NOT.
func (e *env) pattern(x *sqltree.Pattern) (*predicate, error) {
	condition, ok := vocabulary.Comparison(x.Op)
	if !ok {
		return nil, unsupported(string(x.Op), "SQLite has no %s but by extensions and full-text tables, which are not planned", x.Op)
	}
	left, err := e.scalar(x.X)
	if err != nil {
		return nil, err
	}
	right, err := e.scalar(x.Y)
	if err != nil {
		return nil, err
	}
	p := e.leaf(condition, left, right)
	if x.Escape != nil {
		esc, err := e.scalar(x.Escape)
		if err != nil {
			return nil, err
		}
		if p.escape = value.AsText(esc.Value); esc.Kind != Constant || utf8.RuneCountInString(p.escape) != 1 {
			return nil, unsupported("ESCAPE", "the escape character must be a constant of one character")
		}
	}
	return p, nil
}

func (e *env) between(x *sqltree.Between, not bool) (*predicate, error) {
	low, _ := sqltree.Compared(x.X, x.Low)
	high, _ := sqltree.Compared(x.X, x.High)
	if isRow(x.X) || isRow(x.Low) || isRow(x.High) || low != high {
		low := &sqltree.Binary{Op: sqltree.GreaterEq, X: x.X, Y: x.Low}
		high := &sqltree.Binary{Op: sqltree.LessEq, X: x.X, Y: x.High}
		return e.predicate(&sqltree.Binary{Op: sqltree.And, X: low, Y: high}, not != x.Not)
	}
	var ops [3]Operand
	for i, part := range []sqltree.Expr{x.X, x.Low, x.High} {
		op, err := e.scalar(part)
		if err != nil {
			return nil, err
		}
		ops[i] = op
	}
	return negated(e.collate(e.leaf(tools.Between, ops[0], ops[1], ops[2]), x.X, x.Low, x.High), not != x.Not), nil
}

// isWord plans IS NULL, IS TRUE and IS FALSE, which are never NULL: the opposite
// of a truth value is the other one or NULL.
func (e *env) isWord(x sqltree.Expr, word *sqltree.Literal, not bool) (*predicate, error) {
	op, err := e.scalar(x)
	if err != nil {
		return nil, err
	}
	if word.Value.IsNull() {
		return negated(e.leaf(tools.IsNull, op), not), nil
	}
	condition := tools.IsFalse
	if word.Value == value.Bool(true) {
		condition = tools.IsTrue
	}
	if !not {
		return e.leaf(condition, op), nil
	}
	return &predicate{or: true, kids: []*predicate{e.leaf(vocabulary.Opposite(condition), op), e.leaf(tools.IsNull, op)}}, nil
}
