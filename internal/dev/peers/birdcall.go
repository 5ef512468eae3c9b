package main

import (
	"context"
	"os"
	"slices"

	"github.com/birdcall/birdcall/internal/dev/toolbench"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// openBirdcall has the lines of package toolbench. Tables share columns and move row
// numbers, where other engines copy cells; copied has the cells of each result copied
// too, by the means that users have.
func openBirdcall(ctx context.Context, file string, copied bool) (*inGo, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := tools.ReadCSV(ctx, f, tools.CSVOptions{})
	if err != nil {
		return nil, err
	}
	all, err := toolbench.Lines(ctx, t)
	if err != nil {
		return nil, err
	}
	e := &inGo{runs: map[string]func(context.Context) (checked, error){}}
	for _, l := range all {
		if !slices.ContainsFunc(lines, func(known line) bool { return known.name == l.Name }) {
			continue // it is a part of another line
		}
		e.runs[l.Name] = func(ctx context.Context) (checked, error) {
			t, err := l.Run(ctx)
			if err == nil && copied {
				_, err = copyOut(ctx, t)
			}
			return func(ctx context.Context) (cells, error) { return tableCells(ctx, t) }, err
		}
	}
	return e, nil
}

// copyOut copies what a result has that its table did not: all columns of a table of
// other rows, and of others those that were computed, with the keys of groups.
func copyOut(ctx context.Context, t *tools.Table) ([]any, error) {
	var out []any
	fields := t.Fields()
	all := !t.Grouped() && !slices.ContainsFunc(fields, func(f tools.Field) bool { return f.Computed })
	for i, f := range fields {
		if !all && !f.Computed && !slices.Contains(t.GroupKeys(), f.Key) {
			continue
		}
		v, err := t.Column(ctx, i)
		if err != nil {
			return nil, err
		}
		out = append(out, copyColumn(v))
	}
	return out, nil
}

// copyColumn copies a column of values of one kind into a slice.
func copyColumn(v tools.View) any {
	if v.Len() == 0 {
		return nil
	}
	switch v.At(0).Kind() {
	case value.Integer:
		return copyCells(v, value.Value.Int64)
	case value.Real:
		return copyCells(v, value.Value.Float64)
	}
	return copyCells(v, value.Value.Raw)
}

func copyCells[T any](v tools.View, of func(value.Value) T) []T {
	out := make([]T, v.Len())
	for i := range out {
		out[i] = of(v.At(i))
	}
	return out
}

type tableOfCells struct {
	length int
	views  map[string]tools.View
}

// tableCells returns the cells of a result. Groups have the number of their rows
// besides them where nothing else was computed of them.
func tableCells(ctx context.Context, t *tools.Table) (cells, error) {
	if t.Grouped() && !slices.Contains(t.Keys(), "sum_real") {
		var err error
		if t, err = tools.AggregateData(ctx, t, tools.AggregateArgs{Type: tools.Count}); err != nil {
			return nil, err
		}
	}
	c := tableOfCells{t.Len(), map[string]tools.View{}}
	for i, key := range t.Keys() {
		v, err := t.Column(ctx, i)
		if err != nil {
			return nil, err
		}
		c.views[key] = v
	}
	return c, nil
}

func (c tableOfCells) rows() int { return c.length }

func (c tableOfCells) number(key string, row int) float64 { return c.views[key].At(row).Float64() }

func (c tableOfCells) text(key string, row int) string { return c.views[key].At(row).Raw() }
