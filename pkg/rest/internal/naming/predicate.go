package naming

import (
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// agreeing puts a verb into the plural where its subject is.
func agreeing(subject, verb string) string {
	if !isPlural(headWord(subject)) {
		return verb
	}
	switch first, rest, _ := strings.Cut(verb, " "); first {
	case "is":
		return "are " + rest
	case "does":
		return "do " + rest
	case "matches":
		return "match " + rest
	}
	return verb
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
	return subject, verbOf(op, isDateName(subject) || w.isInstant(x)) + " " + the(w.phrase(v, y))
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
