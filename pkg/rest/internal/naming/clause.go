package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// relation returns a noun with the conditions that its rows meet: molecules with
// the given label that have an atom with the given element.
func (w *writer) relation(v *view, noun string, conds []sqltree.Expr, further ...*sqltree.Source) string {
	pieces := w.clauses(v, conds, further)
	if len(pieces) == 0 {
		return noun
	}
	return noun + " " + Enumerate(pieces)
}

// clauses returns conditions as clauses that follow the head's noun. Those about
// one other source, of which the head has many, are one clause about that. Each
// of further is a source that only has to exist.
func (w *writer) clauses(v *view, conds []sqltree.Expr, further []*sqltree.Source) []string {
	var given, whose, either, where []string
	about := map[*sqltree.Source][]sqltree.Expr{}
	var branches []*sqltree.Source
	for _, e := range conds {
		if e == nil || v.joins[e] {
			continue
		}
		switch branch, one := v.branch(e); {
		case !one:
			where = append(where, w.full(v, e))
		case branch != nil:
			if !slices.Contains(branches, branch) {
				branches = append(branches, branch)
			}
			about[branch] = append(about[branch], e)
		default:
			switch g := w.isGiven(v, e); {
			case g != "":
				given = append(given, g)
			case isEither(e):
				either = append(either, w.relative(v, e, false))
			default:
				whose = append(whose, w.relative(v, e, false))
			}
		}
	}
	var out []string
	if len(given) > 0 {
		for i := 1; i < len(given); i++ {
			given[i] = strings.TrimPrefix(given[i], "the given ")
		}
		out = append(out, "with "+Enumerate(given))
	}
	out = append(out, whose...)
	for _, src := range further {
		if b := v.branchOf(src); b != nil && !slices.Contains(branches, b) {
			branches = append(branches, b)
		}
	}
	for _, b := range branches {
		out = append(out, "that have "+w.belonging(v, b, about[b], further))
	}
	out = append(out, either...) // there is no end to it
	// What has commas comes last, so that nothing after it seems to belong to it.
	slices.SortStableFunc(out, func(a, b string) int { return rank(a) - rank(b) })
	if len(where) > 0 {
		out = append(out, "where "+Enumerate(where))
	}
	return out
}

func rank(clause string) int {
	switch {
	case strings.HasPrefix(clause, "either "):
		return 2
	case strings.Contains(clause, ", "):
		return 1
	}
	return 0
}

func isEither(e sqltree.Expr) bool {
	b, ok := e.(*sqltree.Binary)
	return ok && b.Op == sqltree.Or
}

// isAbsent reports whether conditions ask for rows that an outer join has left
// without one of a source: a column that every row has a value in is missing.
func (v *view) isAbsent(src *sqltree.Source, conds []sqltree.Expr) bool {
	if len(conds) != 1 || !v.roles[src].loose {
		return false
	}
	x, missing, ok := isMissing(conds[0], false)
	if !ok || !missing {
		return false
	}
	c, ok := own(v.s, x)
	if !ok || c.Source != src {
		return false
	}
	isJoined := slices.ContainsFunc(v.edges, func(e edge) bool {
		return e.a.Source == src && e.a.Index == c.Index || e.b.Source == src && e.b.Index == c.Index
	})
	if isJoined || c.Index < 0 {
		return true
	}
	info := src.Columns[c.Index].Info
	return info != nil && (info.NotNull || info.PrimaryKey > 0)
}

// belonging returns what the head has: a row of a branch, or of what the branch
// only leads to.
func (w *writer) belonging(v *view, branch *sqltree.Source, conds []sqltree.Expr, further []*sqltree.Source) string {
	var named []*sqltree.Source
	for _, e := range conds {
		for _, src := range sourcesIn(v.s, e) {
			if !slices.Contains(named, src) {
				named = append(named, src)
			}
		}
	}
	var there []*sqltree.Source
	for _, src := range further {
		if v.branchOf(src) == branch && !slices.Contains(named, src) {
			there = append(there, src)
		}
	}
	head := branch
	switch {
	case len(named) == 1 && len(there) == 0:
		head = named[0]
	case len(named) == 0 && len(there) > 0:
		head, there = there[0], there[1:]
	}
	if v.isAbsent(head, conds) {
		return "no " + v.roles[head].noun
	}
	sub := w.seen(v, head)
	there = slices.DeleteFunc(there, func(src *sqltree.Source) bool { return src == head })
	text := a(v.roles[head].noun)
	for i, piece := range w.clauses(sub, conds, there) {
		if rest, ok := strings.CutPrefix(piece, "that have "); ok {
			piece = "that has " + rest // it is one, and not the head
		}
		text += pick(i == 0, " ", " and ") + piece
	}
	return text
}

// branch returns the first source on the way from the head to what a condition
// is about of which the head has many, or nil if there is none. one is false for
// a condition about several such.
func (v *view) branch(e sqltree.Expr) (branch *sqltree.Source, one bool) {
	for i, src := range sourcesIn(v.s, e) {
		b := v.branchOf(src)
		if i > 0 && b != branch {
			return nil, false
		}
		branch = b
	}
	return branch, true
}

func (v *view) branchOf(src *sqltree.Source) *sqltree.Source {
	var out *sqltree.Source
	for range v.s.Sources {
		r := v.roles[src]
		if r == nil || src == v.head {
			break
		}
		if r.many {
			out = src
		}
		src = r.over
	}
	return out
}

// isGiven returns "the given ..." for a condition that a value is that of a
// parameter, or "".
func (w *writer) isGiven(v *view, e sqltree.Expr) string {
	x, y := sqltree.Expr(nil), sqltree.Expr(nil)
	switch e := e.(type) {
	case *sqltree.Binary:
		if e.Op != sqltree.Equal && e.Op != sqltree.Is {
			return ""
		}
		x, y = e.X, e.Y
		if w.t.ParamAt(x) >= 0 {
			x, y = y, x
		}
	case *sqltree.In:
		if e.Not || len(e.List) == 0 {
			return ""
		}
		if i := w.t.ParamAt(e.List...); i >= 0 && i < len(w.params) && isColumn(e.X) {
			return "one of the given " + w.params[i].nth + many(w.phrase(v, e.X))
		}
		return ""
	default:
		return ""
	}
	i := w.t.ParamAt(y)
	if i < 0 || i >= len(w.params) || !isColumn(x) {
		return ""
	}
	return "the given " + w.params[i].nth + w.phrase(v, x)
}

func isColumn(e sqltree.Expr) bool {
	_, ok := e.(*sqltree.Column)
	return ok
}

// relative returns a condition as a relative clause.
func (w *writer) relative(v *view, e sqltree.Expr, not bool) string {
	if text, ok := w.compound(e, not, func(e sqltree.Expr, not bool) string { return w.relative(v, e, not) }); ok {
		return text
	}
	if x, ok := e.(*sqltree.Exists); ok {
		return pick(not, "for which there are no ", "for which there are ") + w.existing(x.Query)
	}
	if x, missing, ok := isMissing(e, not); ok && isColumn(x) {
		phrase := w.phrase(v, x)
		return pick(missing, "that have no "+phrase, "that have "+a(phrase))
	}
	subject, verb := w.predicate(v, e, not)
	if subject == "" {
		return "where " + verb
	}
	return "whose " + strings.TrimPrefix(subject, "the ") + " " + agreeing(subject, verb)
}

// existing returns what EXISTS asks for: rows, whatever comes out of them.
func (w *writer) existing(q *sqltree.Query) string {
	if s := q.Arms[0]; len(q.Arms) == 1 && len(s.Sources) > 0 && len(s.GroupBy) == 0 && len(s.Aggregates) == 0 {
		return w.rowsWith(w.view(s), w.conditions(s), nil)
	}
	return w.query(q)
}

// full returns a condition as a separate clause.
func (w *writer) full(v *view, e sqltree.Expr) string { return w.clause(v, e, false) }

func (w *writer) clause(v *view, e sqltree.Expr, not bool) string {
	if text, ok := w.compound(e, not, func(e sqltree.Expr, not bool) string { return w.clause(v, e, not) }); ok {
		return text
	}
	if x, ok := e.(*sqltree.Exists); ok {
		return pick(not, "there are no ", "there are ") + w.existing(x.Query)
	}
	subject, verb := w.predicate(v, e, not)
	if subject == "" {
		return verb
	}
	return the(subject) + " " + agreeing(subject, verb)
}

// conditions returns what WHERE and ON ask for.
func (w *writer) conditions(s *sqltree.Select) []sqltree.Expr {
	var out []sqltree.Expr
	s.From.Each(func(j *sqltree.Join) { out = append(out, sqltree.Conjuncts(j.On)...) })
	return append(out, sqltree.Conjuncts(s.Where)...)
}

// unmentioned returns the sources that there only have to be, at the ends of the
// joins.
func (w *writer) unmentioned(p parts) []*sqltree.Source {
	named := map[*sqltree.Source]bool{p.v.head: true}
	note := func(list ...sqltree.Expr) {
		for _, e := range list {
			if e == nil || p.v.joins[e] {
				continue
			}
			for _, src := range sourcesIn(p.s, e) {
				named[src] = true
			}
		}
	}
	for _, it := range p.s.Items {
		if it != nil {
			note(it.Expr)
		}
	}
	note(w.conditions(p.s)...)
	note(p.s.GroupBy...)
	note(p.s.Having)
	note(p.q.Tail()...)
	leads := map[*sqltree.Source]bool{}
	for _, src := range p.s.Sources {
		if r := p.v.roles[src]; r != nil && r.over != nil {
			leads[r.over] = true
		}
	}
	var out []*sqltree.Source
	for _, src := range p.s.Sources {
		if r := p.v.roles[src]; r != nil && r.many && !r.loose && !named[src] && !leads[src] {
			out = append(out, src)
		}
	}
	return out
}
