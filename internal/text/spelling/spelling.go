// Package spelling compares names: as SQLite does, which does not look at the case
// of ASCII letters, and by how much their spellings differ. It finds where the words
// of a name begin.
package spelling

// Lower lowers ASCII letters only.
func Lower(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; 'A' <= c && c <= 'Z' {
			lowered := []byte(name)
			for ; i < len(lowered); i++ {
				lowered[i] = lower(lowered[i])
			}
			return string(lowered)
		}
	}
	return name
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Same reports whether two names are equal to SQLite.
func Same(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// longest is how many bytes of a name Distance looks at, which bounds its work.
const longest = 64

// Distance is the number of bytes to insert, delete or replace to make a of b
// (Levenshtein's distance), by the first 64 bytes of each.
func Distance(a, b string) int {
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
