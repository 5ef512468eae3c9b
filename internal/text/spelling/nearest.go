package spelling

import "strings"

// Nearest returns the known name that is spelled most like another, the first of
// several, and whether it is near enough to be what was meant: at most a third of the
// name's characters, and one at least, are to be inserted, deleted, replaced or
// swapped with the next. Case does not matter. A name that is known is its own nearest.
func Nearest(name string, known []string) (string, bool) {
	lowered := []rune(strings.ToLower(name))
	if len(lowered) > longest {
		return "", false
	}
	best, at := max(len(lowered)/3, 1)+1, -1
	for i, k := range known {
		if k == name {
			return k, true
		}
		if n := edits(lowered, []rune(strings.ToLower(k)), best); n < best {
			best, at = n, i
		}
	}
	if at < 0 || len(lowered) < 2 {
		return "", false
	}
	return known[at], true
}

// edits is the number of insertions, deletions, replacements and swaps of neighbours
// that make a of b (the optimal string alignment), or maxEdits if it is not below.
func edits(a, b []rune, maxEdits int) int {
	if len(a)-len(b) >= maxEdits || len(b)-len(a) >= maxEdits {
		return maxEdits
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return min(last[len(b)], maxEdits)
}
