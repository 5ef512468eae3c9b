package value_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

var batchNames = []string{"count", "sum", "total", "avg", "min", "max", "std"}

// newBatch returns an aggregate function that is a Batch.
func newBatch(t interface{ Fatal(...any) }, name string) value.Batch {
	a, err := value.NewAggregate(name, "", value.Binary)
	if err != nil {
		t.Fatal(err)
	}
	batch, ok := a.(value.Batch)
	if !ok {
		t.Fatal(name, "takes no batches")
	}
	return batch
}

// TestBatch draws numbers, cut anywhere into batches of INTEGERs and of REALs,
// and compares with the same numbers one by one.
func TestBatch(t *testing.T) {
	integer := rapid.OneOf(
		rapid.Int64(), rapid.Int64Range(-100, 100),
		rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, 1 << 52, -1 << 52, -1<<52 - 1, 1<<53 + 1, 1 << 62, -1 << 62}),
	)
	real := rapid.OneOf(
		rapid.Float64(), rapid.Float64Range(-100, 100),
		rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e16, -1e16, 0.1}),
	)
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(batchNames).Draw(rt, "name")
		batch := newBatch(rt, name)
		for range rapid.IntRange(1, 2).Draw(rt, "groups") {
			batch.Reset()
			var values []value.Value
			for range rapid.IntRange(0, 3).Draw(rt, "batches") {
				if rapid.Bool().Draw(rt, "integers") {
					ints := rapid.SliceOfN(integer, 0, 20).Draw(rt, "ints")
					batch.StepInts(ints)
					for _, i := range ints {
						values = append(values, value.Int(i))
					}
					continue
				}
				reals := rapid.SliceOfN(real, 0, 20).Draw(rt, "reals")
				batch.StepReals(reals)
				for _, f := range reals {
					values = append(values, value.Float(f))
				}
			}
			want, wantErr := aggregateOf(rt, name, "", value.Binary, values)
			got, err := batch.Result()
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !same(got, want) {
				rt.Fatalf("%s(%v) = %s, %v, want %s, %v", name, values, show(got), err, show(want), wantErr)
			}
		}
	})
}

// TestBatchOverflow has more integers than are added at a time. A sum that
// leaves 64 bits has overflowed, also where it would come back.
func TestBatchOverflow(t *testing.T) {
	const edge = 1 << 52
	for _, test := range []struct {
		name  string
		parts [][]int64 // a number and how often it comes
		want  string
	}{
		{"one block", [][]int64{{edge - 1, 1024}}, "4611686018427386880"},
		{"to the last integer", [][]int64{{1 << 62, 1}, {edge - 1, 1024}, {1023, 1}}, "9223372036854775807"},
		{"past the last", [][]int64{{1 << 62, 1}, {edge - 1, 1024}, {1024, 1}}, "integer overflow"},
		{"past the last and back", [][]int64{{1 << 51, 4096}, {-1 << 51, 4096}}, "integer overflow"},
		{"to the first integer", [][]int64{{-1 << 51, 4096}}, "-9223372036854775808"},
		{"past the first", [][]int64{{-1 << 51, 4096}, {-1, 1}}, "integer overflow"},
		{"small ones after it", [][]int64{{math.MaxInt64, 1}, {1, 2000}, {-1, 2000}}, "integer overflow"},
	} {
		var ints []int64
		for _, p := range test.parts {
			ints = append(ints, slices.Repeat(p[:1], int(p[1]))...)
		}
		values := make([]value.Value, len(ints))
		for i, v := range ints {
			values[i] = value.Int(v)
		}
		for _, name := range batchNames {
			batch := newBatch(t, name)
			batch.StepInts(ints)
			got, err := batch.Result()
			want, wantErr := aggregateOf(t, name, "", value.Binary, values)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !same(got, want) {
				t.Errorf("%s: %s = %s, %v, want %s, %v", test.name, name, show(got), err, show(want), wantErr)
			}
			if name != "sum" {
				continue
			}
			said := got.String()
			if err != nil {
				said = "integer overflow"
			}
			if said != test.want {
				t.Errorf("%s: sum = %s, want %s", test.name, said, test.want)
			}
		}
	}
}

// BenchmarkSum adds a million numbers. The plain loop is the compensated sum as
// written down, "differences" are REALs whose sum is now larger and now smaller
// than the next.
func BenchmarkSum(b *testing.B) {
	const n = 1_000_000
	ints, reals, differences := make([]int64, n), make([]float64, n), make([]float64, n)
	x := uint64(1)
	for i := range n {
		x = x*6364136223846793005 + 1442695040888963407
		ints[i], reals[i] = int64(x>>54), float64(x>>40)/16
		differences[i] = reals[i] - reals[max(i-1, 0)]
	}
	var total, lost float64
	for _, bench := range []struct {
		name string
		run  func(value.Batch)
	}{
		{"integer", func(s value.Batch) { s.StepInts(ints) }},
		{"real", func(s value.Batch) { s.StepReals(reals) }},
		{"real plain loop", func(value.Batch) { total, lost = neumaier(reals) }},
		{"differences", func(s value.Batch) { s.StepReals(differences) }},
		{"differences plain loop", func(value.Batch) { total, lost = neumaier(differences) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := newBatch(b, "sum")
			b.SetBytes(8 * n)
			for b.Loop() {
				s.Reset()
				bench.run(s)
			}
		})
	}
	_, _ = total, lost
}

func neumaier(values []float64) (total, lost float64) {
	for _, f := range values {
		t := total + f
		if math.Abs(total) > math.Abs(f) {
			lost += total - t + f
		} else {
			lost += f - t + total
		}
		total = t
	}
	return total, lost
}
