package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// relation returns a noun with the conditions that its rows meet: molecules with
// the given label that have an atom with the given element.
func (w *writer) relation(v *view, noun string, conds []sqltree.Expr, beside ...*sqltree.Source) string {
	pieces := w.clauses(v, conds, beside)
	if len(pieces) == 0 {
		return noun
	}
	return noun + " " + Enumerate(pieces)
}

// clauses returns conditions as clauses that follow the head's noun. Those about
// one other source, of which the head has many, are one clause about that. Each
// of beside is a source that there only has to be.
func (w *writer) clauses(v *view, conds []sqltree.Expr, beside []*sqltree.Source) []string {
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
	for _, src := range beside {
		if b := v.branchOf(src); b != nil && !slices.Contains(branches, b) {
			branches = append(branches, b)
		}
	}
	for _, b := range branches {
		out = append(out, "that have "+w.belonging(v, b, about[b], beside))
	}
	out = append(out, either...) // last, as there is no end to it
	if len(where) > 0 {
		out = append(out, "where "+Enumerate(where))
	}
	return out
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
func (w *writer) belonging(v *view, branch *sqltree.Source, conds []sqltree.Expr, beside []*sqltree.Source) string {
	var named []*sqltree.Source
	for _, e := range conds {
		for _, src := range sourcesIn(v.s, e) {
			if !slices.Contains(named, src) {
				named = append(named, src)
			}
		}
	}
	var there []*sqltree.Source
	for _, src := range beside {
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
	return a(strings.ReplaceAll(w.relation(sub, v.roles[head].noun, conds, there...), v.roles[head].noun+" that have ", v.roles[head].noun+" that has "))
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
	return "whose " + strings.TrimPrefix(subject, "the ") + " " + verb
}

// existing returns what EXISTS asks for: rows, whatever comes out of them.
func (w *writer) existing(q *sqltree.Query) string {
	if s := q.Arms[0]; len(q.Arms) == 1 && len(s.Sources) > 0 && len(s.GroupBy) == 0 && len(s.Aggregates) == 0 {
		return w.rowsWith(w.view(s), w.conditions(s), nil)
	}
	return w.query(q)
}

// full returns a condition as a clause of its own.
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
	return the(subject) + " " + verb
}

// compound puts AND, OR and NOT into words, whose operands write gives.
func (w *writer) compound(e sqltree.Expr, not bool, write func(e sqltree.Expr, not bool) string) (string, bool) {
	switch e := e.(type) {
	case *sqltree.Unary:
		if e.Op == sqltree.Not {
			return write(e.X, !not), true
		}
	case *sqltree.Binary:
		if e.Op != sqltree.And && e.Op != sqltree.Or {
			return "", false
		}
		var list []string
		var walk func(x sqltree.Expr)
		walk = func(x sqltree.Expr) {
			if b, ok := x.(*sqltree.Binary); ok && b.Op == e.Op {
				walk(b.X)
				walk(b.Y)
				return
			}
			list = append(list, write(x, not))
		}
		walk(e)
		if (e.Op == sqltree.And) != not {
			return Enumerate(list), true
		}
		return "either " + strings.Join(list, ", or "), true
	}
	return "", false
}

// isMissing takes apart IS NULL and IS NOT NULL.
func isMissing(e sqltree.Expr, not bool) (x sqltree.Expr, missing, ok bool) {
	b, isBinary := e.(*sqltree.Binary)
	if !isBinary || b.Op != sqltree.Is && b.Op != sqltree.IsNot || !isNull(b.Y) {
		return nil, false, false
	}
	return b.X, (b.Op == sqltree.Is) != not, true
}

// predicate returns what a condition is about, and what it says of that. The
// subject is "" where the whole clause is the verb.
func (w *writer) predicate(v *view, e sqltree.Expr, not bool) (subject, verb string) {
	is := pick(not, "is not ", "is ")
	switch e := e.(type) {
	case *sqltree.Binary:
		if x, missing, ok := isMissing(e, not); ok {
			return w.phrase(v, x), pick(missing, "is missing", "is not missing")
		}
		if op := comparisonOf(e.Op); op != "" {
			return w.comparison(v, op, e.X, e.Y, not)
		}
	case *sqltree.Between:
		if w.t.ParamAt(e.Low) >= 0 && w.t.ParamAt(e.High) >= 0 && len(w.params) > 0 {
			nth := w.params[w.t.ParamAt(e.Low)].nth
			return w.phrase(v, e.X), is + "between the given " + nth + "minimum and maximum"
		}
		low, high := w.phrase(v, e.Low), w.phrase(v, e.High)
		return w.phrase(v, e.X), is + "between " + the(low) + " and " + the(high)
	case *sqltree.Pattern:
		return w.phrase(v, e.X), w.pattern(v, e, not)
	case *sqltree.In:
		is = pick(not != e.Not, "is not ", "is ")
		switch {
		case e.Query != nil:
			return w.phrase(v, e.X), is + "among the " + many(w.query(e.Query))
		case w.t.ParamAt(e.List...) >= 0:
			return w.phrase(v, e.X), is + "one of " + many(w.given(w.t.ParamAt(e.List...)))
		}
		var list []string
		for _, x := range e.List {
			list = append(list, w.phrase(v, x))
		}
		return w.phrase(v, e.X), is + enumerate(list, "or")
	case *sqltree.Literal:
		return "", pick(not, "not ", "") + literal(e)
	}
	return w.phrase(v, e), is + "true"
}

// pattern says what a value has to look like.
func (w *writer) pattern(v *view, e *sqltree.Pattern, not bool) string {
	does := pick(not != e.Not, "does not match ", "matches ")
	if l, ok := e.Y.(*sqltree.Literal); ok && w.t.ParamAt(e.Y) < 0 && l.Value.Kind() == value.Text {
		return does + "the pattern " + literal(l)
	}
	return does + the(w.phrase(v, e.Y))
}

func comparisonOf(op sqltree.Op) sqltree.Op {
	switch op {
	case sqltree.Equal, sqltree.NotEqual, sqltree.Less, sqltree.LessEq, sqltree.Greater, sqltree.GreaterEq:
		return op
	case sqltree.Is:
		return sqltree.Equal
	case sqltree.IsNot:
		return sqltree.NotEqual
	}
	return ""
}

var mirrored = map[sqltree.Op]sqltree.Op{
	sqltree.Less: sqltree.Greater, sqltree.LessEq: sqltree.GreaterEq, sqltree.Greater: sqltree.Less, sqltree.GreaterEq: sqltree.LessEq,
	sqltree.Equal: sqltree.Equal, sqltree.NotEqual: sqltree.NotEqual,
}

var opposite = map[sqltree.Op]sqltree.Op{
	sqltree.Less: sqltree.GreaterEq, sqltree.LessEq: sqltree.Greater, sqltree.Greater: sqltree.LessEq, sqltree.GreaterEq: sqltree.Less,
	sqltree.Equal: sqltree.NotEqual, sqltree.NotEqual: sqltree.Equal,
}

// comparison returns the subject and the verb of a comparison.
func (w *writer) comparison(v *view, op sqltree.Op, x, y sqltree.Expr, not bool) (subject, verb string) {
	if isConstant(x) && !isConstant(y) {
		x, y, op = y, x, mirrored[op]
	}
	if not {
		op = opposite[op]
	}
	// A difference compared with 0 compares its two sides, and a test compared
	// with 1 or 0 is the test or its opposite.
	if d, ok := x.(*sqltree.Binary); ok && d.Op == sqltree.Subtract && isInteger(y, 0) && w.t.ParamAt(y) < 0 {
		x, y = d.X, d.Y
	}
	if isCondition(x) && (isInteger(y, 0) || isInteger(y, 1)) && (op == sqltree.Equal || op == sqltree.NotEqual) {
		return "", w.clause(v, x, isInteger(y, 0) == (op == sqltree.Equal))
	}
	if l, ok := y.(*sqltree.Literal); ok && template.IsText(l) && l.Value.Raw() == "" {
		return w.phrase(v, x), pick(op == sqltree.Equal, "is empty", "is not empty")
	}
	subject = w.phrase(v, x)
	return subject, verbOf(op, isDateName(subject)) + " " + the(w.phrase(v, y))
}

func isConstant(e sqltree.Expr) bool {
	if u, ok := e.(*sqltree.Unary); ok {
		return isConstant(u.X)
	}
	_, ok := e.(*sqltree.Literal)
	return ok
}

// verbOf returns the words for an operator that compares.
func verbOf(op sqltree.Op, isDate bool) string {
	switch op {
	case sqltree.NotEqual:
		return "is not"
	case sqltree.Less:
		return pick(isDate, "is before", "is below")
	case sqltree.LessEq:
		return pick(isDate, "is not after", "is at most")
	case sqltree.Greater:
		return pick(isDate, "is after", "is above")
	case sqltree.GreaterEq:
		return pick(isDate, "is not before", "is at least")
	}
	return "is"
}
