package sel

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/inflect"
)

// plural returns a key with its last word in the plural, and whether the word has a
// regular plural. Words that are plurals already or have no plural, abbreviations and
// numbers do not.
func plural(key string) (string, bool) {
	at := strings.LastIndexByte(key, '_') + 1
	last := key[at:]
	if !isWord(last) {
		return "", false
	}
	many := key[:at] + inflect.Regular(last)
	return many, many != key && inflect.Singular(many) == key
}

// uncounted are words without a plural that occur in names of columns.
var uncounted = []string{"data", "info", "information", "news", "series", "people", "children", "men", "women", "money", "feedback", "equipment"}

// isWord reports whether the last part of a key is an English noun as far as
// spelling shows. "ID" counts, as IDs is common.
func isWord(last string) bool {
	if strings.HasSuffix(last, "ID") {
		return true
	}
	for _, verb := range []string{"is", "has", "can"} { // isPromo
		if rest, ok := strings.CutPrefix(last, verb); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			return false
		}
	}
	end := last[max(0, len(last)-1):]
	return end >= "a" && end <= "z" && !slices.Contains(uncounted, strings.ToLower(last))
}
