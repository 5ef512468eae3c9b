package valueindex

import (
	"slices"

	"github.com/birdcall/birdcall/pkg/value"
)

// MatchKind says how well a text means a value. The best is the least.
type MatchKind uint8

// The ways in which a text means a value, as the package's comment says them.
const (
	Same MatchKind = iota
	Folded
	Form
	Typo
)

// String returns what is the matter, in words.
func (h MatchKind) String() string {
	switch h {
	case Same:
		return "the same text"
	case Folded:
		return "the same words"
	case Form:
		return "the same date"
	case Typo:
		return "one letter differs"
	}
	return "unknown"
}

// Match is a value that a span of a text means.
type Match struct {
	Column int
	Value  value.Value
	Text   int // the place of the text that was given to Prepare
	Start  int // the span's first byte in it
	End    int // the byte after it
	Tokens int // of the span; 1 for a value without letters and digits
	Kind   MatchKind
	Quoted bool // whether the span is all that is in quotation marks
}

// MaxMatches is how many matches a lookup returns at most.
const MaxMatches = 256

// Bounds of the work of a lookup, which only a text or a file that was made for it
// comes to: values that are compared with the text, and beginnings that are looked
// for.
const (
	maxCandidates = 1 << 14
	maxSteps      = 1 << 18
)

// Lookup returns the values that spans of a text mean: those of the most tokens
// first; of these those whose span means the fewest values, then by Kind, by where
// they are in the text, by column and by value.
func (x *Index) Lookup(t *Text) []Match {
	s := search{x: x, t: t, only: -1, near: make([][]uint32, 2*len(t.words))}
	for first := range t.words {
		s.from(first)
	}
	s.dates(t.dates)
	s.symbols(t.symbols)
	found := s.ranked()
	out := make([]Match, min(len(found), MaxMatches))
	for i := range out {
		out[i] = found[i].Match
	}
	return out
}

// search is one lookup.
type search struct {
	x     *Index
	t     *Text
	only  int  // the column whose values are wanted, or -1 for all
	whole bool // whether a value has to be all of the text
	// near has the tokens of the index that may be one edit from those of the text, and
	// after each those for its singular; nil where it was not asked for.
	near  [][]uint32
	steps int // beginnings that were looked for
	found []candidate
	fold  folder
}

// candidate is a value whose key was found.
type candidate struct {
	id         uint32
	kind       candidateKind
	first, end int // the tokens; else first is the place in Text.dates or Text.symbols
}

type candidateKind uint8

const (
	byTokens candidateKind = iota
	byDate
	bySymbol
)

// from looks for values that begin at a token.
func (s *search) from(first int) { s.extend(first, first, seedTokens, 0) }

// extend looks for values that go on with the token at next, after tokens whose key
// is key and in which were edits.
func (s *search) extend(first, next int, key uint64, edits int) {
	if next == len(s.t.words) || s.t.words[next].source != s.t.words[first].source {
		return
	}
	w := &s.t.words[next]
	s.step(first, next+1, extendKey(key, w.hash), edits)
	if edits == 0 { // a plural and a typo is one change too many
		for _, form := range w.forms {
			s.complete(first, next+1, extendKey(key, form))
		}
	}
	for _, j := range w.joins {
		if edits+j.edits <= 1 {
			s.step(first, next+j.tokens, extendKey(key, j.hash), edits+j.edits)
		}
	}
	if edits > 0 {
		return
	}
	for _, hash := range s.oneEdit(2*next, w.deletions, w.hash) {
		s.step(first, next+1, extendKey(key, hash), 1)
	}
	for _, hash := range s.oneEdit(2*next+1, w.singularDeletions, w.hash) {
		s.complete(first, next+1, extendKey(key, hash))
	}
	for _, parts := range w.splits {
		if half := extendKey(key, parts[0]); s.x.prefixes.has(half) {
			s.step(first, next+1, extendKey(half, parts[1]), 1)
		}
	}
}

// step takes what the tokens up to next make as a value, and as the beginning of
// one.
func (s *search) step(first, next int, key uint64, edits int) {
	s.complete(first, next, key)
	if s.steps++; s.steps < maxSteps && s.x.prefixes.has(key) {
		s.extend(first, next, key, edits)
	}
}

// complete takes the values of a key.
func (s *search) complete(first, end int, key uint64) {
	if s.whole && end != len(s.t.words) {
		return
	}
	s.take(key, candidate{first: first, end: end})
}

func (s *search) take(key uint64, c candidate) {
	s.x.keys.find(key, func(id uint32) bool {
		c.id = id
		s.found = append(s.found, c)
		return len(s.found) < maxCandidates
	})
}

// oneEdit returns the hashes of tokens that may be one edit from one of the text, by
// the keys of its deletions, and keeps them in a place of s.near.
func (s *search) oneEdit(place int, keys []uint64, itself uint32) []uint32 {
	if keys == nil || s.near[place] != nil {
		return s.near[place]
	}
	near := []uint32{}
	for _, key := range keys {
		s.x.deletions.find(key, func(hash uint32) bool {
			if hash != itself {
				near = append(near, hash)
			}
			return true
		})
	}
	slices.Sort(near)
	s.near[place] = slices.Compact(near)
	return s.near[place]
}

// dates takes the values that are dates of the text.
func (s *search) dates(dates []dated) {
	for i, d := range dates {
		s.take(d.key(), candidate{kind: byDate, first: i})
	}
}

// symbols takes the values without letters and digits.
func (s *search) symbols(symbols []symbol) {
	for i, y := range symbols {
		s.take(symbolKey(s.t.sources[y.source][y.start:y.end]), candidate{kind: bySymbol, first: i})
	}
}
