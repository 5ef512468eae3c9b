package rest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/internal/sqlite"
)

// source is one table, view, subquery or common table expression in a FROM
// clause.
type source struct {
	name    string        // by which columns refer to it, folded
	label   string        // the same for the same table in another scope, whatever its alias
	table   *sqlite.Table // nil unless it is one of the database's
	outputs []*column     // of a subquery
	known   bool          // whether its columns are known at all
}

// column is what a name in a statement stands for.
type column struct {
	from *source
	name string         // as the database or the subquery calls it
	info *sqlite.Column // of a table's column
	// of a computed column of a subquery, or of a result column's alias
	expr  ast.Expr
	scope *scope
	inner *column // the subquery's own column, of one that a query around it has
}

// around returns the column of a subquery as the query around it has it.
func (c *column) around(f *source) *column {
	return &column{from: f, name: c.name, info: c.info, expr: c.expr, scope: c.scope, inner: c}
}

// scope holds the names that an expression may use
// (https://www.sqlite.org/lang_select.html).
type scope struct {
	parent  *scope
	depth   int
	sources []*source
	ctes    map[string]*source          // nil in the scope of a SELECT core
	aliases map[string]*column          // of result columns
	plain   *scope                      // the same without aliases; nil until it is needed
	inner   map[*ast.SelectQuery]*scope // of the whole statement, by SELECT core
}

// withoutAliases returns the scope of the result columns themselves, which do
// not know each other's aliases, nor their own.
func (s *scope) withoutAliases() *scope {
	if s.aliases == nil {
		return s
	}
	if s.plain == nil {
		plain := *s
		plain.aliases = nil
		s.plain = &plain
	}
	return s.plain
}

// mainTable returns the first table of a SELECT, through subqueries, or nil.
func (s *scope) mainTable() *sqlite.Table {
	for range 100 {
		if s == nil || len(s.sources) == 0 {
			return nil
		}
		first := s.sources[0]
		if first.table != nil {
			return first.table
		}
		i := slices.IndexFunc(first.outputs, func(c *column) bool { return c.scope != nil || c.from != nil && c.from.table != nil })
		if i < 0 {
			return nil
		}
		if c := first.outputs[i]; c.scope == nil {
			return c.from.table
		}
		s = first.outputs[i].scope
	}
	return nil
}

// cte returns the common table expression of that folded name, or nil.
func (s *scope) cte(name string) *source {
	for ; s != nil; s = s.parent {
		if c := s.ctes[name]; c != nil {
			return c
		}
	}
	return nil
}

// column returns what the source calls by that folded name, or nil.
func (f *source) column(name string) *column {
	if f.table != nil {
		info := f.table.Column(name)
		switch {
		case info != nil:
			return &column{from: f, name: info.Name, info: info}
		case f.table.RowID && (name == "rowid" || name == "oid" || name == "_rowid_"):
			return &column{from: f, name: name}
		}
	}
	for _, c := range f.outputs {
		if fold(c.name) == name {
			return c.around(f)
		}
	}
	return nil
}

// base returns the table's column that c stands for through any number of
// subqueries, or c itself.
func (c *column) base() *column {
	for range 100 {
		if c.inner != nil {
			c = c.inner
			continue
		}
		if c.expr == nil {
			return c
		}
		next := c.scope.withoutAliases().reference(c.expr)
		if next == nil {
			return c
		}
		c = next
	}
	return c
}

// reference returns what a column reference stands for, and nil for any other
// expression and for unknown names.
func (s *scope) reference(e ast.Expr) *column {
	switch e := unwrap(e).(type) {
	case *ast.Ident:
		return s.find("", fold(e.Name))
	case *ast.QualifiedRef:
		n := len(e.Parts)
		return s.find(fold(e.Parts[n-2].Name), fold(e.Parts[n-1].Name))
	}
	return nil
}

func (s *scope) find(qualifier, name string) *column {
	for ; s != nil; s = s.parent {
		for _, f := range s.sources {
			if qualifier != "" && f.name != qualifier {
				continue
			}
			if c := f.column(name); c != nil {
				return c
			}
		}
		if c := s.aliases[name]; c != nil && qualifier == "" {
			return c
		}
	}
	return nil
}

// known reports whether all columns that the scope can name are known.
func (s *scope) known() bool {
	for ; s != nil; s = s.parent {
		for _, f := range s.sources {
			if !f.known {
				return false
			}
		}
	}
	return true
}

// add enters a source and gives it its label.
func (s *scope) add(f *source, base string) {
	same := 1
	for _, other := range s.sources {
		if strings.HasPrefix(other.label, base+"#") {
			same++
		}
	}
	f.label = fmt.Sprintf("%s#%d", base, same)
	s.sources = append(s.sources, f)
}

// unwrap removes parentheses.
func unwrap(e ast.Expr) ast.Expr {
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// fold lowers ASCII letters only, as SQLite compares names.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
