// Package inflect gives the plural and the singular of English nouns in lower case, one
// word at a time.
package inflect

import (
	"slices"
	"strings"
)

// irregular are nouns whose plural has no rule.
var irregular = map[string]string{
	"man": "men", "woman": "women", "child": "children", "person": "people", "foot": "feet", "tooth": "teeth", "mouse": "mice", "quiz": "quizzes",
}

var irregularSingular = func() map[string]string {
	m := map[string]string{}
	for one, many := range irregular {
		m[many] = one
	}
	return m
}()

// invariable are nouns that are the same in the plural or have none.
var invariable = []string{"species", "series", "news", "trans", "data", "information", "staff"}

// Plural returns the plural of a noun, and a plural as it is.
func Plural(noun string) string {
	if many, ok := irregular[noun]; ok {
		return many
	}
	return Regular(noun)
}

// Regular returns the plural of a noun by the rules of spelling alone.
func Regular(noun string) string {
	switch {
	case noun == "", IsPlural(noun), slices.Contains(invariable, noun), noun[len(noun)-1] >= '0' && noun[len(noun)-1] <= '9':
		return noun
	case strings.HasSuffix(noun, "sis"): // diagnoses
		return noun[:len(noun)-2] + "es"
	case hisses(noun), strings.HasSuffix(noun, "hero"):
		return noun + "es"
	case endsInY(noun):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// IsPlural reports whether a word is a plural by its form, and cannot be a singular.
func IsPlural(word string) bool {
	return endsInS(word) && !slices.Contains(invariable, word) || irregularSingular[word] != "" || word == "data"
}

// Singular returns the singular of a noun, and a singular as it is.
func Singular(noun string) string {
	if one, ok := irregularSingular[noun]; ok {
		return one
	}
	switch {
	case !endsInS(noun), slices.Contains(invariable, noun), len(noun) < 3:
		return noun
	case strings.HasSuffix(noun, "ies") && len(noun) > 4:
		return noun[:len(noun)-3] + "y"
	case strings.HasSuffix(noun, "auses"), strings.HasSuffix(noun, "ouses"): // causes, houses
		return noun[:len(noun)-1]
	case hasEnd(noun, "sses", "uses", "xes", "ches", "shes", "heroes"):
		return noun[:len(noun)-2]
	}
	return noun[:len(noun)-1]
}

// Forms returns what may be the plural or the singular of a word, which may be either.
func Forms(word string) []string {
	if many, ok := irregular[word]; ok {
		return []string{many}
	}
	if one, ok := irregularSingular[word]; ok {
		return []string{one}
	}
	out := singularsOf(word)
	switch {
	case hisses(word):
		return append(out, word+"es")
	case endsInY(word):
		return append(out, word[:len(word)-1]+"ies")
	}
	return append(out, word+"s")
}

// singularsOf returns the words whose regular plural a word may be.
func singularsOf(word string) (out []string) {
	if !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") || len(word) <= 3 {
		return nil
	}
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 1 {
		out = append(out, stem+"y")
	}
	if stem, ok := strings.CutSuffix(word, "es"); ok && hisses(stem) {
		out = append(out, stem)
	}
	return append(out, strings.TrimSuffix(word, "s"))
}

// endsInS reports whether a word ends in the s of a plural.
func endsInS(word string) bool {
	return strings.HasSuffix(word, "s") && !hasEnd(word, "ss", "us", "is")
}

// hisses reports whether a word takes es in its plural.
func hisses(word string) bool { return hasEnd(word, "s", "x", "z", "ch", "sh") }

// endsInY reports whether a word takes ies in its plural.
func endsInY(word string) bool {
	return len(word) > 1 && strings.HasSuffix(word, "y") && !strings.ContainsRune("aeiou", rune(word[len(word)-2]))
}

func hasEnd(word string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
}
