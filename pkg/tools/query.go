package tools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// Query is a chain of tools on a table. Its methods only note what is to be
// done, so they need neither a context nor an error: Table, Print and Scalar
// run the chain and return its first error. A Query never changes; each method
// returns a new one, so that several can share their first steps.
type Query struct {
	steps []queryStep
}

// queryStep is one link of a chain.
type queryStep func(ctx context.Context, s queryState) (queryState, error)

// queryState is what a chain has come to.
type queryState struct {
	table *Table
	// keys are those that a grouped table was grouped by.
	keys []string
}

// From begins a query on a table.
func From(t *Table) Query {
	return Query{}.with(func(_ context.Context, s queryState) (queryState, error) {
		s.table = t
		return s, t.check("from", "")
	})
}

// FromCSV begins a query on a CSV file, which is read as ReadCSV reads it when
// the query runs.
func FromCSV(path string) Query {
	return Query{}.with(func(ctx context.Context, s queryState) (queryState, error) {
		f, err := os.Open(path)
		if err != nil {
			return s, fmt.Errorf("from CSV: %w", err)
		}
		defer f.Close()
		if s.table, err = ReadCSV(ctx, f, CSVOptions{}); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		return s, err
	})
}

func (q Query) with(next queryStep) Query {
	return Query{append(slices.Clip(q.steps), next)}
}

// Do notes a function on tables as the next step: one that this package has no
// method for, or one of your own.
func (q Query) Do(f func(context.Context, *Table) (*Table, error)) Query {
	return q.with(func(ctx context.Context, s queryState) (queryState, error) {
		if f == nil {
			return s, errors.New("query: a function of Do is nil")
		}
		err := s.table.check("query", "")
		if err != nil {
			return s, err
		}
		s.table, err = f(ctx, s.table)
		return s, err
	})
}

// Filter keeps the rows where the condition on a column is true; see
// FilterData. Most conditions take one value, Between takes two, In and NotIn
// any number or a slice, and IsNull and the like none. A value is what
// OperandOf takes: a Go value, Col for another column, or a *Table.
func (q Query) Filter(key string, c Condition, values ...any) Query {
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) {
		var operand Operand
		switch len(values) {
		case 0:
		case 1:
			operand = OperandOf(values[0])
		default:
			operand = List(values...)
		}
		return FilterData(ctx, t, FilterArgs{Key: key, Condition: c, Value: operand})
	})
}

// Direction is one way to sort.
type Direction bool

// The directions. NULL comes first where ascending and last where descending.
const (
	Ascending  Direction = false
	Descending Direction = true
)

// Sort orders the rows by one or more columns, the most significant first; see
// SortData. Rows that are equal keep their order, so that two calls sort by two
// columns in different directions, the less significant one first.
func (q Query) Sort(d Direction, keys ...string) Query {
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) {
		return SortData(ctx, t, SortArgs{Keys: keys, Descending: bool(d)})
	})
}

// GroupBy gathers the rows that agree in some columns into groups, for the
// steps up to the next Select, Distinct, Limit, Join or Combine; see
// GroupDataBy. Without keys all rows are one group. Where a query ends in
// groups, its result has their keys and what was computed of them; Select
// chooses other columns.
func (q Query) GroupBy(keys ...string) Query {
	return q.with(func(ctx context.Context, s queryState) (queryState, error) {
		var err error
		s.keys = keys
		s.table, err = GroupDataBy(ctx, s.table, GroupArgs{Keys: keys})
		return s, err
	})
}

// Aggregate reduces a column to one value, in each group where there are any;
// see AggregateData. The result is named by the aggregation and the column, as
// in sum_pages. Count counts rows where the column is "".
func (q Query) Aggregate(aggregation Aggregation, key string) Query {
	return q.AggregateWith(AggregateArgs{Type: aggregation, Key: key})
}

// AggregateWith is Aggregate with all the arguments there are.
func (q Query) AggregateWith(a AggregateArgs) Query {
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) { return AggregateData(ctx, t, a) })
}

// Transform computes a column; see TransformData.
func (q Query) Transform(a TransformArgs) Query {
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) { return TransformData(ctx, t, a) })
}

// Window adds a column with a window function; see WindowData.
func (q Query) Window(a WindowArgs) Query {
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) { return WindowData(ctx, t, a) })
}

// Join joins another table; see JoinData.
func (q Query) Join(other *Table, a JoinArgs) Query {
	return q.plain().Do(func(ctx context.Context, t *Table) (*Table, error) { return JoinData(ctx, t, other, a) })
}

// Expand makes one row for each element of JSON; see ExpandJSON.
func (q Query) Expand(a ExpandArgs) Query {
	return q.plain().Do(func(ctx context.Context, t *Table) (*Table, error) { return ExpandJSON(ctx, t, a) })
}

// Combine puts the rows of another table to these; see CombineData.
func (q Query) Combine(operation SetOperation, other *Table) Query {
	if operation != Either { // which identifies the rows of two filters of one grouped table
		q = q.plain()
	}
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) {
		return CombineData(ctx, t, other, CombineArgs{Operation: operation})
	})
}

// Select keeps these columns, in this order; see RetrieveData.
func (q Query) Select(keys ...string) Query {
	return q.Do(func(ctx context.Context, t *Table) (*Table, error) {
		return RetrieveData(ctx, t, RetrieveArgs{Keys: append([]string{}, keys...)})
	})
}

// Distinct drops the rows that are equal to an earlier one.
func (q Query) Distinct() Query {
	return q.plain().Do(SelectUniqueValues)
}

// Limit keeps the first n rows; less than 0 keeps all.
func (q Query) Limit(n int) Query {
	if n == 0 {
		n = NoRows
	}
	return q.plain().Do(func(ctx context.Context, t *Table) (*Table, error) {
		return RetrieveData(ctx, t, RetrieveArgs{Limit: n})
	})
}

// plain makes rows of groups: their keys, and what was computed of them.
func (q Query) plain() Query {
	return q.with(func(ctx context.Context, s queryState) (queryState, error) {
		if !s.table.Grouped() {
			return s, nil
		}
		keys := slices.Clone(s.keys)
		for i, f := range s.table.fields {
			if !s.table.representative(i) && !slices.Contains(keys, f.Key) {
				keys = append(keys, f.Key)
			}
		}
		if len(keys) == 0 {
			keys = nil
		}
		var err error
		s.table, err = RetrieveData(ctx, s.table, RetrieveArgs{Keys: keys})
		return s, err
	})
}

// Table runs the query. The error is that of the first step that failed.
func (q Query) Table(ctx context.Context) (*Table, error) {
	if err := ready(ctx, "query"); err != nil {
		return nil, err
	}
	if len(q.steps) == 0 {
		return nil, (*Table)(nil).check("query", "")
	}
	var s queryState
	for _, step := range q.plain().steps {
		var err error
		if s, err = step(ctx, s); err != nil {
			return nil, err
		}
		if err := s.table.check("query", ""); err != nil {
			return nil, err
		}
	}
	return s.table, nil
}

// Print runs the query and prints the result with the default bounds; see
// Table.Print.
func (q Query) Print(ctx context.Context, w io.Writer) error {
	t, err := q.Table(ctx)
	if err != nil {
		return err
	}
	return t.Print(ctx, w, PrintOptions{})
}

// Scalar runs the query and returns the first cell, NULL without rows.
func (q Query) Scalar(ctx context.Context) (value.Value, error) {
	t, err := q.Table(ctx)
	if err != nil {
		return value.NullValue(), err
	}
	return t.Scalar(ctx)
}
