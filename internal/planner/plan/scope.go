package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// sourceCols are the columns of a source of a FROM clause, in the order of
// sqltree.Source.Columns. None stands for a column that is not there: of a source
// of the query around, only the columns that are read are.
type sourceCols struct {
	of   *sqltree.Source
	cols []Col
}

// relation is a chain of steps over the sources of one FROM clause.
type relation struct {
	step    StepID
	sources []*sourceCols
	derived map[string]Col // derivations made on the chain, by description
}

func newRelation(step StepID, sources ...*sourceCols) *relation {
	return &relation{step: step, sources: sources, derived: map[string]Col{}}
}

// find returns the column of the plan that a bound column is, if the relation
// has it.
func (r *relation) find(c *sqltree.Column) (Col, bool) {
	if r == nil || c.State != sqltree.Bound || c.Alias != nil || c.Index < 0 {
		return None, false
	}
	for _, s := range r.sources {
		if s.of == c.Source && s.cols[c.Index] != None {
			return s.cols[c.Index], true
		}
	}
	return None, false
}

// reads reports whether an expression, or a subquery in it, reads a column of
// the relation.
func (r *relation) reads(e sqltree.Expr) bool {
	return readsColumn(e, func(c *sqltree.Column) bool {
		_, found := r.find(c)
		return found
	})
}

// readsColumn reports whether an expression, or a subquery in it, reads a column
// that is among some.
func readsColumn(e sqltree.Expr, among func(*sqltree.Column) bool) bool {
	found := false
	sqltree.Walk(e, func(e sqltree.Expr) bool {
		if c, ok := e.(*sqltree.Column); ok {
			found = found || among(c) || slices.ContainsFunc(c.Coalesced, among) || c.Alias != nil && readsColumn(c.Alias.Expr, among)
		} else if q := sqltree.SubqueryOf(e); q != nil {
			found = found || slices.ContainsFunc(q.Outer, among)
		}
		return !found
	})
	return found
}

// hasSubquery reports whether there is a subquery in an expression.
func hasSubquery(e sqltree.Expr) bool {
	found := false
	sqltree.Walk(e, func(e sqltree.Expr) bool {
		found = found || sqltree.SubqueryOf(e) != nil
		return !found
	})
	return found
}
