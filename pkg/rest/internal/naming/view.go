package naming

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// view is a SELECT as seen from one of the items of its FROM, the head: what a
// phrase is about.
type view struct {
	s      *sqltree.Select
	head   *sqltree.Source // nil without FROM
	roles  map[*sqltree.Source]*role
	edges  []edge
	joins  map[sqltree.Expr]bool // conditions that do nothing but join
	schema *engine.Schema
}

// edge is an equality of columns that joins two items of FROM.
type edge struct{ a, b *sqltree.Column }

// newView looks at a SELECT from an item of its FROM; without one, from the item
// that the result columns are about.
func (w *writer) newView(s *sqltree.Select, head *sqltree.Source) *view {
	v := &view{s: s, head: head, schema: w.t.Schema, roles: map[*sqltree.Source]*role{}, joins: map[sqltree.Expr]bool{}}
	v.findEdges()
	if head == nil && len(s.Sources) > 0 {
		v.head = w.subject(v)
	}
	if v.head != nil {
		w.assignRoles(v)
	}
	return v
}

// findEdges finds the equalities that join: those in ON, and those in WHERE of
// what nothing else joins. A column that is equated twice with columns of one
// other source is only joined by the first; the second is a condition.
func (v *view) findEdges() {
	joined := map[[2]*sqltree.Source]bool{} // by ON
	twice := func(x, y *sqltree.Column) bool {
		return slices.ContainsFunc(v.edges, func(e edge) bool {
			if e.a.Source != x.Source {
				e.a, e.b = e.b, e.a
			}
			return e.a.Source == x.Source && e.b.Source == y.Source && (e.a.Index == x.Index || e.b.Index == y.Index)
		})
	}
	look := func(e sqltree.Expr, isOn bool) {
		for _, c := range sqltree.Conjuncts(e) {
			b, ok := c.(*sqltree.Binary)
			if !ok || b.Op != sqltree.Equal {
				continue
			}
			x, okX := own(v.s, b.X)
			y, okY := own(v.s, b.Y)
			if !okX || !okY || x.Source == y.Source || twice(x, y) || isComputed(x) || isComputed(y) {
				continue
			}
			pair := [2]*sqltree.Source{x.Source, y.Source}
			if y.Source.At < x.Source.At {
				pair = [2]*sqltree.Source{y.Source, x.Source}
			}
			if !isOn && joined[pair] {
				continue
			}
			joined[pair] = joined[pair] || isOn
			v.edges = append(v.edges, edge{x, y})
			v.joins[c] = true
		}
	}
	v.s.From.Each(func(j *sqltree.Join) {
		look(j.On, true)
		for _, pair := range j.Equal {
			if pair[0] != nil && pair[1] != nil && pair[0].State == sqltree.Bound && pair[1].State == sqltree.Bound {
				v.edges = append(v.edges, edge{pair[0], pair[1]})
			}
		}
	})
	look(v.s.Where, false)
}

// isComputed reports whether a column is what a subquery computes: to be equal to
// that is a condition.
func isComputed(c *sqltree.Column) bool {
	o := template.OriginOf(c)
	return o.Item != nil
}

// isOneRow reports whether a source is a subquery of one row: an aggregate of
// everything.
func isOneRow(src *sqltree.Source) bool {
	if src.Query == nil || src.Recursive || len(src.Query.Arms) != 1 {
		return false
	}
	s := src.Query.Arms[0]
	return len(s.Aggregates) > 0 && len(s.GroupBy) == 0
}

// own returns an expression as a column of an arm's own sources.
func own(s *sqltree.Select, e sqltree.Expr) (*sqltree.Column, bool) {
	c, ok := e.(*sqltree.Column)
	ok = ok && c.State == sqltree.Bound && c.Alias == nil && c.Source != nil && c.Source.Select == s
	return c, ok
}

// subject returns what the result columns of a SELECT are about: the source
// that they are read from, or of several the one that has the others as its own.
func (w *writer) subject(v *view) *sqltree.Source {
	var named []*sqltree.Source
	for _, it := range v.s.Items {
		if it == nil {
			continue
		}
		for _, src := range sourcesIn(v.s, it.Expr) {
			if !slices.Contains(named, src) {
				named = append(named, src)
			}
		}
	}
	if len(named) == 0 {
		named = v.s.Sources
	}
	best, fewest := named[0], len(v.s.Sources)+1
	for _, src := range named {
		seen := v.from(src)
		many := 0
		for _, other := range named {
			if at, ok := seen[other]; !ok || at.many {
				many++
			}
		}
		if many < fewest {
			best, fewest = src, many
		}
	}
	return w.described(v, best)
}

// described returns the source that a lookup table's row says something of,
// where the column that is asked for is all that there is to the row, such as the
// gender of a superhero; elsewhere the source itself.
func (w *writer) described(v *view, src *sqltree.Source) *sqltree.Source {
	noun := w.sourceNoun(src)
	for _, it := range v.s.Items {
		if it == nil {
			return src
		}
		if c, ok := own(v.s, it.Expr); !ok || c.Source != src || !hasWords(noun, w.plain(c)) {
			return src
		}
	}
	for _, other := range v.s.Sources {
		if at, ok := v.from(other)[src]; ok && other != src && !at.many && at.over == other {
			return other
		}
	}
	return src
}

// plain returns the words of a table's column alone.
func (w *writer) plain(c *sqltree.Column) string {
	if c.Source.Table == nil || c.Index < 0 {
		return c.Name
	}
	return w.voc.column(c.Source.Table.Name, c.Source.Columns[c.Index].Name)
}

// sourcesIn returns the sources of an arm that an expression reads columns of.
func sourcesIn(s *sqltree.Select, e sqltree.Expr) []*sqltree.Source {
	var out []*sqltree.Source
	visit := func(e sqltree.Expr) {
		if c, ok := own(s, e); ok && !slices.Contains(out, c.Source) {
			out = append(out, c.Source)
		}
	}
	sqltree.Walk(e, func(e sqltree.Expr) bool {
		visit(e)
		if q := sqltree.SubqueryOf(e); q != nil {
			for _, c := range q.Outer {
				visit(c)
			}
		}
		return true
	})
	return out
}

// reached says how a source is reached from another.
type reached struct {
	many bool
	over *sqltree.Source
	by   *sqltree.Column // of over, or nil
	to   *sqltree.Column
}

// from returns how the sources are reached from one of them, over as few others
// as can be.
func (v *view) from(head *sqltree.Source) map[*sqltree.Source]reached {
	out := map[*sqltree.Source]reached{head: {}}
	queue := []*sqltree.Source{head}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		for _, e := range v.edges {
			for _, e := range []edge{e, {e.b, e.a}} {
				if _, seen := out[e.b.Source]; e.a.Source != x || seen {
					continue
				}
				out[e.b.Source] = reached{many: out[x].many || !v.isUnique(x, e.b.Source), over: x, by: e.a, to: e.b}
				queue = append(queue, e.b.Source)
			}
		}
	}
	return out
}

// isUnique reports whether one row at most of a source fits a row of another:
// the columns that join them hold its primary key, or what it is grouped by.
func (v *view) isUnique(x, y *sqltree.Source) bool {
	joined := map[int]bool{}
	for _, e := range v.edges {
		for _, e := range []edge{e, {e.b, e.a}} {
			if e.a.Source == x && e.b.Source == y {
				joined[e.b.Index] = true
			}
		}
	}
	if y.Table != nil {
		if v.isReferred(y, joined) {
			return true
		}
		keys := 0
		for i, c := range y.Table.Columns {
			if c.PrimaryKey > 0 {
				keys++
				if !joined[i] {
					return false
				}
			}
		}
		return keys > 0 || joined[sqltree.RowID]
	}
	if y.Query == nil || len(y.Query.Arms) != 1 || len(y.Query.Arms[0].GroupBy) == 0 {
		return false
	}
	s := y.Query.Arms[0]
	return !slices.ContainsFunc(s.GroupBy, func(g sqltree.Expr) bool {
		return !slices.ContainsFunc(s.Items, func(it *sqltree.Item) bool {
			return it != nil && joined[slices.Index(s.Items, it)] && sqltree.Key(it.Expr) == sqltree.Key(g)
		})
	})
}

// isReferred reports whether foreign keys refer to some of the joined columns of
// a table, which then distinguish its rows.
func (v *view) isReferred(y *sqltree.Source, joined map[int]bool) bool {
	for _, t := range v.schema.Tables {
		for _, key := range t.ForeignKeys {
			if !spelling.Same(key.Table, y.Table.Name) || len(key.To) == 0 {
				continue
			}
			if !slices.ContainsFunc(key.To, func(name string) bool {
				i := slices.IndexFunc(y.Columns, func(c sqltree.SourceColumn) bool { return spelling.Same(c.Name, name) })
				return i < 0 || !joined[i]
			}) {
				return true
			}
		}
	}
	return false
}
