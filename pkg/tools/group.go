package tools

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// GroupArgs are the arguments of GroupDataBy.
type GroupArgs struct {
	// Keys name the columns that rows of a group agree in. Without keys the
	// whole table is one group, also when it has no row.
	Keys []string
}

// grouping is what a grouped table remembers of the table it was made from.
// The groups are numbered as they first appeared; a row of the grouped table
// or of one descending from it finds its number in its position.
type grouping struct {
	keys    []string
	source  *Table
	starts  []int32 // where each group begins in members, and the end
	members []int32 // row numbers of source, group by group
}

// of returns the source rows of a group.
func (g *grouping) of(group int32) []int32 {
	return g.members[g.starts[group]:g.starts[group+1]]
}

// GroupDataBy gathers rows with equal values into groups, in the order in
// which the groups first appear. The result has one row for each group. All
// columns stay visible and show the first row of the group, which is what
// SQLite's bare columns show (https://www.sqlite.org/lang_select.html, section
// 2.5). NULLs are equal here. Errors are *ToolError, and those of the database
// and the context.
func GroupDataBy(ctx context.Context, t *Table, a GroupArgs) (*Table, error) {
	const tool = toolname.Group
	if err := ready(ctx, tool, t); err != nil {
		return nil, err
	}
	columns := make([]int, len(a.Keys))
	for i, k := range a.Keys {
		c, err := t.find(tool, toolname.ArgKeyName, k)
		if err != nil {
			return nil, err
		}
		columns[i] = c
	}
	source := t.ungrouped()
	codes, size, err := source.rowCodes(ctx, columns)
	if err != nil {
		return nil, err
	}
	g := newGrouping(source, codes, int(size))
	g.keys = slices.Clone(a.Keys)
	first := make([]int32, size)
	for i := range first {
		first[i] = -1
		if members := g.of(int32(i)); len(members) > 0 {
			first[i] = members[0]
		}
	}
	out := source.take(first)
	out.root, out.positions, out.groups = new(lineage), nil, g
	return out, nil
}

// newGrouping sorts rows into groups by their numbers.
func newGrouping(source *Table, codes []int32, size int) *grouping {
	g := &grouping{source: source, starts: make([]int32, size+1), members: make([]int32, len(codes))}
	for _, c := range codes {
		g.starts[c+1]++
	}
	for i := range size {
		g.starts[i+1] += g.starts[i]
	}
	next := append([]int32(nil), g.starts[:size]...)
	for row, c := range codes {
		g.members[next[c]] = int32(row)
		next[c]++
	}
	return g
}

// represent returns the grouped table t with other representative rows: for
// each row of t a row of the source. Columns that belong to the group as a
// whole stay as they are.
func (t *Table) represent(rows []int32) *Table {
	out := *t
	out.vectors = append([][]int32(nil), t.vectors...)
	for i, v := range t.groups.source.vectors {
		out.vectors[i] = gather(v, rows)
	}
	return &out
}

// representative reports whether a column of the grouped table t shows a row
// of the source, and not a value of the group as a whole.
func (t *Table) representative(column int) bool {
	return t.fields[column].vector < len(t.groups.source.vectors)
}
