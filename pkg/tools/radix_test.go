package tools

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// cores runs a test with some numbers of cores.
func cores(t *testing.T, test func(t *testing.T)) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, n := range []int{1, 2, 3} {
		runtime.GOMAXPROCS(n)
		test(t)
	}
}

// TestRadixSort compares radixSort with a sort that compares numbers, for lengths
// around those at which it changes its ways.
func TestRadixSort(t *testing.T) {
	ctx := context.Background()
	cores(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, radixRows - 1, radixRows, radixRows + 1, 2*partRows - 1, 2 * partRows, 3*partRows + 1} {
			low := bits.Len(uint(n))
			for _, width := range []int{1, digitBits, digitBits + 1, 40, 64 - low} {
				random := rand.New(rand.NewPCG(uint64(n), uint64(width)))
				numbers := make([]uint64, n)
				for i := range numbers {
					numbers[i] = random.Uint64()>>(64-width)<<low | uint64(i)
				}
				want := slices.Clone(numbers)
				slices.Sort(want)
				got, err := radixSort(ctx, numbers, low, low+width)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%d numbers of %d bits on %d cores: not sorted, %v", n, width, runtime.GOMAXPROCS(0), err)
				}
			}
		}
	})
}

// TestRadixSortSkewed sorts numbers that are all equal above the lowest bits, but
// for some.
func TestRadixSortSkewed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const low, width = 16, 41
		numbers := make([]uint64, radixRows+9)
		most := rapid.Uint64Range(0, 1<<width-1).Draw(t, "most")
		for i := range numbers {
			numbers[i] = most<<low | uint64(i)
		}
		for range rapid.IntRange(0, 3).Draw(t, "others") {
			i := rapid.IntRange(0, len(numbers)-1).Draw(t, "place")
			numbers[i] = rapid.Uint64Range(0, 1<<width-1).Draw(t, "other")<<low | uint64(i)
		}
		want := slices.Clone(numbers)
		slices.Sort(want)
		got, err := radixSort(context.Background(), numbers, low, low+width)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("not sorted, %v", err)
		}
	})
}

// TestRadixSortStops checks that a sort ends with its context.
func TestRadixSortStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range []int{1, radixRows} {
		if _, err := radixSort(ctx, make([]uint64, n), 1, 2); err == nil {
			t.Errorf("%d numbers were sorted after the context was cancelled", n)
		}
	}
}
