package dialect

import (
	"sort"
	"strings"

	"github.com/xwb1989/sqlparser"
)

// Constructs names the constructs of SQL that a statement uses, each once and
// in alphabetical order: clauses, operators and functions, in the words that
// people count them by.
func (s *Statement) Constructs() []string {
	c := counter{}
	c.statement(s)
	s.Walk(c.node)
	out := make([]string, 0, len(c))
	for name := range c {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

type counter map[string]bool

func (c counter) use(name string) { c[name] = true }

// statement counts what the trees alone do not show: how statements nest.
func (c counter) statement(s *Statement) {
	for _, cte := range s.With {
		c.use("WITH")
		c.statement(cte.Query)
	}
	for _, core := range s.Cores {
		if core.Op != "" {
			c.use(string(core.Op))
		}
	}
	if len(s.OrderBy) > 0 {
		c.use("ORDER BY")
	}
	if s.Limit != nil {
		c.use("LIMIT")
	}
	if s.Offset != nil {
		c.use("OFFSET")
	}
	for _, sub := range s.subs {
		if sub != s {
			c.clauses(sub)
		}
	}
}

func (c counter) clauses(s *Statement) {
	if len(s.OrderBy) > 0 {
		c.use("ORDER BY")
	}
	if s.Limit != nil {
		c.use("LIMIT")
	}
	for _, core := range s.Cores {
		if core.Op != "" {
			c.use(string(core.Op))
		}
	}
}

// joinNames are the joins as SQL calls them.
var joinNames = map[string]string{
	sqlparser.JoinStr: "JOIN", sqlparser.LeftJoinStr: "LEFT JOIN", sqlparser.RightJoinStr: "RIGHT JOIN",
	sqlparser.StraightJoinStr: "FULL JOIN", sqlparser.NaturalJoinStr: "NATURAL JOIN",
	sqlparser.NaturalLeftJoinStr: "NATURAL JOIN", sqlparser.NaturalRightJoinStr: "NATURAL JOIN",
}

// operatorNames are the operators that are counted, by their lowered text.
var operatorNames = map[string]string{
	"<=>": "IS", "like": "LIKE", "not like": "NOT LIKE", "regexp": "GLOB", "not regexp": "GLOB",
	"!=": "<>", "^": "||", "+": "arithmetic", "-": "arithmetic", "*": "arithmetic", "/": "arithmetic", "%": "arithmetic",
	"&": "bit operator", "|": "bit operator", "<<": "bit operator", ">>": "bit operator",
}

func (c counter) node(n sqlparser.SQLNode) {
	switch n := n.(type) {
	case *sqlparser.Select:
		c.core(n)
	case *sqlparser.JoinTableExpr:
		c.use(joinNames[n.Join])
	case *sqlparser.AliasedTableExpr:
		if t, ok := n.Expr.(sqlparser.TableName); ok && strings.HasPrefix(t.Name.String(), "?") && !n.As.IsEmpty() {
			c.use("subquery in FROM")
		}
	case *sqlparser.OrExpr:
		c.use("OR")
	case *sqlparser.NotExpr:
		c.use("NOT")
	case *sqlparser.IsExpr:
		c.use(strings.ToUpper(n.Operator))
	case *sqlparser.RangeCond:
		c.use("BETWEEN")
	case *sqlparser.ExistsExpr:
		c.use("EXISTS")
	case *sqlparser.ComparisonExpr:
		c.comparison(n)
	case *sqlparser.BinaryExpr:
		c.use(operatorNames[n.Operator])
	case *sqlparser.CaseExpr:
		c.use("CASE or IIF")
	case *sqlparser.FuncExpr:
		c.function(n)
	case *sqlparser.CollateExpr:
		c.use("COLLATE")
	case sqlparser.SelectExprs:
		for _, e := range n {
			if _, ok := e.(*sqlparser.StarExpr); ok {
				continue
			}
			if a, ok := e.(*sqlparser.AliasedExpr); ok {
				if _, ok := Bare(a.Expr).(*sqlparser.Subquery); ok {
					c.use("subquery as a value")
				}
			}
		}
	}
}

func (c counter) core(s *sqlparser.Select) {
	if s.Distinct != "" {
		c.use("DISTINCT")
	}
	if s.Where != nil {
		c.use("WHERE")
	}
	if len(s.GroupBy) > 0 {
		c.use("GROUP BY")
	}
	if s.Having != nil {
		c.use("HAVING")
	}
}

func (c counter) comparison(x *sqlparser.ComparisonExpr) {
	switch x.Operator {
	case sqlparser.InStr, sqlparser.NotInStr:
		word := "IN"
		if x.Operator == sqlparser.NotInStr {
			word = "NOT IN"
		}
		if _, ok := x.Right.(*sqlparser.Subquery); ok {
			word += " (subquery)"
		}
		c.use(word)
		return
	}
	for _, side := range []sqlparser.Expr{x.Left, x.Right} {
		if _, ok := Bare(side).(*sqlparser.Subquery); ok {
			c.use("subquery as a value")
		}
	}
	if name := operatorNames[x.Operator]; name != "" {
		c.use(name)
	}
}

func (c counter) function(f *sqlparser.FuncExpr) {
	name := f.Name.Lowered()
	switch {
	case name == fnCast:
		c.use("CAST")
	case name == fnOver:
		c.use("window function")
	case name == fnFilter:
		c.use("FILTER")
	case strings.HasPrefix(name, "?current_"):
		c.use("current time")
	case strings.HasPrefix(name, "?"):
	case name == "iif" || name == "if":
		c.use("CASE or IIF")
	case f.Distinct:
		c.use(strings.ToUpper(name) + "(DISTINCT)")
	default:
		c.use(strings.ToUpper(name) + "()")
		c.clock(f)
	}
}

// clock counts 'now' as an argument.
func (c counter) clock(f *sqlparser.FuncExpr) {
	if !isDateFunction(f.Name.String()) {
		return
	}
	args, _ := Args(f)
	for _, a := range args {
		if v, ok := a.(*sqlparser.SQLVal); ok && v.Type == sqlparser.StrVal && strings.EqualFold(string(v.Val), "now") {
			c.use("current time")
		}
	}
}
