package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/dialect"
	"github.com/birdcall/birdcall/internal/spelling"
	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/internal/sqltree"
)

// view is a SELECT as seen from one of the items of its FROM, the head: what a
// phrase is about.
type view struct {
	s      *sqltree.Select
	head   *sqltree.Source // nil without FROM
	roles  map[*sqltree.Source]*role
	edges  []edge
	joins  map[sqltree.Expr]bool // conditions that do nothing but join
	schema *sqlite.Schema
}

// role is what an item of FROM is to the head.
type role struct {
	noun  string
	many  bool            // whether several of its rows may belong to one of the head's
	over  *sqltree.Source // the one between it and the head that it is joined to; nil of the head
	plain string          // the noun without what tells it from others of its table
	loose bool            // joined by an outer join, so that there may be none
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
			if !okX || !okY || x.Source == y.Source || twice(x, y) {
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
// a table, which then tell its rows apart.
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

// assignRoles names the sources as the head sees them.
func (w *writer) assignRoles(v *view) {
	seen := v.from(v.head)
	loose := looseSources(v.s.From)
	for _, src := range v.s.Sources {
		at, ok := seen[src]
		r := &role{noun: w.sourceNoun(src), many: at.many || !ok, over: at.over, loose: loose[src]}
		r.plain = r.noun
		if !ok {
			r.over = v.head
		}
		if at.by != nil && !at.many {
			r.noun = w.byReference(at, r.noun)
		}
		v.roles[src] = r
	}
	// Two of one name are told apart by their place, the head first.
	count := map[string]int{}
	number := func(src *sqltree.Source) {
		r := v.roles[src]
		count[r.noun]++
		if n := count[r.noun]; n > 1 {
			r.noun = ordinal(n) + " " + r.noun
		}
	}
	number(v.head)
	for _, src := range v.s.Sources {
		if src != v.head {
			number(src)
		}
	}
}

// looseSources returns those that an outer join may leave without a row.
func looseSources(j *sqltree.Join) map[*sqltree.Source]bool {
	out := map[*sqltree.Source]bool{}
	var mark func(j *sqltree.Join)
	mark = func(j *sqltree.Join) {
		if j == nil {
			return
		}
		mark(j.Left)
		mark(j.Nested)
		if j.Source != nil {
			out[j.Source] = true
		}
	}
	j.Each(func(j *sqltree.Join) {
		if j.Kind == dialect.Left || j.Kind == dialect.Full {
			if j.Source != nil {
				out[j.Source] = true
			}
			mark(j.Nested)
		}
		if j.Kind == dialect.Right || j.Kind == dialect.Full {
			mark(j.Left)
		}
	})
	return out
}

// byReference returns what a row is called by the column that refers to it: the
// eye colour, for a colour that eye_colour_id refers to.
func (w *writer) byReference(at reached, noun string) string {
	if at.by.Source.Table == nil || at.by.Index < 0 || at.by.Source.Columns[at.by.Index].Info == nil {
		return noun
	}
	if at.by.Source.Columns[at.by.Index].Info.PrimaryKey > 0 {
		return noun
	}
	list := strings.Fields(spelled(at.by.Name))
	last := strings.ToLower(lastWord(noun))
	for i := len(list) - 1; i > 0; i-- {
		if strings.ToLower(list[i]) == last && !strings.EqualFold(list[0], "link") {
			return strings.Join(list[:i+1], " ")
		}
	}
	return noun
}

// sourceNoun returns what one row of a source is called.
func (w *writer) sourceNoun(src *sqltree.Source) string {
	for depth := 0; src.Query != nil && !src.Recursive && depth < 64; depth++ {
		s := src.Query.Arms[0]
		if s.Values || len(s.Sources) == 0 {
			break
		}
		src = w.view(s).head
	}
	if src.Table != nil {
		return w.voc.noun(src.Table)
	}
	if src.TableName != "" && src.Query == nil && !src.Function {
		return spelledOr(src.TableName, "row")
	}
	return "row"
}

func spelledOr(name, other string) string {
	if text := spelled(name); text != "" {
		return text
	}
	return other
}

// rows returns what one row of a SELECT's FROM stands for: the nouns of the
// sources that no other one has as its own.
func (v *view) rows() []*sqltree.Source {
	var out []*sqltree.Source
	owned := map[*sqltree.Source]bool{}
	for _, src := range v.s.Sources {
		for other, at := range v.from(src) {
			if other != src && !at.many {
				owned[other] = true
			}
		}
	}
	for _, src := range v.s.Sources {
		if !owned[src] {
			out = append(out, src)
		}
	}
	if len(out) == 0 && v.head != nil {
		out = append(out, v.head) // each has the other as its own
	}
	return out
}
