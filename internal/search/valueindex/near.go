package valueindex

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// Near is a value that is like a text.
type Near struct {
	Value value.Value
	// Similarity is from above 0 to 1. It is 1 for the same bytes and foldedSimilarity
	// for the same tokens or date.
	Similarity float64
}

const (
	// Similarities for the same tokens, and at most for others.
	foldedSimilarity = 0.98
	otherSimilarity  = 0.97
	// leastSimilarity is that of the values that Near returns: what is less alike
	// shares a few letters by chance.
	leastSimilarity = 0.3
	// maxNearBytes is how long a text may be that values are compared with.
	maxNearBytes = 4 * MaxBytes
)

// Near returns the values of a column that are most like a text, the nearest first,
// and equally near ones in the order of the column; n at most. It reads the whole
// column. What counts is the best of:
//
//   - the same tokens, or the same date
//   - one or two edits, as in How, by the length of the longer text
//   - trigrams of tokens that both have, by Dice's coefficient, which is high too
//     where tokens are added, missing or in another order: San Francisco City
//
// Numbers are near only if they are the same. The error is the context's.
func (x *Index) Near(ctx context.Context, column int, text string, n int) ([]Near, error) {
	c := &x.columns[column]
	text = cut(text, maxNearBytes)
	y := newYardstick(text)
	best := nearest{limit: n}
	same, how, found := x.Stored(column, text)
	if found {
		similarity := 1.0
		switch how {
		case Folded, Form:
			similarity = foldedSimilarity
		case Typo:
			found = false // others may be as near
		}
		if found {
			best.add(-1, same, similarity)
		}
	}
	var err error
	x.eachText(c, func(at int, s []byte) bool {
		const often = 1 << 12
		if at%often == 0 {
			if err = ctx.Err(); err != nil {
				return false
			}
		}
		if found && string(s) == same.Raw() && same.Kind() == value.Text {
			return true
		}
		if similarity := y.similarity(s, best.least()); similarity >= leastSimilarity && similarity > best.least() {
			best.add(at, value.Str(string(s)), similarity)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return best.list(), nil
}

// nearest keeps the values that are most alike.
type nearest struct {
	limit int
	kept  []placed
}

type placed struct {
	at int
	Near
}

// least is the similarity that a value has to surpass.
func (b *nearest) least() float64 {
	if len(b.kept) < b.limit {
		return 0
	}
	if b.limit <= 0 {
		return 1
	}
	return b.kept[len(b.kept)-1].Similarity
}

// add keeps a value instead; later values come behind equally near ones.
func (b *nearest) add(at int, v value.Value, similarity float64) {
	i, _ := slices.BinarySearchFunc(b.kept, similarity, func(p placed, s float64) int {
		if p.Similarity >= s {
			return -1
		}
		return 1
	})
	b.kept = slices.Insert(b.kept, i, placed{at, Near{v, similarity}})
	b.kept = b.kept[:min(len(b.kept), max(b.limit, 0))]
}

func (b *nearest) list() []Near {
	out := make([]Near, len(b.kept))
	for i, p := range b.kept {
		out[i] = p.Near
	}
	return out
}
