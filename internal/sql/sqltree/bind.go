package sqltree

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// Bind resolves the names of a query and everything in it against a schema. The
// error is a *dialect.Error: the statement has more result columns than SQLite
// gives.
func Bind(q *Query, schema *engine.Schema) error {
	b := &binder{schema: schema, dialect: q.Dialect}
	b.query(q, nil)
	return b.err
}

// binder binds one statement.
type binder struct {
	schema  *engine.Schema
	dialect *engine.Dialect
	columns int // expanded from stars
	err     error
}

// maxExpanded bounds the columns that all stars of a statement stand for: each
// star may stand for twice as many as the one in the subquery below it.
const maxExpanded = 8 * dialect.MaxColumns

func (b *binder) query(q *Query, parent *scope) {
	if b.err != nil {
		return
	}
	q.own = &scope{parent: parent, query: q, with: q.With, dialect: b.dialect}
	for i, c := range q.With {
		c.scope = q.own
		if !b.dialect.ImpliedRecursion && !q.RecursiveWith {
			c.scope = &scope{parent: parent, query: q, with: q.With[:i], dialect: b.dialect}
		}
	}
	for i, s := range q.Arms {
		b.arm(s, q.own)
		if i == 0 && b.err == nil {
			b.outputs(q, s)
		}
	}
	for _, c := range q.With {
		b.cte(c) // also where nothing reads it
	}
	b.outputTypes(q)
	b.orderBy(q)
	for _, e := range []Expr{q.Limit, q.Offset} {
		b.expr(e, q.own)
	}
	for _, s := range q.Arms {
		s.findAggregates()
	}
}

// cte binds a common table expression when it is first read.
func (b *binder) cte(c *CTE) {
	if c.bound {
		return
	}
	if c.binding {
		c.Recursive = true
		return
	}
	c.binding = true
	b.query(c.Query, c.scope)
	c.binding, c.bound = false, true
}

func (b *binder) arm(s *Select, outer *scope) {
	s.scope = &scope{parent: outer, arm: s, dialect: b.dialect}
	b.from(s, s.From, outer)
	if b.expand(s); b.err != nil {
		return
	}
	s.scope.aliases = b.dialect.AliasesInWhere // ON sees them, as WHERE does
	b.conditions(s, s.From)
	s.scope.aliases = false
	for _, it := range s.Items {
		if !it.Star {
			it.Expr = b.expr(it.Expr, s.scope)
		}
	}
	s.scope.aliases = b.dialect.AliasesInWhere
	s.Where = b.expr(s.Where, s.scope)
	for i := range s.GroupBy {
		s.GroupBy[i] = b.groupBy(s.GroupBy[i], s)
	}
	for i := range s.DistinctOn {
		s.DistinctOn[i] = b.groupBy(s.DistinctOn[i], s)
	}
	s.Having = b.expr(s.Having, s.scope)
}

// from enters the sources of a FROM clause.
func (b *binder) from(s *Select, j *Join, outer *scope) {
	if j == nil || b.err != nil {
		return
	}
	b.from(s, j.Left, outer)
	if j.Nested != nil {
		b.from(s, j.Nested, outer)
		return
	}
	src := j.Source
	src.Select, src.At, src.dialect = s, len(s.Sources), b.dialect
	for i := range src.Args {
		src.Args[i] = b.expr(src.Args[i], s.scope)
	}
	switch {
	case src.Query != nil && src.Lateral:
		b.query(src.Query, s.scope)
		src.take(src.Query, src.Names)
	case src.Query != nil:
		b.query(src.Query, outer)
		src.take(src.Query, src.Names)
	case src.Function && !b.dialect.KnownFunctions:
		// What a function gives is not known here.
	case src.Function:
		// A full-text table may be called with what it is searched for.
		if src.Table = b.table(src.TableName); src.Table != nil {
			src.takeTable()
		} else {
			src.elements()
		}
	default:
		b.fromTable(src, outer)
	}
	before := s.Sources
	s.Sources = append(s.Sources, src)
	j.merge(before)
	if len(s.Sources) > dialect.MaxTables && b.err == nil {
		b.err = &dialect.Error{Construct: "join", Reason: "more tables in one FROM clause than SQLite joins; split it"}
	}
}

// table binds a name in FROM: a common table expression's, or a table's.
func (b *binder) fromTable(src *Source, outer *scope) {
	if c := outer.cte(src.TableName); c != nil && src.Schema == "" {
		src.CTE, src.Query = c, c.Query
		b.cte(c)
		src.take(c.Query, c.Columns)
		src.rename()
		if c.Recursive && !c.bound {
			// Its columns are known by its first arm only, or by their names.
			for i := range c.Columns {
				if i >= len(src.Columns) {
					src.Columns = append(src.Columns, SourceColumn{Name: c.Columns[i], Collation: BinaryCollation})
				}
			}
			src.Known, src.Recursive = len(src.Columns) > 0, true
		}
		for _, column := range c.Query.Outer {
			outer.read(column)
		}
		return
	}
	if slices.Contains(b.dialect.Catalogs, src.Schema) {
		return
	}
	if src.Table = b.table(src.TableName); src.Table == nil {
		return
	}
	src.takeTable()
	src.rename()
}

// rename gives the columns of a source the names that its alias has for them.
func (s *Source) rename() {
	for i := range s.Names {
		if i < len(s.Columns) {
			s.Columns[i].Name = s.Names[i]
		}
	}
}

// takeTable gives a source the columns of its table.
func (s *Source) takeTable() {
	s.Known = true
	s.Columns = make([]SourceColumn, len(s.Table.Columns))
	for i := range s.Table.Columns {
		c := &s.Table.Columns[i]
		s.Columns[i] = SourceColumn{Name: c.Name, Info: c, Affinity: c.Affinity, Collation: c.Collation, Hidden: c.Hidden}
	}
}

// elements gives json_each and json_tree their columns
// (https://www.sqlite.org/json1.html, section 4.24).
func (s *Source) elements() {
	if !sqlfunc.SQLite(s.TableName).Is(sqlfunc.TableValued) {
		return
	}
	s.Known = true
	for _, name := range []string{"key", "value", "type", "atom", "id", "parent", "fullkey", "path", "json", "root"} {
		s.Columns = append(s.Columns, SourceColumn{
			Name: name, Affinity: value.AffinityBlob, Collation: BinaryCollation, Hidden: name == "json" || name == "root",
		})
	}
}

// take gives a source the columns of a query. names may rename them.
func (s *Source) take(q *Query, names []string) {
	s.Known = true
	for _, other := range q.Arms[0].Sources {
		s.Known = s.Known && other.Known
	}
	s.Columns = make([]SourceColumn, len(q.Columns))
	for i, c := range q.Columns {
		s.Columns[i] = SourceColumn{Name: c.Name, Affinity: c.Affinity, Collation: c.Collation}
		if i < len(names) {
			s.Columns[i].Name = names[i]
		}
	}
}

// conditions binds what a FROM clause is joined on.
func (b *binder) conditions(s *Select, j *Join) {
	if j == nil {
		return
	}
	b.conditions(s, j.Left)
	b.conditions(s, j.Nested)
	j.On = b.expr(j.On, s.scope)
}

// expand puts the columns that stars stand for among the items, and bounds how
// many there are.
func (b *binder) expand(s *Select) {
	if len(s.Stars) > 0 {
		b.expandStars(s)
	}
	if len(s.Items) > dialect.MaxColumns && b.err == nil {
		b.err = &dialect.Error{Construct: "SELECT", Reason: "more result columns than SQLite gives"}
	}
}

func (b *binder) expandStars(s *Select) {
	var items []*Item
	next := 0
	for _, it := range s.Items {
		if it != nil {
			items = append(items, it)
			continue
		}
		star := &s.Stars[next]
		next++
		star.At = len(items)
		if star.Table == "" && b.dialect.MergedStars {
			for _, column := range s.From.starColumns() {
				column.place(at(star.Span))
				items = append(items, &Item{Expr: column, Name: column.Name, Span: star.Span, Star: true})
			}
		}
		for _, src := range s.Sources {
			if star.Table != "" && !b.dialect.Same(star.Table, src.Name) || star.Table == "" && b.dialect.MergedStars {
				continue
			}
			for i, c := range src.Columns {
				if c.Hidden || star.Table == "" && c.Merged {
					continue
				}
				column := &Column{node: at(star.Span), Table: src.Name, Name: c.Name, State: Bound, Source: src, Index: i}
				if star.Table == "" {
					column.merged(c.merges)
				}
				items = append(items, &Item{Expr: column, Name: c.Name, Span: star.Span, Star: true})
			}
		}
		star.Count = len(items) - star.At
		if b.columns += star.Count; (b.columns > maxExpanded || len(items) > dialect.MaxColumns) && b.err == nil {
			b.err = &dialect.Error{Construct: "SELECT", Reason: "more result columns than SQLite gives; name those that are needed in place of *"}
			return
		}
	}
	s.Items = items
}

// outputs names the columns of a query's result.
func (b *binder) outputs(q *Query, s *Select) {
	for _, it := range s.Items {
		q.Columns = append(q.Columns, OutputColumn{Name: it.Name, Item: it, Collation: BinaryCollation})
	}
	b.outputTypes(q)
}

// outputTypes finds the affinities and collations of a query's columns: those
// of the first arm, or of the next that has one.
func (b *binder) outputTypes(q *Query) {
	if b.err != nil {
		return
	}
	for i := range q.Columns {
		c := &q.Columns[i]
		c.Affinity, c.Collation = value.AffinityNone, BinaryCollation
		for n, s := range q.Arms {
			if i >= len(s.Items) || s.Items[i] == nil {
				break
			}
			x := s.Items[i].Expr
			if c.Affinity == value.AffinityNone {
				c.Affinity = Affinity(x)
			}
			if n == 0 {
				c.Collation, _ = Compared(x)
			}
		}
	}
}

// expr binds an expression and returns what takes its place.
func (b *binder) expr(e Expr, s *scope) Expr {
	if e == nil || b.err != nil {
		return e
	}
	if c, ok := e.(*Column); ok {
		return column(c, s)
	}
	each := func(list ...*Expr) {
		for _, x := range list {
			if *x != nil {
				*x = b.expr(*x, s)
			}
		}
	}
	all := func(list []Expr) {
		for i := range list {
			list[i] = b.expr(list[i], s)
		}
	}
	orders := func(list []*Order) {
		for _, o := range list {
			o.Expr = b.expr(o.Expr, s)
		}
	}
	switch e := e.(type) {
	case *Unary:
		each(&e.X)
	case *Binary:
		each(&e.X, &e.Y)
	case *Pattern:
		each(&e.X, &e.Y, &e.Escape)
	case *Between:
		each(&e.X, &e.Low, &e.High)
	case *In:
		each(&e.X)
		all(e.List)
	case *Case:
		each(&e.Operand, &e.Else)
		for i := range e.Whens {
			each(&e.Whens[i].Cond, &e.Whens[i].Then)
		}
	case *Call:
		all(e.Args)
		orders(e.OrderBy)
		each(&e.Filter)
		if w := e.Over; w != nil {
			all(w.Partition)
			orders(w.OrderBy)
			if w.Frame != nil {
				each(&w.Frame.Start.Offset, &w.Frame.End.Offset)
			}
		}
	case *Cast:
		each(&e.X)
	case *Collate:
		each(&e.X)
	case *Row:
		all(e.Items)
	case *Other:
		all(e.Args)
	}
	if q := SubqueryOf(e); q != nil {
		b.query(q, s)
	}
	return e
}

// column resolves a column reference. A name that nothing answers to is a text
// where it is in double quotes, and TRUE and FALSE are numbers
// (lang_expr.html, sections 3.1 and 14).
func column(c *Column, s *scope) Expr {
	s.resolve(c)
	if c.State != Unknown || c.Table != "" || !s.dialect.LooseNames {
		return c
	}
	if c.Quoted {
		if s.known() {
			return &Literal{node: c.node, Value: value.Str(c.Name), Quoted: true}
		}
		return c
	}
	if spelling.Same(c.Name, "true") || spelling.Same(c.Name, "false") {
		return &Literal{node: c.node, Value: value.Bool(spelling.Same(c.Name, "true")), Word: true}
	}
	return c
}

// known reports whether all columns that the scope can name are known.
func (s *scope) known() bool {
	for ; s != nil; s = s.parent {
		if s.arm == nil {
			continue
		}
		for _, src := range s.arm.Sources {
			if !src.Known {
				return false
			}
		}
	}
	return true
}
