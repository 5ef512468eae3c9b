package plan

import (
	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/pkg/value"
)

// caseExpr plans CASE from its last branch to its first, each as a
// "conditional": then where the test is TRUE, else the branches after it.
func (e *env) caseExpr(x *sqlparser.CaseExpr) (Operand, error) {
	out := constant(value.NullValue())
	var err error
	if x.Else != nil {
		if out, err = e.scalar(x.Else); err != nil {
			return Operand{}, err
		}
	}
	for i := len(x.Whens) - 1; i >= 0; i-- {
		when := x.Whens[i]
		then, err := e.scalar(when.Val)
		if err != nil {
			return Operand{}, err
		}
		cond := when.Cond
		if x.Expr != nil {
			cond = &sqlparser.ComparisonExpr{Operator: sqlparser.EqualStr, Left: x.Expr, Right: when.Cond}
		}
		if out, err = e.caseOf(cond, then, out); err != nil {
			return Operand{}, err
		}
	}
	return out, nil
}

// caseOf plans: then where the condition is TRUE, otherwise els.
func (e *env) caseOf(cond sqlparser.Expr, then, els Operand) (Operand, error) {
	if e.rel == nil {
		return Operand{}, unsupported("CASE without FROM", "a CASE over subqueries alone is not planned")
	}
	p, err := e.predicate(cond, false)
	if err != nil {
		return Operand{}, err
	}
	return e.branch(p, plain(then), plain(els))
}

// branch takes a condition's tree apart: AND nests in then, OR in else.
func (e *env) branch(p *predicate, then, els Operand) (Operand, error) {
	if len(p.kids) == 0 {
		args := append([]Arg{{Name: "condition", Values: []Operand{text(p.condition)}}}, p.testArgs()...)
		args = append(args, Arg{Name: "then", Values: []Operand{then}}, Arg{Name: "else", Values: []Operand{els}})
		return e.derive("conditional", Operand{Kind: ColumnOf, Col: p.col}, args...)
	}
	out := then
	if p.or {
		out = els
	}
	var err error
	for i := len(p.kids) - 1; i >= 0; i-- {
		if p.or {
			out, err = e.branch(p.kids[i], then, out)
		} else {
			out, err = e.branch(p.kids[i], out, els)
		}
		if err != nil {
			return Operand{}, err
		}
	}
	return out, nil
}
