package told

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// checker collects what a text lacks.
type checker struct {
	t       *template.Template
	db      *bird.Database
	have    map[string]bool // the text's words in the singular
	joins   map[sqltree.Expr]bool
	missing []string
}

// Missing returns what a description does not mention, in words for people:
// columns and constants of conditions, what compares and aggregates, an order, a
// limit.
func Missing(t *template.Template, db *bird.Database, text string) []string {
	c := &checker{t: t, db: db, have: map[string]bool{}, joins: map[sqltree.Expr]bool{}}
	for _, w := range bm25.Folded(text) {
		c.have[singular(w)] = true
	}
	t.Query.WalkAll(c.query, c.expr)
	return c.missing
}

func singular(w string) string {
	if strings.HasSuffix(w, "ies") && len(w) > 4 {
		return w[:len(w)-3] + "y"
	}
	if strings.HasSuffix(w, "es") && len(w) > 4 {
		return w[:len(w)-2]
	}
	return strings.TrimRight(w, "se")
}

func (c *checker) lacks(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.missing, text) {
		c.missing = append(c.missing, text)
	}
}

// want notes what is missing unless the text has one of the words.
func (c *checker) want(what string, words ...string) {
	if !slices.ContainsFunc(words, func(w string) bool { return c.have[singular(w)] }) {
		c.lacks("%s", what)
	}
}

// query looks at what belongs to no expression, and finds the joins.
func (c *checker) query(q *sqltree.Query) {
	for _, s := range q.Arms {
		known := map[string]bool{} // columns and pairs of tables that are joined
		s.From.Each(func(j *sqltree.Join) { c.noteJoins(s, j.On, known, true) })
		c.noteJoins(s, s.Where, known, false)
		if s.Distinct && !isOne(q) {
			c.want("DISTINCT", "different")
		}
		if len(s.DistinctOn) > 0 {
			c.want("DISTINCT ON", "different")
		}
	}
	if len(q.OrderBy) > 0 && (len(q.Arms) > 1 || len(q.Arms[0].Aggregates) == 0 || len(q.Arms[0].GroupBy) > 0) {
		c.want("ORDER BY", "highest", "lowest", "latest", "earliest", "first", "last", "most", "fewest", "sorted")
		for _, o := range q.OrderBy {
			c.columns(o.Expr)
		}
	}
	if i := c.t.ParamAt(q.Limit); i >= 0 {
		c.want("LIMIT", "given")
	}
	if i := c.t.ParamAt(q.Offset); i >= 0 {
		c.want("OFFSET", "leaving")
	}
}

// noteJoins notes the equalities of columns that only join: not a second one of
// the same column, nor one in WHERE of tables that ON joins.
func (c *checker) noteJoins(s *sqltree.Select, e sqltree.Expr, known map[string]bool, isOn bool) {
	for _, x := range sqltree.Conjuncts(e) {
		if !isJoin(s, x) {
			continue
		}
		a, b := x.(*sqltree.Binary).X.(*sqltree.Column), x.(*sqltree.Binary).Y.(*sqltree.Column)
		if a.Source.At > b.Source.At {
			a, b = b, a
		}
		pair := fmt.Sprint(a.Source.At, " ", b.Source.At)
		left, right := fmt.Sprint(pair, " left ", a.Index), fmt.Sprint(pair, " right ", b.Index)
		if known[left] || known[right] || !isOn && known[pair] {
			continue
		}
		c.joins[x] = true
		known[left], known[right], known[pair] = true, true, known[pair] || isOn
	}
}

// isOne reports whether a query gives one row at most, so that DISTINCT says
// nothing.
func isOne(q *sqltree.Query) bool {
	l, ok := q.Limit.(*sqltree.Literal)
	return ok && l.Value == value.Int(1) || len(q.Arms[0].Aggregates) > 0 && len(q.Arms[0].GroupBy) == 0
}

// isJoin reports whether a condition equates columns of two items of FROM.
func isJoin(s *sqltree.Select, e sqltree.Expr) bool {
	b, ok := e.(*sqltree.Binary)
	if !ok || b.Op != sqltree.Equal {
		return false
	}
	x, okX := b.X.(*sqltree.Column)
	y, okY := b.Y.(*sqltree.Column)
	return okX && okY && template.OriginOf(x).Item == nil && template.OriginOf(y).Item == nil && x.Source != nil && y.Source != nil && x.Source != y.Source && x.Source.Select == s && y.Source.Select == s
}

// expr looks at one expression.
func (c *checker) expr(e sqltree.Expr) {
	switch e := e.(type) {
	case *sqltree.Binary:
		c.binary(e)
	case *sqltree.Between:
		c.want("BETWEEN", "between", "below", "above")
		c.operands(e.X, e.Low, e.High)
	case *sqltree.Pattern:
		c.want(string(e.Op), "matches", "match")
		c.not(e.Not)
		c.operands(e.X, e.Y)
	case *sqltree.In:
		c.not(e.Not)
		c.columns(e.X)
		if c.t.ParamAt(e.List...) < 0 {
			c.operands(e.List...)
		}
	case *sqltree.Unary:
		_, isComparison := e.X.(*sqltree.Binary) // then its opposite may be described
		c.not(e.Op == sqltree.Not && !isComparison)
	case *sqltree.Call:
		c.call(e)
	}
}

func (c *checker) not(not bool) {
	if not {
		c.want("NOT", "not", "no", "missing", "without", "below", "above", "least", "most")
	}
}

func (c *checker) binary(e *sqltree.Binary) {
	if c.joins[e] {
		return
	}
	switch e.Op {
	case sqltree.Less, sqltree.LessEq, sqltree.Greater, sqltree.GreaterEq:
		c.want("comparison "+string(e.Op), "below", "above", "before", "after", "least", "most", "number")
	case sqltree.NotEqual:
		c.want("comparison <>", "not", "number")
	case sqltree.Is, sqltree.IsNot:
		if l, ok := e.Y.(*sqltree.Literal); ok && l.Value.IsNull() {
			c.want(string(e.Op)+" NULL", "no", "have", "has", "missing")
			if _, isColumn := e.X.(*sqltree.Column); isColumn && c.have["no"] {
				return // where an outer join found nothing, the noun of the rows says it
			}
		}
	case sqltree.Divide:
		c.want("division", "ratio", "percentage", "share", "per", "divided", "average", "number")
		return
	case sqltree.Equal:
	default:
		return
	}
	c.operands(e.X, e.Y)
}

func (c *checker) call(e *sqltree.Call) {
	if !e.Aggregate {
		return
	}
	switch e.Name {
	case "count":
		c.want("COUNT", "number", "many", "most", "fewest", "percentage", "share", "average")
	case "sum", "total":
		c.want("SUM", "total", "number", "many", "most", "fewest", "percentage", "share", "average")
	case "avg":
		c.want("AVG", "average")
	case "min":
		c.want("MIN", "lowest", "earliest")
	case "max":
		c.want("MAX", "highest", "latest")
	default:
		return
	}
	for _, a := range e.Args {
		if _, isColumn := a.(*sqltree.Column); isColumn && e.Name != "count" {
			c.columns(a)
		}
	}
}

// operands looks at what is compared: each column, and each constant that is no
// parameter.
func (c *checker) operands(list ...sqltree.Expr) {
	for _, e := range list {
		if c.t.ParamAt(e) >= 0 {
			continue
		}
		c.columns(e)
		if l, ok := e.(*sqltree.Literal); ok {
			c.constant(l)
		}
	}
}

func (c *checker) constant(l *sqltree.Literal) {
	switch l.Value.Kind() {
	case value.Text:
		if l.Value.Raw() == "" {
			c.want("the empty text", "empty", "number")
			return
		}
		for _, w := range bm25.Folded(l.Value.Raw()) {
			if !c.have[singular(w)] && !c.have["number"] && len([]rune(l.Value.Raw())) < 60 {
				c.lacks("the text %q", l.Value.Raw())
			}
		}
	case value.Integer:
		// 0 and 1 are said by words: whether there is one, which is the greater.
		if n := l.Value.Int64(); n != 0 && n != 1 {
			c.want(fmt.Sprintf("the number %d", n), value.AsText(l.Value), "number")
		}
	}
}

// columns looks for each column of an expression under one of its names, but for
// those whose expression is looked at in a subquery, and for what COUNT counts:
// the noun of the rows says that.
func (c *checker) columns(e sqltree.Expr) {
	sqltree.Walk(e, func(e sqltree.Expr) bool {
		if call, ok := e.(*sqltree.Call); ok && call.Name == "count" {
			return false
		}
		column, ok := e.(*sqltree.Column)
		if !ok || column.Alias != nil {
			return true
		}
		o := template.OriginOf(column)
		if o.Info == nil {
			return true
		}
		d := c.db.Describe(o.Table.Name, o.Info.Name)
		names := []string{o.Info.Name, d.Readable, d.Description}
		if t := c.db.Table(o.Table.Name); !c.t.Query.Dialect.FoldNames && t != nil && t.Column(o.Info.Name) != nil {
			names = append(names, t.Column(o.Info.Name).Name) // whose case shows its words
		}
		for _, name := range names {
			if c.hasName(name) {
				return true
			}
		}
		c.lacks("the column %s.%s", o.Table.Name, o.Info.Name)
		return true
	})
}

func (c *checker) hasName(name string) bool {
	list := bm25.Folded(name)
	if len(list) == 0 {
		return false
	}
	for _, w := range list {
		switch w {
		case "the", "a", "an", "of":
			continue
		case "no":
			w = "number" // no. of crimes
		}
		if !c.have[singular(w)] {
			return false
		}
	}
	return true
}
