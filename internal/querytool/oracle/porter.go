package oracle

import "strings"

// stem returns the stem of a word by Porter's algorithm (An algorithm for suffix
// stripping, Program 14, 1980, with its author's later rules for -bli and -logi).
// Words of less than 3 or more than 64 bytes are their own stems, as in FTS5, and
// every byte but a, e, i, o, u and some y is a consonant.
func stem(word string) string {
	if len(word) < 3 || len(word) > 64 {
		return word
	}
	w := plural(word)
	w = past(w)
	if s, ok := strings.CutSuffix(w, "y"); ok && hasVowel(s) {
		w = s + "i"
	}
	w = replaced(w, 0, "ational ate", "tional tion", "enci ence", "anci ance", "izer ize", "logi log", "bli ble", "alli al", "entli ent", "eli e",
		"ousli ous", "ization ize", "ation ate", "ator ate", "alism al", "iveness ive", "fulness ful", "ousness ous", "aliti al", "iviti ive", "biliti ble")
	w = replaced(w, 0, "icate ic", "ative ", "alize al", "iciti ic", "ical ic", "ful ", "ness ")
	w = replaced(w, 1, "al ", "ance ", "ence ", "er ", "ic ", "able ", "ible ", "ant ", "ement ", "ment ", "ent ", "sion s", "tion t", "ou ",
		"ism ", "ate ", "iti ", "ous ", "ive ", "ize ")
	if s, ok := strings.CutSuffix(w, "e"); ok && (measure(s) > 1 || measure(s) == 1 && !endsShort(s)) {
		w = s
	}
	if strings.HasSuffix(w, "ll") && measure(w) > 1 {
		w = w[:len(w)-1]
	}
	return w
}

// plural takes a plural's ending off.
func plural(w string) string {
	switch {
	case strings.HasSuffix(w, "sses") && len(w) > 4, strings.HasSuffix(w, "ies") && len(w) > 3:
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// past takes -ed and -ing off.
func past(w string) string {
	if s, ok := strings.CutSuffix(w, "eed"); ok && s != "" {
		if measure(s) > 0 {
			return s + "ee"
		}
		return w
	}
	s, ok := strings.CutSuffix(w, "ed")
	if !ok {
		s, ok = strings.CutSuffix(w, "ing")
	}
	if !ok || !hasVowel(s) {
		return w
	}
	n := len(s)
	switch {
	case strings.HasSuffix(s, "at"), strings.HasSuffix(s, "bl"), strings.HasSuffix(s, "iz"):
		return s + "e"
	case n > 1 && s[n-1] == s[n-2] && !strings.ContainsRune("aeioulsz", rune(s[n-1])):
		return s[:n-1]
	case measure(s) == 1 && endsShort(s):
		return s + "e"
	}
	return s
}

// replaced exchanges the longest of the endings that fits for its other
// half, if what is before it measures more than least. For an ending that is
// for a letter and more, such as sion, the letter stays.
func replaced(w string, least int, endings ...string) string {
	longest, with := "", ""
	for _, e := range endings {
		ending, other, _ := strings.Cut(e, " ")
		if strings.HasSuffix(w, ending) && len(ending) > len(longest) {
			longest, with = ending, other
		}
	}
	before := strings.TrimSuffix(w, longest)
	if longest == "sion" || longest == "tion" && with == "t" {
		before += with
		with = ""
	}
	if longest == "" || measure(before) <= least {
		return w
	}
	return before + with
}

// consonants says of each letter whether it is one. A y is one at the start and
// after a vowel.
func consonants(w string) []bool {
	out := make([]bool, len(w))
	for i := range len(w) {
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u':
		case 'y':
			out[i] = i == 0 || !out[i-1]
		default:
			out[i] = true
		}
	}
	return out
}

// measure returns how often vowels are followed by consonants.
func measure(w string) int {
	n, isConsonant := 0, consonants(w)
	for i := 1; i < len(w); i++ {
		if isConsonant[i] && !isConsonant[i-1] {
			n++
		}
	}
	return n
}

func hasVowel(w string) bool {
	for _, c := range consonants(w) {
		if !c {
			return true
		}
	}
	return false
}

// endsShort reports whether a word ends in consonant, vowel and consonant, of which
// the last is none of w, x and y.
func endsShort(w string) bool {
	n := len(w)
	if n < 3 {
		return false
	}
	c := consonants(w)
	return c[n-3] && !c[n-2] && c[n-1] && !strings.ContainsRune("wxy", rune(w[n-1]))
}
