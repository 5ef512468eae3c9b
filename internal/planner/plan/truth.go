package plan

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// truth plans a condition as a value: 1, 0 or NULL.
func (e *env) truth(x sqltree.Expr) (Operand, error) {
	switch x := x.(type) {
	case *sqltree.Unary:
		op, err := e.scalar(x.X)
		if err != nil {
			return Operand{}, err
		}
		if op.Kind == Constant {
			return constant(value.TruthOf(op.Value).Not().Value()), nil
		}
		return e.derive(tools.OpNot, op)
	case *sqltree.Binary:
		switch x.Op {
		case sqltree.And:
			if sqltree.IsFalse(x) {
				return constant(value.Int(0)), nil
			}
			return e.logical(tools.OpAnd, x)
		case sqltree.Or:
			return e.logical(tools.OpOr, x)
		}
	case *sqltree.Exists:
		return e.exists(x)
	case *sqltree.In:
		switch {
		case x.Query == nil && len(x.List) == 0:
			return constant(value.Bool(x.Not)), nil
		case x.Query != nil && e.rel != nil && (e.isCorrelated(x.Query) || isRow(x.X)):
			return e.inRows(x)
		}
	}
	if e.rel == nil {
		return Operand{}, unsupported("condition without FROM", "a comparison of subqueries as a value is not planned")
	}
	p, err := e.predicate(x, false)
	if err != nil {
		return Operand{}, err
	}
	if isTruthTest(x) {
		return e.branch(p, constant(value.Int(1)), constant(value.Int(0)))
	}
	return e.truthOfPredicate(p)
}

// isTruthTest reports whether a condition is IS [NOT] TRUE or FALSE, which is
// never NULL.
func isTruthTest(x sqltree.Expr) bool {
	b, ok := x.(*sqltree.Binary)
	if !ok || b.Op != sqltree.Is && b.Op != sqltree.IsNot {
		return false
	}
	l, ok := b.Y.(*sqltree.Literal)
	return ok && l.Word
}

// testArgs are the arguments of a leaf that is derived as a value.
func (p *predicate) testArgs() []Arg {
	var args []Arg
	switch {
	case p.condition == tools.In || p.condition == tools.NotIn:
		isList := !(len(p.args) == 1 && p.args[0].Kind == Result)
		args = append(args, Arg{Name: toolname.ArgValue, Values: p.args, List: isList})
	case len(p.args) > 1:
		args = append(args, Arg{Name: toolname.ArgValue, Values: p.args, List: true})
	case len(p.args) == 1:
		args = append(args, Arg{Name: toolname.ArgValue, Values: p.args})
	}
	if p.escape != "" {
		args = append(args, Arg{Name: toolname.ArgEscape, Values: []Operand{text(p.escape)}})
	}
	if p.collation != "" {
		args = append(args, Arg{Name: toolname.ArgCollation, Values: []Operand{text(p.collation)}})
	}
	return args
}

// truthOfPredicate derives 1, 0 or NULL from a predicate.
func (e *env) truthOfPredicate(p *predicate) (Operand, error) {
	if len(p.kids) == 0 {
		return e.derive(tools.Operation(p.condition), Operand{Kind: ColumnOf, Col: p.col}, p.testArgs()...)
	}
	op := tools.OpAnd
	if p.or {
		op = tools.OpOr
	}
	out, err := e.truthOfPredicate(p.kids[0])
	for _, kid := range p.kids[1:] {
		if err != nil {
			return Operand{}, err
		}
		var next Operand
		if next, err = e.truthOfPredicate(kid); err == nil {
			out, err = e.derive(op, out, Arg{Name: toolname.ArgValue, Values: []Operand{next}})
		}
	}
	return out, err
}

// logical plans AND and OR as values.
func (e *env) logical(op tools.Operation, x *sqltree.Binary) (Operand, error) {
	l, err := e.scalar(x.X)
	if err != nil {
		return Operand{}, err
	}
	r, err := e.scalar(x.Y)
	if err != nil {
		return Operand{}, err
	}
	if l.Kind == Constant && r.Kind == Constant {
		a, b := value.TruthOf(l.Value), value.TruthOf(r.Value)
		if op == tools.OpAnd {
			return constant(a.And(b).Value()), nil
		}
		return constant(a.Or(b).Value()), nil
	}
	if !carries(l, r) {
		l, r = r, l
	}
	return e.derive(op, l, Arg{Name: toolname.ArgValue, Values: []Operand{r}})
}

// exists plans EXISTS as 1 or 0: whether the subquery has a row.
func (e *env) exists(x *sqltree.Exists) (Operand, error) {
	if e.isCorrelated(x.Query) {
		return e.caseOf(x, constant(value.Int(1)), constant(value.Int(0)))
	}
	o, err := e.list(x.Query)
	if err != nil {
		return Operand{}, err
	}
	n := e.countRows(o.step)
	return e.deriveResult(tools.Operation(tools.Greater), n, []Arg{{Name: toolname.ArgValue, Values: []Operand{constant(value.Int(0))}}}), nil
}
