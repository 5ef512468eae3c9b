package valueindex

import (
	"bytes"
	"slices"
)

// yardstick measures how much texts are like one. It reuses its memory, and one
// goroutine uses it at a time.
type yardstick struct {
	line  []byte   // the tokens, with spaces around them
	runes []rune   // the same
	grams []uint32 // the trigrams of tokens, sorted
	// slots says by a hash which trigrams there may be, so that most texts need no
	// closer look.
	slots [1 << slotBits]bool

	fold       folder
	otherLine  []byte
	otherRunes []rune
	otherGrams []uint32
	rows       [3][]int
}

const slotBits = 12

func newYardstick(text string) *yardstick {
	y := &yardstick{}
	y.line = y.lineOf(nil, text)
	y.runes = []rune(string(y.line))
	y.grams = gramsOf(nil, y.line)
	for _, g := range y.grams {
		y.slots[slotOf(g)] = true
	}
	slices.Sort(y.grams)
	return y
}

func slotOf(gram uint32) uint32 { return gram * 0x9e3779b1 >> (32 - slotBits) }

// lineOf writes the tokens of a text with spaces around them.
func (y *yardstick) lineOf(b []byte, text string) []byte {
	y.fold.fold(text)
	b = append(b[:0], ' ')
	for i := range y.fold.tokens {
		b = append(append(b, y.fold.at(i)...), ' ')
	}
	return b
}

// gramsOf returns the trigrams of a line, but for those over two tokens.
func gramsOf(out []uint32, line []byte) []uint32 {
	out = out[:0]
	for i := 2; i < len(line); i++ {
		if line[i-1] != ' ' {
			out = append(out, uint32(line[i-2])<<16|uint32(line[i-1])<<8|uint32(line[i]))
		}
	}
	return out
}

// similarity returns how much a text is like the yardstick's, or 0 where that is not
// more than least.
func (y *yardstick) similarity(text []byte, least float64) float64 {
	y.otherLine = y.lineOf(y.otherLine, string(text))
	line := y.otherLine
	if len(line) == 1 || len(y.line) == 1 {
		return 0
	}
	if bytes.Equal(line, y.line) {
		return foldedSimilarity
	}
	y.otherGrams = gramsOf(y.otherGrams, line)
	hits := 0
	for _, g := range y.otherGrams {
		if y.slots[slotOf(g)] {
			hits++
		}
	}
	best := 0.0
	// An edit changes four trigrams at most.
	const maxEdits, ofEdit = 2, 4
	if hits >= len(y.otherGrams)-maxEdits*ofEdit {
		best = y.edited(line, maxEdits, least)
	}
	if bound := dice(min(hits, len(y.grams)), len(y.otherGrams), len(y.grams)); bound > max(least, best) {
		best = max(best, y.shared())
	}
	if best = min(best, otherSimilarity); best <= least {
		return 0
	}
	return best
}

// dice is Dice's coefficient of two multisets, by how much they have in common.
func dice(common, a, b int) float64 { return 2 * float64(common) / float64(a+b) }

// shared returns Dice's coefficient of the trigrams of both.
func (y *yardstick) shared() float64 {
	other := y.otherGrams
	slices.Sort(other)
	common := 0
	for i, k := 0, 0; i < len(other) && k < len(y.grams); {
		switch {
		case other[i] < y.grams[k]:
			i++
		case other[i] > y.grams[k]:
			k++
		default:
			common, i, k = common+1, i+1, k+1
		}
	}
	return dice(common, len(other), len(y.grams))
}

// edited returns the share of runes that stay where a line is at most that many edits
// away, and 0 where it is further or the share is not more than least.
func (y *yardstick) edited(line []byte, limit int, least float64) float64 {
	if len(line) > len(y.line)+4*limit || len(y.line) > len(line)+4*limit {
		return 0
	}
	y.otherRunes = y.otherRunes[:0]
	for _, r := range string(line) {
		y.otherRunes = append(y.otherRunes, r)
	}
	runes := float64(max(len(y.runes), len(y.otherRunes)) - 2)
	for limit > 0 && 1-float64(limit)/runes <= least {
		limit--
	}
	edits := y.distance(y.runes, y.otherRunes, limit)
	if limit == 0 || edits > limit {
		return 0
	}
	return 1 - float64(edits)/runes
}

// distance returns how many insertions, deletions, replacements and swaps of
// neighbours make b of a, no rune being touched twice (optimal string alignment), or
// more than limit.
func (y *yardstick) distance(a, b []rune, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for i := range y.rows {
		y.rows[i] = slices.Grow(y.rows[i][:0], len(b)+1)[:len(b)+1]
	}
	before, last, row := y.rows[0], y.rows[1], y.rows[2]
	for k := range last {
		last[k] = k
	}
	for i := 1; i <= len(a); i++ {
		// Only the cells near the diagonal can be at most that far away.
		from, to := max(1, i-limit), min(len(b), i+limit)
		row[from-1] = limit + 1
		if from == 1 {
			row[0] = i
		}
		least := limit + 1
		for k := from; k <= to; k++ {
			cost := 1
			if a[i-1] == b[k-1] {
				cost = 0
			}
			best := min(last[k-1]+cost, row[k-1]+1)
			if k < i+limit {
				best = min(best, last[k]+1)
			}
			if i > 1 && k > 1 && a[i-1] == b[k-2] && a[i-2] == b[k-1] {
				best = min(best, before[k-2]+1)
			}
			row[k] = best
			least = min(least, best)
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
