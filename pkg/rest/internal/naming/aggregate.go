package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// counted is a count of rows or values, those that meet a condition.
type counted struct {
	noun     string          // in the plural, such as "different molecules"
	about    *sqltree.Source // nil for rows that stand for several
	cond     sqltree.Expr    // nil for all
	filled   string          // what each has, or ""
	distinct bool
}

// different is said before what is counted or listed once, and left out of names.
const different = "different"

// numberOf begins the phrase of a count.
const numberOf = "number of "

// aggregate returns the phrase for an aggregate function.
func (w *writer) aggregate(v *view, e *sqltree.Call) string {
	if c, ok := w.count(v, e); ok {
		return w.countPhrase(v, c)
	}
	if e.WithinGroup {
		return w.percentile(v, e)
	}
	if len(e.Args) == 0 {
		return spelledOr(e.Name, "value")
	}
	arg, cond := e.Args[0], e.Filter
	if test, then, ok := chosen(arg); ok && cond == nil {
		arg, cond = then, test
	}
	text := ""
	switch x := w.phrase(v, arg); e.Name {
	case "group_concat", "string_agg", "array_agg":
		text = "list of " + many(x)
	case "json_group_array", "jsonb_group_array", "json_agg", "jsonb_agg":
		text = "JSON list of " + many(x)
	default:
		word := aggregateWord(e.Name, x)
		if strings.HasPrefix(x, word+" ") {
			word += " of the" // total of the total cholesterol
		}
		text = word + " " + pick(e.Distinct, different+" ", "") + x
	}
	if cond != nil && !w.names {
		text += " of the " + w.rowsWith(v, sqltree.Conjuncts(cond), nil)
	}
	return text
}

// adjectives are what the results of aggregate functions are called, of dates and of other
// things.
var adjectives = map[string]struct{ date, other string }{
	"sum": {"total", "total"}, "total": {"total", "total"}, "avg": {"average", "average"}, "min": {"earliest", "lowest"}, "max": {"latest", "highest"},
}

// isAdjective reports whether a word is one of the adjectives.
func isAdjective(word string) bool {
	for _, a := range adjectives {
		if word == a.date || word == a.other {
			return true
		}
	}
	return false
}

// aggregateWord returns the adjective for an aggregate function of something.
func aggregateWord(name, of string) string {
	if a, ok := adjectives[name]; ok {
		return pick(isDateName(of), a.date, a.other)
	}
	switch name {
	case "stddev", "stddev_samp", "stddev_pop":
		return "standard deviation of"
	case "variance", "var_samp", "var_pop":
		return "variance of"
	case "bool_and", "every":
		return "whether all have"
	case "bool_or":
		return "whether any has"
	}
	return spelled(name)
}

// chosen takes apart a CASE or IIF that gives a value where a condition holds and
// else nothing or 0.
func chosen(e sqltree.Expr) (cond, then sqltree.Expr, ok bool) {
	var other sqltree.Expr
	switch e := e.(type) {
	case *sqltree.Cast:
		return chosen(e.X)
	case *sqltree.Case:
		if e.Operand != nil || len(e.Whens) != 1 {
			return nil, nil, false
		}
		cond, then, other = e.Whens[0].Cond, e.Whens[0].Then, e.Else
	case *sqltree.Call:
		if sqlfunc.Canonical(e.Name) != "iif" || len(e.Args) < 2 {
			return nil, nil, false
		}
		cond, then = e.Args[0], e.Args[1]
		if len(e.Args) > 2 {
			other = e.Args[2]
		}
	default:
		return nil, nil, false
	}
	return cond, then, other == nil || isNull(other) || isInteger(other, 0)
}

func isNull(e sqltree.Expr) bool {
	l, ok := e.(*sqltree.Literal)
	return ok && l.Value.IsNull()
}

func isInteger(e sqltree.Expr, n int64) bool {
	return template.IsNumber(e) && value.ToFloat64(e.(*sqltree.Literal).Value) == float64(n)
}

// isCondition reports whether an expression is true or false.
func isCondition(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Equal, sqltree.NotEqual, sqltree.Less, sqltree.LessEq, sqltree.Greater, sqltree.GreaterEq,
			sqltree.Is, sqltree.IsNot, sqltree.And, sqltree.Or:
			return true
		}
	case *sqltree.Unary:
		return e.Op == sqltree.Not
	case *sqltree.Pattern, *sqltree.In, *sqltree.Between, *sqltree.Exists:
		return true
	}
	return false
}

// count takes apart what counts: COUNT, and a SUM of ones or of a condition.
func (w *writer) count(v *view, e sqltree.Expr) (counted, bool) {
	c, ok := e.(*sqltree.Call)
	if !ok || !c.Aggregate {
		return counted{}, false
	}
	out := counted{cond: c.Filter}
	switch {
	case c.Name == "count" && (c.Star || len(c.Args) == 0):
		out.noun, out.about = many(w.rowNoun(v)), w.rowSource(v)
		return out, true
	case c.Name == "count":
		arg := c.Args[0]
		if test, then, ok := chosen(arg); ok && c.Filter == nil && !isNumberZero(arg) {
			out.cond, arg = test, then
		}
		out.distinct = c.Distinct
		w.countValues(v, &out, arg)
		return out, true
	case (c.Name == "sum" || c.Name == "total") && len(c.Args) == 1 && c.Filter == nil:
		test, then, ok := chosen(c.Args[0])
		switch {
		case ok && isInteger(then, 1):
			out.cond = test
		case isCondition(c.Args[0]):
			out.cond = c.Args[0]
		default:
			return out, false
		}
		out.noun, out.about = many(w.rowNoun(v)), w.rowSource(v)
		return out, true
	}
	return out, false
}

// isNumberZero reports whether a CASE gives 0 and not NULL where its condition
// does not hold, so that COUNT counts those too.
func isNumberZero(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Case:
		return e.Else != nil && !isNull(e.Else)
	case *sqltree.Call:
		return len(e.Args) > 2 && !isNull(e.Args[2])
	}
	return false
}

// countValues says what COUNT of an expression counts.
func (w *writer) countValues(v *view, out *counted, arg sqltree.Expr) {
	rows := w.rowSource(v)
	c, ok := arg.(*sqltree.Column)
	if !ok || c.State != sqltree.Bound || c.Source == nil || c.Source.Select != v.s || v.roles[c.Source] == nil {
		out.noun, out.about = many(w.rowNoun(v)), rows
		test, _, _ := chosen(arg)
		switch {
		case out.distinct:
			out.noun = different + " " + many(w.phrase(v, arg))
		case w.names:
		case test != nil && isNumberZero(arg): // 0 is counted too
			out.noun += " (whether or not " + w.full(v, test) + ")"
		case isCondition(arg):
			out.noun += " (whether or not " + w.full(v, arg) + ")"
		}
		return
	}
	out.about = c.Source
	phrase := w.phrase(w.seen(v, c.Source), c)
	isKey := c.Source.Table != nil && w.isKey(c)
	switch {
	case isKey:
		out.noun = many(v.roles[c.Source].noun)
		if !out.distinct && c.Source != rows && !w.names && len(v.rows()) == 1 {
			out.noun += " (counted once for each " + w.rowNoun(v) + ")"
		}
		if !out.distinct && rows == nil {
			out.noun, out.about = many(w.rowNoun(v)), nil
		}
	case out.distinct && isID(words(phrase)) && len(words(phrase)) > 1:
		out.noun = many(strings.TrimSuffix(strings.TrimSuffix(phrase, " ID"), " id"))
	case out.distinct:
		out.noun = many(w.phrase(v, c))
	case w.isFilled(v, c):
		out.noun, out.about = many(w.rowNoun(v)), rows
	default:
		out.noun, out.about, out.filled = many(w.rowNoun(v)), rows, a(w.phrase(v, c))
	}
	if out.distinct {
		out.noun = different + " " + out.noun
	}
}

// isKey reports whether a column is a table's whole primary key.
func (w *writer) isKey(c *sqltree.Column) bool {
	if c.Index == sqltree.RowID {
		return true
	}
	keys := 0
	for _, col := range c.Source.Table.Columns {
		if col.PrimaryKey > 0 {
			keys++
		}
	}
	return keys == 1 && c.Index >= 0 && c.Source.Columns[c.Index].Info != nil && c.Source.Columns[c.Index].Info.PrimaryKey > 0
}

// isFilled reports whether a column holds a value in each row that is counted:
// it may not be NULL, or a join or a condition compares it.
func (w *writer) isFilled(v *view, c *sqltree.Column) bool {
	if c.Index < 0 || v.roles[c.Source].loose {
		return c.Index < 0
	}
	if info := c.Source.Columns[c.Index].Info; info != nil && (info.NotNull || info.PrimaryKey > 0) {
		return true
	}
	same := func(e sqltree.Expr) bool {
		other, ok := own(v.s, e)
		return ok && other.Source == c.Source && other.Index == c.Index
	}
	for _, e := range v.edges {
		if same(e.a) || same(e.b) {
			return true
		}
	}
	for _, e := range sqltree.Conjuncts(v.s.Where) {
		switch e := e.(type) {
		case *sqltree.Binary:
			if e.Op != sqltree.Is && e.Op != sqltree.Or && e.Op != sqltree.And && (same(e.X) || same(e.Y)) {
				return true
			}
		case *sqltree.Pattern, *sqltree.Between, *sqltree.In:
			if same(sqltree.Children(e)[0]) {
				return true
			}
		}
	}
	return false
}

// rowNoun returns what one row of a SELECT's FROM is called.
func (w *writer) rowNoun(v *view) string {
	var list []string
	for _, src := range v.rows() {
		if r := v.roles[src]; r != nil {
			list = append(list, r.noun)
		}
	}
	switch len(list) {
	case 0:
		return "row"
	case 1:
		return list[0]
	}
	return "pair of " + Enumerate(list)
}

// rowSource returns the source that a row stands for, or nil where a row stands
// for several.
func (w *writer) rowSource(v *view) *sqltree.Source {
	if list := v.rows(); len(list) == 1 {
		return list[0]
	}
	return nil
}

// countPhrase returns "number of ..." for a count.
func (w *writer) countPhrase(v *view, c counted) string {
	if w.names {
		return singularPhrase(strings.TrimPrefix(c.noun, different+" ")) + " count"
	}
	return numberOf + w.those(v, c, nil, nil)
}

// singularPhrase puts the last word into the singular.
func singularPhrase(phrase string) string {
	last := lastWord(phrase)
	return strings.TrimSuffix(phrase, last) + singular(last)
}

// those returns what a count counts, among the rows that meet conditions.
func (w *writer) those(v *view, c counted, conds []sqltree.Expr, further []*sqltree.Source) string {
	if c.cond != nil {
		conds = append(slices.Clone(conds), sqltree.Conjuncts(c.cond)...)
	}
	pieces := w.rowClauses(v, c.about, conds, further)
	if c.filled != "" && !slices.Contains(pieces, "that have "+c.filled) {
		pieces = append(pieces, "that have "+c.filled)
	}
	if len(pieces) == 0 {
		return c.noun
	}
	return c.noun + " " + Enumerate(pieces)
}
