package plan

import (
	"fmt"
	"sort"

	"github.com/xwb1989/sqlparser"

	"github.com/birdcall/birdcall/internal/dialect"
)

// joiner brings the items of one FROM clause together.
type joiner struct {
	b    *builder
	q    query
	all  []*part
	rel  *relation
	base []*part // the items in the starting relation

	pending *pending // the starting relation being put together
	err     error    // the first thing that staging could not say
}

// part is a described item: the names of its columns, and its columns once it
// has a step.
type part struct {
	*fromItem
	names []string
	hides []string // hidden columns of a virtual table
	out   output   // of a subquery
	src   *source
}

func (j *joiner) describe(it *fromItem) error {
	p := &part{fromItem: it}
	if it.table != nil {
		p.names, p.hides = it.table.Columns, it.table.Hidden
	} else {
		scope := it.scope
		scope.compared = true
		out, err := j.b.statement(it.sub, scope)
		if err != nil {
			return err
		}
		p.out, p.names = out, out.names
		if len(it.names) > 0 {
			if len(it.names) != len(out.names) {
				return unsupported("CTE columns", "%d names for %d columns", len(it.names), len(out.names))
			}
			p.names = it.names
		}
	}
	if it.natural {
		for _, n := range p.names {
			if owner, _ := j.owner(dialect.Name{Column: n}); owner != nil {
				it.using = append(it.using, n)
			}
		}
	}
	if len(it.using) > 0 && (it.kind == Right || it.kind == Full) {
		return unsupported("USING in an outer join", "a %s join with USING or NATURAL merges columns of both sides", it.kind)
	}
	j.all = append(j.all, p)
	return nil
}

// inner joins all parts of an inner join: the base tables in one starting
// relation, in an order in which each is connected to those before it, then
// the subqueries. It returns the conjuncts that remain to be filtered by.
func (j *joiner) inner(on, where []sqlparser.Expr) ([]sqlparser.Expr, error) {
	own, on := j.ownEqualities(on)
	eq, rest := j.equalities(append(on, where...))
	for i, p := range j.all {
		more, err := j.usingEqualities(p, j.all[:i])
		if err != nil {
			return nil, err
		}
		eq = append(more, eq...)
	}
	var tables, subs []*part
	for _, p := range j.all {
		if p.table != nil {
			tables = append(tables, p)
		} else {
			subs = append(subs, p)
		}
	}
	sort.SliceStable(tables, func(a, b int) bool { return len(own[tables[a]]) > len(own[tables[b]]) })
	for _, p := range connected(tables, eq) {
		used := takeEqualities(&eq, p, j.base)
		j.base = append(j.base, p)
		p.kind = Inner
		p.on = nil
		j.stage(p, used)
		for _, e := range own[p] {
			j.stageOwn(e)
		}
	}
	j.flush()
	for _, p := range subs {
		used := takeEqualities(&eq, p, j.joined())
		if err := j.attach(p, Inner, used); err != nil {
			return nil, err
		}
	}
	j.restoreOrder()
	return rest, nil
}

type pending struct {
	start Start
	place map[*part]int
}

// stage adds a base table to the starting relation.
func (j *joiner) stage(p *part, eq []equality) {
	if j.pending == nil {
		j.pending = &pending{place: map[*part]int{}}
	}
	s := j.pending
	at := len(s.start.Tables)
	s.place[p] = at
	s.start.Tables = append(s.start.Tables, StartTable{Alias: p.alias, Name: p.table.Name})
	if at > 0 && len(eq) == 0 {
		s.start.Joins = append(s.start.Joins, StartJoin{Left: at - 1, Right: at, Kind: Cross})
	}
	for _, e := range eq {
		if p.kind != Inner && e.turnsCollation() {
			j.err = errCollation
		}
		join := StartJoin{
			Left: s.place[e.left], LeftColumn: e.left.exact(e.leftName),
			Right: at, RightColumn: p.exact(e.rightName), Kind: p.kind,
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
	at := j.pending.place[e.left]
	j.pending.start.Joins = append(j.pending.start.Joins, StartJoin{
		Left: at, LeftColumn: e.left.exact(e.leftName), Right: at, RightColumn: e.left.exact(e.rightName), Kind: Inner,
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
	j.rel = &relation{step: id, derived: map[string]Col{}}
	for _, p := range j.all {
		at, ok := s.place[p]
		if !ok {
			continue
		}
		p.src = &source{alias: p.alias, names: p.names, hidden: p.hides, rowid: p.table.RowID, merged: p.mergedNames()}
		for _, n := range p.names {
			p.src.cols = append(p.src.cols, j.b.baseColumn(id, at, n))
		}
		j.rel.sources = append(j.rel.sources, p.src)
	}
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

// attach joins one part to the relation by a step of its own.
func (j *joiner) attach(p *part, kind JoinKind, eq []equality) error {
	b := j.b
	if p.out.grouped {
		p.out = b.projected(p.out)
	}
	right, cols := p.out.step, p.out.cols
	if p.table != nil {
		right = b.add(&Start{Tables: []StartTable{{Alias: p.table.Name, Name: p.table.Name}}})
		cols = nil
		for _, n := range p.names {
			cols = append(cols, b.baseColumn(right, 0, n))
		}
	}
	p.src = &source{alias: p.alias, names: p.names, hidden: p.hides, cols: cols, merged: p.mergedNames()}
	if p.table != nil {
		p.src.rowid = p.table.RowID
	}
	if j.rel == nil {
		j.rel = &relation{step: right, sources: []*source{p.src}, derived: map[string]Col{}}
		return nil
	}
	if p.table == nil {
		o := b.projected(p.out)
		right = o.step
	}
	var keys []colPair
	for _, e := range eq {
		if e.turnsCollation() {
			return errCollation
		}
		a, _ := e.left.src.find(e.leftName)
		c, _ := p.src.find(e.rightName)
		keys = append(keys, colPair{a, c})
	}
	if len(keys) == 0 && kind != Inner {
		return unsupported("outer join condition", "an outer join without an equality of two columns is not planned")
	}
	other := &relation{step: right, sources: []*source{p.src}}
	j.rel = b.joinRelations(j.rel, other, keys, kind)
	p.src = j.rel.sources[len(j.rel.sources)-1]
	return nil
}

// colPair is a column of one relation that is to equal one of another.
type colPair struct{ a, b Col }

// joinRelations joins two relations by a step. The second one's columns are new
// ones in the result.
func (b *builder) joinRelations(left, right *relation, keys []colPair, kind JoinKind) *relation {
	s := &Join{A: left.step, B: right.step, Kind: kind}
	for _, k := range keys {
		s.AKeys, s.BKeys = append(s.AKeys, k.a), append(s.BKeys, k.b)
	}
	if len(keys) == 0 {
		s.Kind = Cross
	}
	for _, src := range right.sources {
		s.BCols = append(s.BCols, src.cols...)
	}
	s.BCols = distinctCols(s.BCols)
	id := b.addMaking(fmt.Sprintf("Join%+v", *s), func() Step {
		for _, c := range s.BCols {
			s.Renamed = append(s.Renamed, b.column(b.nameOf(c)))
		}
		return s
	})
	renamed := map[Col]Col{}
	for i, c := range b.steps[id].(*Join).Renamed {
		renamed[s.BCols[i]] = c
	}
	out := &relation{step: id, derived: map[string]Col{}, sources: append([]*source{}, left.sources...)}
	for _, src := range right.sources {
		moved := *src
		moved.cols = make([]Col, len(src.cols))
		for i, c := range src.cols {
			moved.cols[i] = renamed[c]
		}
		out.sources = append(out.sources, &moved)
	}
	return out
}

func distinctCols(cols []Col) []Col {
	seen := map[Col]bool{}
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

// restoreOrder lists the sources in the order of the FROM clause, which * and
// unqualified names follow.
func (j *joiner) restoreOrder() {
	j.rel.sources = nil
	for _, p := range j.all {
		j.rel.sources = append(j.rel.sources, p.src)
	}
}

// inOrder joins parts strictly from left to right, as outer joins demand.
func (j *joiner) inOrder() (err error) {
	defer func() {
		if err == nil {
			err = j.err
		}
	}()
	for i, p := range j.all {
		eq, rest := j.equalities(p.on)
		more, err := j.usingEqualities(p, j.all[:i])
		if err != nil {
			return err
		}
		eq = append(more, eq...)
		used := takeEqualities(&eq, p, j.all[:i])
		if len(eq) > 0 {
			return unsupported("ON condition", "an ON condition that compares two earlier tables is not planned")
		}
		staging := p.table != nil && (j.rel == nil) && (len(used) > 0 || i == 0 || p.kind == Inner)
		if staging && len(rest) == 0 {
			j.stage(p, used)
			continue
		}
		j.flush()
		if len(rest) > 0 && p.kind == Left {
			if err := j.attachFiltered(p, used, rest); err != nil {
				return err
			}
			continue
		}
		if err := j.attach(p, p.kind, used); err != nil {
			return err
		}
		if len(rest) > 0 {
			if p.kind != Inner {
				return unsupported("outer join condition", "a %s JOIN with more than equalities of columns is not planned", p.kind)
			}
			e := &env{b: j.b, q: j.q, rel: j.rel}
			if err := e.where(rest); err != nil {
				return err
			}
		}
	}
	j.flush()
	return nil
}

// readAlone refuses conditions with a name in double quotes that another part
// has: to the part alone it would be a text.
func (j *joiner) readAlone(p *part, conditions []sqlparser.Expr) (err error) {
	for _, x := range conditions {
		columnNames(x, func(n dialect.Name) {
			if _, owners := j.owner(n); n.Quoted && owners > 0 && !p.has(n.Column) {
				err = unsupported("unknown column", "there is no column %s", n.Column)
			}
		})
	}
	return err
}

// attachFiltered left-joins a part whose ON has further conditions. Those that
// read the part alone filter it before it is joined.
func (j *joiner) attachFiltered(p *part, eq []equality, conditions []sqlparser.Expr) error {
	alone := &joiner{b: j.b, q: j.q}
	if err := alone.describe(p.fromItem); err != nil {
		return err
	}
	own := alone.all[0]
	if own.table != nil {
		own.on = nil
		own.using = nil
		alone.stage(own, nil)
		alone.flush()
	} else if err := alone.attach(own, Inner, nil); err != nil {
		return err
	}
	e := &env{b: j.b, q: j.q, rel: alone.rel}
	err := j.readAlone(p, conditions)
	if err == nil {
		err = e.where(conditions)
	}
	if err != nil {
		return unsupported("outer join condition", "a condition of the ON clause reads the other tables (%v)", err)
	}
	filtered := *p.fromItem
	filtered.table = nil
	q := &part{fromItem: &filtered, names: p.names, hides: p.hides, out: output{step: e.rel.step, cols: own.src.cols, names: p.names, complete: true}}
	for i := range eq {
		eq[i].right = q
	}
	if err := j.attach(q, Left, eq); err != nil {
		return err
	}
	p.src = q.src
	return nil
}
