package convert

import (
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// Refused says that no query says what a statement does.
type Refused struct {
	Construct string // of SQL
	Reason    string
}

// Error implements error.
func (r *Refused) Error() string { return r.Reason }

func refuse(construct, format string, args ...any) error {
	return &Refused{construct, fmt.Sprintf(format, args...)}
}

// translation is a statement as a query.
type translation struct {
	query query.Query
	parts []query.Part // the columns of the statement's result
	// ordered says that the statement has an ORDER BY, which the query has too.
	ordered bool
	// assumes names what must hold of the data, "" for nothing.
	assumes string
}

// translator writes a statement as a query.
type translator struct {
	set        query.Toolset
	table      *engine.Table
	source     *sqltree.Source
	collection *query.Collection
	translation
}

// translate writes a statement as a query of a toolset. The error is a *Refused.
func translate(q *sqltree.Query, collections []query.Collection, set query.Toolset) (*translation, error) {
	arm, err := oneTable(q)
	if err != nil {
		return nil, err
	}
	t := &translator{set: set, table: arm.From.Source.Table, source: arm.From.Source}
	if t.collection = query.Find(collections, t.table.Name); t.collection == nil {
		return nil, refuse("unknown table", "there is no collection %s", t.table.Name)
	}
	t.query.Collection = t.collection.Name
	if t.query.Filters, err = t.where(arm.Where); err != nil {
		return nil, err
	}
	switch {
	case len(arm.GroupBy) > 0:
		err = t.grouped(q, arm)
	case len(arm.Aggregates) > 0:
		err = t.aggregated(q, arm)
	default:
		err = t.objects(q, arm)
	}
	if err != nil {
		return nil, err
	}
	if set == query.Paper {
		if err := t.oneOfEach(); err != nil {
			return nil, err
		}
	}
	if err := t.query.Validate(set, collections); err != nil {
		return nil, refuse("size of the query", "%v", err) // all else has been looked at
	}
	return &t.translation, nil
}

// oneOfEach refuses several aggregations of properties of one type, of which the
// paper's tool has one.
func (t *translator) oneOfEach() error {
	seen := map[query.Type]bool{}
	for _, a := range t.query.Aggregations {
		kind := query.AsPaper(t.collection.Property(a.Property).Type)
		if seen[kind] {
			return refuse("two aggregations of one type", "the paper's tool has one aggregation for each type")
		}
		seen[kind] = true
	}
	return nil
}

// oneTable returns the arm of a statement that reads one table.
func oneTable(q *sqltree.Query) (*sqltree.Select, error) {
	switch {
	case len(q.With) > 0:
		return nil, refuse("WITH", "a query has no common table expressions")
	case len(q.Arms) > 1:
		return nil, refuse(string(q.Arms[1].Op), "a query has one SELECT")
	}
	arm := q.Arms[0]
	switch {
	case arm.Values || arm.From == nil:
		return nil, refuse("no FROM", "a query reads a collection")
	case arm.From.Left != nil || arm.From.Nested != nil:
		return nil, refuse("JOIN", "a query reads one collection, and the statement %d tables", len(arm.Sources))
	case arm.From.Source.Table == nil:
		return nil, refuse("subquery in FROM", "a query reads a collection")
	case arm.Having != nil:
		return nil, refuse("HAVING", "groups are not filtered")
	case len(arm.DistinctOn) > 0:
		return nil, refuse("DISTINCT ON", "a query has no such thing")
	}
	return arm, nil
}

// property returns the property that an expression is.
func (t *translator) property(e sqltree.Expr) (*query.Property, bool) {
	c, ok := e.(*sqltree.Column)
	if !ok {
		return nil, false
	}
	if c.Alias != nil {
		return t.property(c.Alias.Expr)
	}
	name := ""
	switch {
	case c.State != sqltree.Bound || c.Source != t.source || c.Coalesced != nil:
		return nil, false
	case c.Index == sqltree.RowID:
		name = t.table.IntegerPrimaryKey
	default:
		name = t.source.Columns[c.Index].Name
	}
	p := t.collection.Property(name)
	return p, p != nil && name != ""
}

// objects writes a statement that lists rows.
func (t *translator) objects(q *sqltree.Query, arm *sqltree.Select) error {
	var names []string
	for _, item := range arm.Items {
		p, ok := t.property(item.Expr)
		if !ok {
			return refuse(computed(item.Expr), "a query returns properties, and the statement computes %s", item.Name)
		}
		t.parts = append(t.parts, query.Part{Of: query.PartObjects, Property: p.Name})
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	if t.set == query.Paper {
		switch {
		case arm.Distinct && len(names) == 1:
			// The groups of a property have its different values.
			t.query.GroupBy = names
			for i := range t.parts {
				t.parts[i].Of = query.PartGroups
			}
		case arm.Distinct:
			return refuse("DISTINCT", "the paper's tool has none")
		}
		return t.ends(q, "the paper's tool has none")
	}
	if len(names) < len(t.collection.Properties) || arm.Distinct {
		t.query.Properties = names
	}
	t.query.Distinct = arm.Distinct
	for _, o := range q.OrderBy {
		p, ok := t.property(orderExpr(arm, o))
		if !ok {
			return refuse("ORDER BY expression", "objects are sorted by properties")
		}
		if err := t.order(o, query.Order{Property: p.Name}); err != nil {
			return err
		}
	}
	return t.limit(q)
}

// ends refuses an ORDER BY and a LIMIT.
func (t *translator) ends(q *sqltree.Query, reason string) error {
	switch {
	case q.Limit != nil:
		return refuse("LIMIT", "%s", reason)
	case len(q.OrderBy) > 0:
		return refuse("ORDER BY", "%s", reason)
	}
	return nil
}

// orderExpr is what a term of ORDER BY means.
func orderExpr(arm *sqltree.Select, o *sqltree.Order) sqltree.Expr {
	if o.Item >= 0 && o.Item < len(arm.Items) {
		return arm.Items[o.Item].Expr
	}
	return o.Expr
}

// order adds a term. Its NULL must come where queries have it.
func (t *translator) order(o *sqltree.Order, as query.Order) error {
	if o.NullsFirst == o.Desc {
		return refuse("NULLS FIRST", "NULL comes first, and last where the order is descending")
	}
	as.Descending = o.Desc
	t.query.OrderBy = append(t.query.OrderBy, as)
	t.ordered = true
	return nil
}

func (t *translator) limit(q *sqltree.Query) error {
	if q.Limit == nil {
		return nil
	}
	limit, ok := count(q.Limit)
	if !ok || limit == 0 {
		return refuse("LIMIT", "a limit is a number of 1 or more")
	}
	t.query.Limit = limit
	if q.Offset != nil {
		if t.query.Offset, ok = count(q.Offset); !ok {
			return refuse("OFFSET", "an offset is a number")
		}
	}
	return nil
}

// count returns a literal that counts.
func count(e sqltree.Expr) (int, bool) {
	l, ok := e.(*sqltree.Literal)
	if !ok || l.Value.Kind() != value.Integer || l.Value.Int64() < 0 || l.Value.Int64() > 1<<31-1 {
		return 0, false
	}
	return int(l.Value.Int64()), true
}

// computed names what an expression does.
func computed(e sqltree.Expr) string {
	switch e := e.(type) {
	case *sqltree.Case:
		return "CASE"
	case *sqltree.Cast:
		return "CAST"
	case *sqltree.Call:
		switch {
		case e.Over != nil:
			return "window function"
		case sqlfunc.Canonical(e.Name) == "iif":
			return "CASE"
		}
		return "function " + e.Name
	case *sqltree.Subquery, *sqltree.Exists:
		return "subquery"
	case *sqltree.Binary, *sqltree.Unary:
		return "arithmetic"
	case *sqltree.Literal:
		return "literal as a column"
	case *sqltree.Column:
		return "unknown column"
	case *sqltree.Collate:
		return "COLLATE"
	}
	return "expression"
}
