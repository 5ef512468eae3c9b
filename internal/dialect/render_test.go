package dialect

import (
	"fmt"
	"strings"

	"github.com/xwb1989/sqlparser"
)

// render writes a statement back as SQLite's SQL, from nothing but its trees.
// It is the proof that lowering keeps the meaning: see TestRoundTrip.
type render struct{ stmt *Statement }

func renderStatement(s *Statement) string {
	r := render{s}
	var b strings.Builder
	for i, c := range s.With {
		word := ", "
		if i == 0 {
			word = "WITH RECURSIVE "
		}
		b.WriteString(word + ident(c.Name))
		if len(c.Columns) > 0 {
			b.WriteString("(" + idents(c.Columns) + ")")
		}
		b.WriteString(" AS (" + renderStatement(c.Query) + ") ")
	}
	for _, c := range s.Cores {
		b.WriteString(string(c.Op) + " " + r.core(c.Select) + " ")
	}
	for i, o := range Orders(s.OrderBy) {
		word := ", "
		if i == 0 {
			word = "ORDER BY "
		}
		b.WriteString(word + r.order(o))
	}
	if s.Limit != nil {
		b.WriteString(" LIMIT " + r.expr(s.Limit))
	}
	if s.Offset != nil {
		b.WriteString(" OFFSET " + r.expr(s.Offset))
	}
	return b.String()
}

func (r render) order(o Order) string {
	dir, nulls := "ASC", "LAST"
	if o.Desc {
		dir = "DESC"
	}
	if o.NullsFirst {
		nulls = "FIRST"
	}
	return fmt.Sprintf("%s %s NULLS %s", r.expr(o.Expr), dir, nulls)
}

func ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// bracketed quotes a name so that SQLite cannot take it for a string.
func bracketed(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

func idents(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = ident(n)
	}
	return strings.Join(out, ", ")
}

func (r render) core(s *sqlparser.Select) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	if s.Distinct != "" {
		b.WriteString("DISTINCT ")
	}
	for i, c := range s.SelectExprs {
		if i > 0 {
			b.WriteString(", ")
		}
		switch c := c.(type) {
		case *sqlparser.StarExpr:
			if !c.TableName.IsEmpty() {
				b.WriteString(ident(c.TableName.Name.String()) + ".")
			}
			b.WriteString("*")
		case *sqlparser.AliasedExpr:
			b.WriteString(r.expr(c.Expr))
			if !c.As.IsEmpty() {
				b.WriteString(" AS " + ident(c.As.String()))
			}
		}
	}
	if from := r.tables(s.From); from != `"dual"` {
		b.WriteString(" FROM " + from)
	}
	if s.Where != nil {
		b.WriteString(" WHERE " + r.expr(s.Where.Expr))
	}
	if len(s.GroupBy) > 0 {
		b.WriteString(" GROUP BY " + r.exprs(s.GroupBy))
	}
	if s.Having != nil {
		b.WriteString(" HAVING " + r.expr(s.Having.Expr))
	}
	return b.String()
}

func (r render) tables(ts sqlparser.TableExprs) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = r.table(t)
	}
	return strings.Join(out, ", ")
}

func (r render) table(t sqlparser.TableExpr) string {
	switch t := t.(type) {
	case *sqlparser.ParenTableExpr:
		return r.tables(t.Exprs) // SQLite joins from the left by itself
	case *sqlparser.JoinTableExpr:
		word := strings.ToUpper(t.Join)
		if t.Join == sqlparser.StraightJoinStr {
			word = "FULL JOIN"
		}
		cond := ""
		if t.Condition.On != nil {
			cond = " ON " + r.expr(t.Condition.On)
		} else if len(t.Condition.Using) > 0 {
			var names []string
			for _, c := range t.Condition.Using {
				names = append(names, c.String())
			}
			cond = " USING (" + idents(names) + ")"
		}
		right := r.table(t.RightExpr)
		if p, ok := t.RightExpr.(*sqlparser.ParenTableExpr); ok {
			right = "(" + r.tables(p.Exprs) + ")"
		}
		return r.table(t.LeftExpr) + " " + word + " " + right + cond
	case *sqlparser.AliasedTableExpr:
		name := t.Expr.(sqlparser.TableName)
		out := ident(name.Name.String())
		if sub := r.stmt.Subquery(name.Name.String()); sub != nil {
			out = "(" + renderStatement(sub) + ")"
		} else if !name.Qualifier.IsEmpty() {
			out = ident(name.Qualifier.String()) + "." + out
		}
		if !t.As.IsEmpty() {
			out += " AS " + ident(t.As.String())
		}
		return out
	}
	panic(fmt.Sprintf("table %T", t))
}

func (r render) exprs(es []sqlparser.Expr) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = r.expr(e)
	}
	return strings.Join(out, ", ")
}

var sqliteOperator = map[string]string{
	"^": "||", "<=>": "IS", "regexp": "GLOB", "not regexp": "NOT GLOB",
}

func operator(op string) string {
	if s, ok := sqliteOperator[op]; ok {
		return s
	}
	return strings.ToUpper(op)
}

func (r render) expr(e sqlparser.Expr) string {
	switch e := e.(type) {
	case *sqlparser.ParenExpr:
		return "(" + r.expr(e.Expr) + ")"
	case *sqlparser.ColName:
		switch n := NameOf(e); {
		case n.Quoted:
			return ident(n.Column)
		case n.Table != "":
			return bracketed(n.Table) + "." + bracketed(n.Column)
		case strings.EqualFold(n.Column, "true"), strings.EqualFold(n.Column, "false"):
			return n.Column // a constant, unless there is such a column
		default:
			return bracketed(n.Column)
		}
	case *sqlparser.SQLVal:
		switch e.Type {
		case sqlparser.StrVal:
			return "'" + strings.ReplaceAll(string(e.Val), "'", "''") + "'"
		case sqlparser.HexVal:
			return "x'" + string(e.Val) + "'"
		}
		return string(e.Val)
	case *sqlparser.NullVal:
		return "NULL"
	case *sqlparser.AndExpr:
		return r.pair(e.Left, "AND", e.Right)
	case *sqlparser.OrExpr:
		return r.pair(e.Left, "OR", e.Right)
	case *sqlparser.NotExpr:
		return "(NOT " + r.expr(e.Expr) + ")"
	case *sqlparser.ComparisonExpr:
		out := r.pair(e.Left, operator(e.Operator), e.Right)
		if e.Escape != nil {
			out = strings.TrimSuffix(out, ")") + " ESCAPE " + r.expr(e.Escape) + ")"
		}
		return out
	case *sqlparser.RangeCond:
		return fmt.Sprintf("(%s %s %s AND %s)", r.expr(e.Left), strings.ToUpper(e.Operator), r.expr(e.From), r.expr(e.To))
	case *sqlparser.IsExpr:
		return "(" + r.expr(e.Expr) + " " + strings.ToUpper(e.Operator) + ")"
	case *sqlparser.ExistsExpr:
		return "EXISTS " + r.expr(e.Subquery)
	case *sqlparser.BinaryExpr:
		return r.pair(e.Left, operator(e.Operator), e.Right)
	case *sqlparser.UnaryExpr:
		return "(" + strings.TrimSpace(e.Operator) + " " + r.expr(e.Expr) + ")"
	case *sqlparser.CollateExpr:
		return "(" + r.expr(e.Expr) + " COLLATE " + e.Charset + ")"
	case sqlparser.ValTuple:
		return "(" + r.exprs(e) + ")"
	case *sqlparser.Subquery:
		sub, table := r.stmt.SubqueryOf(e)
		if sub == nil {
			return ident(table)
		}
		return "(" + renderStatement(sub) + ")"
	case *sqlparser.CaseExpr:
		out := "CASE"
		if e.Expr != nil {
			out += " " + r.expr(e.Expr)
		}
		for _, w := range e.Whens {
			out += " WHEN " + r.expr(w.Cond) + " THEN " + r.expr(w.Val)
		}
		if e.Else != nil {
			out += " ELSE " + r.expr(e.Else)
		}
		return out + " END"
	case *sqlparser.FuncExpr:
		return r.function(e)
	}
	panic(fmt.Sprintf("expression %T", e))
}

func (r render) pair(left sqlparser.Expr, op string, right sqlparser.Expr) string {
	return "(" + r.expr(left) + " " + op + " " + r.expr(right) + ")"
}

func (r render) function(f *sqlparser.FuncExpr) string {
	if x, typ, ok := AsCast(f); ok {
		return "CAST(" + r.expr(x) + " AS " + typ + ")"
	}
	if name, ok := Clock(f); ok {
		return strings.ToUpper(name)
	}
	if w, ok := AsWindow(f); ok {
		return r.window(w)
	}
	if g, cond, ok := AsFilter(f); ok {
		return r.function(g) + " FILTER (WHERE " + r.expr(cond) + ")"
	}
	args, star := Args(f)
	list := r.exprs(args)
	if star {
		list = "*"
	}
	if f.Distinct {
		list = "DISTINCT " + list
	}
	return f.Name.String() + "(" + list + ")"
}

func (r render) window(w *Window) string {
	out := r.function(w.Func)
	if w.Filter != nil {
		out += " FILTER (WHERE " + r.expr(w.Filter) + ")"
	}
	var parts []string
	if len(w.Partition) > 0 {
		parts = append(parts, "PARTITION BY "+r.exprs(w.Partition))
	}
	for i, o := range w.Order {
		word := ","
		if i == 0 {
			word = "ORDER BY"
		}
		parts = append(parts, word+" "+r.order(o))
	}
	if w.Frame[0] != "" {
		parts = append(parts, fmt.Sprintf("%s BETWEEN %s AND %s", w.Frame[0], w.Frame[1], w.Frame[2]))
		if w.Frame[3] != "" {
			parts = append(parts, "EXCLUDE "+w.Frame[3])
		}
	}
	return out + " OVER (" + strings.Join(parts, " ") + ")"
}
