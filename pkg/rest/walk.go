package rest

import (
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/sqlite"
)

// walker goes through a statement once, scope by scope.
type walker struct {
	sql    string
	schema *sqlite.Schema

	found    []*found      // literals that are parameters
	names    map[int]named // column references by their offset
	dropped  map[int]bool  // offsets of table aliases, which the key leaves out
	tokens   []token.Token
	scopes   map[*ast.SelectQuery]*scope
	random   bool           // whether each run may answer differently
	operands map[string]int // numbers of what literals are compared with, by its text
	places   map[[2]int]int // the same by its place
	err      error          // why no endpoint is made of the statement
}

// statement walks a SELECT and returns its result columns.
func (w *walker) statement(s *ast.SelectStmt, parent *scope) []*column {
	outer := &scope{parent: parent, ctes: map[string]*source{}}
	if parent != nil {
		outer.depth = parent.depth
	}
	if s.With != nil {
		for _, c := range s.With.CTEs {
			w.cte(c, outer)
		}
	}
	var outputs []*column
	for i, core := range s.Cores {
		var own []*column
		switch core := core.(type) {
		case *ast.SelectQuery:
			own = w.core(core, outer)
		case *ast.ValuesClause:
			for _, row := range core.Rows {
				for _, e := range row {
					w.expr(e, outer)
				}
			}
		}
		if i == 0 {
			outputs = own
		}
	}
	return outputs
}

// cte enters a common table expression. A recursive one knows its columns
// while it is walked only if they are declared.
func (w *walker) cte(c *ast.CTE, outer *scope) {
	f := &source{name: fold(c.Name.Name)}
	for _, name := range c.Columns {
		f.outputs = append(f.outputs, &column{name: name.Name})
	}
	f.known = len(c.Columns) > 0
	outer.ctes[f.name] = f
	outputs := w.statement(c.Select, outer)
	for i, o := range outputs {
		if i < len(c.Columns) {
			renamed := *o
			renamed.name = c.Columns[i].Name
			outputs[i] = &renamed
		}
	}
	f.outputs, f.known = outputs, outputs != nil
}

func (w *walker) core(q *ast.SelectQuery, outer *scope) []*column {
	s := &scope{parent: outer, depth: outer.depth + 1, aliases: map[string]*column{}, inner: w.scopes}
	w.scopes[q] = s
	w.sources(q.From, s, outer)
	if w.err != nil {
		return nil
	}
	w.joins(q.From, s)
	var outputs []*column
	for _, r := range q.Columns {
		w.expr(r.Expr, s)
		own := w.outputs(r, s)
		if r.Alias != nil && s.aliases[fold(r.Alias.Name)] == nil {
			s.aliases[fold(r.Alias.Name)] = own[0]
		}
		outputs = append(outputs, own...)
		if w.checkColumns(outputs); w.err != nil {
			return nil
		}
	}
	w.condition(q.Where, s)
	for _, e := range q.GroupBy {
		w.expr(e, s)
	}
	w.condition(q.Having, s)
	for _, d := range q.Windows {
		w.children(d, s)
	}
	for _, t := range q.OrderBy {
		w.expr(t.Expr, s)
	}
	if q.Limit != nil {
		w.limit(q.Limit, s)
	}
	return outputs
}

// sources enters what a FROM clause names.
func (w *walker) sources(list []*ast.TableRef, s, outer *scope) {
	for _, ref := range list {
		w.sources(ref.List, s, outer)
		f := &source{}
		base := "query"
		switch {
		case ref.Select != nil:
			f.outputs = w.statement(ref.Select, outer)
			f.known = f.outputs != nil
		case ref.Name != nil:
			base = fold(ref.Name.Name.Name)
			f.name = base
			if c := outer.cte(base); c != nil && ref.Name.Schema == nil {
				f.outputs, f.known = c.outputs, c.known
			} else if f.table = w.schema.Table(base); f.table != nil {
				f.known = true
			}
		default:
			continue
		}
		if ref.Alias != nil {
			f.name = fold(ref.Alias.Name)
			w.dropped[ref.Alias.Pos()] = true
		}
		s.add(f, base)
		if w.checkSources(s); w.err != nil {
			return
		}
	}
}

// joins walks the expressions of a FROM clause.
func (w *walker) joins(list []*ast.TableRef, s *scope) {
	for _, ref := range list {
		w.joins(ref.List, s)
		for _, e := range ref.Args {
			w.expr(e, s)
		}
		w.condition(ref.On, s)
	}
}

// outputs returns the columns that one result column gives.
func (w *walker) outputs(r *ast.ResultColumn, s *scope) []*column {
	if star, ok := r.Expr.(*ast.Star); ok {
		var all []*column
		for _, f := range s.sources {
			if star.Table != nil && f.name != fold(star.Table.Name) {
				continue
			}
			all = append(all, f.columns()...)
		}
		return all
	}
	c := &column{expr: r.Expr, scope: s}
	switch e := unwrap(r.Expr).(type) {
	case *ast.Ident:
		c.name = e.Name
	case *ast.QualifiedRef:
		c.name = e.Parts[len(e.Parts)-1].Name
	default:
		c.name = strings.TrimSpace(w.sql[r.Expr.Pos():r.Expr.End()])
	}
	if r.Alias != nil {
		c.name = r.Alias.Name
	}
	return []*column{c}
}

// columns returns what * gives of a source.
func (f *source) columns() []*column {
	if f.table == nil {
		var all []*column
		for _, c := range f.outputs {
			all = append(all, c.around(f))
		}
		return all
	}
	var all []*column
	for i := range f.table.Columns {
		if info := &f.table.Columns[i]; !info.Hidden {
			all = append(all, &column{from: f, name: info.Name, info: info})
		}
	}
	return all
}

func (w *walker) condition(e ast.Expr, s *scope) {
	if e != nil {
		w.expr(e, s)
	}
}

// expr walks an expression: it notes names for the key, finds literals that
// are parameters, and enters subqueries.
func (w *walker) expr(e ast.Expr, s *scope) {
	switch e := e.(type) {
	case *ast.Ident:
		w.name(e, e.Pos(), s)
		return
	case *ast.QualifiedRef:
		w.name(e, e.Pos(), s)
		return
	case *ast.BinaryExpr:
		if op := comparison(e.Op); op != "" {
			w.compare(op, e.X, e.Y, s)
			w.compare(mirrored(op), e.Y, e.X, s)
		}
	case *ast.IsExpr:
		op := "="
		if e.Not != e.Distinct {
			op = "<>"
		}
		w.compare(op, e.X, e.Y, s)
		w.compare(op, e.Y, e.X, s)
	case *ast.LikeExpr:
		w.compare(strings.ToLower(e.Op.Name), e.X, e.Y, s)
		w.likeOperands(e, s)
		return
	case *ast.BetweenExpr:
		w.compare(">=", e.X, e.Lo, s)
		w.compare("<=", e.X, e.Hi, s)
	case *ast.InExpr:
		w.in(e, s)
	case *ast.CaseExpr:
		if e.Operand != nil {
			for _, when := range e.Whens {
				w.compare("=", e.Operand, when.When, s)
			}
		}
	case *ast.FuncCall:
		w.clock(e, s)
		name := fold(e.Name.Name)
		w.random = w.random || name == "random" || name == "randomblob"
	case *ast.Literal:
		w.instant(e, s)
		return
	}
	w.children(e, s)
}

// likeOperands walks LIKE's operands but not its operator, which is a name
// to the parser.
func (w *walker) likeOperands(e *ast.LikeExpr, s *scope) {
	w.expr(e.X, s)
	w.expr(e.Y, s)
	w.condition(e.Escape, s)
}

// children walks what is below a node.
func (w *walker) children(n ast.Node, s *scope) {
	for _, child := range n.Children() {
		switch child := child.(type) {
		case *ast.SelectStmt:
			w.statement(child, s)
		case *ast.Ident:
			// A function's, collation's or window's name, unless the parent
			// has it as an operand.
			if isOperand(n, child) {
				w.expr(child, s)
			}
		case ast.Expr:
			w.expr(child, s)
		default:
			w.children(child, s)
		}
	}
}

// isOperand reports whether a child that is a name is a value of n.
func isOperand(n ast.Node, child *ast.Ident) bool {
	switch n := n.(type) {
	case *ast.FuncCall:
		return child != n.Name
	case *ast.CollateExpr:
		return child != n.Name
	case *ast.WindowDef:
		return child != n.Name && child != n.Base
	case *ast.QualifiedName, *ast.Star:
		return false
	}
	return true
}
