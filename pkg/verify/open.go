package verify

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// Candidates are the rows of a query before its LIMIT.
type Candidates struct {
	// Rows are all of them in the order of the query; under DISTINCT they are
	// distinct already.
	Rows [][]value.Value
	// Groups numbers the sort keys: neighbours of the same number have equal
	// keys. Nil stands for a query without ORDER BY, where any row may come
	// first; otherwise there must be a number for each row.
	Groups []int
	// Limit is the greatest number of rows wanted, negative for all of them.
	Limit int64
	// Offset is the number of rows left out at the start; a negative one is 0.
	Offset int64
}

// OneOf reports whether got is one of the answers that the query may give. It
// is if it has as many rows as LIMIT and OFFSET leave, group after group: the
// rows of a group that lies wholly within them all, and of a group that they
// cut through any of its rows, each as often as it is there. Cells are the
// same as in Compare with the zero Options.
func OneOf(got [][]value.Value, c Candidates) bool {
	groups := c.Groups
	if groups == nil {
		groups = make([]int, len(c.Rows))
	}
	if len(groups) != len(c.Rows) {
		return false
	}
	start := int(min(max(c.Offset, 0), int64(len(c.Rows))))
	end := len(c.Rows)
	if c.Limit >= 0 && c.Limit < int64(end-start) {
		end = start + int(c.Limit)
	}
	if len(got) != end-start {
		return false
	}
	for _, r := range runs(groups) {
		n := min(r.end, end) - max(r.start, start)
		if n <= 0 {
			continue
		}
		if _, rest := matchRows(c.Rows[r.start:r.end], got[:n], false); len(rest) > 0 {
			return false
		}
		got = got[n:]
	}
	return true
}

// OneOfEach reports whether got has exactly one row of each group, as a query
// gives them that groups rows but selects a column that it neither groups by
// nor aggregates: groups holds, for each group, the rows any of which is right.
// If ordered, the rows must come in the order of the groups. Cells are the
// same as in Compare with the zero Options.
//
// Groups that share rows are distinguished by a best matching. It is given up,
// with the answer false, where many thousands of groups share one row.
func OneOfEach(got [][]value.Value, groups [][][]value.Value, ordered bool) bool {
	if len(got) != len(groups) {
		return false
	}
	if ordered {
		for i, row := range got {
			if !slices.ContainsFunc(groups[i], func(r []value.Value) bool { return sameRow(r, row, false) }) {
				return false
			}
		}
		return true
	}
	rows := slices.Concat(groups...)
	owner := make([]int, 0, len(rows))
	for g, group := range groups {
		owner = append(owner, slices.Repeat([]int{g}, len(group))...)
	}
	labels := cluster(slices.Concat(got, rows), false)
	labelled := make([][]int, len(labels))
	for i := range rows {
		label := labels[len(got)+i]
		labelled[label] = append(labelled[label], i)
	}
	_, free := assign(len(got), len(groups), owner,
		func(i int) []int { return labelled[labels[i]] },
		func(i, r int) bool { return sameRow(rows[r], got[i], false) })
	return len(free) == 0
}
