package querygrid

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// The bounds of a search for a query.
const (
	maxTries = 150 // queries of a combination that are tried
	draws    = 4   // of values for each way to ask
)

// quality is how good a query must be. Where there is none that is good, one that is
// merely right will do.
type quality struct {
	leastObjects int64 // that search and filter let through
	maxObjects   int64 // that are listed
	leastGroups  int
	noNulls      bool // no aggregation that is NULL, no group whose key is
}

var qualities = []quality{{2, 100, 2, true}, {1, 5000, 1, false}}

// find makes a new query of a combination; the profile is nil if there is none.
func (g *grid) find(ctx context.Context, c Combination) (query.Query, *profile, error) {
	for _, wanted := range qualities {
		tries := 0
		for _, at := range slices.Clone(g.turns.collections) {
			p := g.profiles[at]
			if !p.allows(c) {
				continue
			}
			for _, way := range g.ways(c) {
				for range draws {
					q, ok := g.draw(p, c, way)
					if !ok || g.seen[key(q, g.db)] {
						continue
					}
					if tries++; tries > maxTries {
						return query.Query{}, nil, nil
					}
					good, err := g.matters(ctx, p, q, wanted)
					if err != nil {
						return query.Query{}, nil, err
					}
					if good {
						g.seen[key(q, g.db)] = true
						g.turns.collections.taken(at)
						g.take(c, way)
						return q, p, nil
					}
				}
			}
		}
	}
	return query.Query{}, nil, nil
}

// key identifies a query.
func key(q query.Query, db *query.Database) string {
	text, err := jsontext.Marshal(q.Arguments(query.Paper, db.Collections()), "")
	if err != nil {
		return ""
	}
	return string(text)
}

// way is how a combination is asked: the comparison and the metric whose turn it is,
// and the type of the property that groups.
type way struct {
	comparison comparison
	metric     query.Metric
	group      query.Type
}

// ways returns all ways to ask a combination, those whose turn it is first.
func (g *grid) ways(c Combination) []way {
	comparisons, metrics, groups := []comparison{{}}, []query.Metric{""}, []query.Type{""}
	if c.Filter != "" {
		comparisons = slices.Clone(g.turns.comparisons[c.Filter])
	}
	if c.Aggregation != "" {
		metrics = slices.Clone(g.turns.metrics[c.Aggregation])
		// The type of a property is the same whatever is found. Now and then it is
		// asked of all objects.
		if !c.Search && c.Filter == "" && g.random.IntN(4) == 0 {
			metrics = slices.Insert(metrics, 0, query.TypeOf)
		}
	}
	if c.Grouped {
		groups = slices.Clone(g.turns.groups)
	}
	var out []way
	for _, m := range metrics {
		for _, compared := range comparisons {
			for i, group := range groups {
				if !slices.Contains(groups[:i], group) {
					out = append(out, way{compared, m, group})
				}
			}
		}
	}
	return out
}

// take ends the turn of a way.
func (g *grid) take(c Combination, w way) {
	g.turns.comparisons[c.Filter].taken(w.comparison)
	g.turns.metrics[c.Aggregation].taken(w.metric)
	if c.Grouped {
		g.turns.groups.taken(w.group)
	}
}

// matters reports whether the result of a query is good, and another one without
// any of its arguments.
func (g *grid) matters(ctx context.Context, p *profile, q query.Query, wanted quality) (bool, error) {
	n, err := g.count(ctx, q)
	if err != nil || n < wanted.leastObjects {
		return false, err
	}
	if len(q.Aggregations) == 0 && n > wanted.maxObjects {
		return false, nil
	}
	if (q.Search != "" || len(q.Filters) > 0) && n == p.rows {
		return false, nil
	}
	if q.Search != "" && len(q.Filters) > 0 {
		for _, less := range without(q)[:2] {
			if more, err := g.count(ctx, less); err != nil || more == n {
				return false, err
			}
		}
	}
	if len(q.GroupBy) == 0 && len(q.Aggregations) == 0 {
		return true, nil
	}
	if len(q.Aggregations) == 0 { // the objects of each group
		q.Aggregations = []query.Aggregation{{Metric: query.Count}}
		r, err := g.db.Run(ctx, q)
		return err == nil && isGood(r, wanted, n), failure(err)
	}
	r, err := g.db.Run(ctx, q)
	if err != nil || !isGood(r, wanted, n) {
		return false, failure(err)
	}
	for _, less := range without(q) {
		other, err := g.db.Run(ctx, less)
		if failure(err) != nil {
			return false, err
		}
		if err == nil && same(r, other) {
			return false, nil
		}
	}
	return true, nil
}

// count returns how many objects the search and the filters of a query find.
func (g *grid) count(ctx context.Context, q query.Query) (int64, error) {
	q.GroupBy, q.Aggregations = nil, []query.Aggregation{{Metric: query.Count}}
	r, err := g.db.Run(ctx, q)
	if err != nil {
		return 0, failure(err)
	}
	return r.Values[0].Value.Int64(), nil
}

// failure returns an error that ends the work, nil for one of the query itself,
// such as a sum that is too large or a result that has too many rows.
func failure(err error) error {
	if wrong := (*tools.ToolError)(nil); errors.As(err, &wrong) {
		return nil
	}
	if limit := (*tools.LimitError)(nil); errors.As(err, &limit) {
		return nil
	}
	return err
}

// without returns a query without its search, without its filter, and without the
// limit of TOP_OCCURRENCES, as far as it has them. Without its aggregation or its
// groups it has a result of another kind.
func without(q query.Query) []query.Query {
	var out []query.Query
	if q.Search != "" {
		less := q
		less.Search = ""
		out = append(out, less)
	}
	if len(q.Filters) > 0 {
		less := q
		less.Filters = nil
		out = append(out, less)
	}
	if len(q.Aggregations) > 0 && q.Aggregations[0].Limit > 0 {
		less := q
		less.Aggregations = slices.Clone(q.Aggregations)
		less.Aggregations[0].Limit = 0
		out = append(out, less)
	}
	return out
}

// isGood holds the result of n objects against what is wanted.
func isGood(r *query.Result, wanted quality, n int64) bool {
	groups := r.Groups
	if r.Keys == nil {
		groups = []query.Group{{Values: r.Values}}
	} else if len(groups) < wanted.leastGroups || len(groups) > maxGroups || wanted.noNulls && int64(len(groups)) == n {
		return false
	}
	for _, g := range groups {
		if wanted.noNulls && slices.ContainsFunc(g.Key, value.Value.IsNull) {
			return false
		}
		for i, v := range g.Values {
			if v.Occurrences == nil && v.Value.IsNull() && (wanted.noNulls || r.Keys == nil) || v.Occurrences != nil && len(v.Occurrences) == 0 {
				return false
			}
			if r.Keys == nil && !isInformative(r.Aggregations[i], v, n, wanted) {
				return false
			}
		}
	}
	return true
}

// isInformative reports whether the value of an aggregation is more than a matter of course.
func isInformative(a query.Aggregation, v query.Value, n int64, wanted quality) bool {
	number := func() float64 {
		if v.Value.Kind() == value.Integer {
			return float64(v.Value.Int64())
		}
		return v.Value.Float64()
	}
	if !wanted.noNulls {
		return true
	}
	switch a.Metric {
	case query.TotalTrue, query.TotalFalse:
		return number() > 0 && number() < float64(n)
	case query.PercentageTrue, query.PercentageFalse:
		return number() > 0 && number() < 100
	case query.TopOccurrences:
		return len(v.Occurrences) > 1 && v.Occurrences[0].Count > 1
	}
	return true
}

// same reports whether two results are the same.
func same(a, b *query.Result) bool {
	cells := slices.Equal[[]value.Value]
	values := func(x, y []query.Value) bool {
		return slices.EqualFunc(x, y, func(v, w query.Value) bool {
			return v.Value == w.Value && slices.Equal(v.Occurrences, w.Occurrences)
		})
	}
	return slices.EqualFunc(a.Objects, b.Objects, cells) && values(a.Values, b.Values) &&
		slices.Equal(a.Keys, b.Keys) && slices.EqualFunc(a.Groups, b.Groups, func(g, h query.Group) bool {
		return cells(g.Key, h.Key) && values(g.Values, h.Values) && slices.EqualFunc(g.Objects, h.Objects, cells)
	})
}

// isFrequent reports whether a value is there more than once, or in a small sample.
func (p *property) isFrequent(v value.Value) bool { return p.counts[v] > 1 }

// quotable reports whether a text can be in a question and in a pattern.
func quotable(s string) bool {
	return s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, "\"\n\r\t%_") && strings.ToValidUTF8(s, "") == s
}
