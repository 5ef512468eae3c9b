package pgsql_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// render writes a query back as Postgres' SQL, from nothing but its tree. It is
// the proof that nothing is misread on the way: see TestRoundTrip and
// TestMiniDev.
func render(q *sqltree.Query) string {
	var b strings.Builder
	for i, c := range q.With {
		word := ", "
		if i == 0 {
			word = "WITH "
			if q.RecursiveWith {
				word += "RECURSIVE "
			}
		}
		b.WriteString(word + ident(c.Name))
		if len(c.Columns) > 0 {
			b.WriteString("(" + idents(c.Columns) + ")")
		}
		b.WriteString(" AS (" + render(c.Query) + ") ")
	}
	for i, s := range q.Arms {
		if i > 0 {
			b.WriteString(" " + string(s.Op) + " ")
		}
		b.WriteString(renderArm(s))
	}
	b.WriteString(renderOrders(" ORDER BY ", q.OrderBy))
	switch limit := q.Limit.(type) {
	case nil:
	case *sqltree.Other:
		fmt.Fprintf(&b, " FETCH FIRST (%s) ROWS WITH TIES", renderExpr(limit.Args[0]))
	default:
		b.WriteString(" LIMIT " + renderExpr(q.Limit))
	}
	if q.Offset != nil {
		b.WriteString(" OFFSET " + renderExpr(q.Offset))
	}
	return b.String()
}

func renderOrders(word string, orders []*sqltree.Order) string {
	var b strings.Builder
	for i, o := range orders {
		if i > 0 {
			word = ", "
		}
		dir, nulls := "", ""
		if o.Desc {
			dir = " DESC"
		}
		if o.NullsFirst != o.Desc {
			nulls = map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[o.NullsFirst]
		}
		expr := renderExpr(o.Expr)
		b.WriteString(word + expr + dir + nulls)
	}
	return b.String()
}

func ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

func idents(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = ident(n)
	}
	return strings.Join(out, ", ")
}

func renderArm(s *sqltree.Select) string {
	var b strings.Builder
	if s.Values {
		return "VALUES (" + renderItems(s) + ")"
	}
	b.WriteString("SELECT ")
	switch {
	case s.Distinct:
		b.WriteString("DISTINCT ")
	case len(s.DistinctOn) > 0:
		b.WriteString("DISTINCT ON (" + renderExprs(s.DistinctOn) + ") ")
	}
	b.WriteString(renderItems(s))
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

func renderItems(s *sqltree.Select) string {
	out := make([]string, len(s.Items))
	for i, it := range s.Items {
		switch {
		case it == nil:
			out[i] = "*"
			for _, star := range s.Stars {
				if star.At == i && star.Table != "" {
					out[i] = ident(star.Table) + ".*"
				}
			}
		case it.Alias != "":
			out[i] = renderExpr(it.Expr) + " AS " + ident(it.Alias)
		default:
			out[i] = renderExpr(it.Expr)
		}
	}
	return strings.Join(out, ", ")
}

func renderSource(s *sqltree.Source) string {
	item := ident(s.TableName)
	switch {
	case s.Function && len(s.Args) > 1:
		item = "ROWS FROM (" + renderExprs(s.Args) + ")"
	case s.Function:
		item = renderExpr(s.Args[0])
	case s.Query != nil && s.CTE == nil:
		item = "(" + render(s.Query) + ")"
	case s.Schema != "":
		item = ident(s.Schema) + "." + item
	}
	if s.Lateral {
		item = "LATERAL " + item
	}
	if s.Name != "" {
		item += " AS " + ident(s.Name)
	}
	if len(s.Names) > 0 {
		item += "(" + idents(s.Names) + ")"
	}
	return item
}

func renderJoin(j *sqltree.Join) string {
	item := ""
	if j.Nested != nil {
		item = "(" + renderJoin(j.Nested) + ")"
	} else {
		item = renderSource(j.Source)
	}
	if j.Left == nil {
		return item
	}
	word := " JOIN "
	switch {
	case j.Kind != dialect.Inner:
		word = " " + string(j.Kind) + word
	case j.On == nil && len(j.Using) == 0 && !j.Natural:
		word = " CROSS JOIN "
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

func renderExprs(list []sqltree.Expr) string {
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

func renderExpr(e sqltree.Expr) string {
	switch e := e.(type) {
	case *sqltree.Literal:
		return renderLiteral(e)
	case *sqltree.Column:
		list := []string{}
		for _, name := range []string{e.Schema, e.Table, e.Name} {
			if name != "" {
				list = append(list, ident(name))
			}
		}
		return strings.Join(list, ".")
	case *sqltree.Unary:
		op := map[sqltree.Op]string{sqltree.Negate: "- ", sqltree.Plus: "+ ", sqltree.BitNot: "~ ", sqltree.Not: "NOT "}[e.Op]
		return "(" + op + renderExpr(e.X) + ")"
	case *sqltree.Binary:
		return renderBinary(e)
	case *sqltree.Pattern:
		return renderPattern(e)
	case *sqltree.Between:
		return "(" + renderExpr(e.X) + negation(e.Not) + "BETWEEN " + renderExpr(e.Low) + " AND " + renderExpr(e.High) + ")"
	case *sqltree.In:
		out := "(" + renderExpr(e.X) + negation(e.Not) + "IN "
		if e.Query != nil {
			return out + "(" + render(e.Query) + "))"
		}
		return out + "(" + renderExprs(e.List) + "))"
	case *sqltree.Case:
		return renderCase(e)
	case *sqltree.Call:
		return renderCall(e)
	case *sqltree.Cast:
		return "CAST(" + renderExpr(e.X) + " AS " + e.Type + ")"
	case *sqltree.Collate:
		return "(" + renderExpr(e.X) + " COLLATE " + ident(e.Name) + ")"
	case *sqltree.Subquery:
		return "(" + render(e.Query) + ")"
	case *sqltree.Exists:
		return "EXISTS (" + render(e.Query) + ")"
	case *sqltree.Row:
		return "ROW(" + renderExprs(e.Items) + ")"
	case *sqltree.Clock:
		return strings.ToUpper(e.Name)
	case *sqltree.Other:
		return e.Text
	}
	panic(fmt.Sprintf("expression %T", e))
}

func renderBinary(e *sqltree.Binary) string {
	op := string(e.Op)
	if e.Op == sqltree.Is || e.Op == sqltree.IsNot {
		if l, ok := e.Y.(*sqltree.Literal); !ok || !l.Word && !l.Value.IsNull() {
			op = map[sqltree.Op]string{sqltree.Is: "IS NOT DISTINCT FROM", sqltree.IsNot: "IS DISTINCT FROM"}[e.Op]
		}
	}
	return "(" + renderExpr(e.X) + " " + op + " " + renderExpr(e.Y) + ")"
}

func renderPattern(e *sqltree.Pattern) string {
	not := negation(e.Not)
	if e.Op == sqltree.Matches || e.Op == sqltree.MatchesFold {
		not = map[bool]string{true: " !", false: " "}[e.Not]
	}
	out := "(" + renderExpr(e.X) + not + string(e.Op) + " " + renderExpr(e.Y)
	if e.Escape != nil {
		out += " ESCAPE " + renderExpr(e.Escape)
	}
	return out + ")"
}

func renderCase(e *sqltree.Case) string {
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
}

func renderLiteral(e *sqltree.Literal) string {
	switch e.Value.Kind() {
	case value.Null:
		return "NULL"
	case value.Text:
		return "'" + strings.ReplaceAll(e.Value.Raw(), "'", "''") + "'"
	case value.Real:
		text := strconv.FormatFloat(e.Value.Float64(), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	if e.Word {
		return map[bool]string{true: "TRUE", false: "FALSE"}[e.Value == value.Bool(true)]
	}
	return value.AsText(e.Value)
}

func renderCall(e *sqltree.Call) string {
	list := renderExprs(e.Args)
	if e.Star {
		list = "*"
	}
	if e.Distinct {
		list = "DISTINCT " + list
	}
	orders := renderOrders(" ORDER BY ", e.OrderBy)
	if !e.WithinGroup {
		list += orders
	}
	name := e.Written
	switch name {
	case "coalesce", "greatest", "least", "nullif": // no functions
	default:
		parts := strings.Split(name, ".")
		name = strings.ReplaceAll(idents(parts), ", ", ".")
	}
	out := name + "(" + list + ")"
	if e.WithinGroup {
		out += " WITHIN GROUP (" + orders + ")"
	}
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
	out += renderOrders(" ORDER BY ", e.Over.OrderBy)
	if f := e.Over.Frame; f != nil {
		out += fmt.Sprintf(" %s BETWEEN %s AND %s", f.Unit, renderEnd(f.Start), renderEnd(f.End))
		if f.Exclude != "" {
			out += " EXCLUDE " + f.Exclude
		}
	}
	return out + ")"
}

func renderEnd(end sqltree.FrameEnd) string {
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
