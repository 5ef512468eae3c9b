package randsql

import (
	"fmt"
	"slices"
	"strings"
)

// query is a drawn SELECT statement.
type query struct {
	sql   string
	cols  []ref // by the names that a query around it knows them by
	total bool  // ORDER BY leaves no two different rows in either order
	loose bool  // which of 1 and 1.0 it gives is open
}

// as is the query as a relation.
func (q query) as(alias string) *relation { return &relation{alias: alias, cols: q.cols} }

// queryOptions say what a query is to be like.
type queryOptions struct {
	depth int
	kinds []kind // of its columns; nil for any columns
	outer []ref  // columns around it that it reads, if any
	top   bool   // it is the statement itself
	plain bool   // it has no ORDER BY and no LIMIT
	cut   bool   // LIMIT and OFFSET change what the statement around it gives
	inner bool   // it is an arm of a compound that is a subquery
}

// statement draws a whole statement.
func (g *gen) statement() query {
	g.bare, g.queries = map[string]bool{}, 3
	var with []string
	for len(with) < 2 && g.chance(12) {
		with = append(with, part(g.draws, "cte", g.cte))
	}
	q := g.query(queryOptions{depth: 2, top: true})
	if x, ok := g.scalarQuery(&env{}, text); ok && g.chance(3) {
		q = query{sql: "SELECT " + x + ", 1"}
	}
	q.loose = g.loose
	if len(with) > 0 {
		q.sql = "WITH " + strings.Join(with, ", ") + " " + q.sql
	}
	return q
}

// cte draws a common table expression, which is in scope from there on.
func (g *gen) cte() string {
	q := g.query(queryOptions{depth: 1, cut: true})
	r := q.as(g.name("w"))
	head := r.alias
	if g.chance(40) {
		var names []string
		for i := range r.cols {
			r.cols[i].name = fmt.Sprintf("n%d", i)
			names = append(names, r.cols[i].name)
		}
		head += "(" + strings.Join(names, ", ") + ")"
	}
	g.ctes = append(g.ctes, r)
	return head + " AS (" + q.sql + ")"
}

// query draws a SELECT, or several in a compound.
func (g *gen) query(o queryOptions) query {
	if !g.chance(12) {
		return g.core(o)
	}
	if o.kinds == nil {
		o.kinds = g.someKinds()
	}
	arm := queryOptions{depth: o.depth, kinds: o.kinds, outer: o.outer, plain: true, inner: !o.top}
	q := g.core(arm)
	op := ""
	for range 1 + g.n(2) {
		op = pick(g, "UNION ALL", "UNION", "INTERSECT", "EXCEPT")
		g.loose = g.loose || op != "UNION ALL"
		q.sql += " " + op + " " + g.core(arm).sql
	}
	for i := range q.cols {
		q.cols[i].tame = false
	}
	if g.sorted(o) {
		var terms []string
		if g.chance(40) {
			terms = append(terms, quote(pick(g, q.cols...).name)+pick(g, "", " DESC", " ASC NULLS LAST"))
		}
		q.sql += g.orderBy(terms, len(q.cols), nil, op != "UNION ALL")
		q.total = true
	}
	return q
}

// sorted draws whether a query has an ORDER BY.
func (g *gen) sorted(o queryOptions) bool {
	return g.chance(10) || o.top && g.chance(60) || o.cut && g.chance(25)
}

func (g *gen) someKinds() []kind {
	ks := []kind{kind(g.n(int(kinds)))}
	for range g.n(3) {
		ks = append(ks, kind(g.n(int(kinds))))
	}
	return ks
}

func (g *gen) direction() string {
	return pick(g, "", "", " COLLATE NOCASE", "") + pick(g, "", " DESC", " ASC", " DESC") + pick(g, "", "", "", "", " NULLS LAST", " NULLS FIRST")
}

// orderBy draws ORDER BY with these terms first and every column after them,
// and maybe LIMIT. It then has the terms last, too, which distinguish 1 and 1.0.
func (g *gen) orderBy(terms []string, columns int, last []string, limit bool) string {
	for i := range columns {
		terms = append(terms, fmt.Sprint(i+1)+pick(g, "", "", " DESC"))
	}
	end := ""
	if limit && g.chance(50) {
		terms = append(terms, last...)
		end = pick(g, slices.Concat(cuts, wholeCuts)...)
	}
	return " ORDER BY " + strings.Join(terms, ", ") + end
}

// item is one result column.
type item struct {
	expr  string
	alias string // "" for none
	ref   ref
}

func (it item) String() string {
	if it.alias == "" {
		return it.expr
	}
	return it.expr + " AS " + quote(it.alias)
}

// core draws one SELECT without set operators.
func (g *gen) core(o queryOptions) query {
	return part(g.draws, "core", func() query { return g.someCore(o) })
}

func (g *gen) someCore(o queryOptions) query {
	f := g.from(o.depth)
	rows := &env{cols: f.cols}
	where := ""
	if g.chance(45) {
		where = " WHERE " + g.condition(rows, o.depth)
	}
	if len(o.outer) > 0 {
		where = g.correlated(rows, o.outer, where)
	}
	if o.kinds == nil && g.chance(10) && (o.top || distinctNames(f.cols)) {
		return query{sql: "SELECT * FROM " + f.sql + where, cols: f.cols}
	}
	if o.kinds == nil {
		o.kinds = g.someKinds()
	}
	over := &env{cols: f.cols, keys: f.keys, window: o.top || g.chance(5)}
	var terms []string
	switch n := g.n(20); {
	case n < 12:
	case n < 16:
		over, terms = g.groups(rows, f)
	case n < 18:
		over = &env{rows: rows}
	case len(f.relations) == 1 && f.keys != nil:
		return g.extreme(f, where, o)
	}
	distinct := ""
	if g.chance(15) {
		distinct = "DISTINCT "
	}
	items := g.items(over, o, f.cols)
	if terms == nil && over.rows != nil {
		items[0].expr = g.aggregate(rows, o.kinds[0]) // so that it is an aggregate query
	}
	grouped := slices.Clone(terms)
	if terms != nil && g.chance(15) {
		// The first result column is a grouping key, by its number or name.
		key := g.name("key")
		items[0] = item{expr: terms[0], alias: key, ref: ref{name: key, kind: anything}}
		terms[0] = pick(g, "1", key)
	}
	q := query{sql: "SELECT " + distinct + list(items) + " FROM " + f.sql + where}
	if terms != nil {
		q.sql += " GROUP BY " + strings.Join(terms, ", ")
	}
	if over.rows != nil && g.chance(30) {
		q.sql += " HAVING " + g.condition(over.plain(), 1)
	}
	for _, it := range items {
		q.cols = append(q.cols, it.ref)
	}
	return g.finish(q, over, items, o, distinct == "" || shown(grouped, items))
}

// shown reports whether rows show all that they are grouped by, so that DISTINCT
// drops none.
func shown(terms []string, items []item) bool {
	hidden := func(term string) bool {
		return !slices.ContainsFunc(items, func(it item) bool { return it.expr == term })
	}
	return terms != nil && !slices.ContainsFunc(terms, hidden)
}

// finish draws ORDER BY and LIMIT where they may be; free says that the rows
// may be sorted by what is no result column, as DISTINCT drops none.
func (g *gen) finish(q query, over *env, items []item, o queryOptions, free bool) query {
	if o.plain {
		return q
	}
	if !g.sorted(o) {
		if g.chance(5) {
			q.sql += pick(g, wholeCuts...)
		}
		return q
	}
	var sort []string
	for range g.n(3) {
		sort = append(sort, part(g.draws, "term", func() string { return g.orderTerm(over.plain(), items, free) }))
	}
	var last []string
	for _, it := range items {
		if free && !isConstant(it.expr, over) {
			last = append(last, "typeof("+it.expr+")")
		}
	}
	q.sql += g.orderBy(sort, len(items), last, true)
	q.total = true
	return q
}

func list(items []item) string {
	var out []string
	for _, it := range items {
		out = append(out, it.String())
	}
	return strings.Join(out, ", ")
}

func distinctNames(cols []ref) bool {
	seen := map[string]bool{}
	for _, c := range cols {
		n := strings.ToLower(c.name)
		if seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}

// items draws the result columns. Each has a different name, unless nothing
// reads it by that.
func (g *gen) items(over *env, o queryOptions, cols []ref) []item {
	var items []item
	for i, k := range o.kinds {
		x := g.expr(over, k, o.depth)
		if o.inner {
			// Which arm's affinity the columns would have is open
			// (datatype3.html, section 3.3.1), so they get none.
			x = "+" + x
		}
		it := item{expr: x, alias: fmt.Sprintf("r%d", i), ref: ref{kind: k}}
		for _, c := range over.cols {
			if c.sql == x {
				it.ref.kind, it.ref.tame = c.kind, c.tame
			}
		}
		if o.top && g.chance(40) {
			it.alias = ""
			if g.chance(20) {
				it.alias = pick(g, cols...).name // hides the column in ORDER BY
			}
		}
		it.ref.name = it.alias
		items = append(items, it)
	}
	return items
}

func (g *gen) orderTerm(over *env, items []item, free bool) string {
	it := pick(g, items...)
	if free && g.chance(40) {
		if x := g.expr(over, anything, 1); !isConstant(x, over) {
			return x + g.direction()
		}
	}
	if it.alias != "" {
		return quote(it.alias) + g.direction()
	}
	if isConstant(it.expr, over) {
		return "1"
	}
	return it.expr + g.direction()
}

// isConstant reports whether an expression reads no column. ORDER BY and GROUP
// BY may take it for the number of a result column.
func isConstant(sql string, e *env) bool {
	cols := e.cols
	if e.rows != nil {
		cols = slices.Concat(cols, e.rows.cols)
	}
	return !slices.ContainsFunc(cols, func(c ref) bool { return strings.Contains(sql, c.sql) })
}

// groups draws GROUP BY and what expressions over the groups may read: the
// terms, and what they determine.
func (g *gen) groups(rows *env, f from) (*env, []string) {
	over := &env{rows: rows, window: g.chance(5)}
	var terms []string
	for range 1 + g.n(2) {
		c, _ := g.of(rows, anything)
		if g.chance(30) {
			if x := g.expr(rows, c.kind, 1); !isConstant(x, rows) {
				c = ref{sql: x, kind: c.kind}
			}
		}
		over.cols = append(over.cols, c)
		terms = append(terms, c.sql)
	}
	if r := pick(g, f.relations...); r.key != "" && g.chance(20) {
		over.cols = append(over.cols, qualified(r)...)
		terms = append(terms, r.alias+"."+quote(r.key))
	}
	return over, terms
}

// extreme draws a query whose one min() or max() says which row the bare
// columns are of (lang_select.html, section 2.5).
func (g *gen) extreme(f from, where string, o queryOptions) query {
	items := g.items(&env{cols: f.cols}, o, f.cols)
	extreme := fmt.Sprintf("%s(%s)", pick(g, "max", "min"), f.keys[0])
	if o.top {
		items = append(items, item{expr: extreme})
	}
	q := query{sql: "SELECT " + list(items) + " FROM " + f.sql + where}
	if g.chance(60) || !o.top {
		q.sql += " GROUP BY " + pick(g, f.cols...).sql
	}
	if !o.top {
		q.sql += " HAVING " + extreme + " IS NOT NULL"
	}
	for _, it := range items {
		q.cols = append(q.cols, it.ref)
	}
	return q
}

// subquery draws a subquery in an expression, if more of them are allowed.
func (g *gen) subquery(e *env, o queryOptions) (string, bool) {
	if g.queries <= 0 {
		return "", false
	}
	g.queries--
	if g.chance(25) && e.correlates() {
		o.outer = e.cols
	}
	return "(" + g.query(o).sql + ")", true
}

// correlated adds to a WHERE clause what reads the query around it.
func (g *gen) correlated(rows *env, outer []ref, where string) string {
	if where == "" {
		where = " WHERE"
	} else {
		where += " AND"
	}
	to := pick(g, outer...)
	from, _ := g.of(rows, to.kind)
	op := "="
	if g.chance(10) {
		op = pick(g, "IS", "<", ">=", "<>")
	}
	return fmt.Sprintf("%s %s %s %s", where, from.sql, op, to.full)
}

func (g *gen) listQuery(e *env, k kind) (string, bool) {
	return g.subquery(e, queryOptions{depth: 1, kinds: []kind{k}, cut: true})
}

// rowsQuery draws the query of EXISTS, where SQLite takes DISTINCT away
// even if LIMIT and OFFSET follow.
func (g *gen) rowsQuery(e *env) (string, bool) {
	q, ok := g.subquery(e, queryOptions{depth: 1, plain: true})
	if ok && !strings.Contains(q, "DISTINCT") && g.chance(20) {
		q = strings.TrimSuffix(q, ")") + pick(g, slices.Concat(cuts, wholeCuts)...) + ")"
	}
	return q, ok
}

// scalarQuery draws a subquery that gives one row at most.
func (g *gen) scalarQuery(e *env, k kind) (string, bool) {
	if g.queries <= 0 {
		return "", false
	}
	g.queries--
	f := g.from(0)
	rows := &env{cols: f.cols}
	where := ""
	if g.chance(50) {
		where = " WHERE " + g.condition(rows, 1)
	}
	if g.chance(25) && e.correlates() {
		where = g.correlated(rows, e.cols, where)
	}
	x, tail := g.aggregate(rows, k), ""
	switch g.n(5) {
	case 3:
		x = g.expr(&env{rows: rows}, k, 1)
	case 4:
		x, tail = g.expr(rows, k, 1), " ORDER BY 1"+pick(g, " LIMIT 1", " LIMIT 1 OFFSET 1", " LIMIT 1 OFFSET 0", " LIMIT 0")
	}
	if tail == "" && g.chance(10) {
		tail = pick(g, " LIMIT 1", " LIMIT 0", " LIMIT -1", " LIMIT -1 OFFSET 0", " LIMIT -1 OFFSET 1", " LIMIT 1 OFFSET 1")
	}
	return fmt.Sprintf("(SELECT %s FROM %s%s%s)", x, f.sql, where, tail), true
}
