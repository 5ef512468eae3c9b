package tools

import (
	"sort"

	"github.com/birdcall/birdcall/pkg/value"
)

// Frame says which rows of its partition a window function sees from each row
// (https://www.sqlite.org/windowfunctions.html, section 2.2).
type Frame struct {
	// Unit is what the bounds count.
	Unit FrameUnit
	// Start and End are the bounds, both inclusive.
	Start, End Bound
}

// Bound is one end of a Frame.
type Bound struct {
	// Unbounded is the start of the partition for Start, its end for End.
	Unbounded bool
	// Offset counts from the current row: rows, groups of peers, or, for
	// range, the distance in the value of the one order_by column. It is
	// negative for preceding rows; 0 is the current row, and for range and
	// groups all its peers.
	Offset int64
}

var frameUnits = []Choice{
	{Name: string(FrameRows), Description: "the bounds count rows"},
	{Name: string(FrameRange), Description: "the bounds are distances in the value of the order_by column"},
	{Name: string(FrameGroups), Description: "the bounds count groups of rows that are equal in order_by"},
}

// partition is the rows of one partition in their order.
type partition struct {
	rows []int32
	// peers numbers the groups of equal rows, from 0; starts are where they
	// begin, and the end.
	peers  []int32
	starts []int32
	// order is the value by which range frames measure, and its direction.
	order      func(i int) value.Value
	descending bool
	collation  value.Collation
}

// bounds returns the frame of the row at place i as places [from, to).
func (p *partition) bounds(f Frame, i int) (from, to int) {
	to = len(p.rows)
	if !f.Start.Unbounded {
		from = p.edge(f.Unit, i, f.Start.Offset, false)
	}
	if !f.End.Unbounded {
		to = p.edge(f.Unit, i, f.End.Offset, true)
	}
	return from, max(from, to)
}

// edge returns the place where a bound lies: the first place inside for a
// start, the first one beyond for an end.
func (p *partition) edge(unit FrameUnit, i int, offset int64, end bool) int {
	n := int64(len(p.rows))
	extra := int64(0)
	if end {
		extra = 1
	}
	switch {
	case unit == FrameRows:
		return int(clamp(int64(i)+clamp(offset, -n, n)+extra, 0, n))
	case unit == FrameGroups || offset == 0:
		groups := int64(len(p.starts) - 1)
		return int(p.starts[clamp(int64(p.peers[i])+clamp(offset, -groups, groups)+extra, 0, groups)])
	}
	v := p.order(i)
	if v.Kind() == value.Integer || v.Kind() == value.Real {
		if p.descending {
			v = value.Subtract(v, value.Int(offset))
		} else {
			v = value.Add(v, value.Int(offset))
		}
	}
	return sort.Search(len(p.rows), func(k int) bool {
		order := value.Compare(p.order(k), v, p.collation)
		if p.descending {
			order = -order
		}
		return order > 0 || order == 0 && !end
	})
}

func clamp(i, low, high int64) int64 { return min(max(i, low), high) }
