package find

import (
	"cmp"
	"slices"
)

// fused is a thing that several rankings have.
type fused struct {
	place int
	score float64
}

// fuse joins rankings of the same things into one by reciprocal rank fusion (Cormack,
// Clarke and Büttcher, SIGIR 2009): a thing scores 1/(k+rank) in each list that has it,
// where the first has rank 1, and the sums order the result. A list has places, the best
// first, each once; equal sums are in the order of the places. With a greater k, the
// first of one list count less besides what all lists have.
func fuse(lists [][]int, k float64) []fused {
	at := map[int]int{} // in out
	var out []fused
	for _, list := range lists {
		for i, place := range list {
			n, seen := at[place]
			if !seen {
				n = len(out)
				at[place] = n
				out = append(out, fused{place: place})
			}
			out[n].score += 1 / (k + float64(i) + 1)
		}
	}
	slices.SortFunc(out, func(a, b fused) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place)) })
	return out
}
