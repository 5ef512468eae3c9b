package convert

import (
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// datePart is a part of a date that a statement takes, and the property.
type datePart struct {
	property *query.Property
	part     query.DatePart
	digits   int  // of the part where it is a text, 0 for any
	isText   bool // whether the statement has it as a text
}

// ofPart writes a comparison of a part of a date, or of the beginning of a text.
func (t *translator) ofPart(op sqltree.Op, x sqltree.Expr, l *sqltree.Literal) (query.Filter, error) {
	if f, ok := t.begins(op, x, l); ok {
		return f, nil
	}
	d, ok := t.partOf(x)
	if !ok {
		return query.Filter{}, refuse(computed(x), "a filter compares a property with a value")
	}
	operator, ok := written[op]
	if !ok {
		return query.Filter{}, refuse("IS", "a filter compares with = and !=")
	}
	f := query.Filter{Property: d.property.Name, Part: d.part, Operator: operator}
	v := l.Value
	switch {
	case d.part == query.Day && v.Kind() == value.Text:
		f.Value = v.Raw()
		return f, nil
	case d.part == query.Day:
	case d.isText && v.Kind() == value.Text && len(v.Raw()) == d.digits:
		// Texts of the same number of digits are in the order of the numbers.
		if n, err := strconv.ParseUint(v.Raw(), 10, 32); err == nil {
			f.Value = int64(n)
			return f, nil
		}
	case !d.isText && (v.Kind() == value.Integer || v.Kind() == value.Real):
		f.Value = v.Any()
		return f, nil
	}
	return query.Filter{}, refuse("comparison of types", "the %s of a date is compared with %s", d.part, v)
}

// partForms are the parts by their forms in strftime(), and how many digits they have.
var partForms = map[string]struct {
	part   query.DatePart
	digits int
}{
	"%Y": {query.Year, 4}, "%m": {query.Month, 2}, "%d": {query.DayOfMonth, 2}, "%Y-%m-%d": {query.Day, 0},
}

// partOf recognizes strftime(), date(), substr() of years and CAST of them.
func (t *translator) partOf(x sqltree.Expr) (datePart, bool) {
	switch x := x.(type) {
	case *sqltree.Cast:
		d, ok := t.partOf(x.X)
		isWhole := x.Affinity() == value.AffinityInteger
		d.isText = false
		return d, ok && isWhole && d.part != query.Day
	case *sqltree.Call:
		switch {
		case x.Name == "strftime" && len(x.Args) == 2:
			form, isText := x.Args[0].(*sqltree.Literal)
			p, ok := t.date(x.Args[1])
			if !isText || !ok {
				return datePart{}, false
			}
			known, ok := partForms[form.Value.Raw()]
			return datePart{p, known.part, known.digits, true}, ok
		case x.Name == "date" && len(x.Args) == 1:
			p, ok := t.date(x.Args[0])
			return datePart{p, query.Day, 0, true}, ok
		case isSubstr(x):
			p, ok := t.property(x.Args[0])
			start, n, isRange := substring(x)
			if !ok || p.Type != query.Date || !isRange || start != 1 || n != 4 {
				return datePart{}, false
			}
			t.assumes = "dates in ISO 8601"
			return datePart{p, query.Year, 4, true}, true
		}
	}
	return datePart{}, false
}

// date returns the property that is a date, also where only its first ten
// characters are taken.
func (t *translator) date(e sqltree.Expr) (*query.Property, bool) {
	if call, ok := e.(*sqltree.Call); ok && isSubstr(call) {
		if start, n, ok := substring(call); !ok || start != 1 || n != len("2010-07-19") {
			return nil, false
		}
		t.assumes = "dates in ISO 8601"
		e = call.Args[0]
	}
	p, ok := t.property(e)
	return p, ok && p.Type == query.Date
}

func isSubstr(c *sqltree.Call) bool {
	return sqlfunc.Canonical(c.Name) == "substr" && len(c.Args) == 3
}

// substring returns the constant range that a substr() takes.
func substring(c *sqltree.Call) (start, n int, ok bool) {
	start, ok = count(c.Args[1])
	n, isCount := count(c.Args[2])
	return start, n, ok && isCount
}

// begins writes that a text begins with another as LIKE, where letter case does not
// matter: substr(x, 1, 4) = '2010', strftime('%Y-%m', x) = '2010-07'.
func (t *translator) begins(op sqltree.Op, x sqltree.Expr, l *sqltree.Literal) (query.Filter, bool) {
	call, ok := x.(*sqltree.Call)
	if !ok || op != sqltree.Equal && op != sqltree.NotEqual || l.Value.Kind() != value.Text {
		return query.Filter{}, false
	}
	text := l.Value.Raw()
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return r > '~' || r == '%' || r == '_' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	}) {
		return query.Filter{}, false
	}
	var p *query.Property
	switch {
	case isSubstr(call):
		start, n, isRange := substring(call)
		if p, ok = t.property(call.Args[0]); !isRange || start != 1 || n != len(text) {
			return query.Filter{}, false
		}
		if ok && p.Type == query.Date && n == 4 && t.set == query.Full {
			return query.Filter{}, false // the year says more
		}
	case call.Name == "strftime" && len(call.Args) == 2:
		form, isText := call.Args[0].(*sqltree.Literal)
		if p, ok = t.date(call.Args[1]); !ok || !isText || form.Value.Raw() != "%Y-%m" && (t.set == query.Full || form.Value.Raw() != "%Y") {
			return query.Filter{}, false
		}
		if len(text) != len("2010") && len(text) != len("2010-07") {
			return query.Filter{}, false
		}
		t.assumes = "dates in ISO 8601"
	default:
		return query.Filter{}, false
	}
	if !ok || p.Type == query.Number || p.Type == query.Boolean {
		return query.Filter{}, false
	}
	f := query.Filter{Property: p.Name, Operator: query.Like, Value: text + "%"}
	if op == sqltree.NotEqual {
		f.Operator = query.NotLike
	}
	return f, true
}
