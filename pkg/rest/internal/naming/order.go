package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// compoundOrder names what the rows of a compound are sorted by.
func (w *writer) compoundOrder(q *sqltree.Query) string {
	var list []string
	for _, o := range q.OrderBy {
		text := "value"
		if o.Item >= 0 && o.Item < len(q.Arms[0].Items) && q.Arms[0].Items[o.Item] != nil {
			text = w.phrase(w.view(q.Arms[0]), q.Arms[0].Items[o.Item].Expr)
		}
		list = append(list, text+pick(o.Desc, " from the highest down", ""))
	}
	return strings.Join(list, ", then by ")
}

// superlatives names the extremes that ORDER BY with a LIMIT asks for, or "".
func (w *writer) superlatives(p parts) string {
	if p.q.Limit == nil || len(p.q.OrderBy) == 0 || p.combined || w.isListed(p) {
		return ""
	}
	var list []string
	for _, o := range p.q.OrderBy {
		list = append(list, w.superlative(p.v, o))
	}
	return strings.Join(list, ", then the ")
}

// isListed reports whether the rows are the first ones of a list that is in
// alphabetical order.
func (w *writer) isListed(p parts) bool {
	e := ordered(p.s, p.q.OrderBy[0])
	return !p.first && isAlphabetical(e, w.phrase(p.v, e))
}

func (w *writer) superlative(v *view, o *sqltree.Order) string {
	e := ordered(v.s, o)
	if c, ok := w.count(v, e); ok && c.cond == nil {
		return pick(o.Desc, "most ", "fewest ") + c.noun
	}
	phrase := w.phrase(v, e)
	switch {
	case isAlphabetical(e, phrase):
		return pick(o.Desc, "last ", "first ") + phrase + pick(w.names, "", " in alphabetical order")
	case isDateName(phrase):
		return pick(o.Desc, "latest ", "earliest ") + phrase + pick(isBirth(phrase) && !w.names, pick(o.Desc, " (the youngest)", " (the oldest)"), "")
	}
	text := pick(o.Desc, "highest ", "lowest ") + phrase
	if most, least := extreme(phrase); most != "" && !w.names {
		text += " (the " + pick(o.Desc, most, least) + ")"
	}
	return text
}

// extreme returns what people call the rows with the highest and the lowest of a
// quantity, or "".
func extreme(phrase string) (most, least string) {
	for _, w := range words(phrase) {
		switch w {
		case "height":
			return "tallest", "shortest"
		case "weight":
			return "heaviest", "lightest"
		case "speed":
			return "fastest", "slowest"
		case "duration", "length":
			return "longest", "shortest"
		case "price", "cost":
			return "most expensive", "cheapest"
		}
	}
	return "", ""
}

// ordered returns what a term of ORDER BY means.
func ordered(s *sqltree.Select, o *sqltree.Order) sqltree.Expr {
	if o.Item >= 0 && o.Item < len(s.Items) && s.Items[o.Item] != nil {
		return s.Items[o.Item].Expr
	}
	return o.Expr
}

// isAlphabetical reports whether an order is that of texts which are no dates,
// times or numbers by their name.
func isAlphabetical(e sqltree.Expr, phrase string) bool {
	info := template.OriginOf(e).Info
	if info == nil || info.Affinity != value.AffinityText {
		return false
	}
	return !slices.ContainsFunc(words(phrase), func(w string) bool {
		switch w {
		case "date", "time", "birthday", "year", "month", "number", "duration", "amount", "rate", "speed":
			return true
		}
		return false
	})
}

// sorting says what rows are sorted by, in which direction.
func (w *writer) sorting(v *view, terms []*sqltree.Order) string {
	var list []string
	for _, o := range terms {
		e := ordered(v.s, o)
		phrase := w.phrase(v, e)
		switch {
		case isAlphabetical(e, phrase):
			phrase += pick(o.Desc, " in reverse alphabetical order", " in alphabetical order")
		case isDateName(phrase):
			phrase += pick(o.Desc, " from the latest", " from the earliest")
		default:
			phrase += pick(o.Desc, " from the highest", " from the lowest")
		}
		list = append(list, phrase)
	}
	return strings.Join(list, ", then by ")
}

// limits says how many rows are taken and left out.
func (w *writer) limits(q *sqltree.Query) string {
	out := ""
	ties := ""
	number := func(e sqltree.Expr) string {
		if o, ok := e.(*sqltree.Other); ok && len(o.Args) == 1 { // FETCH FIRST ... WITH TIES
			e, ties = o.Args[0], " and those that are equal to the last of them in that order"
		}
		if w.t.ParamAt(e) >= 0 {
			return "the given number"
		}
		return w.phrase(nil, e)
	}
	one := false
	if l, ok := q.Limit.(*sqltree.Literal); ok && w.t.ParamAt(q.Limit) < 0 {
		one = l.Value == value.Int(1)
	}
	if q.Limit != nil && (!one || len(q.OrderBy) == 0) {
		out += pick(one, ", the first one only", ", up to "+number(q.Limit)+" of them") + ties
	}
	if q.Offset != nil && !isInteger(q.Offset, 0) {
		out += ", after leaving out " + number(q.Offset) + " of the first ones"
	}
	return out
}
