package sqltree

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// scope holds the names that an expression may use
// (https://www.sqlite.org/lang_select.html). A query's own scope has its common
// table expressions, and below it each arm's scope has the sources of FROM.
type scope struct {
	parent  *scope
	query   *Query  // in a query's own scope
	with    []*CTE  // of the query, those that may be read
	arm     *Select // in an arm's scope
	dialect *engine.Dialect
	aliases bool // result columns answer to their aliases
}

// cte returns the common table expression of that name, or nil.
func (s *scope) cte(name string) *CTE {
	for ; s != nil; s = s.parent {
		for _, c := range s.with {
			if s.dialect.Same(c.Name, name) {
				return c
			}
		}
	}
	return nil
}

// resolve finds what a column reference stands for (lang_expr.html, section
// 3.1): a column of FROM, else a result column's alias, else the same in the
// query around.
func (s *scope) resolve(c *Column) {
	for at := s; at != nil; at = at.parent {
		if at.arm == nil {
			continue
		}
		if at.arm.find(c) {
			s.read(c)
			return
		}
		if !at.aliases || c.Table != "" {
			continue
		}
		for _, it := range at.arm.Items {
			if it.Alias != "" && spelling.Same(it.Alias, c.Name) {
				c.State, c.Alias = Bound, it
				s.read(c)
				return
			}
		}
	}
}

// read notes a resolved column with the queries that read it of one around
// them.
func (s *scope) read(c *Column) {
	if c.Alias != nil {
		Walk(c.Alias.Expr, func(e Expr) bool {
			if inner, ok := e.(*Column); ok && inner.State == Bound {
				s.read(inner)
			}
			return true
		})
		return
	}
	if c.State != Bound {
		return
	}
	for _, also := range c.Coalesced {
		s.read(also)
	}
	for ; s != nil && s.arm != c.Source.Select; s = s.parent {
		if s.query != nil {
			s.query.reads(c)
		}
	}
}

func (q *Query) reads(c *Column) {
	for _, o := range q.Outer {
		if o.Source == c.Source && o.Index == c.Index {
			return
		}
	}
	q.Outer = append(q.Outer, c)
}

// find looks for the column among the arm's sources.
func (s *Select) find(c *Column) bool {
	found := 0
	for _, src := range s.Sources {
		if !src.answers(c) {
			continue
		}
		i, ok := src.column(c.Name)
		if !ok || c.Table == "" && src.Columns[i].Merged {
			continue
		}
		if found++; found == 1 {
			c.State, c.Source, c.Index = Bound, src, i
		}
	}
	if found == 0 && isRowID(c.Name) {
		for _, src := range s.Sources {
			if src.answers(c) && src.Table != nil && src.Table.RowID {
				if found++; found == 1 {
					c.State, c.Source, c.Index = Bound, src, RowID
				}
			}
		}
	}
	if found > 1 {
		c.State, c.Source = Ambiguous, nil
	}
	if found == 1 && c.Table == "" && c.Index >= 0 {
		c.merged(c.Source.Columns[c.Index].merges)
	}
	return found > 0
}

// answers reports whether a reference may mean a column of this source.
func (s *Source) answers(c *Column) bool {
	if c.Table == "" {
		return true
	}
	return s.dialect.Same(c.Table, s.Name) && (c.Schema == "" || s.Table != nil && !s.View())
}

// View reports whether the source is a view.
func (s *Source) View() bool { return s.Table != nil && s.Table.View }

// column returns the place of the column of that name.
func (s *Source) column(name string) (int, bool) {
	for i := range s.Columns {
		if s.dialect.Same(s.Columns[i].Name, name) {
			return i, true
		}
	}
	if s.Table != nil && isRowID(name) && s.Table.IntegerPrimaryKey != "" {
		return s.column(s.Table.IntegerPrimaryKey)
	}
	return 0, false
}

// merged resolves a reference to the columns that USING or NATURAL has merged
// into the one that was found, if there are any.
func (c *Column) merged(columns []*Column) {
	switch len(columns) {
	case 0:
	case 1:
		c.Source, c.Index = columns[0].Source, columns[0].Index
	default:
		c.Coalesced = columns
	}
}

// isRowID reports whether a name is one of the rowid's
// (lang_createtable.html, section 5).
func isRowID(name string) bool {
	return spelling.Same(name, "rowid") || spelling.Same(name, "oid") || spelling.Same(name, "_rowid_")
}

// join enters the columns that a join merges, and the equalities that it
// stands for.
func (j *Join) merge(before []*Source) {
	right := j.Source
	if right == nil {
		return
	}
	using := j.Using
	if j.Natural {
		using = nil
		for _, c := range right.Columns {
			if !c.Hidden && owner(before, c.Name) != nil {
				using = append(using, c.Name)
			}
		}
	}
	for _, name := range using {
		left := owner(before, name)
		i, ok := right.column(name)
		if left == nil || !ok {
			j.Missing = name
			return
		}
		r := &Column{Name: name, Table: right.Name, State: Bound, Source: right, Index: i}
		j.Equal = append(j.Equal, [2]*Column{left, r})
		right.Columns[i].Merged = true
		first := merger(before, name)
		switch j.Kind {
		case dialect.Right:
			first.merges = []*Column{r}
		case dialect.Full:
			if first.merges == nil {
				first.merges = []*Column{{Name: name, Table: left.Table, State: Bound, Source: left.Source, Index: left.Index}}
			}
			first.merges = append(slices.Clone(first.merges), r)
		}
	}
}

// owner returns what an unqualified name means among the sources before a join,
// or nil: the right column of a RIGHT join that has merged it, all columns of a
// FULL join, else the first one (lang_select.html, section 2.2).
func owner(sources []*Source, name string) *Column {
	for _, s := range sources {
		if i, ok := s.column(name); ok && !s.Columns[i].Merged && !s.Columns[i].Hidden {
			c := &Column{Name: name, Table: s.Name, State: Bound, Source: s, Index: i}
			c.merged(s.Columns[i].merges)
			return c
		}
	}
	return nil
}

// merger returns the column that others of that name are merged into.
func merger(sources []*Source, name string) *SourceColumn {
	for _, s := range sources {
		if i, ok := s.column(name); ok && !s.Columns[i].Merged && !s.Columns[i].Hidden {
			return &s.Columns[i]
		}
	}
	return nil
}
