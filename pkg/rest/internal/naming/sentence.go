package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// query returns a noun phrase for a query's result: what comes out, of which
// rows, in which order and how many.
func (w *writer) query(q *sqltree.Query) string {
	if w.left--; w.left < 0 {
		return "values"
	}
	if w.names {
		return w.brief(q)
	}
	m := manner{top: w.top, one: w.one}
	w.top, w.one = false, false
	if len(q.Arms) == 1 {
		return w.arm(q, q.Arms[0], m)
	}
	var b strings.Builder
	for i, s := range q.Arms {
		if i > 0 {
			b.WriteString(map[sqltree.SetOp]string{
				dialect.Union: ", together with the ", dialect.UnionAll: ", followed by the ",
				dialect.Intersect: ", so far as they are among the ", dialect.Except: ", except the ",
				sqltree.IntersectAll: ", so far and as often as they are among the ", sqltree.ExceptAll: ", except as often as they are among the ",
			}[s.Op])
		}
		b.WriteString(w.arm(&sqltree.Query{Arms: []*sqltree.Select{s}}, s, manner{}))
	}
	if len(q.OrderBy) > 0 {
		b.WriteString(", sorted by " + w.compoundOrder(q))
	}
	b.WriteString(w.limits(q))
	return b.String()
}

// brief returns the phrase for a query in a name: what comes out, and the extreme
// that it is of.
func (w *writer) brief(q *sqltree.Query) string {
	s := q.Arms[0]
	if s.Values || len(s.Sources) == 0 {
		return "value"
	}
	p := w.partsOf(q, s)
	text := Enumerate(p.items)
	if text == "" {
		text = many(p.v.roles[p.v.head].noun)
	}
	if super := w.superlatives(p); super != "" {
		text += " with " + super
	}
	return text
}

// manner says how a query is spoken of: as the whole statement, as one value.
type manner struct{ top, one bool }

// parts of a sentence about one SELECT.
type parts struct {
	q        *sqltree.Query
	s        *sqltree.Select
	v        *view
	items    []string
	star     bool
	counts   *counted // of the only item, if that counts
	share    bool     // whether the only item is a share
	base     counted  // of what it is a share
	first    bool     // LIMIT 1, or one value
	top      bool     // the whole statement
	keys     []string // of GROUP BY
	grouped  bool
	alone    bool // no aggregate, so that a group is a row
	combined bool // one row of aggregates
}

// arm returns the phrase for one SELECT with the ORDER BY and LIMIT of its query.
func (w *writer) arm(q *sqltree.Query, s *sqltree.Select, m manner) string {
	if s.Values {
		return "values " + w.listOf(nil, s.Items)
	}
	if inner, ok := w.inlined(q, s); ok {
		return inner
	}
	p := w.partsOf(q, s)
	p.top, p.first = m.top, p.first || m.one
	return w.composed(p)
}

// composed returns the whole phrase of parts.
func (w *writer) composed(p parts) string {
	text := w.compose(p)
	if p.s.Distinct && !p.first && !p.combined && !strings.HasPrefix(text, different+" ") {
		text = different + " " + text
	}
	if len(p.s.DistinctOn) > 0 {
		var list []string
		for _, e := range p.s.DistinctOn {
			list = append(list, w.phrase(p.v, e))
		}
		text += ", the first one for each " + different + " " + Enumerate(list)
	}
	if p.s.Having != nil {
		text += ", only those " + Enumerate(w.clausesOfGroup(p))
	}
	return text + w.rest(p)
}

func (w *writer) listOf(v *view, items []*sqltree.Item) string {
	var list []string
	for _, it := range items {
		list = append(list, w.phrase(v, it.Expr))
	}
	return Enumerate(list)
}

// inlined returns the phrase for a subquery in FROM of which the query around
// only takes columns.
func (w *writer) inlined(q *sqltree.Query, s *sqltree.Select) (string, bool) {
	if len(s.Sources) != 1 || s.Where != nil || len(s.GroupBy) > 0 || s.Having != nil || len(s.Aggregates) > 0 || len(q.OrderBy) > 0 || q.Limit != nil {
		return "", false
	}
	sub := s.Sources[0].Query
	if sub == nil || s.Sources[0].Recursive || len(sub.Arms) != 1 || sub.Arms[0].Values {
		return "", false
	}
	in := *sub.Arms[0]
	in.Items, in.Stars = nil, nil
	for _, it := range s.Items {
		c, ok := it.Expr.(*sqltree.Column)
		if !ok || c.Source != s.Sources[0] || c.Index < 0 || c.Index >= len(sub.Columns) || sub.Columns[c.Index].Item == nil {
			return "", false
		}
		in.Items = append(in.Items, sub.Columns[c.Index].Item)
	}
	outer := *sub
	outer.Arms = []*sqltree.Select{&in}
	p := w.partsOf(&outer, sub.Arms[0])
	p.items, p.star, p.counts, p.share = nil, false, nil, false
	w.name(&p, in.Items)
	return w.composed(p), true
}

func (w *writer) partsOf(q *sqltree.Query, s *sqltree.Select) parts {
	p := parts{q: q, s: s, v: w.view(s), grouped: len(s.GroupBy) > 0}
	if l, ok := q.Limit.(*sqltree.Literal); ok && l.Value == value.Int(1) && w.t.ParamAt(q.Limit) < 0 {
		p.first = true
	}
	p.alone = !slices.ContainsFunc(s.Items, func(it *sqltree.Item) bool { return it != nil && len(sqltree.AggregatesIn(it.Expr)) > 0 })
	p.combined = !p.grouped && len(s.Aggregates) > 0
	if rows := w.rowSource(p.v); rows != nil && (p.grouped || p.combined) {
		p.v = w.seen(p.v, rows)
	}
	for _, g := range s.GroupBy {
		if n := s.Ordinal(g); n >= 0 && s.Items[n] != nil {
			g = s.Items[n].Expr
		}
		p.keys = append(p.keys, w.key(p.v, g))
	}
	w.name(&p, s.Items)
	return p
}

// key names what rows are grouped by: a table's key stands for its rows.
func (w *writer) key(v *view, g sqltree.Expr) string {
	if c, ok := own(v.s, g); ok && c.Source.Table != nil && w.isKey(c) && v.roles[c.Source] != nil {
		return v.roles[c.Source].noun
	}
	if c, ok := own(v.s, g); ok {
		for other, at := range v.from(c.Source) {
			if !at.many && at.over == c.Source && at.by.Index == c.Index && v.roles[other] != nil {
				return v.roles[other].noun
			}
		}
	}
	phrase := w.phrase(v, g)
	if isID(words(phrase)) && len(words(phrase)) > 1 && isColumn(g) {
		return strings.TrimSuffix(strings.TrimSuffix(phrase, " ID"), " id")
	}
	return phrase
}

// name puts the result columns into words.
func (w *writer) name(p *parts, items []*sqltree.Item) {
	if len(p.s.Stars) > 0 && len(p.s.Stars[0].Table) == 0 && len(items) == len(p.s.Items) {
		p.star = true
		return
	}
	for _, it := range items {
		if it == nil {
			continue
		}
		text := w.phrase(p.v, it.Expr)
		if !slices.Contains(p.items, text) {
			p.items = append(p.items, text)
		}
	}
	if len(items) != 1 || p.grouped || items[0] == nil {
		return
	}
	if c, ok := w.count(p.v, items[0].Expr); ok {
		p.counts = &c
	}
	if x, y, _, ok := quotient(unrounded(items[0].Expr)); ok {
		if c, ok := w.share(p.v, x, y); ok {
			p.share, p.base = true, c
			p.base.cond = nil
		}
	}
}

func unrounded(e sqltree.Expr) sqltree.Expr {
	if c, ok := e.(*sqltree.Call); ok && c.Name == "round" && len(c.Args) > 0 {
		return c.Args[0]
	}
	return e
}

// compose puts the parts together, without HAVING, and without an order that
// picks nothing.
func (w *writer) compose(p parts) string {
	v, conds := p.v, w.conditions(p.s)
	further := w.unmentioned(p)
	if v.head == nil {
		return Enumerate(p.items)
	}
	noun := v.roles[v.head].noun
	super := w.superlatives(p)
	switch {
	case p.counts != nil && len(p.q.OrderBy) == 0:
		c := *p.counts
		if p.top {
			c.noun += " there are"
			return "how many " + w.those(v, c, conds, further)
		}
		return numberOf + w.those(v, c, conds, further)
	case p.share:
		return w.items(p) + " among all " + w.those(v, p.base, conds, further)
	case p.grouped && (super != "" || p.alone):
		rows := w.rowsWith(v, conds, further)
		if super == "" {
			return different + " " + w.items(p) + " of the " + rows
		}
		if rows == many(w.rowNoun(v)) {
			rows = ""
		} else {
			rows = ", among the " + rows
		}
		keys := Enumerate(p.keys)
		p.items = slices.Clone(p.items)
		for i, text := range p.items { // the item's name, of the item with the most
			if rest, ok := strings.CutPrefix(text, keys+" "); ok {
				p.items[i] = rest
			}
		}
		out := w.items(p) + " of the " + pick(p.first, keys, many(keys)) + " with the " + super
		if out2 := w.items(p); out2 == keys || out2 == many(keys) {
			out = out2 + " with the " + super
		}
		return out + rows
	case p.grouped:
		return w.items(p) + " for each " + Enumerate(p.keys) + " of the " + w.rowsWith(v, conds, further)
	case p.combined:
		items, rows := w.items(p), w.rowsWith(v, conds, further)
		switch isAll := rows == many(w.rowNoun(v)); {
		case isAll && (v.head.Query != nil || strings.Contains(items, " of the "+rows)):
			return items
		case !isAll && (strings.Contains(items, " of the ") || isComposed(items)):
			return items + ", all among the " + rows
		}
		return items + " of the " + rows
	}
	row := pick(p.first, noun, many(noun))
	start := w.items(p) + " of the "
	if p.star {
		start = ""
	}
	if super != "" {
		out := start + row + " with the " + super
		if pieces := w.clauses(v, conds, further); len(pieces) > 0 {
			out += ", among the " + many(noun) + " " + Enumerate(pieces)
		}
		return out
	}
	return start + w.relation(v, row, conds, further...)
}

// rowsWith returns what the rows of FROM stand for, with their conditions.
func (w *writer) rowsWith(v *view, conds []sqltree.Expr, further []*sqltree.Source) string {
	noun := many(w.rowNoun(v))
	if pieces := w.rowClauses(v, w.rowSource(v), conds, further); len(pieces) > 0 {
		noun += " " + Enumerate(pieces)
	}
	return noun
}

// rowClauses returns conditions as clauses that follow the noun of a source, or
// of rows that stand for several: then none of these goes without saying.
func (w *writer) rowClauses(v *view, about *sqltree.Source, conds []sqltree.Expr, further []*sqltree.Source) []string {
	if about != nil {
		return w.clauses(w.seen(v, about), conds, further)
	}
	all := *v
	all.head = nil
	var list []string
	for _, e := range conds {
		if e != nil && !v.joins[e] {
			list = append(list, w.full(&all, e))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []string{"where " + Enumerate(list)}
}

// items lists the result columns, in the plural where there are several rows.
func (w *writer) items(p parts) string {
	list := fullNames(slices.Clone(p.items))
	if !p.first && !p.combined {
		for i, text := range list {
			list[i] = many(text)
		}
	}
	if len(list) == 0 {
		return "values"
	}
	for i := 1; i < len(list); i++ {
		if strings.Contains(list[i-1], " of ") || strings.Contains(list[i], " of ") {
			list[i] = the(list[i])
		}
	}
	return Enumerate(list)
}

// rest says what follows: subqueries in FROM, the order that picks nothing, and
// how many rows.
func (w *writer) rest(p parts) string {
	out := ""
	for _, src := range p.s.Sources {
		if src.Query != nil && !src.Recursive && !w.said[src.Query] {
			w.said[src.Query] = true
			out += ", taken from the " + w.query(src.Query)
		}
	}
	if len(p.q.OrderBy) > 0 && !p.combined && (p.q.Limit == nil || w.isListed(p)) {
		out += ", sorted by " + w.sorting(p.v, p.q.OrderBy)
	}
	return out + w.limits(p.q)
}

// clausesOfGroup puts HAVING into words.
func (w *writer) clausesOfGroup(p parts) []string {
	var out []string
	for _, e := range sqltree.Conjuncts(p.s.Having) {
		out = append(out, w.relative(p.v, e, false))
	}
	return out
}
