package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// piece is a part of a statement whose place among its like does not matter.
type piece struct {
	text   string
	params []int // in the order of the text
}

// alike returns a key that statements share which differ in the order of inner
// joins and of conditions too, and the parameters in the key's order. There is
// none where that order may change the answer: its rows where LIMIT takes some,
// their order, the last digits of a sum of REALs, a column that is neither
// grouped nor aggregated.
func (t *Template) alike(k *keys) (key string, order []int, ok bool) {
	if !t.isOrderless() {
		return "", nil, false
	}
	s := t.Query.Arms[0]
	write := func(e sqltree.Expr) piece {
		p := piece{}
		p.text = k.write(e.Outer(), false, func(at int) (string, int) {
			m, ok := t.marks[at]
			if !ok {
				return "", 0
			}
			p.params = append(p.params, m.param)
			_, kind, _ := strings.Cut(m.text, ":")
			return "?:" + kind, m.end
		})
		return p
	}
	var all []piece
	add := func(word string, sorted bool, list []piece) {
		if sorted {
			slices.SortStableFunc(list, func(a, b piece) int { return strings.Compare(a.text, b.text) })
		}
		all = append(append(all, piece{text: word}), list...)
	}
	var items, tables, conds, groups, having []piece
	for _, it := range s.Items {
		p := write(it.Expr)
		p.text += " as " + k.names.dialect.Fold(it.Alias)
		items = append(items, p)
	}
	for _, src := range s.Sources {
		tables = append(tables, piece{text: k.names.dialect.Fold(src.TableName)})
	}
	split := func(list *[]piece, e sqltree.Expr) {
		for _, c := range sqltree.Conjuncts(e) {
			*list = append(*list, equation(c, write))
		}
	}
	s.From.Each(func(j *sqltree.Join) { split(&conds, j.On) })
	split(&conds, s.Where)
	for _, g := range s.GroupBy {
		groups = append(groups, write(g))
	}
	split(&having, s.Having)
	add("alike: select "+strconv.FormatBool(s.Distinct), false, items)
	add("from", true, tables)
	add("where", true, conds)
	add("group by", true, groups)
	add("having", true, having)
	return t.numbered(all)
}

// equation writes a condition, an equality with its sides in one order.
func equation(c sqltree.Expr, write func(sqltree.Expr) piece) piece {
	b, ok := c.(*sqltree.Binary)
	if !ok || b.Op != sqltree.Equal {
		return write(c)
	}
	x, y := write(b.X), write(b.Y)
	if y.text < x.text {
		x, y = y, x
	}
	return piece{x.text + " = " + y.text, append(x.params, y.params...)}
}

// numbered joins the pieces and numbers the parameters as they come.
func (t *Template) numbered(all []piece) (key string, order []int, ok bool) {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.text)
		for _, n := range p.params {
			at := slices.Index(order, n)
			if at < 0 {
				at = len(order)
				order = append(order, n)
			}
			b.WriteString(" ?" + strconv.Itoa(at))
		}
		b.WriteByte('\n')
	}
	return b.String(), order, len(order) == len(t.Params)
}

// isOrderless reports whether the order of joins and conditions cannot change
// the answer but for the order of its rows.
func (t *Template) isOrderless() bool {
	q := t.Query
	s := q.Arms[0]
	if len(q.With) > 0 || len(q.Arms) > 1 || len(q.OrderBy) > 0 || q.Limit != nil || s.Values || len(s.Stars) > 0 || len(s.DistinctOn) > 0 || len(s.Sources) == 0 {
		return false
	}
	seen := map[string]bool{}
	for _, src := range s.Sources {
		name := spelling.Lower(src.TableName)
		if src.Table == nil || src.Schema != "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	ok := true
	s.From.Each(func(j *sqltree.Join) {
		ok = ok && j.Kind == dialect.Inner && !j.Natural && len(j.Using) == 0 && j.Nested == nil
	})
	for _, e := range s.Exprs() {
		sqltree.Walk(e, func(e sqltree.Expr) bool {
			ok = ok && isOrderlessExpr(s.Query.Dialect, e)
			return ok
		})
	}
	return ok && !hasBareColumns(s)
}

func isOrderlessExpr(d *engine.Dialect, e sqltree.Expr) bool {
	if sqltree.SubqueryOf(e) != nil {
		return false
	}
	switch e := e.(type) {
	case *sqltree.Other:
		return false
	case *sqltree.Column:
		return e.State == sqltree.Bound
	case *sqltree.Call:
		if e.Over != nil {
			return false
		}
		switch d.Function(e.Name).Aggregate {
		case sqlfunc.Summing:
			return len(e.Args) == 1 && isExact(e.Args[0])
		case sqlfunc.Collecting, sqlfunc.Arbitrary:
			return false
		}
		return !strings.HasPrefix(e.Name, "json")
	}
	return true
}

// isExact reports whether sums of an expression do not depend on the order: it is
// a column of integers, a count of where something holds, or either in a CASE.
func isExact(e sqltree.Expr) bool {
	switch e := e.(type) {
	case *sqltree.Literal:
		return e.Value.Kind() == value.Integer || e.Value.IsNull()
	case *sqltree.Column:
		info := OriginOf(e).Info
		return info != nil && info.Affinity == value.AffinityInteger
	case *sqltree.Case:
		for _, w := range e.Whens {
			if !isExact(w.Then) {
				return false
			}
		}
		return e.Else == nil || isExact(e.Else)
	case *sqltree.Call:
		return sqlfunc.Canonical(e.Name) == "iif" && len(e.Args) == 3 && isExact(e.Args[1]) && isExact(e.Args[2])
	}
	return false
}

// hasBareColumns reports whether a result column of a grouped or aggregated
// SELECT is neither, so that any row may give it.
func hasBareColumns(s *sqltree.Select) bool {
	if len(s.GroupBy) == 0 && len(s.Aggregates) == 0 {
		return false
	}
	grouped := map[string]bool{}
	for _, g := range s.GroupBy {
		grouped[sqltree.Key(g)] = true
	}
	bare := false
	look := func(e sqltree.Expr) bool {
		if c, ok := e.(*sqltree.Call); ok && c.Aggregate || grouped[sqltree.Key(e)] {
			return false
		}
		if _, ok := e.(*sqltree.Column); ok {
			bare = true
		}
		return !bare
	}
	for _, it := range s.Items {
		sqltree.Walk(it.Expr, look)
	}
	sqltree.Walk(s.Having, look)
	return bare
}
