package randsql

import (
	"fmt"
	"strings"
)

// from is a drawn FROM clause.
type from struct {
	sql       string
	relations []*relation
	cols      []ref    // the columns that expressions may read
	keys      []string // the columns that identify its rows, or nil
}

// from draws a FROM clause.
func (g *gen) from(depth int) from {
	f := from{}
	merged := map[string]bool{}
	count := pick(g, 1, 1, 2, 1, 2, 3)
	for i := range count {
		var r *relation
		text := part(g.draws, "relation", func() string {
			var text string
			text, r = g.relation(depth)
			return text
		})
		switch {
		case i+1 == count && len(merged) == 0 && (i > 0 || depth == 0) && g.chance(6):
			text = part(g.draws, "elements", func() string {
				text, r = g.elements(f.relations)
				return text
			})
			if i > 0 {
				text = pick(g, ", ", " JOIN ", " CROSS JOIN ") + text
			}
			f.sql += text
		case i == 0:
			f.sql = text
		default:
			f.sql += part(g.draws, "join", func() string { return g.join(text, r, f.relations, i+1 == count, merged) })
		}
		f.relations = append(f.relations, r)
	}
	owners := map[string]int{}
	keyed := true
	for _, r := range f.relations {
		for _, c := range r.cols {
			owners[strings.ToLower(c.name)]++
		}
		if keyed = keyed && r.key != ""; keyed {
			f.keys = append(f.keys, r.alias+"."+quote(r.key))
		}
	}
	if !keyed {
		f.keys = nil
	}
	for i, r := range f.relations {
		for _, c := range r.cols {
			n := strings.ToLower(c.name)
			c.sql = g.quoted(c.name)
			c.full = r.alias + "." + c.sql
			if alone := owners[n] == 1 || merged[n] && i == 0 && len(f.relations) == 2; !alone || g.chance(40) {
				c.sql = c.full
			}
			f.cols = append(f.cols, c)
		}
	}
	return f
}

// relation draws one table or subquery of a FROM clause.
func (g *gen) relation(depth int) (string, *relation) {
	if depth > 0 && g.queries > 0 && g.chance(15) {
		g.queries--
		q := g.query(queryOptions{depth: depth - 1, cut: true})
		alias := g.name("d")
		return "(" + q.sql + ")" + pick(g, " AS ", " ") + alias, q.as(alias)
	}
	if len(g.ctes) > 0 && g.chance(50) {
		c := pick(g, g.ctes...)
		alias := g.name("c")
		return c.alias + " AS " + alias, &relation{alias: alias, cols: c.cols}
	}
	t := pick(g, g.db.tables...)
	r := &relation{}
	for _, c := range t.cols {
		r.cols = append(r.cols, ref{name: c.name, kind: c.kind, tame: c.tame})
		if c.key {
			r.key = c.name
		}
	}
	name := g.quoted(t.name)
	if !g.bare[t.name] && g.chance(30) {
		g.bare[t.name] = true
		r.alias = quote(t.name)
		return name, r
	}
	r.alias = g.name("x")
	return name + pick(g, " AS ", " ") + r.alias, r
}

// join draws how the relation r, which is written as text, joins those before
// it; last says that none follows. The columns that it merges with those of the
// first are added to merged.
func (g *gen) join(text string, r *relation, before []*relation, last bool, merged map[string]bool) string {
	kind := pick(g, "JOIN", "JOIN", "INNER JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN")
	if len(merged) > 0 {
		kind = pick(g, "JOIN", "LEFT JOIN") // SQLite finds merged columns ambiguous after others
	}
	inward := kind[0] != 'R' && kind[0] != 'F'
	if g.chance(15) {
		return pick(g, ", ", " CROSS JOIN ", " JOIN ") + text
	}
	if shared := sharedNames(before[0], r); len(before) == 1 && len(shared) > 0 && (inward || last && g.chance(50)) && g.chance(30) {
		sql := fmt.Sprintf(" NATURAL %s %s", kind, text)
		if g.chance(60) {
			shared = []string{pick(g, shared...)}
			sql = fmt.Sprintf(" %s %s USING (%s)", kind, text, quote(shared[0]))
		}
		for _, n := range shared {
			merged[strings.ToLower(n)] = inward
		}
		return sql
	}
	left := pick(g, before...)
	on := g.equality(left, r)
	for g.chance(10) {
		on += " AND " + g.equality(left, r)
	}
	if inward && g.chance(15) || g.chance(1) {
		about := r
		if kind[0] != 'L' || g.chance(5) {
			about = left
		}
		on += " AND " + g.condition(&env{cols: qualified(about)}, 1)
	}
	if g.chance(8) {
		both := &env{cols: qualified(r)}
		for _, b := range before {
			both.cols = append(both.cols, qualified(b)...)
		}
		on = g.condition(both, 1)
	}
	return fmt.Sprintf(" %s %s ON %s", kind, text, on)
}

func (g *gen) equality(left, right *relation) string {
	l := pick(g, qualified(left)...)
	r, _ := g.of(&env{cols: qualified(right)}, l.kind)
	if g.chance(30) {
		l, r = r, l
	}
	return l.sql + " = " + r.sql
}

func qualified(r *relation) []ref {
	var out []ref
	for _, c := range r.cols {
		c.full = r.alias + "." + quote(c.name)
		c.sql = c.full
		out = append(out, c)
	}
	return out
}

func sharedNames(a, b *relation) []string {
	var out []string
	for _, x := range a.cols {
		for _, y := range b.cols {
			if strings.EqualFold(x.name, y.name) {
				out = append(out, x.name)
			}
		}
	}
	return out
}
