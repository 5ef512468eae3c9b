package spec

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/pkg/tools"
)

// DefaultMaxTools is how many tools a request may list at OpenAI, the fewest of
// the model interfaces.
const DefaultMaxTools = 128

// Limiter cuts the lists of a database's tools to a number that model interfaces
// take. What it keeps is what a reader has to choose between: the tools that the
// gold calls use, those whose names and descriptions share the most significant
// words with the question, up to half of the list, and others drawn at random.
// Choosing takes time in proportion to the list it returns, or to the one it is
// given if that is not the whole universe. A Limiter does not change.
type Limiter struct {
	universe []Tool
	place    map[string]int // by name
	index    *bm25.Index
	limit    int
	seed     uint64
}

// NewLimiter returns a limiter of lists out of a database's tools, whose names
// are different. most is how many tools a list may have.
func NewLimiter(universe []Tool, limit int, seed uint64) *Limiter {
	l := &Limiter{universe: universe, place: map[string]int{}, limit: limit, seed: seed}
	texts := make([][][]string, len(universe))
	for i, t := range universe {
		l.place[t.Name] = i
		texts[i] = [][]string{bm25.Stems(t.Name + " " + t.Description)}
	}
	l.index = bm25.New(bm25.Text(), texts)
	return l
}

// Limit returns at most the limiter's number of tools of list, in their order. A
// shorter list is returned as it is. More than that number are kept only if the
// gold calls need them. sample names the sample, for the draw; tools that are
// not of the universe are dropped.
func (l *Limiter) Limit(list []Tool, gold []tools.Call, question, sample string) []Tool {
	if len(list) <= l.limit {
		return list
	}
	isAll := len(list) == len(l.universe) && &list[0] == &l.universe[0]
	in := map[int]bool{} // of the list, unless it is all
	if !isAll {
		for _, t := range list {
			if at, ok := l.place[t.Name]; ok {
				in[at] = true
			}
		}
	}
	kept := map[int]bool{}
	for _, c := range gold {
		if at, ok := l.place[c.Name]; ok {
			kept[at] = true
		}
	}
	nearest := len(l.universe) // of which some may not be in the list
	if isAll {
		nearest = l.limit
	}
	for _, at := range l.index.Rank(bm25.Stems(question), nearest) {
		if len(kept) >= (l.limit+1)/2 {
			break
		}
		if isAll || in[at] {
			kept[at] = true
		}
	}
	l.draw(kept, in, isAll, sample)
	places := make([]int, 0, len(kept))
	for at := range kept {
		places = append(places, at)
	}
	slices.Sort(places)
	out := make([]Tool, len(places))
	for i, at := range places {
		out[i] = l.universe[at]
	}
	if !isAll {
		return inOrder(out, list)
	}
	return out
}

// draw fills kept up with tools drawn at random.
func (l *Limiter) draw(kept, in map[int]bool, isAll bool, sample string) {
	random := randomOf(l.seed, sample)
	if isAll && 2*l.limit <= len(l.universe) { // few draws hit one that is kept
		for len(kept) < l.limit {
			kept[random.IntN(len(l.universe))] = true
		}
		return
	}
	var others []int
	for at := range l.universe {
		if !kept[at] && (isAll || in[at]) {
			others = append(others, at)
		}
	}
	random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	for _, at := range others[:max(0, min(l.limit-len(kept), len(others)))] {
		kept[at] = true
	}
}

// inOrder returns tools as a list has them, in its order.
func inOrder(kept, list []Tool) []Tool {
	place := map[string]int{}
	for i, t := range list {
		place[t.Name] = i
	}
	for i, t := range kept {
		kept[i] = list[place[t.Name]]
	}
	slices.SortFunc(kept, func(a, b Tool) int { return cmp.Compare(place[a.Name], place[b.Name]) })
	return kept
}

// randomOf returns the source of a sample's draws.
func randomOf(seed uint64, sample string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(sample))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
