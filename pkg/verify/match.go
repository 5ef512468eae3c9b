package verify

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// matchRows pairs rows that are the same, as many as it can, and returns the
// numbers of those that are left, in order.
func matchRows(want, got [][]value.Value, loose bool) (restWant, restGot []int) {
	labels := cluster(slices.Concat(want, got), loose)
	clusters := make([]struct{ want, got []int }, len(labels))
	for i, label := range labels {
		if c := &clusters[label]; i < len(want) {
			c.want = append(c.want, i)
		} else {
			c.got = append(c.got, i-len(want))
		}
	}
	for _, c := range clusters {
		w, g := matchCluster(want, got, c.want, c.got, loose)
		restWant = append(restWant, w...)
		restGot = append(restGot, g...)
	}
	slices.Sort(restWant)
	slices.Sort(restGot)
	return restWant, restGot
}

// matchCluster pairs the rows of one cluster. Going through both sides in
// order leaves rows on one side at most, unless rows are close to each other
// in a chain; a full matching is for those.
func matchCluster(want, got [][]value.Value, w, g []int, loose bool) (restWant, restGot []int) {
	const maxPairs = 1 << 20
	slices.SortFunc(w, func(i, j int) int { return compareRows(want[i], want[j]) })
	slices.SortFunc(g, func(i, j int) int { return compareRows(got[i], got[j]) })
	i, j := 0, 0
	for i < len(w) && j < len(g) {
		a, b := want[w[i]], got[g[j]]
		switch {
		case sameRow(a, b, loose):
			i++
			j++
		case compareRows(a, b) < 0:
			restWant = append(restWant, w[i])
			i++
		default:
			restGot = append(restGot, g[j])
			j++
		}
	}
	restWant = append(restWant, w[i:]...)
	restGot = append(restGot, g[j:]...)
	if len(restWant) == 0 || len(restGot) == 0 || len(w)*len(g) > maxPairs {
		return restWant, restGot
	}
	all := make([]int, len(g))
	for j := range all {
		all[j] = j
	}
	taken, free := assign(len(w), len(g), all, func(int) []int { return all }, func(i, j int) bool {
		return sameRow(want[w[i]], got[g[j]], loose)
	})
	restWant, restGot = nil, nil
	for _, i := range free {
		restWant = append(restWant, w[i])
	}
	for j, by := range taken {
		if by < 0 {
			restGot = append(restGot, g[j])
		}
	}
	return restWant, restGot
}

func compareRows(a, b []value.Value) int {
	return slices.CompareFunc(a, b, func(x, y value.Value) int { return value.Compare(x, y, value.Binary) })
}

// assign gives each left number another right number, to as many as
// possible: a maximum matching by augmenting paths. Options are what a left
// number can take; owner holds the right number that each of them stands for,
// options lists those to try for a left number, and fits says which of them
// will do. assign returns which left number took each right one, -1 for none,
// and the left numbers that got none. It stops, leaving more of them without,
// after a bounded number of steps.
func assign(lefts, rights int, owner []int, options func(left int) []int, fits func(left, option int) bool) (taken, free []int) {
	steps := 1 << 26
	taken = make([]int, rights)
	seen := make([]int, rights)
	for j := range taken {
		taken[j], seen[j] = -1, -1
	}
	var place func(left, round int) bool
	place = func(left, round int) bool {
		list := options(left)
		steps -= 2 * len(list)
		if steps < 0 {
			return false
		}
		for _, o := range list {
			if j := owner[o]; taken[j] < 0 && fits(left, o) {
				taken[j] = left
				return true
			}
		}
		for _, o := range list {
			j := owner[o]
			if seen[j] == round || !fits(left, o) {
				continue
			}
			seen[j] = round
			if place(taken[j], round) {
				taken[j] = left
				return true
			}
		}
		return false
	}
	for i := range lefts {
		if !place(i, i) {
			free = append(free, i)
		}
	}
	return taken, free
}
