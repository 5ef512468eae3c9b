package naming

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/birdcall/birdcall/internal/text/inflect"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// words splits a name or a short text into lower-case ASCII words: at
// anything but letters and digits, and where camelCase changes.
func words(text string) []string {
	var out []string
	var room [64]byte
	word := room[:0] // in lower case
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	runes := []rune(norm.NFD.String(text))
	for i, r := range runes {
		switch {
		case r == '\'', r > unicode.MaxASCII && unicode.Is(unicode.Mn, r):
			continue // an accent, or the apostrophe of "card's"
		case !isLetter(r) && !isDigit(r):
			if r == '%' {
				flush()
				out = append(out, "percent")
			}
			flush()
			continue
		case spelling.StartsWord(runes, i):
			flush()
		}
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		word = append(word, byte(r))
	}
	flush()
	for i, w := range out {
		if w == "no" && i+1 < len(out) && out[i+1] == "of" {
			out[i] = "number"
		}
	}
	return dedupe(out)
}

// isLetter and isDigit know those of ASCII.
func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isDigit(r rune) bool  { return r >= '0' && r <= '9' }

// dedupe drops a word that repeats the one before.
func dedupe(list []string) []string {
	var out []string
	for _, w := range list {
		if len(out) == 0 || out[len(out)-1] != w {
			out = append(out, w)
		}
	}
	return out
}

// snake joins words to a name of at most size bytes, which whole words fill.
func snake(list []string, size int) string {
	name := ""
	for _, w := range list {
		if len(name)+1+len(w) > size {
			break
		}
		if name != "" {
			name += "_"
		}
		name += w
	}
	if name == "" && len(list) > 0 {
		name = list[0][:min(size, len(list[0]))]
	}
	return trimStops(name)
}

// trimStops removes words that a name cannot end with.
func trimStops(name string) string {
	for {
		i := strings.LastIndexByte(name, '_')
		if i < 0 || !isStop(name[i+1:]) {
			return name
		}
		name = name[:i]
	}
}

func isStop(word string) bool {
	switch word {
	case "of", "the", "a", "an", "and", "or", "in", "on", "with", "by", "per", "to", "for", "from", "whose", "that", "is", "are", "not", "this", "whether", "if":
		return true
	}
	return false
}

// plural returns the plural of an English noun in the name or description of an endpoint.
// A participle at the end of a name is no noun, and stays as it is. Clients call
// endpoints by these names, so that some nouns have the plural that names have always
// had, and not that of package inflect: diagnosis and foots.
func plural(noun string) string {
	switch {
	case noun == "person":
		return "people"
	case strings.HasSuffix(noun, "is"), strings.HasSuffix(noun, "ed") && !strings.HasSuffix(noun, "eed") && len(noun) > 3, noun == "spent", noun == "paid", noun == "sold":
		return noun
	}
	return inflect.Regular(noun)
}

// singular is the opposite of plural, for nouns that end in s. Like plural, it keeps to
// what names have always had, also for words such as statuses and causes.
func singular(noun string) string {
	switch {
	case !strings.HasSuffix(noun, "s"):
		return noun
	case strings.HasSuffix(noun, "uses"):
		return noun[:len(noun)-1]
	}
	return inflect.Singular(noun)
}

// pluralize puts the last word of a noun phrase into the plural, or the noun
// before "of": number of pages, numbers of pages.
func pluralize(list []string) []string {
	if len(list) == 0 {
		return list
	}
	at := len(list) - 1
	for i, w := range list {
		if (w == "of" || w == "per" || w == "in" || w == "since") && i > 0 {
			at = i - 1
			break
		}
	}
	out := append([]string(nil), list...)
	if out[at] != "time" { // since something
		out[at] = plural(out[at])
	}
	return out
}

// capital makes a text start with a capital letter.
func capital(text string) string {
	for i, r := range text {
		return strings.ToUpper(string(r)) + text[i+len(string(r)):]
	}
	return text
}
