package sqltree

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// render writes a query back as SQLite's SQL, from nothing but its tree. It is
// the proof that nothing is misread on the way: see TestRoundTrip.
func render(q *Query) string {
	var b strings.Builder
	for i, c := range q.With {
		word := ", "
		if i == 0 {
			word = "WITH RECURSIVE "
		}
		b.WriteString(word + ident(c.Name))
		if len(c.Columns) > 0 {
			b.WriteString("(" + idents(c.Columns) + ")")
		}
		b.WriteString(" AS (" + render(c.Query) + ") ")
	}
	for _, s := range q.Arms {
		b.WriteString(string(s.Op) + " " + renderArm(s) + " ")
	}
	b.WriteString(renderOrders("ORDER BY", q.OrderBy))
	if q.Limit != nil {
		b.WriteString(" LIMIT " + renderExpr(q.Limit))
	}
	if q.Offset != nil {
		b.WriteString(" OFFSET " + renderExpr(q.Offset))
	}
	return b.String()
}

func renderOrders(word string, orders []*Order) string {
	var b strings.Builder
	for i, o := range orders {
		if i > 0 {
			word = ","
		}
		dir, nulls := "ASC", "LAST"
		if o.Desc {
			dir = "DESC"
		}
		if o.NullsFirst {
			nulls = "FIRST"
		}
		fmt.Fprintf(&b, "%s %s %s NULLS %s", word, renderExpr(o.Expr), dir, nulls)
	}
	return b.String()
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

func renderArm(s *Select) string {
	var b strings.Builder
	b.WriteString("SELECT ")
	if s.Distinct {
		b.WriteString("DISTINCT ")
	}
	for i, it := range s.Items {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(renderItem(s, it, i))
	}
	if s.From != nil {
		b.WriteString(" FROM " + renderJoin(s.From))
	}
	if s.Where != nil {
		b.WriteString(" WHERE " + renderExpr(s.Where))
	}
	if len(s.GroupBy) > 0 {
		b.WriteString(" GROUP BY " + renderExprs(s.GroupBy))
	}
	if s.Having != nil {
		b.WriteString(" HAVING " + renderExpr(s.Having))
	}
	return b.String()
}

// renderItem writes a result column; a star that is not bound has no item.
func renderItem(s *Select, it *Item, at int) string {
	if it == nil {
		for _, star := range s.Stars {
			if star.At == at && star.Table != "" {
				return ident(star.Table) + ".*"
			}
		}
		return "*"
	}
	out := renderExpr(it.Expr)
	if it.Name != "" {
		out += " AS " + ident(it.Name)
	}
	return out
}

func renderJoin(j *Join) string {
	item := ""
	switch {
	case j.Nested != nil:
		item = "(" + renderJoin(j.Nested) + ")"
	case j.Source.CTE != nil || j.Source.Query == nil:
		item = ident(j.Source.TableName)
		if j.Source.Schema != "" {
			item = ident(j.Source.Schema) + "." + item
		}
		if j.Source.Function {
			item += "(" + renderExprs(j.Source.Args) + ")"
		}
	default:
		item = "(" + render(j.Source.Query) + ")"
	}
	if j.Nested == nil && j.Source.Name != "" {
		item += " AS " + ident(j.Source.Name)
	}
	if j.Left == nil {
		return item
	}
	word := " JOIN "
	if j.Kind != dialect.Inner {
		word = " " + string(j.Kind) + word
	}
	if j.Natural {
		word = " NATURAL" + word
	}
	out := renderJoin(j.Left) + word + item
	if j.On != nil {
		out += " ON " + renderExpr(j.On)
	}
	if len(j.Using) > 0 {
		out += " USING (" + idents(j.Using) + ")"
	}
	return out
}

func renderExprs(list []Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = renderExpr(e)
	}
	return strings.Join(out, ", ")
}

func negation(not bool) string {
	if not {
		return " NOT "
	}
	return " "
}

func renderExpr(e Expr) string {
	switch e := e.(type) {
	case *Literal:
		return renderLiteral(e)
	case *Column:
		return renderColumn(e)
	case *Unary:
		op := map[Op]string{Negate: "- ", Plus: "+ ", BitNot: "~ ", Not: "NOT "}[e.Op]
		return "(" + op + renderExpr(e.X) + ")"
	case *Binary:
		return "(" + renderExpr(e.X) + " " + string(e.Op) + " " + renderExpr(e.Y) + ")"
	case *Pattern:
		out := "(" + renderExpr(e.X) + negation(e.Not) + string(e.Op) + " " + renderExpr(e.Y)
		if e.Escape != nil {
			out += " ESCAPE " + renderExpr(e.Escape)
		}
		return out + ")"
	case *Between:
		return "(" + renderExpr(e.X) + negation(e.Not) + "BETWEEN " + renderExpr(e.Low) + " AND " + renderExpr(e.High) + ")"
	case *In:
		out := "(" + renderExpr(e.X) + negation(e.Not) + "IN "
		switch {
		case e.Table:
			source := e.Query.Arms[0].From.Source
			if source.Function {
				return out + ident(source.TableName) + "(" + renderExprs(source.Args) + "))"
			}
			return out + ident(source.TableName) + ")"
		case e.Query != nil:
			return out + "(" + render(e.Query) + "))"
		}
		return out + "(" + renderExprs(e.List) + "))"
	case *Case:
		out := "CASE"
		if e.Operand != nil {
			out += " " + renderExpr(e.Operand)
		}
		for _, w := range e.Whens {
			out += " WHEN " + renderExpr(w.Cond) + " THEN " + renderExpr(w.Then)
		}
		if e.Else != nil {
			out += " ELSE " + renderExpr(e.Else)
		}
		return out + " END"
	case *Call:
		return renderCall(e)
	case *Cast:
		return "CAST(" + renderExpr(e.X) + " AS " + e.Type + ")"
	case *Collate:
		return "(" + renderExpr(e.X) + " COLLATE " + ident(e.Name) + ")"
	case *Subquery:
		return "(" + render(e.Query) + ")"
	case *Exists:
		return "EXISTS (" + render(e.Query) + ")"
	case *Row:
		return "(" + renderExprs(e.Items) + ")"
	case *Clock:
		return strings.ToUpper(e.Name)
	}
	panic(fmt.Sprintf("expression %T", e))
}

func renderLiteral(e *Literal) string {
	switch e.Value.Kind() {
	case value.Null:
		return "NULL"
	case value.Text:
		return "'" + strings.ReplaceAll(e.Value.Raw(), "'", "''") + "'"
	case value.Blob:
		return "x'" + hex.EncodeToString([]byte(e.Value.Raw())) + "'"
	case value.Real:
		out := fmt.Sprintf("%.17g", e.Value.Float64())
		if out == "+Inf" {
			return "9e999"
		}
		if !strings.ContainsAny(out, ".e") {
			out += ".0"
		}
		return out
	}
	return value.AsText(e.Value)
}

func renderColumn(e *Column) string {
	switch {
	case e.Quoted:
		return ident(e.Name)
	case e.Schema != "":
		return bracketed(e.Schema) + "." + bracketed(e.Table) + "." + bracketed(e.Name)
	case e.Table != "":
		return bracketed(e.Table) + "." + bracketed(e.Name)
	case spelling.Same(e.Name, "true"), spelling.Same(e.Name, "false"):
		return e.Name // a constant, unless there is such a column
	}
	return bracketed(e.Name)
}

func renderCall(e *Call) string {
	list := renderExprs(e.Args)
	if e.Star {
		list = "*"
	}
	if e.Distinct {
		list = "DISTINCT " + list
	}
	if len(e.OrderBy) > 0 {
		list += renderOrders(" ORDER BY", e.OrderBy)
	}
	out := ident(e.Written) + "(" + list + ")"
	if e.Filter != nil {
		out += " FILTER (WHERE " + renderExpr(e.Filter) + ")"
	}
	if e.Over == nil {
		return out
	}
	out += " OVER ("
	if len(e.Over.Partition) > 0 {
		out += "PARTITION BY " + renderExprs(e.Over.Partition)
	}
	out += renderOrders(" ORDER BY", e.Over.OrderBy)
	if f := e.Over.Frame; f != nil {
		out += fmt.Sprintf(" %s BETWEEN %s AND %s", f.Unit, renderEnd(f.Start), renderEnd(f.End))
		if f.Exclude != "" {
			out += " EXCLUDE " + f.Exclude
		}
	}
	return out + ")"
}

func renderEnd(end FrameEnd) string {
	side := "PRECEDING"
	if end.Following {
		side = "FOLLOWING"
	}
	switch {
	case end.Offset != nil:
		return renderExpr(end.Offset) + " " + side
	case end.Unbounded:
		return "UNBOUNDED " + side
	}
	return "CURRENT ROW"
}
