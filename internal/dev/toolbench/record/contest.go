package main

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/dev/toolbench"
)

// contest is a line against the yardstick that does work of its kind, so that caches,
// memory and the computer's clock weigh on both alike.
type contest struct {
	toolbench.Line
	least   time.Duration // 0 until it was measured
	against *yardstick
}

// yardstick is a plain loop over a million integers.
type yardstick struct {
	run   func() uint64
	found uint64        // by run: without it, the compiler could leave the loop out
	least time.Duration // of its turns with all lines
}

// pair gives each line its yardstick.
func pair(lines []toolbench.Line) []*contest {
	numbers := make([]uint64, toolbench.Rows)
	x := uint64(1)
	for i := range numbers {
		x = x*6364136223846793005 + 1442695040888963407
		numbers[i] = x
	}
	places := groups(numbers)
	mix := &yardstick{run: func() uint64 { return mixed(numbers) }}
	sort := &yardstick{run: func() uint64 { return sorted(numbers)[0] }}
	gather := &yardstick{run: func() uint64 { return gathered(numbers, places) }}
	others := map[string]*yardstick{
		"sort integer": sort, "sort real": sort, "sort text": sort, "window": sort,
		"sum of groups": gather, "group and sum": gather,
	}
	contests := make([]*contest, len(lines))
	for i, l := range lines {
		contests[i] = &contest{Line: l, against: mix}
		if y := others[l.Name]; y != nil {
			contests[i].against = y
		}
	}
	return contests
}

// mixed mixes the numbers, each with what became of those before.
func mixed(numbers []uint64) uint64 {
	var h uint64
	for _, n := range numbers {
		h = (h ^ n) * 0x9e3779b97f4a7c15
	}
	return h
}

// sorted returns the numbers in order.
func sorted(numbers []uint64) []uint64 {
	out := slices.Clone(numbers)
	slices.Sort(out)
	return out
}

// groups returns the places of the numbers, group by group.
func groups(numbers []uint64) []uint32 {
	places := make([]uint32, len(numbers))
	for i := range places {
		places[i] = uint32(i)
	}
	slices.SortStableFunc(places, func(a, b uint32) int { return cmp.Compare(numbers[a]>>54, numbers[b]>>54) })
	return places
}

// none is 0, which the compiler does not know.
var none uint64

// gathered adds up the numbers at places. It asks memory for one when it has the one
// before, as a loop does that has more to do with each.
func gathered(numbers []uint64, places []uint32) uint64 {
	var sum, n uint64
	for _, p := range places {
		n = numbers[uint64(p)+n&none]
		sum += n
	}
	return sum
}

// A turn is over after both so many runs and so much time.
const (
	turnRuns = 3
	turnTime = 300 * time.Millisecond
)

// measure gives the line and its yardstick a turn, in which they run one after the
// other again and again.
func (c *contest) measure(ctx context.Context) error {
	begun := time.Now()
	for runs := 0; runs < turnRuns || time.Since(begun) < turnTime; runs++ {
		c.against.least = lesser(c.against.least, timed(func() { c.against.found = c.against.run() }))
		var err error
		c.least = lesser(c.least, timed(func() { _, err = c.Run(ctx) }))
		if err != nil {
			return err
		}
	}
	return nil
}

// timed returns the processor time of f when there is no garbage of others.
func timed(f func()) time.Duration {
	runtime.GC()
	start := toolbench.CPU()
	f()
	return toolbench.CPU() - start
}

// lesser returns the lesser of two times, of which the first may not be there yet.
func lesser(old, d time.Duration) time.Duration {
	if old == 0 {
		return d
	}
	return min(old, d)
}

func (c *contest) ratio() float64 { return float64(c.least) / float64(c.against.least) }
