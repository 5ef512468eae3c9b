package query

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Options adjust what queries of a Database depend on besides themselves. The zero
// value is right for most callers.
type Options struct {
	// MaxRows bounds the objects of a result, in groups too, and its groups; 0 is
	// tools.DefaultMaxRows.
	MaxRows int
	// MaxBytes bounds the texts and BLOBs of a result; 0 is tools.DefaultMaxBytes.
	MaxBytes int
	// MaxValue bounds the bytes of one value or stored row that is read; 0 is 256 MiB.
	MaxValue int
	// MaxSearch bounds the memory that the words of searched collections take; 0 is
	// 256 MiB.
	MaxSearch int64
	// Searcher searches collections; nil is the lexical search that the package's
	// comment names.
	Searcher Searcher
	// Immutable says that nobody writes to the file until Close. It is neither locked
	// nor looked at then.
	Immutable bool
	// Live lets other programs write to the file between queries. What a query gave is
	// of one state of the data if Current says so after it. Immutable comes first.
	Live bool
	// Known, if not nil, has the properties of tables of APIs that other databases of
	// the same ID have found, and gets those that this one finds.
	Known *Known
	// Now is the time of a date that is the text 'now'; zero is bird.DefaultAsOf.
	Now time.Time
}

func (o Options) withDefaults() Options {
	o.MaxRows = cmp.Or(o.MaxRows, tools.DefaultMaxRows)
	o.MaxBytes = cmp.Or(o.MaxBytes, tools.DefaultMaxBytes)
	if o.Now.IsZero() {
		o.Now = bird.DefaultAsOf
	}
	return o
}

// Run answers a query. Errors are *tools.ToolError for what is wrong with the query,
// also where it shows in the data only, such as a sum that is too large or texts that
// are too many to search; *tools.LimitError where the result has more than Options
// allow; and those of the database and of the context.
func (d *Database) Run(ctx context.Context, q Query) (*Result, error) {
	return d.RunFirst(ctx, q, math.MaxInt)
}

// RunFirst is Run for who shows no more than so many objects, of each group too, and
// groups: the others are counted and not read.
func (d *Database) RunFirst(ctx context.Context, q Query, most int) (*Result, error) {
	collections, err := d.describeOne(ctx, q.Collection)
	if err != nil {
		return nil, err
	}
	if err := q.Validate(Full, collections); err != nil {
		return nil, err
	}
	c := Find(collections, q.Collection)
	base, err := tools.FromDatabase(ctx, d.store, c.Name)
	if err != nil {
		return nil, err
	}
	r := &run{q: q, c: c, base: base, options: d.options, most: max(most, 0), paid: budget.Of(ctx)}
	t := base
	if q.Search != "" {
		rows, err := d.search(ctx, c.Name, q.Search)
		if err != nil {
			return nil, err
		}
		if t, err = take(ctx, t, rows); err != nil {
			return nil, err
		}
	}
	if t, err = r.filter(ctx, t); err != nil {
		return nil, err
	}
	switch {
	case len(q.GroupBy) > 0:
		return r.groups(ctx, t)
	case len(q.Aggregations) > 0:
		return r.aggregates(ctx, t)
	}
	return r.objects(ctx, t)
}

// run is one query on its way.
type run struct {
	q       Query
	c       *Collection
	base    *tools.Table // the whole collection
	options Options
	most    int // objects and groups to read
	paid    *budget.Budget
	rows    int // of the result so far
	bytes   int
}

// at returns the place of a property, which Validate has found.
func (r *run) at(name string) int {
	return slices.IndexFunc(r.c.Properties, func(p Property) bool { return spelling.Same(p.Name, name) })
}

// property returns a property, and the key and the rules of its column.
func (r *run) property(name string) (*Property, tools.Field) {
	at := r.at(name)
	return &r.c.Properties[at], r.base.Fields()[at]
}

// keys returns the columns of properties.
func (r *run) keys(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		_, f := r.property(name)
		out[i] = f.Key
	}
	return out
}

// shown returns the properties that objects are returned with, and their columns.
func (r *run) shown() (names []string, types []Type, keys []string) {
	if len(r.q.Properties) > 0 {
		names, types = r.described(r.q.Properties)
		return names, types, r.keys(r.q.Properties)
	}
	for _, p := range r.c.Properties {
		names, types = append(names, p.Name), append(types, p.Type)
	}
	return names, types, r.base.Keys()
}

// described returns the names of properties as the collection has them, and their
// types.
func (r *run) described(list []string) (names []string, types []Type) {
	for _, name := range list {
		p, _ := r.property(name)
		names, types = append(names, p.Name), append(types, p.Type)
	}
	return names, types
}

// aggregations returns those of the query with names as the collection has them.
func (r *run) aggregations() []Aggregation {
	out := slices.Clone(r.q.Aggregations)
	for i, a := range out {
		if a.Property != "" {
			p, _ := r.property(a.Property)
			out[i].Property = p.Name
		}
	}
	return out
}

// objects gives the result of a query without groups and aggregations.
func (r *run) objects(ctx context.Context, t *tools.Table) (*Result, error) {
	for _, o := range slices.Backward(r.q.OrderBy) { // equal objects keep their order
		_, f := r.property(o.Property)
		var err error
		if t, err = tools.SortData(ctx, t, tools.SortArgs{Keys: []string{f.Key}, Descending: o.Descending}); err != nil {
			return nil, err
		}
	}
	names, types, keys := r.shown()
	t, err := tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: keys, Distinct: r.q.Distinct, Limit: r.q.Limit, Offset: r.q.Offset})
	if err != nil {
		return nil, err
	}
	views, err := viewsOf(ctx, t)
	if err != nil {
		return nil, err
	}
	objects, err := r.read(ctx, views, group{to: t.Len()})
	if err != nil {
		return nil, err
	}
	return &Result{Columns: names, Types: types, Objects: objects, Count: t.Len()}, nil
}

// aggregates gives the result of a query with aggregations and without groups.
func (r *run) aggregates(ctx context.Context, t *tools.Table) (*Result, error) {
	metrics, err := r.metrics(ctx, t, r.q.Aggregations)
	if err != nil {
		return nil, err
	}
	values, err := r.values(ctx, metrics, group{to: t.Len()})
	if err != nil {
		return nil, err
	}
	return &Result{Aggregations: r.aggregations(), Values: values}, nil
}

// viewsOf returns all columns of a table.
func viewsOf(ctx context.Context, t *tools.Table) ([]tools.View, error) {
	out := make([]tools.View, len(t.Keys()))
	for i := range out {
		var err error
		if out[i], err = t.Column(ctx, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// every is how many rows pass between two looks at the context.
const every = 4096

// read copies rows of columns, the first ones.
func (r *run) read(ctx context.Context, views []tools.View, g group) ([][]value.Value, error) {
	g.to = g.from + min(r.most, g.to-g.from)
	if err := r.grow(g.to - g.from); err != nil {
		return nil, err
	}
	out := make([][]value.Value, 0, g.to-g.from)
	for row := g.from; row < g.to; row++ {
		if row%every == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		object := make([]value.Value, len(views))
		for i, v := range views {
			object[i] = v.At(row)
			if err := r.weigh(object[i]); err != nil {
				return nil, err
			}
		}
		out = append(out, object)
	}
	return out, ctx.Err()
}

// grow counts rows of the result.
func (r *run) grow(rows int) error {
	if r.rows += rows; r.rows > r.options.MaxRows {
		return &tools.LimitError{Tool: ToolName, What: "rows", Limit: r.options.MaxRows}
	}
	const row = 24 // bytes
	return r.paid.Spend(int64(rows) * row)
}

// weigh counts the bytes of a value of the result.
func (r *run) weigh(v value.Value) error {
	if r.bytes += len(v.Raw()); r.bytes > r.options.MaxBytes {
		return &tools.LimitError{Tool: ToolName, What: "bytes", Limit: r.options.MaxBytes}
	}
	const cell = 32 // bytes
	return r.paid.Spend(cell + int64(len(v.Raw())))
}
