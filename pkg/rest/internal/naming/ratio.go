package naming

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// ratio returns the phrase for a quotient of numbers: a percentage, where it is
// multiplied by 100.
func (w *writer) ratio(v *view, e sqltree.Expr) (string, bool) {
	x, y, percent, ok := quotient(e)
	if !ok {
		return "", false
	}
	if c, ok := w.share(v, x, y); ok {
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
				text += " of the " + w.rowsWith(v, sqltree.Conjuncts(cond), nil)
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

// share returns the first count of a quotient if it is part of the second.
func (w *writer) share(v *view, x, y sqltree.Expr) (c counted, ok bool) {
	c, okX := w.count(v, x)
	d, okY := w.count(v, y)
	return c, okX && okY && c.cond != nil && d.cond == nil && sameCount(v, c, d)
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
		x, y = plainly(b.X), plainly(unguarded(plainly(b.Y)))
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
