package plan

import (
	"slices"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// joiner brings the items of one FROM clause together.
type joiner struct {
	b   *builder
	at  around
	all []*part
	rel *relation

	pending *pending // the starting relation being put together
}

// describe plans a part that is a separate relation, but for base tables.
func (j *joiner) describe(p *part) error {
	j.all = append(j.all, p)
	switch {
	case p.nested != nil:
		parts, err := j.b.flatten(p.nested)
		if err != nil {
			return err
		}
		rel, rest, err := j.b.join(parts, nil, j.at)
		if err != nil {
			return err
		}
		p.rel = rel
		return (&env{b: j.b, at: j.at, rel: rel}).where(rest)
	case p.of.Query != nil:
		out, err := j.b.statement(p.of.Query, around{outer: j.at.outer, given: j.at.given})
		if err != nil {
			return err
		}
		if p.out = out; len(p.of.Columns) != len(out.cols) {
			return unsupported("CTE columns", "%d names for %d columns", len(p.of.Columns), len(out.cols))
		}
	}
	return nil
}

// inner joins all parts of an inner join: the base tables in one starting
// relation, in an order in which each is connected to those before it, then
// the subqueries. It returns the conjuncts that remain to be filtered by.
func (j *joiner) inner(on, where []sqltree.Expr) ([]sqltree.Expr, error) {
	own, on := j.ownEqualities(on)
	eq, rest := j.equalities(append(on, where...))
	for _, p := range j.all {
		eq = append(slices.Clone(p.equal), eq...)
	}
	var tables, subs []*part
	for _, p := range j.all {
		if p.isTable() {
			tables = append(tables, p)
		} else {
			subs = append(subs, p)
		}
	}
	slices.SortStableFunc(tables, func(a, b *part) int { return len(own[b]) - len(own[a]) })
	if groups := components(tables, eq); isWorthwhile(groups, rest) {
		var err error
		if rest, err = j.products(groups, &eq, own, rest); err != nil {
			return nil, err
		}
	} else {
		j.stageAll(connected(tables, eq), &eq, own)
		j.flush()
	}
	for _, p := range subs {
		used := takeEqualities(&eq, p, j.joined())
		if len(used) == 0 && j.rel != nil && !p.out.oneRow {
			var err error
			if rest, err = j.attachProduct(p, rest); err != nil {
				return nil, err
			}
			continue
		}
		rest = append(rest, j.attach(p, used)...)
	}
	for _, e := range eq {
		rest = append(rest, e.expr()) // with a table within parentheses
	}
	j.restoreOrder()
	return rest, nil
}

// stageAll adds base tables to the starting relation, each with its equalities
// to those before it.
func (j *joiner) stageAll(tables []*part, eq *[]equality, own map[*part][]equality) {
	for i, p := range tables {
		used := takeEqualities(eq, p, tables[:i])
		p.kind = Inner
		p.on = nil
		j.stage(p, used)
		for _, e := range own[p] {
			j.stageOwn(e)
		}
	}
}

type pending struct {
	start Start
	place map[*sqltree.Source]int
}

// stage adds a base table to the starting relation.
func (j *joiner) stage(p *part, eq []equality) {
	if j.pending == nil {
		j.pending = &pending{place: map[*sqltree.Source]int{}}
	}
	s := j.pending
	at := len(s.start.Tables)
	s.place[p.of] = at
	s.start.Tables = append(s.start.Tables, StartTable{Alias: p.of.Name, Name: p.of.Table.Name})
	if at > 0 && len(eq) == 0 {
		s.start.Joins = append(s.start.Joins, StartJoin{Left: at - 1, Right: at, Kind: Cross})
	}
	for _, e := range eq {
		join := StartJoin{
			Left: s.place[e.left.Source], LeftColumn: columnOf(e.left).Name,
			Right: at, RightColumn: columnOf(e.right).Name, Kind: p.kind,
		}
		if e.swapped && p.kind == Inner {
			join.Left, join.Right = join.Right, join.Left
			join.LeftColumn, join.RightColumn = join.RightColumn, join.LeftColumn
		}
		s.start.Joins = append(s.start.Joins, join)
	}
}

// stageOwn adds an equality of two columns of a staged table.
func (j *joiner) stageOwn(e equality) {
	at := j.pending.place[e.left.Source]
	j.pending.start.Joins = append(j.pending.start.Joins, StartJoin{
		Left: at, LeftColumn: columnOf(e.left).Name, Right: at, RightColumn: columnOf(e.right).Name, Kind: Inner,
	})
}

// flush makes the staged tables the relation.
func (j *joiner) flush() {
	s := j.pending
	if s == nil {
		return
	}
	j.pending = nil
	if len(s.start.Tables) == 1 {
		s.start.Tables[0].Alias = s.start.Tables[0].Name // equal whatever the alias
	}
	id := j.b.add(&s.start)
	j.rel = newRelation(id)
	for _, p := range j.all {
		if at, ok := s.place[p.of]; ok && p.of != nil {
			p.src = j.b.tableSource(p.of, id, at)
			j.rel.sources = append(j.rel.sources, p.src)
		}
	}
}

// tableSource makes the columns of a base table of a starting relation. Those of the
// same table of the same relation are the same.
func (b *builder) tableSource(s *sqltree.Source, start StepID, place int) *sourceCols {
	of := baseTable{start, place}
	known := b.base[of]
	if known == nil {
		known = slices.Repeat([]Col{None}, len(s.Columns))
		b.base[of] = known
		b.cols = slices.Grow(b.cols, len(known))
		b.compares = slices.Grow(b.compares, len(known))
	}
	src := &sourceCols{of: s, cols: slices.Repeat([]Col{None}, len(known))}
	for i, c := range s.Columns {
		if c.Hidden {
			continue
		}
		if known[i] == None {
			known[i] = Col(len(b.cols))
			b.cols = append(b.cols, Column{Start: start, Table: place, Name: c.Name, IsBase: true})
			b.compares = append(b.compares, comparing{collation: c.Collation, own: true})
		}
		src.cols[i] = known[i]
	}
	return src
}

// joined lists the parts that are in the relation already.
func (j *joiner) joined() []*part {
	var out []*part
	for _, p := range j.all {
		if p.src != nil {
			out = append(out, p)
		}
	}
	return out
}

// alone is a part as a separate relation. A subquery that is to be joined is
// a plain relation, without the columns that it does not give.
func (j *joiner) alone(p *part, plain bool) *relation {
	b := j.b
	switch {
	case p.nested != nil:
		return p.rel
	case p.isTable():
		id := b.add(&Start{Tables: []StartTable{{Alias: p.of.Table.Name, Name: p.of.Table.Name}}})
		return newRelation(id, b.tableSource(p.of, id, 0))
	case p.out.grouped || plain:
		p.out = b.projected(p.out)
	}
	r := newRelation(p.out.step, &sourceCols{of: p.of, cols: p.out.cols})
	if p.out.given != nil {
		r.sources = append(r.sources, &sourceCols{cols: p.out.given})
	}
	return r
}

// attach joins one part to the relation by a separate step. It returns the
// equalities that such a step would compare by another collation.
func (j *joiner) attach(p *part, eq []equality) []sqltree.Expr {
	right := j.alone(p, j.rel != nil)
	var rest []sqltree.Expr
	if j.rel == nil {
		j.rel = right
	} else {
		var keys []colPair
		keys, rest = j.b.splitKeys(j.rel, right, eq)
		j.rel = j.b.joinRelations(j.rel, right, keys, Inner)
	}
	j.place(p, len(right.sources))
	return rest
}

// place notes where a part that was joined last has its columns.
func (j *joiner) place(p *part, sources int) {
	p.src = j.rel.sources[len(j.rel.sources)-sources]
}

// colPair is a column of one relation that is to equal one of another.
type colPair struct{ a, b Col }

// joinRelations joins two relations by a step. The second one's columns are new
// ones in the result.
func (b *builder) joinRelations(left, right *relation, keys []colPair, kind JoinKind) *relation {
	return b.joinBy(&Join{A: left.step, B: right.step, Kind: kind}, left, right, keys)
}

// joinNullEqual joins two relations on keys of which NULL equals NULL.
func (b *builder) joinNullEqual(left, right *relation, keys []colPair, kind JoinKind) *relation {
	return b.joinBy(&Join{A: left.step, B: right.step, Kind: kind, NullEqual: true}, left, right, keys)
}

func (b *builder) joinBy(s *Join, left, right *relation, keys []colPair) *relation {
	for _, k := range keys {
		s.AKeys, s.BKeys = append(s.AKeys, k.a), append(s.BKeys, k.b)
	}
	if len(keys) == 0 {
		s.Kind, s.NullEqual = Cross, false
	}
	for _, src := range right.sources {
		s.BCols = append(s.BCols, src.cols...)
	}
	s.BCols = distinctCols(s.BCols)
	id := b.making(s, func() {
		for _, c := range s.BCols {
			s.Renamed = append(s.Renamed, b.sameAs(c))
		}
	})
	renamed := map[Col]Col{None: None}
	for i, c := range b.steps[id].(*Join).Renamed {
		renamed[s.BCols[i]] = c
	}
	out := newRelation(id, slices.Clone(left.sources)...)
	for _, src := range right.sources {
		moved := &sourceCols{of: src.of, cols: make([]Col, len(src.cols))}
		for i, c := range src.cols {
			moved.cols[i] = renamed[c]
		}
		out.sources = append(out.sources, moved)
	}
	return out
}

// distinctCols lists columns once, without None.
func distinctCols(cols []Col) []Col {
	seen := map[Col]bool{None: true}
	var out []Col
	for _, c := range cols {
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}

// nameOf is a word for a column, for naming what is made from it.
func (b *builder) nameOf(c Col) string {
	if b.cols[c].IsBase {
		return b.cols[c].Name
	}
	return b.cols[c].Hint
}

// restoreOrder lists the sources in the order of the FROM clause.
func (j *joiner) restoreOrder() {
	order := func(s *sourceCols) int {
		return slices.IndexFunc(j.all, func(p *part) bool { return p.src == s })
	}
	slices.SortStableFunc(j.rel.sources, func(a, b *sourceCols) int { return order(a) - order(b) })
}

// inOrder joins parts strictly from left to right, as outer joins demand.
func (j *joiner) inOrder() error {
	for i, p := range j.all {
		eq, rest := j.equalities(p.on)
		eq = append(slices.Clone(p.equal), eq...)
		used := takeEqualities(&eq, p, j.all[:i])
		for _, e := range eq { // of two earlier tables
			rest = append(rest, e.expr())
		}
		staging := p.isTable() && j.rel == nil && (len(used) > 0 || i == 0 || p.kind == Inner) && len(rest) == 0
		turns := func(e equality) bool { return p.kind != Inner && e.turnsCollation() }
		if staging && !slices.ContainsFunc(used, turns) {
			j.stage(p, used)
			continue
		}
		j.flush()
		if p.kind == Inner {
			rest = append(j.attach(p, used), rest...)
			if err := (&env{b: j.b, at: j.at, rel: j.rel}).where(rest); err != nil {
				return err
			}
			continue
		}
		if err := j.attachOuter(p, used, rest); err != nil {
			return err
		}
	}
	j.flush()
	return nil
}
