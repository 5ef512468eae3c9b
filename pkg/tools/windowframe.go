package tools

import (
	"cmp"
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
	// Real is a distance that is a REAL, for range, instead of Offset; 0
	// is none.
	Real float64
}

// direction is negative for a bound before the current row, positive for one
// behind it, and 0 for the current row and for none.
func (b Bound) direction() int {
	if b.Real != 0 {
		return cmp.Compare(b.Real, 0)
	}
	return cmp.Compare(b.Offset, 0)
}

// distance is how far a range's bound lies from the current row.
func (b Bound) distance() value.Value {
	d := value.Int(b.Offset)
	if b.Real != 0 {
		d = value.Float(b.Real)
	}
	if b.direction() < 0 {
		return value.Negate(d)
	}
	return d
}

// isEmpty reports whether a frame of rows or groups ends before it starts.
func (f Frame) isEmpty() bool {
	return f.Unit != FrameRange && !f.Start.Unbounded && !f.End.Unbounded && f.Start.Offset > f.End.Offset
}

var exclusions = []Choice{
	{Name: string(ExcludeNoOthers), Description: "none"},
	{Name: string(ExcludeCurrentRow), Description: "the current row"},
	{Name: string(ExcludeGroup), Description: "the current row and its peers"},
	{Name: string(ExcludeTies), Description: "the peers of the current row, but not itself"},
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
	// order is the value by which range frames measure, and how it is sorted.
	order      View
	descending bool
	nullsLast  bool
	collation  value.Collation
}

// bounds returns the frame of the row at place i as places [from, to).
func (p *partition) bounds(f Frame, i int) (from, to int) {
	from, to = p.edges(f, i)
	return from, max(from, to)
}

// edges is bounds where a frame may end before it starts.
func (p *partition) edges(f Frame, i int) (from, to int) {
	to = len(p.rows)
	if !f.Start.Unbounded {
		from = p.edge(f.Unit, i, f.Start, false)
	}
	if !f.End.Unbounded {
		to = p.edge(f.Unit, i, f.End, true)
	}
	return from, to
}

// edge returns the place where a bound lies: the first place inside for a
// start, the first one beyond for an end.
func (p *partition) edge(unit FrameUnit, i int, b Bound, end bool) int {
	extra := int64(0)
	if end {
		extra = 1
	}
	n := p.length(unit)
	switch {
	case unit == FrameRows:
		return p.place(unit, int64(i)+clamp(b.Offset, -n, n)+extra)
	case unit == FrameGroups || b.direction() == 0:
		return p.place(FrameGroups, int64(p.peers[i])+clamp(b.Offset, -n, n)+extra)
	}
	current := p.order.At(int(p.rows[i]))
	return sort.Search(len(p.rows), func(k int) bool { return p.reaches(b, p.order.At(int(p.rows[k])), current, end) })
}

// reaches reports whether v is at or behind a range's start, or behind its end.
// The distance is added to the value that comes first, which matters where that
// is rounded; but nothing gets less by it.
func (p *partition) reaches(b Bound, v, current value.Value, end bool) bool {
	switch preceding := b.direction() < 0; {
	case preceding && end:
		return p.compare(p.shift(v, b), current) > 0
	case preceding:
		return p.compare(v, current) >= 0 || p.compare(p.shift(v, b), current) >= 0
	case end:
		return p.compare(current, v) < 0 && p.compare(p.shift(current, b), v) < 0
	}
	return p.compare(p.shift(current, b), v) <= 0
}

// shift moves a number by the distance of a bound, in the direction of the
// order. Other values stay as they are.
func (p *partition) shift(v value.Value, b Bound) value.Value {
	switch {
	case v.Kind() != value.Integer && v.Kind() != value.Real:
		return v
	case p.descending:
		return value.Subtract(v, b.distance())
	}
	return value.Add(v, b.distance())
}

// length counts the rows, or the groups of peers.
func (p *partition) length(unit FrameUnit) int64 {
	if unit == FrameRows {
		return int64(len(p.rows))
	}
	return int64(len(p.starts) - 1)
}

// place returns where the n-th row or group begins, within the partition.
func (p *partition) place(unit FrameUnit, n int64) int {
	n = clamp(n, 0, p.length(unit))
	if unit == FrameRows {
		return int(n)
	}
	return int(p.starts[n])
}

// compare orders two values of order as the rows are sorted.
func (p *partition) compare(a, b value.Value) int {
	if a.IsNull() != b.IsNull() {
		if a.IsNull() == p.nullsLast {
			return 1
		}
		return -1
	}
	if p.descending {
		a, b = b, a
	}
	return value.Compare(a, b, p.collation)
}

// excludes reports whether the frame of the row at place i leaves out the row
// at another place.
func (p *partition) excludes(e Exclusion, i, place int) bool {
	switch e {
	case ExcludeCurrentRow:
		return place == i
	case ExcludeGroup:
		return p.peers[place] == p.peers[i]
	case ExcludeTies:
		return p.peers[place] == p.peers[i] && place != i
	}
	return false
}

func clamp(i, low, high int64) int64 { return min(max(i, low), high) }
