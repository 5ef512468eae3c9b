package querygrid

import (
	"math/rand/v2"
	"slices"

	"github.com/birdcall/birdcall/internal/querytool/query"
)

// turn is a list whose entries take turns: those that were not taken for longest
// come first.
type turn[T comparable] []T

// taken puts an entry last.
func (t turn[T]) taken(entry T) {
	if at := slices.Index(t, entry); at >= 0 {
		copy(t[at:], t[at+1:])
		t[len(t)-1] = entry
	}
}

// comparison is how a filter compares: an operator and, for LIKE, where the value
// is in the text.
type comparison struct {
	operator query.Operator
	prefix   bool // rather than anywhere
}

// turns are all that takes turns within a database.
type turns struct {
	collections turn[int]
	comparisons map[query.Type]turn[comparison]
	metrics     map[query.Type]turn[query.Metric]
	groups      turn[query.Type]
}

func newTurns(random *rand.Rand, collections int) turns {
	t := turns{
		collections: make(turn[int], collections),
		comparisons: map[query.Type]turn[comparison]{
			query.Number: {{query.Less, false}, {query.Greater, false}, {query.GreaterOrEqual, false}, {query.Equal, false}, {query.LessOrEqual, false}},
			query.Text:   {{query.Equal, false}, {query.Like, false}, {query.Like, true}},
			// The other two forms say the same in other words.
			query.Boolean: {{query.Equal, false}, {query.NotEqual, false}},
		},
		metrics: map[query.Type]turn[query.Metric]{
			query.Number:  {query.Mean, query.Max, query.Count, query.Sum, query.Median, query.Min, query.Mode},
			query.Text:    {query.TopOccurrences, query.Count},
			query.Boolean: {query.TotalTrue, query.PercentageTrue, query.Count, query.TotalFalse, query.PercentageFalse},
		},
		groups: turn[query.Type]{query.Text, query.Boolean, query.Text, query.Number},
	}
	for i := range t.collections {
		t.collections[i] = i
	}
	// Databases begin at different places.
	random.Shuffle(collections, func(i, j int) { t.collections[i], t.collections[j] = t.collections[j], t.collections[i] })
	for _, kind := range []query.Type{query.Number, query.Text, query.Boolean} {
		rotate(t.comparisons[kind], random.IntN(len(t.comparisons[kind])))
		rotate(t.metrics[kind], random.IntN(len(t.metrics[kind])))
	}
	return t
}

func rotate[T any](list []T, by int) {
	copy(list, append(slices.Clone(list[by:]), list[:by]...))
}
