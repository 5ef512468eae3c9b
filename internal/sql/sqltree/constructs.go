package sqltree

import (
	"sort"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/pkg/value"
)

// Constructs names the constructs of SQL that a query uses, each once and in
// alphabetical order: clauses, operators and functions, in the words that
// people count them by.
func (q *Query) Constructs() []string {
	c := counter{}
	q.WalkAll(c.query, c.expr)
	out := make([]string, 0, len(c))
	for name := range c {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}

type counter map[string]bool

func (c counter) use(name string, uses bool) {
	if uses {
		c[name] = true
	}
}

func (c counter) query(q *Query) {
	c.use("WITH", len(q.With) > 0)
	c.use("ORDER BY", len(q.OrderBy) > 0)
	c.use("LIMIT", q.Limit != nil)
	c.use("OFFSET", q.Offset != nil)
	for _, s := range q.Arms {
		c.use(string(s.Op), s.Op != "")
		c.use("DISTINCT", s.Distinct)
		c.use("WHERE", s.Where != nil)
		c.use("GROUP BY", len(s.GroupBy) > 0)
		c.use("HAVING", s.Having != nil)
		s.From.walk(c.join)
		for _, it := range s.Items {
			if it != nil {
				c.operand(it.Expr)
			}
		}
	}
}

func (c counter) join(j *Join) {
	word := "JOIN"
	switch {
	case j.Left == nil:
		word = ""
	case j.Natural:
		word = "NATURAL JOIN"
	case j.Kind != dialect.Inner:
		word = string(j.Kind) + " JOIN"
	}
	c.use(word, word != "")
	if j.Source != nil {
		c.use("subquery in FROM", j.Source.TableName == "")
		c.use("table-valued function", j.Source.Function)
	}
}

// operand counts a subquery that is a value.
func (c counter) operand(e Expr) {
	_, ok := e.(*Subquery)
	c.use("subquery as a value", ok)
}

// operatorNames are the operators that are counted; the comparisons are not.
var operatorNames = map[Op]string{
	Or: "OR", Not: "NOT", Is: "IS", IsNot: "IS", NotEqual: "<>", Concat: "||", Arrow: "-> or ->>", LongArrow: "-> or ->>",
	Add: "arithmetic", Subtract: "arithmetic", Multiply: "arithmetic", Divide: "arithmetic", Modulo: "arithmetic",
	BitAnd: "bit operator", BitOr: "bit operator", ShiftLeft: "bit operator", ShiftRight: "bit operator",
}

func (c counter) expr(e Expr) {
	switch e := e.(type) {
	case *Unary:
		c.use("NOT", e.Op == Not)
	case *Binary:
		c.binary(e)
	case *Pattern:
		word := string(e.Op)
		if e.Op == Like && e.Not {
			word = "NOT LIKE"
		}
		c.use(word, true)
	case *Between:
		c.use("BETWEEN", true)
	case *Exists:
		c.use("EXISTS", true)
	case *In:
		word := "IN"
		if e.Not {
			word = "NOT IN"
		}
		if e.Query != nil {
			word += " (subquery)"
		}
		c.use(word, true)
	case *Case:
		c.use("CASE or IIF", true)
	case *Cast:
		c.use("CAST", true)
	case *Collate:
		c.use("COLLATE", true)
	case *Clock:
		c.use("current time", true)
	case *Row:
		c.use("row value", true)
	case *Call:
		c.call(e)
	}
}

func (c counter) binary(e *Binary) {
	if word, ok := e.Y.(*Literal); ok && (e.Op == Is || e.Op == IsNot) && (word.Word || word.Value.IsNull()) {
		name := string(e.Op) + " NULL"
		if word.Word {
			name = string(e.Op) + " TRUE"
			if word.Value == value.Bool(false) {
				name = string(e.Op) + " FALSE"
			}
		}
		c.use(name, true)
		return
	}
	c.use(operatorNames[e.Op], operatorNames[e.Op] != "")
	switch e.Op {
	case Equal, NotEqual, Less, LessEq, Greater, GreaterEq, Is, IsNot:
		c.operand(e.X)
		c.operand(e.Y)
	}
}

func (c counter) call(e *Call) {
	c.use("window function", e.Over != nil)
	c.use("FILTER", e.Filter != nil)
	switch {
	case sqlfunc.Canonical(e.Name) == "iif":
		c.use("CASE or IIF", true)
	case e.Distinct:
		c.use(strings.ToUpper(e.Name)+"(DISTINCT)", true)
	default:
		c.use(strings.ToUpper(e.Name)+"()", true)
		c.use("current time", e.readsClock())
	}
}

// readsClock reports whether the time of a date function is 'now'
// (https://www.sqlite.org/lang_datefunc.html).
func (c *Call) readsClock() bool {
	at, ok := sqlfunc.SQLite(c.Name).TimeArgument()
	if !ok || at >= len(c.Args) {
		return false
	}
	l, ok := c.Args[at].(*Literal)
	if !ok || l.Value.Kind() != value.Text {
		return false
	}
	now, _ := sqlfunc.MeansNow(l.Value.Raw())
	return now
}
