package template

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/parser"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/sqlite"
)

// reader makes the tree of a statement and binds its names.
type reader struct {
	sql    string
	schema *sqlite.Schema
	names  names // for the key
	err    error // why no template is made of the statement
}

// read returns the tree of a SELECT and the columns of its result.
func (r *reader) read() (*Query, []*Column, error) {
	stmt, err := parser.ParseStatement(r.sql)
	if err != nil {
		return nil, nil, fmt.Errorf("the SQL cannot be read: %w", err)
	}
	query, ok := stmt.(*ast.SelectStmt)
	if !ok {
		return nil, nil, errors.New("the SQL is no SELECT")
	}
	if err := checkNesting(query); err != nil {
		return nil, nil, err
	}
	q, columns := r.query(query, nil)
	return q, columns, r.err
}

// maxNesting bounds how deep a statement's tree may be. Next to an expression's
// own depth there is room for the clauses of as many subqueries as SQLite
// nests.
const maxNesting = 2 * dialect.MaxHeight

// checkNesting refuses a tree that is too deep for recursion.
func checkNesting(n ast.Node) error {
	level := []ast.Node{n}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxNesting {
			return fmt.Errorf("the SQL is nested more than %d levels deep; simplify it", maxNesting)
		}
		var next []ast.Node
		for _, n := range level {
			next = append(next, n.Children()...)
		}
		level = next
	}
	return nil
}

// query reads a statement and returns the columns of its result. parent is the
// scope that it stands in, or nil.
func (r *reader) query(stmt *ast.SelectStmt, parent *scope) (*Query, []*Column) {
	outer := &scope{parent: parent, with: map[string]*FromItem{}}
	if parent != nil {
		outer.depth = parent.depth
	}
	q := &Query{}
	if stmt.With != nil {
		for _, c := range stmt.With.CTEs {
			q.with = append(q.with, r.common(c, outer))
		}
	}
	for _, op := range stmt.Ops {
		q.Operators = append(q.Operators, op.Op)
	}
	var result []*Column
	var first *scope
	for i, core := range stmt.Cores {
		var s *Select
		var columns []*Column
		switch core := core.(type) {
		case *ast.SelectQuery:
			inside := &scope{parent: outer, depth: outer.depth + 1}
			if i == 0 {
				first = inside
			}
			s, columns = r.one(core, inside, first)
		case *ast.ValuesClause:
			for _, row := range core.Rows {
				q.values = append(q.values, r.list(row, outer)...)
			}
		}
		q.Selects = append(q.Selects, s)
		if i == 0 {
			result = columns
		}
	}
	return q, result
}

// common reads a common table expression into the scope outer. A recursive one
// knows its columns while it is read only if they are declared.
func (r *reader) common(c *ast.CTE, outer *scope) *Query {
	item := &FromItem{name: lower(c.Name.Name), known: len(c.Columns) > 0}
	for _, name := range c.Columns {
		item.columns = append(item.columns, &Column{Name: name.Name})
	}
	outer.with[item.name] = item
	q, columns := r.query(c.Select, outer)
	for i, name := range c.Columns[:min(len(c.Columns), len(columns))] {
		renamed := *columns[i]
		renamed.Name, renamed.IsAlias = name.Name, false
		columns[i] = &renamed
	}
	item.columns, item.known = columns, columns != nil
	return q
}

// one reads a SELECT. The ORDER BY of a compound names the columns of its first
// part.
func (r *reader) one(core *ast.SelectQuery, s, first *scope) (*Select, []*Column) {
	out := &Select{depth: s.depth}
	r.from(core.From, s)
	out.From = s.items
	var result []*Column
	aliases := map[string]*Column{}
	for _, c := range core.Columns {
		if r.err != nil {
			return out, nil
		}
		written := ResultColumn{Expr: r.expr(c.Expr, s)}
		own := r.columns(c, written.Expr, out, s)
		if c.Alias != nil {
			written.Alias = c.Alias.Name
			if name := lower(c.Alias.Name); aliases[name] == nil && len(own) > 0 {
				aliases[name], own[0].IsAlias = own[0], true
			}
		}
		out.Columns = append(out.Columns, written)
		if result = append(result, own...); len(result) > dialect.MaxColumns {
			r.err = fmt.Errorf("the SQL has more than %d columns in a result; SQLite gives no more", dialect.MaxColumns)
		}
	}
	s.aliases = aliases
	out.on = r.on(core.From, s)
	out.Where = r.expr(core.Where, s)
	out.GroupBy = r.list(core.GroupBy, s)
	out.having = r.expr(core.Having, s)
	for _, w := range core.Windows {
		out.windows = append(out.windows, r.below(w, s)...)
	}
	if first == nil {
		first = s
	}
	for _, term := range core.OrderBy {
		out.OrderBy = append(out.OrderBy, OrderTerm{r.expr(term.Expr, first), term.Order == ast.SortDesc})
	}
	if core.Limit != nil {
		out.Limit = &Limit{r.expr(core.Limit.Count, s), r.expr(core.Limit.Offset, s)}
	}
	return out, result
}

// from enters what a FROM clause names.
func (r *reader) from(list []*ast.TableRef, s *scope) {
	for _, ref := range list {
		r.from(ref.List, s)
		item, base := &FromItem{}, "query"
		switch {
		case ref.Select != nil:
			item.query, item.columns = r.query(ref.Select, s.parent)
			item.known = item.columns != nil
		case ref.Name != nil:
			base = lower(ref.Name.Name.Name)
			item.name = base
			if c := s.parent.common(base); c != nil && ref.Name.Schema == nil {
				item.columns, item.known = c.columns, c.known
			} else if item.Table = r.schema.Table(base); item.Table != nil {
				item.known = true
			}
		default:
			continue
		}
		if ref.Alias != nil {
			item.name = lower(ref.Alias.Name)
			r.names.dropped[ref.Alias.Pos()] = true
		}
		if s.add(item, base); len(s.items) > dialect.MaxTables && r.err == nil {
			r.err = fmt.Errorf("the SQL has more than %d tables in one FROM clause; SQLite joins no more", dialect.MaxTables)
		}
		if r.err != nil {
			return
		}
	}
}

// on reads the expressions of a FROM clause.
func (r *reader) on(list []*ast.TableRef, s *scope) []*Expr {
	var all []*Expr
	for _, ref := range list {
		all = append(all, r.on(ref.List, s)...)
		all = append(all, r.list(ref.Args, s)...)
		if ref.On != nil {
			all = append(all, r.expr(ref.On, s))
		}
	}
	return all
}

// columns returns the columns that one result column stands for.
func (r *reader) columns(c *ast.ResultColumn, e *Expr, of *Select, s *scope) []*Column {
	if star, ok := c.Expr.(*ast.Star); ok {
		var all []*Column
		for _, item := range s.items {
			if star.Table == nil || item.name == lower(star.Table.Name) {
				all = append(all, item.star()...)
			}
		}
		return all
	}
	plain := strings.TrimSpace(r.sql[c.Expr.Pos():c.Expr.End()])
	if e.Kind == Name || e.Kind == Quoted {
		plain = e.Op
	}
	out := &Column{Name: plain, plain: plain, Expr: e, of: of}
	if c.Alias != nil {
		out.Name = c.Alias.Name
	}
	return []*Column{out}
}
