package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// counted is a count of rows or values, those that meet a condition.
type counted struct {
	noun     string // in the plural, such as "different molecules"
	about    *sqltree.Source
	cond     sqltree.Expr // nil for all
	filled   string       // what each has, or ""
	distinct bool
}

// aggregate returns the phrase for an aggregate function.
func (w *writer) aggregate(v *view, e *sqltree.Call) string {
	if c, ok := w.count(v, e); ok {
		return w.countPhrase(v, c)
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
	case "group_concat", "string_agg", "json_group_array":
		text = "list of " + many(x)
	default:
		text = aggregateWord(e.Name, x) + " " + pick(e.Distinct, "different ", "") + x
	}
	if cond != nil && !w.names {
		text += " of the " + w.relation(v, many(w.rowNoun(v)), sqltree.Conjuncts(cond))
	}
	return text
}

// aggregateWord returns the adjective for an aggregate function of something.
func aggregateWord(name, of string) string {
	switch name {
	case "sum", "total":
		return "total"
	case "avg":
		return "average"
	case "min":
		return pick(isDateName(of), "earliest", "lowest")
	case "max":
		return pick(isDateName(of), "latest", "highest")
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
		if e.Name != "iif" || len(e.Args) < 2 {
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
			out.noun = "different " + many(w.phrase(v, arg))
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
		if !out.distinct && len(v.rows()) > 1 {
			out.noun = many(w.rowNoun(v))
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
		out.noun = "different " + out.noun
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

// rowSource returns the source that a row stands for, or the head where a row
// stands for several.
func (w *writer) rowSource(v *view) *sqltree.Source {
	if list := v.rows(); len(list) == 1 {
		return list[0]
	}
	return v.head
}

// countPhrase returns "number of ..." for a count.
func (w *writer) countPhrase(v *view, c counted) string {
	if w.names {
		return singularPhrase(strings.TrimPrefix(c.noun, "different ")) + " count"
	}
	return "number of " + w.those(v, c, nil, nil)
}

// singularPhrase puts the last word into the singular.
func singularPhrase(phrase string) string {
	last := lastWord(phrase)
	return strings.TrimSuffix(phrase, last) + singular(last)
}

// those returns what a count counts, among the rows that meet conditions.
func (w *writer) those(v *view, c counted, conds []sqltree.Expr, beside []*sqltree.Source) string {
	if c.cond != nil {
		conds = append(slices.Clone(conds), sqltree.Conjuncts(c.cond)...)
	}
	pieces := w.clauses(w.seen(v, c.about), conds, beside)
	if c.filled != "" {
		pieces = append(pieces, "that have "+c.filled)
	}
	if len(pieces) == 0 {
		return c.noun
	}
	return c.noun + " " + Enumerate(pieces)
}

// ratio returns the phrase for a quotient of numbers: a percentage, where it is
// multiplied by 100.
func (w *writer) ratio(v *view, e sqltree.Expr) (string, bool) {
	x, y, percent, ok := quotient(e)
	if !ok {
		return "", false
	}
	if c, _, ok := w.share(v, x, y); ok {
		if w.names {
			return pick(percent, "percentage of ", "share of ") + c.noun, true
		}
		return pick(percent, "percentage of ", "share of ") + w.those(v, c, nil, nil), true
	}
	d, okY := w.count(v, y)
	if s, ok := x.(*sqltree.Call); ok && okY && s.Aggregate && s.Name == "sum" && !s.Distinct && !percent && len(s.Args) == 1 && !d.distinct {
		arg, cond := s.Args[0], sqltree.Expr(nil)
		if test, then, ok := chosen(arg); ok {
			arg, cond = then, test
		}
		if (cond == nil) == (d.cond == nil) && (cond == nil || sqltree.Key(cond) == sqltree.Key(d.cond)) {
			text := "average " + w.phrase(v, arg)
			if cond != nil && !w.names {
				text += " of the " + w.relation(v, many(w.rowNoun(v)), sqltree.Conjuncts(cond))
			}
			return text, true
		}
	}
	a, b := w.phrase(v, x), w.phrase(v, y)
	switch {
	case w.names && percent:
		return "percentage of " + a, true
	case w.names:
		return a + " per " + b, true
	case percent:
		return a + " as a percentage of " + the(b), true
	}
	return "ratio of " + the(a) + " to " + the(b), true
}

// share returns the counts of a quotient if the one is part of the other.
func (w *writer) share(v *view, x, y sqltree.Expr) (c, d counted, ok bool) {
	c, okX := w.count(v, x)
	d, okY := w.count(v, y)
	return c, d, okX && okY && c.cond != nil && d.cond == nil && sameCount(v, c, d)
}

// sameCount reports whether the one count is part of the other.
func sameCount(v *view, c, d counted) bool {
	if c.distinct != d.distinct {
		return false
	}
	return c.noun == d.noun || !c.distinct && len(v.rows()) == 1
}

// quotient takes apart a division, with its factor of 100.
func quotient(e sqltree.Expr) (x, y sqltree.Expr, percent, ok bool) {
	b, isBinary := plainly(e).(*sqltree.Binary)
	if !isBinary {
		return nil, nil, false, false
	}
	switch b.Op {
	case sqltree.Multiply:
		for _, p := range [][2]sqltree.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if isHundred(plainly(p[1])) {
				x, y, percent, ok = quotient(p[0])
				return x, y, true, ok && !percent
			}
		}
	case sqltree.Divide:
		x, y = plainly(b.X), plainly(b.Y)
		if m, isProduct := x.(*sqltree.Binary); isProduct && m.Op == sqltree.Multiply {
			switch {
			case isHundred(plainly(m.Y)):
				return plainly(m.X), y, true, true
			case isHundred(plainly(m.X)):
				return plainly(m.Y), y, true, true
			}
		}
		return x, y, false, !template.IsNumber(y)
	}
	return nil, nil, false, false
}

// plainly takes conversions off an expression.
func plainly(e sqltree.Expr) sqltree.Expr {
	for {
		c, ok := e.(*sqltree.Cast)
		if !ok {
			return e
		}
		e = c.X
	}
}
