package find

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// What a text that is not stored must have in common with a stored one.
const (
	leastMeant = .6  // of the words of a code's meaning, both ways
	leastLike  = .6  // similarity
	leastLead  = .02 // of the similarity over the next best value
)

// mend returns the change of a text that a column does not store to one that it does, if
// one is meant: the same words, one letter off, the meaning of a code, or most like it.
func (x *Index) mend(ctx context.Context, db int, c Column, text string) (Change, bool) {
	v := x.values[db]
	at := slices.IndexFunc(v.index.Columns(), func(n valueindex.Column) bool {
		return spelling.Same(n.Table, c.Table) && spelling.Same(n.Name, c.Name)
	})
	if at < 0 || text == "" || len(text) > valueindex.MaxBytes {
		return Change{}, false
	}
	if x.parts[db].missing(at) != "" {
		return Change{}, false // it may be stored: not all texts of the column are known
	}
	name := v.index.Columns()[at]
	to := func(stored value.Value, reason string) (Change, bool) {
		if stored.Kind() != value.Text {
			return Change{}, false // SQLite compares a number with the text by the column's affinity
		}
		return Change{name.Table, name.Name, text, value.AsText(stored), reason}, true
	}
	stored, how, ok := v.index.Stored(at, text)
	switch {
	case ok && how == valueindex.Same:
		return Change{}, false
	case ok && how != valueindex.Typo:
		return to(stored, how.String())
	}
	if m := v.coded(x.names, v.columns[at], text); m != nil {
		return to(m.value, value.AsText(m.value)+": "+m.meaning)
	}
	if ok {
		return to(stored, how.String())
	}
	near, err := v.index.Near(ctx, at, text, 2)
	if err != nil || len(near) == 0 || near[0].Similarity < leastLike || digitsOf(value.AsText(near[0].Value)) != digitsOf(text) || len(near) > 1 && near[0].Similarity-near[1].Similarity < leastLead {
		return Change{}, false
	}
	return to(near[0].Value, "the value most like it")
}

// digitsOf returns the digits of a text: who mistypes a name does not name another thing
// by its number.
func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// coded returns the code of a column whose meaning a text says, or nil.
func (v *values) coded(n *names, column int, text string) *code {
	weights := map[string]float64{}
	said := 0.
	stems := distinct(bm25.Stems(text))
	for _, s := range stems {
		weights[s] = 1
		said += n.words.Rarity(s)
	}
	var best *code
	most := 0.
	for i := range v.codes {
		c := &v.codes[i]
		if c.column != column {
			continue
		}
		all, common := n.weigh(c.stems, nil, weights)
		share := min(common/all, common/said)
		if share >= leastMeant && share > most {
			best, most = c, share
		}
	}
	return best
}
