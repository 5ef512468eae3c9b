package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// Namer names what belongs to one statement.
type Namer struct {
	t     *template.Template
	voc   *Vocabulary
	homes map[sqltree.Expr]*sqltree.Select // where an expression is
	named []Param
}

// New returns a namer for a statement on the database of a vocabulary.
func New(t *template.Template, voc *Vocabulary) *Namer {
	n := &Namer{t: t, voc: voc, homes: map[sqltree.Expr]*sqltree.Select{}}
	t.Query.WalkAll(func(q *sqltree.Query) {
		note := func(s *sqltree.Select, list []sqltree.Expr) {
			for _, e := range list {
				sqltree.Walk(e, func(e sqltree.Expr) bool {
					n.homes[e] = s
					return true
				})
			}
		}
		for _, s := range q.Arms {
			note(s, s.Exprs())
		}
		note(q.Arms[0], q.Tail())
	}, nil)
	return n
}

// writer returns one that writes for names, or else sentences that speak of the
// parameters.
func (n *Namer) writer(names bool) *writer {
	return &writer{t: n.t, voc: n.voc, params: n.named, views: map[*sqltree.Select]*view{}, said: map[*sqltree.Query]bool{}, left: maxPhrases, names: names}
}

// Endpoint is what an endpoint is called by.
type Endpoint struct {
	Summary     string // a short text without a full stop
	Description string // a sentence, and notes on the columns in it
	Bare        string // the same without what the dataset says of values

	subject []string   // what comes out
	order   []string   // the extreme that is asked for
	fixed   []string   // conditions without parameters
	groups  []string   // per what
	by      [][]string // what the parameters are compared with
	exact   [][]string // names of the parameters
	tables  []string   // to distinguish equal names
	first   string     // the best name
	// distinguish returns what distinguishes equal descriptions, one after the other. Most
	// descriptions are like no other.
	distinguish func() details

	sorted, sortedOf string // the words of the description that sortedOf was
}

// Endpoint names an endpoint with these parameters and columns.
func (n *Namer) Endpoint(params []Param, columns []string) *Endpoint {
	n.named = params
	e := &Endpoint{subject: []string{"values"}}
	if first := n.t.Query.Arms[0]; !first.Values {
		n.about(e, first, params)
	}
	e.Summary = capital(strings.Join(dedupe(slices.Concat(segments(3, e.subject, e.order, e.fixed, e.groups, e.by)...)), " "))
	sentences := n.writer(false)
	sentences.top = true
	e.Bare = capital(the(limited(sentences.query(n.t.Query)))) + "."
	if n.t.ReadsClock() {
		e.Bare += " It depends on the current time."
	}
	e.Description = e.Bare + n.notes(sentences, e.Bare)
	e.distinguish = func() details { return n.details(params, columns) }
	e.first = endpointName(segments(3, e.subject, e.fixed, e.order, e.groups, e.by), maxName)
	return e
}

// notes explains the columns that a sentence names, in the dataset's words, but
// for those that a parameter explains.
func (n *Namer) notes(w *writer, sentence string) string {
	var explained []described
	for _, p := range n.t.Params {
		if c := template.OriginOf(p.Operand); c.Info != nil {
			explained = append(explained, described{c.Table.Name, c.Info.Name})
		}
	}
	out := ""
	have := wordSet(sentence)
	names := map[string]int{}
	for _, d := range w.columns {
		names[w.voc.column(d.table, d.column)]++
	}
	for _, d := range w.columns {
		name := w.voc.column(d.table, d.column)
		if names[name] > 1 && !hasWords(name, d.table) {
			name += " of " + spelled(d.table)
		}
		isNamed := hasAll(have, w.voc.column(d.table, d.column))
		if text := w.voc.explanation(d.table, d.column); isNamed && text != "" && !slices.Contains(explained, d) {
			out += " " + capital(name) + ": " + text + "."
		}
	}
	return out
}

// maxSentence bounds a description, in bytes.
const maxSentence = 4000

func limited(text string) string {
	if len(text) <= maxSentence {
		return text
	}
	text = strings.ToValidUTF8(text[:maxSentence], "")
	return text[:strings.LastIndexByte(text, ' ')] + " …"
}

// about collects the words for the name, by the first SELECT.
func (n *Namer) about(e *Endpoint, s *sqltree.Select, params []Param) {
	w := n.writer(true)
	w.params = nil
	q := n.t.Query
	var taken []*sqltree.Item
	if len(q.Arms) == 1 {
		q, s, taken = within(q, s)
	}
	p := w.partsOf(q, s)
	if taken != nil {
		p.items, p.star, p.counts = nil, false, nil
		w.name(&p, taken)
	}
	e.subject = w.subjectWords(p)
	if super := w.superlatives(p); super != "" && len(n.t.Query.Arms) == 1 {
		e.order = append([]string{"with"}, telling(super)...)
	}
	e.fixed = w.fixedWords(p)
	for i, key := range p.keys {
		if list := telling(key); !contains(e.subject, list) && i == 0 && e.order == nil && !p.alone {
			e.groups = append([]string{"per"}, list...)
		}
	}
	for _, p := range params {
		if p.operand == nil {
			continue
		}
		e.exact = append(e.exact, strings.Split(p.Name, "_"))
		if !slices.ContainsFunc(e.by, func(other []string) bool { return slices.Equal(other, p.operand) }) {
			e.by = append(e.by, p.operand)
		}
	}
	for _, src := range s.Sources {
		if src.Table != nil {
			e.tables = append(e.tables, telling(w.voc.noun(src.Table))...)
		}
	}
	if arms := n.t.Query.Arms; len(arms) > 1 {
		op, _, _ := strings.Cut(strings.ToLower(string(arms[1].Op)), " ")
		e.tables = append(e.tables, op)
	}
}

// within returns the query that a query only takes columns of, and these columns;
// or the query itself.
func within(q *sqltree.Query, s *sqltree.Select) (*sqltree.Query, *sqltree.Select, []*sqltree.Item) {
	items := s.Items
	var taken []*sqltree.Item
	for len(s.Sources) == 1 && s.Where == nil && len(s.GroupBy) == 0 && len(s.Aggregates) == 0 && len(q.OrderBy) == 0 && q.Limit == nil {
		sub := s.Sources[0].Query
		if sub == nil || s.Sources[0].Recursive || len(sub.Arms) != 1 || sub.Arms[0].Values {
			break
		}
		var next []*sqltree.Item
		for _, it := range items {
			c, ok := it.Expr.(*sqltree.Column)
			if !ok || c.Source != s.Sources[0] || c.Index < 0 || c.Index >= len(sub.Columns) || sub.Columns[c.Index].Item == nil {
				return q, s, taken
			}
			next = append(next, sub.Columns[c.Index].Item)
		}
		q, s, items, taken = sub, sub.Arms[0], next, next
	}
	return q, s, taken
}

// telling returns the words of a phrase without articles.
func telling(phrase string) []string {
	return slices.DeleteFunc(words(phrase), func(w string) bool { return w == "the" || w == "a" || w == "an" || w == different })
}

// subjectWords names what comes out.
func (w *writer) subjectWords(p parts) []string {
	if p.v.head == nil {
		return telling(Enumerate(p.items))
	}
	noun := telling(p.v.roles[p.v.head].noun)
	if p.star {
		return pluralize(noun)
	}
	if p.counts != nil {
		list := telling(p.counts.noun)
		list[len(list)-1] = singular(list[len(list)-1])
		return append(list, "count")
	}
	if len(p.items) > 3 {
		return append(noun, "details")
	}
	var list []string
	for i, text := range p.items {
		part := telling(text)
		if len(p.items) > 1 || p.first || p.combined {
			part = slices.Clone(part)
		} else {
			part = pluralize(part)
		}
		if i > 0 {
			list = append(list, "and")
		}
		list = append(list, part...)
	}
	last := noun[len(noun)-1]
	if !slices.Contains(list, last) && !slices.Contains(list, plural(last)) && (len(list) < 4 || isGeneric(list[:1])) {
		if p.combined && len(list) > 1 && (isAdjective(list[0]) || list[0] == "percentage") {
			return slices.Concat(list[:1], noun, list[1:])
		}
		list = append(slices.Clone(noun), list...)
	}
	return list
}

// fixedWords puts the conditions into words that no parameter changes.
func (w *writer) fixedWords(p parts) []string {
	var out []string
	for _, e := range append(w.conditions(p.s), sqltree.Conjuncts(p.s.Having)...) {
		if e == nil || p.v.joins[e] || w.t.HasParam(e) && !hasQuery(e) {
			continue
		}
		list := w.fixedCondition(p.v, e)
		if len(list) == 0 || contains(out, list) {
			continue
		}
		if len(out) > 0 {
			out = append(out, "and")
		}
		out = append(out, list...)
	}
	if arms := w.t.Query.Arms; len(arms) == 2 && !arms[1].Values && arms[1].Op == dialect.Except {
		out = append(append(out, "except"), w.about(arms[1])...)
	}
	return out
}

func hasQuery(e sqltree.Expr) bool {
	found := false
	sqltree.Walk(e, func(e sqltree.Expr) bool {
		found = found || sqltree.SubqueryOf(e) != nil
		return !found
	})
	return found
}

// fixedCondition puts one condition into a few words, or returns nil.
func (w *writer) fixedCondition(v *view, e sqltree.Expr) []string {
	if x, missing, ok := isMissing(e, false); ok {
		return append([]string{pick(missing, "without", "with")}, telling(w.phrase(v, x))...)
	}
	switch e := e.(type) {
	case *sqltree.Unary:
		if x, ok := e.X.(*sqltree.Exists); ok && e.Op == sqltree.Not {
			return append([]string{"without"}, w.about(x.Query.Arms[0])...)
		}
	case *sqltree.Exists:
		return append([]string{"with"}, w.about(e.Query.Arms[0])...)
	case *sqltree.In:
		if e.Query != nil && !e.Table {
			if q := e.Query; !e.Not && q.Limit != nil && len(q.OrderBy) > 0 {
				return append([]string{"with"}, w.selected(q)...)
			}
			return append([]string{pick(e.Not, "without", "with")}, w.about(e.Query.Arms[0])...)
		}
	case *sqltree.Binary:
		op := comparisonOf(e.Op)
		if op == "" {
			return nil
		}
		if y, ok := e.Y.(*sqltree.Subquery); ok && op == sqltree.Equal {
			return append([]string{"with"}, w.selected(y.Query)...)
		}
		if _, verb := w.comparison(v, op, e.X, e.Y, false); verb != "" {
			subject, _ := w.comparison(v, op, e.X, e.Y, false)
			return slices.Concat([]string{"with"}, telling(subject), telling(strings.TrimPrefix(verb, "is ")))
		}
	}
	return nil
}

// selected returns the words for what a subquery picks by which rows are
// compared: the extreme that it asks for, or what comes out.
func (w *writer) selected(q *sqltree.Query) []string {
	s := q.Arms[0]
	if s.Values || len(s.Sources) == 0 {
		return []string{"value"}
	}
	p := w.partsOf(q, s)
	noun := p.v.roles[p.v.head].noun
	super := w.superlatives(p)
	if super == "" {
		return telling(Enumerate(p.items))
	}
	first, rest, _ := strings.Cut(super, " ")
	if hasWords(rest, lastWord(noun)) {
		return telling(super)
	}
	return telling(first + " " + noun + " " + rest)
}

// about returns the noun of what a SELECT gives, in the plural.
func (w *writer) about(s *sqltree.Select) []string {
	v := w.view(s)
	if s.Values || v.head == nil {
		return []string{"values"}
	}
	last := s.Sources[len(s.Sources)-1]
	return pluralize(telling(w.sourceNoun(last)))
}

func contains(list, part []string) bool {
	for i := range list {
		if i+len(part) <= len(list) && slices.Equal(list[i:i+len(part)], part) {
			return true
		}
	}
	return false
}
