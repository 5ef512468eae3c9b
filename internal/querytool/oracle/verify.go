package oracle

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// Mismatch is the error of a result that is not what the SQL gives.
type Mismatch struct {
	SQL    string // the statement, as it was run
	Reason string // the first difference
}

// Error returns the difference.
func (m *Mismatch) Error() string { return "the result is not what its SQL gives: " + m.Reason }

// Verify runs the SQL of a query and holds the result against its rows: their
// values with their types, and their order, which is always fixed. The error is a
// *Mismatch if they differ, and else of the database or the context.
func (d *Database) Verify(ctx context.Context, q query.Query, r *query.Result) error {
	b, err := d.builder(q)
	if err != nil {
		return err
	}
	list, err := b.statements()
	if err != nil {
		return err
	}
	var hits []hit
	var args []value.Value
	if q.Search != "" {
		if hits, err = b.search(ctx, d.db); err != nil {
			return err
		}
		rows := make([]int64, len(hits))
		for i, h := range hits {
			rows[i] = h.row
		}
		found, err := json.Marshal(rows)
		if err != nil {
			return err
		}
		args = []value.Value{value.Str(string(found))}
	}
	if err := b.shape(r); err != nil {
		return &Mismatch{list[0].sql, err.Error()}
	}
	for _, s := range list {
		args := args
		if !s.searches {
			args = nil
		}
		want, err := d.db.Query(ctx, s.sql, args...)
		if err != nil {
			return fmt.Errorf("the SQL of the query: %w", err)
		}
		got := b.rows(r, s.top)
		if s.placed {
			// Rows whose scores are within rounding of each other may change places.
			if verdict := verify.Compare(b.canonical(cut(want.Rows), s.top), b.canonical(got, s.top), verify.Options{Ordered: true, Ties: b.ties(want.Rows, hits)}); !verdict.Equal {
				return &Mismatch{s.sql, verdict.Reason}
			}
			continue
		}
		if verdict := verify.Compare(b.canonical(want.Rows, s.top), b.canonical(got, s.top), verify.Options{Ordered: true}); !verdict.Equal {
			return &Mismatch{s.sql, verdict.Reason}
		}
	}
	return nil
}

// cut returns rows without their last column.
func cut(rows [][]value.Value) [][]value.Value {
	out := make([][]value.Value, len(rows))
	for i, row := range rows {
		out[i] = row[:len(row)-1]
	}
	return out
}

// ties numbers rows, the last column of which is the place that the search gave
// them: neighbours of one group and, but for rounding, one score have one number.
func (b *builder) ties(rows [][]value.Value, hits []hit) []int {
	out := make([]int, len(rows))
	for i := 1; i < len(rows); i++ {
		x := hits[rows[i-1][len(rows[i-1])-1].Int64()].score
		y := hits[rows[i][len(rows[i])-1].Int64()].score
		keys := len(b.query.GroupBy)
		out[i] = out[i-1]
		if math.Abs(x-y) > 1e-9*math.Max(math.Abs(x), math.Abs(y)) || !slices.Equal(rows[i-1][:keys], rows[i][:keys]) {
			out[i]++
		}
	}
	return out
}

// shape checks what of a result its rows do not show.
func (b *builder) shape(r *query.Result) error {
	q := b.query
	var columns []string
	if len(q.Aggregations) == 0 {
		columns = b.properties()
	}
	switch same := spelling.Same; {
	case !slices.EqualFunc(r.Columns, columns, same):
		return fmt.Errorf("it has the properties %q, not %q", r.Columns, columns)
	case !slices.EqualFunc(r.Keys, q.GroupBy, same):
		return fmt.Errorf("its groups agree in %q, not %q", r.Keys, q.GroupBy)
	case len(q.GroupBy) > 0 && (r.Objects != nil || r.Values != nil), len(q.GroupBy) == 0 && r.Groups != nil:
		return fmt.Errorf("it has groups beside objects or values")
	case len(q.GroupBy) == 0 && len(r.Values) != len(q.Aggregations):
		return fmt.Errorf("it has %d values of %d aggregations", len(r.Values), len(q.Aggregations))
	}
	for _, g := range r.Groups {
		if len(g.Key) != len(q.GroupBy) || len(g.Values) != len(q.Aggregations) || (len(g.Objects) == 0) == (len(q.Aggregations) == 0) {
			return fmt.Errorf("a group has %d properties, %d values and %d objects", len(g.Key), len(g.Values), len(g.Objects))
		}
	}
	return nil
}

// rows returns a result as the rows of a statement: of the aggregation top, or of
// all else.
func (b *builder) rows(r *query.Result, top int) [][]value.Value {
	q := b.query
	if len(q.GroupBy) == 0 && len(q.Aggregations) == 0 {
		return r.Objects
	}
	groups := r.Groups
	if len(q.GroupBy) == 0 {
		groups = []query.Group{{Values: r.Values}}
	}
	var out [][]value.Value
	add := func(g query.Group, cells ...value.Value) { out = append(out, slices.Concat(g.Key, cells)) }
	for _, g := range groups {
		switch {
		case len(q.Aggregations) == 0:
			for _, object := range g.Objects {
				add(g, object...)
			}
		case top >= 0:
			for _, o := range g.Values[top].Occurrences {
				add(g, o.Value, value.Int(o.Count))
			}
			if len(g.Values[top].Occurrences) == 0 && len(q.GroupBy) > 0 {
				add(g, value.NullValue(), value.Int(0))
			}
		default:
			var cells []value.Value
			for i, v := range g.Values {
				if q.Aggregations[i].Metric != query.TopOccurrences {
					cells = append(cells, v.Value)
				}
			}
			add(g, cells...)
		}
	}
	return out
}

// canonical replaces equal values by one of them, in columns where SQLite
// may show any of them: NOCASE finds a and A equal, and a column without a type may
// have 1 and 1.0.
func (b *builder) canonical(rows [][]value.Value, top int) [][]value.Value {
	collations := map[int]value.Collation{}
	mark := func(at int, property string) {
		c := b.table.Column(property)
		if c == nil {
			return
		}
		collation, _ := value.CollationNamed(c.Collation)
		if collation != value.Binary || c.Affinity == value.AffinityBlob || c.Affinity == value.AffinityNone {
			collations[at] = collation
		}
	}
	q := b.query
	for i, k := range q.GroupBy {
		mark(i, k)
	}
	switch {
	case top >= 0:
		mark(len(q.GroupBy), q.Aggregations[top].Property)
	case len(q.Aggregations) > 0:
		at := len(q.GroupBy)
		for _, a := range q.Aggregations {
			if a.Metric == query.TopOccurrences {
				continue
			}
			if slices.Contains([]query.Metric{query.Min, query.Max, query.Mode, query.Median}, a.Metric) {
				mark(at, a.Property)
			}
			at++
		}
	case q.Distinct:
		for i, p := range b.properties() {
			mark(i, p)
		}
	}
	out := make([][]value.Value, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		for at, collation := range collations {
			if at < len(row) {
				out[i][at] = value.Key(row[at], collation)
			}
		}
	}
	return out
}
