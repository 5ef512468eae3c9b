package plan

import (
	"fmt"
	"sort"
	"strings"

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
	out   output // of a subquery
	src   *source
}

// ownEqualities takes out the ON conditions that equate two columns of one
// base table. They belong to the starting relation: such a table is as small
// as it gets before others are joined to it.
func (j *joiner) ownEqualities(on []sqlparser.Expr) (own map[*part][]equality, rest []sqlparser.Expr) {
	own = map[*part][]equality{}
	for _, e := range on {
		if x, ok := j.sides(e); ok && x.left == x.right && x.left.table != nil {
			own[x.left] = append(own[x.left], x)
		} else {
			rest = append(rest, e)
		}
	}
	return own, rest
}

// equality is a conjunct that equates a column of one part with one of another.
type equality struct {
	left, right         *part
	leftName, rightName string
	swapped             bool // the statement has the right side first
}

func (j *joiner) describe(it *fromItem) error {
	p := &part{fromItem: it}
	if it.table != nil {
		p.names = it.table.Columns
	} else {
		out, err := j.b.statement(it.sub, it.scope)
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

// owner finds the one part that a name belongs to; n is its number of owners.
func (j *joiner) owner(n dialect.Name) (*part, int) {
	var owner *part
	found := 0
	for _, p := range j.all {
		if n.Table != "" && !strings.EqualFold(n.Table, p.alias) {
			continue
		}
		for _, c := range p.names {
			if strings.EqualFold(c, n.Column) && !(n.Table == "" && p.isMerged(n.Column)) {
				if found == 0 {
					owner = p
				}
				found++
				break
			}
		}
	}
	return owner, found
}

func (p *part) isMerged(column string) bool {
	for _, u := range p.using {
		if strings.EqualFold(u, column) {
			return true
		}
	}
	return false
}

// equalities splits conjuncts into equalities of plain columns of two
// different parts and the rest.
func (j *joiner) equalities(conj []sqlparser.Expr) (eq []equality, rest []sqlparser.Expr) {
	for _, e := range conj {
		if x, ok := j.equality(e); ok {
			eq = append(eq, x)
		} else {
			rest = append(rest, e)
		}
	}
	return eq, rest
}

func (j *joiner) equality(e sqlparser.Expr) (equality, bool) {
	x, ok := j.sides(e)
	return x, ok && x.left != x.right
}

// sides reads an equality of two plain columns.
func (j *joiner) sides(e sqlparser.Expr) (equality, bool) {
	c, ok := dialect.Bare(e).(*sqlparser.ComparisonExpr)
	if !ok || c.Operator != sqlparser.EqualStr {
		return equality{}, false
	}
	l, lok := dialect.Bare(c.Left).(*sqlparser.ColName)
	r, rok := dialect.Bare(c.Right).(*sqlparser.ColName)
	if !lok || !rok {
		return equality{}, false
	}
	ln, rn := dialect.NameOf(l), dialect.NameOf(r)
	lp, ln1 := j.owner(ln)
	rp, rn1 := j.owner(rn)
	if ln1 != 1 || rn1 != 1 {
		return equality{}, false
	}
	return equality{left: lp, right: rp, leftName: ln.Column, rightName: rn.Column}, true
}

// usingEqualities turns the USING columns of a part into equalities.
func (j *joiner) usingEqualities(p *part, before []*part) ([]equality, error) {
	var out []equality
	for _, u := range p.using {
		var owner *part
		for _, o := range before {
			if o.has(u) && !o.isMerged(u) {
				owner = o
				break
			}
		}
		if owner == nil || !p.has(u) {
			return nil, unsupported("USING", "no column %q on both sides of the join", u)
		}
		out = append(out, equality{left: owner, right: p, leftName: u, rightName: u})
	}
	return out, nil
}

func (p *part) has(column string) bool {
	for _, n := range p.names {
		if strings.EqualFold(n, column) {
			return true
		}
	}
	return false
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

// connected orders tables so that, where possible, each has an equality with
// an earlier one.
func connected(tables []*part, eq []equality) []*part {
	var out []*part
	left := append([]*part{}, tables...)
	for len(left) > 0 {
		next := 0
		for i, p := range left {
			if len(out) == 0 || linked(p, out, eq) {
				next = i
				break
			}
		}
		out = append(out, left[next])
		left = append(left[:next:next], left[next+1:]...)
	}
	return out
}

func linked(p *part, before []*part, eq []equality) bool {
	for _, e := range eq {
		for _, o := range before {
			if e.left == p && e.right == o || e.right == p && e.left == o {
				return true
			}
		}
	}
	return false
}

// takeEqualities removes and returns those between p and the parts before it,
// with p on the right.
func takeEqualities(eq *[]equality, p *part, before []*part) []equality {
	var taken, kept []equality
	for _, e := range *eq {
		if e.left == p {
			e = equality{left: e.right, right: e.left, leftName: e.rightName, rightName: e.leftName, swapped: !e.swapped}
		}
		if e.right == p && contains(before, e.left) {
			taken = append(taken, e)
		} else {
			kept = append(kept, e)
		}
	}
	*eq = kept
	return taken
}

func contains(ps []*part, p *part) bool {
	for _, x := range ps {
		if x == p {
			return true
		}
	}
	return false
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

var errCollation = unsupported("collation of a join", "the sides have different collations and cannot be written in the statement's order")

// turnsCollation reports whether it matters that the sides are exchanged: the
// left side of = has the collation (datatype3.html, section 7.1).
func (e equality) turnsCollation() bool {
	return e.swapped && e.left.collation(e.leftName) != e.right.collation(e.rightName)
}

// collation returns the collation of a column of a base table; that of a
// subquery's column is not known here and taken for BINARY.
func (p *part) collation(column string) string {
	if p.table != nil && p.table.Collations != nil {
		for i, n := range p.table.Columns {
			if strings.EqualFold(n, column) {
				return p.table.Collations[i]
			}
		}
	}
	return "BINARY"
}

// stageOwn adds an equality of two columns of a staged table.
func (j *joiner) stageOwn(e equality) {
	at := j.pending.place[e.left]
	j.pending.start.Joins = append(j.pending.start.Joins, StartJoin{
		Left: at, LeftColumn: e.left.exact(e.leftName), Right: at, RightColumn: e.left.exact(e.rightName), Kind: Inner,
	})
}

// exact returns a column's name as the schema writes it.
func (p *part) exact(column string) string {
	for _, n := range p.names {
		if strings.EqualFold(n, column) {
			return n
		}
	}
	return column
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
		p.src = &source{alias: p.alias, names: p.names, rowid: p.table.RowID, merged: p.mergedNames()}
		for _, n := range p.names {
			p.src.cols = append(p.src.cols, j.b.baseColumn(id, at, n))
		}
		j.rel.sources = append(j.rel.sources, p.src)
	}
}

func (p *part) mergedNames() map[string]bool {
	m := map[string]bool{}
	for _, u := range p.using {
		m[strings.ToLower(u)] = true
	}
	return m
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
	p.src = &source{alias: p.alias, names: p.names, cols: cols, merged: p.mergedNames()}
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
	if err := e.where(conditions); err != nil {
		return unsupported("outer join condition", "a condition of the ON clause reads the other tables (%v)", err)
	}
	filtered := *p.fromItem
	filtered.table = nil
	q := &part{fromItem: &filtered, names: p.names, out: output{step: e.rel.step, cols: own.src.cols, names: p.names, complete: true}}
	for i := range eq {
		eq[i].right = q
	}
	if err := j.attach(q, Left, eq); err != nil {
		return err
	}
	p.src = q.src
	return nil
}
