package sqltree

import "github.com/birdcall/birdcall/internal/db/engine"

// table returns the table or view of that name, or nil.
func (b *binder) table(name string) *engine.Table {
	for _, t := range b.schema.Tables {
		if b.dialect.Same(t.Name, name) {
			return t
		}
	}
	return nil
}

// groupBy binds a term of GROUP BY. Where no clause but it sees aliases, a name that
// no column has is that of a result column.
func (b *binder) groupBy(e Expr, s *Select) Expr {
	c, ok := e.(*Column)
	if b.dialect.AliasesInWhere || !ok || c.Table != "" || s.find(c) {
		return b.expr(e, s.scope)
	}
	if n := s.named(c.Name); n >= 0 {
		c.State, c.Alias = Bound, s.Items[n]
		return c
	}
	return b.expr(e, s.scope)
}

// named returns the number of the result column that ORDER BY and GROUP BY mean
// by a name, or -1.
func (s *Select) named(name string) int {
	d := s.Query.Dialect
	for i, it := range s.Items {
		called := it.Alias
		if d.ImpliedNames {
			called = it.Name
		}
		if called != "" && d.Same(called, name) {
			return i
		}
	}
	return -1
}

// starColumns returns the columns that * means where Dialect.MergedStars is set:
// those that USING or NATURAL merges come first, then the left side's and the right
// side's
// (https://www.postgresql.org/docs/current/queries-table-expressions.html,
// section 7.2.1.1).
func (j *Join) starColumns() []*Column {
	if j == nil {
		return nil
	}
	var right []*Column
	if j.Nested != nil {
		right = j.Nested.starColumns()
	} else {
		for i, c := range j.Source.Columns {
			if c.Hidden || c.Merged {
				continue
			}
			column := &Column{Table: j.Source.Name, Name: c.Name, State: Bound, Source: j.Source, Index: i}
			column.merged(c.merges)
			right = append(right, column)
		}
	}
	left := j.Left.starColumns()
	var merged, rest []*Column
	for _, c := range left {
		if j.merges(c.Name) {
			merged = append(merged, c)
		} else {
			rest = append(rest, c)
		}
	}
	return append(append(merged, rest...), right...)
}

// merges reports whether a join merges the columns of that name.
func (j *Join) merges(name string) bool {
	for _, pair := range j.Equal {
		if pair[1].Name == name {
			return true
		}
	}
	return false
}
