package tools

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// CombineArgs are the arguments of CombineData.
type CombineArgs struct {
	// Operation is how the tables are put together.
	Operation SetOperation
	// MaxRows bounds the result; 0 is DefaultMaxRows.
	MaxRows int
}

var combinations = []Choice{
	{Name: string(UnionAll), Description: "the rows of the first, then those of the second"},
	{Name: string(Union), Description: "the distinct rows of both"},
	{Name: string(Intersect), Description: "the distinct rows of the first that are in the second"},
	{Name: string(Except), Description: "the distinct rows of the first that are not in the second"},
	{Name: string(Either), Description: "the rows of one source that either of two filters kept, each once, in source order"},
}

// CombineData puts two tables together. All operations but either compare and
// place rows by value, column by column in their order, with the keys of the
// first table; NULLs are equal, no affinity applies, and texts compare under
// the collation of the first table (https://www.sqlite.org/lang_select.html,
// section 4). Rows come in the order of the first table, then of the second.
//
// Either takes two tables that descend from one table by filtering, sorting
// and transforming, and whose columns have the same keys. It identifies rows by
// their place in that table, so that equal rows stay apart and a row that both
// have comes once, as the first table has it.
//
// The result is a plain table, but for either of two filters of one grouped
// table, which stays grouped. Errors are *ToolError, *LimitError, and those of
// the database and the context.
func CombineData(ctx context.Context, t, other *Table, a CombineArgs) (*Table, error) {
	const tool = toolname.Combine
	if err := ready(ctx, tool, t, other); err != nil {
		return nil, err
	}
	if err := oneOf(tool, toolname.ArgOperation, string(a.Operation), combinations); err != nil {
		return nil, err
	}
	if a.Operation == Either {
		return either(ctx, tool, t, other)
	}
	if len(t.fields) != len(other.fields) {
		return nil, &ToolError{Tool: tool, Argument: toolname.ArgOtherDataSource, Reason: fmt.Sprintf("has %d columns, the first table has %d", len(other.fields), len(t.fields)), Hint: "retrieve the same number of columns from both"}
	}
	limit := min(Options{MaxRows: a.MaxRows}.rows(), math.MaxInt32)
	if n := t.rows + other.rows; n > math.MaxInt32 || a.Operation == UnionAll && n > limit {
		return nil, &LimitError{Tool: tool, What: "rows", Limit: limit}
	}
	both, err := stack(ctx, t, other, other.all())
	if err != nil || a.Operation == UnionAll {
		return both, err
	}
	codes, size, err := both.rowCodes(ctx, both.all())
	if err != nil {
		return nil, err
	}
	second := make([]bool, size)
	for _, c := range codes[t.rows:] {
		second[c] = true
	}
	done := make([]bool, size)
	rows := []int32{}
	for row, c := range codes {
		keep := a.Operation == Union || row < t.rows && second[c] == (a.Operation == Intersect)
		if keep && !done[c] {
			done[c] = true
			rows = append(rows, int32(row))
		}
	}
	if len(rows) > limit {
		return nil, &LimitError{Tool: tool, What: "rows", Limit: limit}
	}
	return both.take(rows), nil
}

// stack returns the rows of t and below them those of the given columns of
// other, as a plain table with the keys of t.
func stack(ctx context.Context, t, other *Table, columns []int) (*Table, error) {
	out := &Table{rows: t.rows + other.rows, root: new(lineage)}
	vectors := map[[2]int]int{}
	for i, f := range t.fields {
		below := other.fields[columns[i]]
		f.Collation = pairCollation(f, below)
		f.Computed = f.Computed && below.Computed
		f.Affinity = stackedAffinity(f.Affinity, below.Affinity)
		if f.source == below.source {
			pair := [2]int{f.vector, below.vector}
			to, ok := vectors[pair]
			if !ok {
				to = len(out.vectors)
				vectors[pair] = to
				out.vectors = append(out.vectors, append(t.rowNumbers(f.vector), other.rowNumbers(below.vector)...))
			}
			f.vector = to
			out.fields = append(out.fields, f)
			continue
		}
		column, err := appended(ctx, t, i, other, columns[i])
		if err != nil {
			return nil, err
		}
		f.source, f.vector = &lazyColumn{column: column}, len(out.vectors)
		out.vectors = append(out.vectors, nil)
		out.fields = append(out.fields, f)
	}
	out.reindex()
	return out, nil
}

// stackedAffinity is the affinity of a column that comes from two: the common
// one, or else BLOB, which converts nothing. SQLite's documentation leaves it
// open (https://www.sqlite.org/datatype3.html, section 3.3.1).
func stackedAffinity(a, b value.Affinity) value.Affinity {
	if a == b {
		return a
	}
	if a.Numeric() && b.Numeric() {
		return value.AffinityNumeric
	}
	return value.AffinityBlob
}

// rowNumbers returns a vector of t in full.
func (t *Table) rowNumbers(vector int) []int32 {
	if v := t.vectors[vector]; v != nil {
		return v[:len(v):len(v)]
	}
	return count(t.rows)
}

// appended returns the values of one column and below them those of another.
func appended(ctx context.Context, t *Table, i int, other *Table, j int) (*Column, error) {
	var b ColumnBuilder
	b.Grow(t.rows + other.rows)
	first, err := t.Column(ctx, i)
	if err != nil {
		return nil, err
	}
	second, err := other.Column(ctx, j)
	if err != nil {
		return nil, err
	}
	for _, v := range []View{first, second} {
		for row := range v.length {
			if err := stopped(ctx, row); err != nil {
				return nil, err
			}
			b.Append(v.At(row))
		}
	}
	return b.Column(), nil
}

// either unites two tables of one lineage.
func either(ctx context.Context, tool string, t, other *Table) (*Table, error) {
	if t.root != other.root {
		return nil, &ToolError{Tool: tool, Argument: toolname.ArgOtherDataSource, Reason: "does not come from the same table as data_source", Hint: "use two filters of one result, or union_all"}
	}
	columns, err := other.findAll(tool, toolname.ArgOtherDataSource, t.Keys())
	if err != nil {
		return nil, err
	}
	both, err := stack(ctx, t, other, columns)
	if err != nil {
		return nil, err
	}
	position := func(row int32) int32 {
		if int(row) < t.rows {
			return t.position(int(row))
		}
		return other.position(int(row) - t.rows)
	}
	order := count(both.rows)
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(position(a), position(b)) })
	order = slices.CompactFunc(order, func(a, b int32) bool { return position(a) == position(b) })
	out := both.take(order)
	if t.groups == other.groups {
		// A third filter can join in, and groups remain groups.
		out.groups = t.groups
		out.root, out.positions = t.root, make([]int32, len(order))
		for i, row := range order {
			out.positions[i] = position(row)
		}
	}
	return out, ctx.Err()
}
