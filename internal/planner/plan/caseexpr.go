package plan

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// caseExpr plans CASE from its last branch to its first, each as a
// "conditional": then where the test is TRUE, else the branches after it.
func (e *env) caseExpr(x *sqltree.Case) (Operand, error) {
	out := constant(value.NullValue())
	var err error
	if x.Else != nil {
		if out, err = e.scalar(x.Else); err != nil {
			return Operand{}, err
		}
	}
	for i := len(x.Whens) - 1; i >= 0; i-- {
		when := x.Whens[i]
		then, err := e.scalar(when.Then)
		if err != nil {
			return Operand{}, err
		}
		cond := when.Cond
		if x.Operand != nil {
			cond = &sqltree.Binary{Op: sqltree.Equal, X: x.Operand, Y: when.Cond}
		}
		if out, err = e.caseOf(cond, then, out); err != nil {
			return Operand{}, err
		}
	}
	return out, nil
}

// caseOf plans: then where the condition is TRUE, otherwise els.
func (e *env) caseOf(cond sqltree.Expr, then, els Operand) (Operand, error) {
	if e.rel == nil {
		return Operand{}, unsupported("CASE without FROM", "a CASE over subqueries alone is not planned")
	}
	p, err := e.predicate(cond, false)
	if err != nil {
		return Operand{}, err
	}
	return e.branch(p, then, els)
}

// branch takes a condition's tree apart: AND nests in then, OR in else.
func (e *env) branch(p *predicate, then, els Operand) (Operand, error) {
	if len(p.kids) == 0 {
		args := append([]Arg{{Name: toolname.ArgCondition, Values: []Operand{text(string(p.condition))}}}, p.testArgs()...)
		args = append(args, Arg{Name: toolname.ArgThen, Values: []Operand{then}}, Arg{Name: toolname.ArgElse, Values: []Operand{els}})
		return e.derive(tools.OpConditional, Operand{Kind: ColumnOf, Col: p.col}, args...)
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
