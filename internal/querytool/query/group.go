package query

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// groups gives the result of a query with groups.
func (r *run) groups(ctx context.Context, t *tools.Table) (*Result, error) {
	keys := r.keys(r.q.GroupBy)
	t, err := tools.SortData(ctx, t, tools.SortArgs{Keys: keys}) // which leaves the objects of a group in their order
	if err != nil {
		return nil, err
	}
	groups, err := r.divide(ctx, t, keys)
	if err != nil {
		return nil, err
	}
	if groups, err = r.order(ctx, t, groups); err != nil {
		return nil, err
	}
	groups = groups[min(r.q.Offset, len(groups)):]
	if r.q.Limit > 0 {
		groups = groups[:min(r.q.Limit, len(groups))]
	}
	out := &Result{Count: len(groups), Aggregations: r.aggregations()}
	out.Keys, out.KeyTypes = r.described(r.q.GroupBy)
	shown := t
	if len(r.q.Aggregations) == 0 {
		var columns []string
		out.Columns, out.Types, columns = r.shown()
		if shown, err = tools.RetrieveData(ctx, t, tools.RetrieveArgs{Keys: columns}); err != nil {
			return nil, err
		}
	}
	out.Groups, err = r.fill(ctx, t, shown, keys, groups[:min(r.most, len(groups))])
	return out, err
}

// divide finds the runs of rows that agree in some columns, of a table that is
// sorted by them.
func (r *run) divide(ctx context.Context, t *tools.Table, keys []string) ([]group, error) {
	var out []group
	views := make([]tools.View, len(keys))
	collations := make([]value.Collation, len(keys))
	for i, name := range r.q.GroupBy {
		_, f := r.property(name)
		collations[i] = f.Collation
		var err error
		if views[i], err = column(ctx, t, keys[i]); err != nil {
			return nil, err
		}
	}
	for row := range t.Len() {
		if row%every == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		same := row > 0
		for i := 0; same && i < len(views); i++ {
			same = value.Compare(views[i].At(row-1), views[i].At(row), collations[i]) == 0
		}
		if !same {
			out = append(out, group{row, row})
		}
		out[len(out)-1].to = row + 1
	}
	return out, nil
}

// order sorts groups by OrderBy. Equal ones stay in the order of their keys.
func (r *run) order(ctx context.Context, t *tools.Table, groups []group) ([]group, error) {
	if len(r.q.OrderBy) == 0 {
		return groups, nil
	}
	type sorted struct {
		group
		by []value.Value
	}
	collations := make([]value.Collation, len(r.q.OrderBy)) // what is computed has none of its own
	list := make([]sorted, len(groups))
	for i, g := range groups {
		list[i] = sorted{g, make([]value.Value, len(r.q.OrderBy))}
	}
	for j, o := range r.q.OrderBy {
		if o.Aggregation != nil {
			metrics, err := r.metrics(ctx, t, []Aggregation{*o.Aggregation})
			if err != nil {
				return nil, err
			}
			for i, g := range groups {
				v, err := metrics[0].of(ctx, g)
				if err != nil {
					return nil, err
				}
				list[i].by[j] = v.Value
			}
			continue
		}
		_, f := r.property(o.Property)
		collations[j] = f.Collation
		view, err := column(ctx, t, f.Key)
		if err != nil {
			return nil, err
		}
		for i, g := range groups {
			list[i].by[j] = view.At(g.from)
		}
	}
	slices.SortStableFunc(list, func(a, b sorted) int {
		for j, o := range r.q.OrderBy {
			if c := value.Compare(a.by[j], b.by[j], collations[j]); c != 0 {
				if o.Descending {
					return -c
				}
				return c
			}
		}
		return 0
	})
	for i := range list {
		groups[i] = list[i].group
	}
	return groups, nil
}

// fill computes what is returned of each group: the aggregations, or its objects of
// the table shown, which has the rows of t.
func (r *run) fill(ctx context.Context, t, shown *tools.Table, keys []string, groups []group) ([]Group, error) {
	views := make([]tools.View, len(keys))
	for i, key := range keys {
		var err error
		if views[i], err = column(ctx, t, key); err != nil {
			return nil, err
		}
	}
	metrics, err := r.metrics(ctx, t, r.q.Aggregations)
	if err != nil {
		return nil, err
	}
	listed := len(metrics) == 0
	var objects []tools.View
	if listed {
		if objects, err = viewsOf(ctx, shown); err != nil {
			return nil, err
		}
	} else if err := r.grow(len(groups)); err != nil {
		return nil, err
	}
	out := make([]Group, len(groups))
	for i, g := range groups {
		for _, v := range views {
			out[i].Key = append(out[i].Key, v.At(g.from))
		}
		for _, v := range out[i].Key {
			if err := r.weigh(v); err != nil {
				return nil, err
			}
		}
		out[i].Count = g.to - g.from
		if listed {
			out[i].Objects, err = r.read(ctx, objects, g)
		} else {
			out[i].Values, err = r.values(ctx, metrics, g)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
