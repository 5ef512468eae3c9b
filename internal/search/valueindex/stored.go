package valueindex

import (
	"sort"

	"github.com/birdcall/birdcall/pkg/value"
)

// Stored returns the value of a column that all of a text means, and how well. Of
// several the best is returned, and of equal ones the first. A column from which
// texts were left out may have others.
func (x *Index) Stored(column int, text string) (value.Value, MatchKind, bool) {
	if v, ok := x.same(&x.columns[column], text); ok {
		return v, Same, true
	}
	t := Prepare(text)
	s := search{x: x, t: t, only: column, whole: true, near: make([][]uint32, 2*len(t.words))}
	if len(t.words) > 0 {
		s.from(0)
	}
	for i, d := range t.dates {
		if d.first == 0 && d.end == len(t.words) {
			s.take(d.key(), candidate{kind: byDate, first: i})
		}
	}
	if len(t.words) == 0 {
		s.symbols(t.symbols)
	}
	var best *ranked
	for _, m := range s.ranked() {
		if best == nil || m.Kind < best.Kind || m.Kind == best.Kind && m.id < best.id {
			best = &m
		}
	}
	if best == nil {
		return value.NullValue(), 0, false
	}
	// What is around the words differs, or the value would have been found before.
	return best.Value, max(best.Kind, Folded), true
}

// same returns the value of a column whose text is s, byte by byte.
func (x *Index) same(c *column, s string) (value.Value, bool) {
	blocks := (c.texts + blockTexts - 1) / blockTexts
	// The block is the last one whose first text is not greater.
	at := sort.Search(blocks, func(i int) bool {
		k, ok := x.block(c, i)
		return !ok || !k.next() || string(k.text) > s
	}) - 1
	if at >= 0 {
		k, ok := x.block(c, at)
		for range min(blockTexts, c.texts-at*blockTexts) {
			if ok = ok && k.next(); !ok || string(k.text) >= s {
				break
			}
		}
		if ok && string(k.text) == s {
			return value.Str(s), true
		}
	}
	for at := c.texts; at < c.size(); at++ {
		if v, ok := x.value(c, at); ok && value.AsText(v) == s {
			return v, true
		}
	}
	return value.NullValue(), false
}

// eachText calls yield with the texts of a column and their places, until it
// returns false, and reports whether it never did. A text holds until yield
// returns.
func (x *Index) eachText(c *column, yield func(at int, s []byte) bool) bool {
	var k block
	for at := range c.texts {
		ok := true
		if at%blockTexts == 0 {
			text := k.text
			k, ok = x.block(c, at/blockTexts)
			k.text = text
		}
		if !ok || !k.next() || !yield(at, k.text) {
			return false
		}
	}
	return true
}
