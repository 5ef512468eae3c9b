package spelling

import (
	"strings"
	"unicode"
)

// StartsWord reports whether camelCase begins a word at a rune: an upper-case
// letter after another one, or the last of an acronym's, as in SQLText.
func StartsWord(runes []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(runes[i]) {
		return false
	}
	return unicode.IsLower(runes[i-1]) ||
		unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !isPluralOf(runes[i:])
}

// isPluralOf reports whether the rest of an acronym is its last letter and a
// plural s, as in IDs.
func isPluralOf(rest []rune) bool {
	return rest[1] == 's' && (len(rest) == 2 || !unicode.IsLetter(rest[2]))
}

// Words returns the words of a name: customer ID of CustomerID, list price of
// list_price.
func Words(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '_' || unicode.IsSpace(r):
			b.WriteByte(' ')
			continue
		case StartsWord(runes, i):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
