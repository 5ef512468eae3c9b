package naming

import (
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/text/inflect"
)

// enumerate joins with commas and a last word.
func enumerate(list []string, last string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	comma := ", "
	if slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, " "+last+" ") }) {
		last = ", " + last
	} else {
		last = " " + last
	}
	return strings.Join(list[:len(list)-1], comma) + last + " " + list[len(list)-1]
}

// Enumerate joins with commas and a last "and".
func Enumerate(list []string) string { return enumerate(list, "and") }

// the puts the definite article before a noun phrase that has none.
func the(phrase string) string {
	first, _, _ := strings.Cut(phrase, " ")
	switch first {
	case "the", "whether", "how", "all", "today", "today's", "“”", "nothing", "everything", "an":
		return phrase
	}
	if phrase == "" || strings.HasPrefix(phrase, "“") || phrase[0] == '-' || phrase[0] >= '0' && phrase[0] <= '9' && isNumber(first) {
		return phrase
	}
	return "the " + phrase
}

func isNumber(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}

// a puts the indefinite article before a noun phrase.
func a(phrase string) string {
	switch {
	case phrase == "":
		return ""
	case isPlural(headWord(phrase)), headWord(phrase) == "data", headWord(phrase) == "information":
		return phrase
	case strings.HasPrefix(phrase, "uni"), strings.HasPrefix(phrase, "us"), strings.HasPrefix(phrase, "eu"), strings.HasPrefix(phrase, "URL"), strings.HasPrefix(phrase, "u-"):
		return "a " + phrase
	case strings.ContainsRune("aeiouAEIO", rune(phrase[0])):
		return "an " + phrase
	}
	return "a " + phrase
}

// headWord returns the noun that a noun phrase is about.
func headWord(phrase string) string {
	list := strings.Fields(phrase)
	if len(list) == 0 {
		return ""
	}
	return list[headEnd(list)]
}

// isPlural reports whether a word looks like a plural.
func isPlural(word string) bool {
	return len(word) > 3 && strings.HasSuffix(word, "s") && inflect.IsPlural(word) && singular(word) != word
}

// ordinal returns the word for a place, from 1.
func ordinal(n int) string {
	list := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if n >= 1 && n <= len(list) {
		return list[n-1]
	}
	return "number " + strconv.Itoa(n)
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// headEnd returns the place in a noun phrase of the noun that what follows only
// describes, such as "of pages" or a text in parentheses.
func headEnd(list []string) int {
	for i, w := range list {
		if i == 0 {
			continue
		}
		switch w {
		case "of", "per", "in", "since", "on", "for", "to", "with", "that", "whose", "who", "at", "by", "from", "after", "among", "where", "as", "read", "without", "including", "divided", "counted", "rounded":
			return i - 1
		}
		if w[0] == '(' || w[0] == '/' || strings.HasSuffix(list[i-1], ",") {
			return i - 1
		}
	}
	return len(list) - 1
}

// many puts a noun phrase into the plural: number of pages, numbers of pages.
func many(phrase string) string {
	list := strings.Fields(phrase)
	if len(list) == 0 {
		return phrase
	}
	for i, w := range list { // each of several
		if i > 0 && (w == "and" || w == "to" && list[i-1] == "ratio") && !strings.Contains(phrase, " of ") {
			return phrase
		}
	}
	at := headEnd(list)
	if strings.HasSuffix(list[at], ",") {
		return phrase
	}
	list[at] = plural(list[at])
	return strings.Join(list, " ")
}

// hasWords reports whether a text has all words of another, plurals aside.
func hasWords(text, part string) bool { return hasAll(wordSet(text), part) }

// wordSet returns the words of a text in the singular.
func wordSet(text string) map[string]bool {
	have := map[string]bool{}
	for _, w := range words(text) {
		have[singular(w)] = true
	}
	return have
}

// hasAll reports whether all words of a text are among these, plurals aside.
func hasAll(have map[string]bool, text string) bool {
	return !slices.ContainsFunc(words(text), func(w string) bool { return !have[singular(w)] })
}

// fullNames makes one of a first name and the last name after it.
func fullNames(list []string) []string {
	for i := 0; i+1 < len(list); i++ {
		first, last := words(list[i]), words(list[i+1])
		if len(first) == 0 || len(last) == 0 || !isFirstName(first) || !isLastName(last) {
			continue
		}
		list[i] = "full name (" + list[i] + " and " + list[i+1] + ")"
		list = slices.Delete(list, i+1, i+2)
	}
	return list
}

func isFirstName(list []string) bool {
	return list[len(list)-1] == "forename" || len(list) > 1 && list[len(list)-1] == "name" && list[len(list)-2] == "first"
}

func isLastName(list []string) bool {
	return list[len(list)-1] == "surname" || len(list) > 1 && list[len(list)-1] == "name" && list[len(list)-2] == "last"
}

// isComposed reports whether a phrase puts several values together, so that what
// follows would seem to belong to the last.
func isComposed(phrase string) bool {
	for _, part := range []string{" as a percentage of ", "ratio of ", "difference between ", " divided by ", "sum of ", ", else "} {
		if strings.Contains(phrase, part) {
			return true
		}
	}
	return false
}
