package find

import (
	"fmt"
	"reflect"
	"testing"
)

// untuned are weights that were set by hand, before anything was measured.
var untuned = weightsOfAll{
	names: weights{
		Name: 3, Table: 1.2, Description: 1, Meaning: .5, Whole: .5, Evidence: 1, Title: 1, Decay: .5, Words: 1, Value: 1,
		Joins: .1, FromDatabase: .3, FromTable: .1, ColumnOfDatabase: 1, Primary: .1, Foreign: .1,
	},
	value: defaultValueWeights,
	tools: toolWeights{Name: 1, First: 1, Rest: .5, Arguments: .5, Pair: .3, Evidence: 1, Synonym: .5, Mass: .3, Database: 1, Value: .3},
}

// tuner finds weights for a dataset.
type tuner struct {
	*bench
	x    *Index
	tb   testing.TB
	seen map[weightsOfAll][]measured
}

// BenchmarkFindTune measures each database with weights for which the questions on the
// other databases find most, as it finds them from those that were set by hand: one after
// another is halved or doubled. So no number is of weights that were chosen on the
// questions that it is about. It takes some minutes on BIRD dev, which BIRDCALL_DATASET
// has to name.
func BenchmarkFindTune(tb *testing.B) {
	b, x := newBench(tb)
	for tb.Loop() {
		t := tuner{b, x, tb, map[weightsOfAll][]measured{}}
		var before, after measured
		for d := range x.parts {
			before.add(t.measure(untuned)[d])
			w := t.without(d)
			after.add(t.measure(w)[d])
			fmt.Printf("%s: %+v %+v\n", x.parts[d].id, w.names, w.tools)
		}
		fmt.Println("\nset by hand")
		before.print()
		fmt.Println("\nchosen by the other databases")
		after.print()
	}
}

// without chooses weights by all databases but one.
func (t *tuner) without(db int) weightsOfAll {
	w := untuned
	for _, part := range []struct {
		of    reflect.Value
		lines []int
	}{
		{reflect.ValueOf(&w.names).Elem(), []int{lineDatabase, lineTables, lineColumns}},
		{reflect.ValueOf(&w.tools).Elem(), []int{lineTool, lineTools}},
	} {
		best := mean(t.measure(w), db, part.lines)
		for f := range part.of.NumField() {
			start := part.of.Field(f).Float()
			keep := start
			for _, factor := range []float64{.5, 2} {
				part.of.Field(f).SetFloat(start * factor)
				if m := mean(t.measure(w), db, part.lines); m > best+1e-9 {
					best, keep = m, start*factor
				}
			}
			part.of.Field(f).SetFloat(keep)
		}
	}
	return w
}

// measure measures weights once.
func (t *tuner) measure(w weightsOfAll) []measured {
	if list, ok := t.seen[w]; ok {
		return list
	}
	y, err := newIndex(t.x.parts, t.x.tools.list, w)
	if err != nil {
		t.tb.Fatal(err)
	}
	t.seen[w] = t.bench.measure(y)
	return t.seen[w]
}

// mean returns the mean share of some lines in all databases but one.
func mean(list []measured, without int, of []int) float64 {
	var sum measured
	for d, m := range list {
		if d != without {
			sum.add(m)
		}
	}
	out := 0.
	for _, l := range of {
		out += (sum[l][0].share() + sum[l][1].share()) / float64(2*len(of))
	}
	return out
}
