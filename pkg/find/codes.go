package find

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/search/bm25"
	"github.com/birdcall/birdcall/pkg/value"
)

// code is a stored value of which the description of its column says what it means,
// as in "F: female".
type code struct {
	column  int // of names.columns
	value   value.Value
	meaning string
	stems   []string // of the meaning, without words of asking
}

// Bounds of what is taken for codes.
const (
	maxCodes    = 4096 // different values of a column
	longestCode = 40   // bytes
	maxMeanings = 8    // stems of a meaning
)

// codesOf returns the codes of a column in what is said of its values.
func codesOf(column int, about string, stored []value.Value) []code {
	var out []code
	for _, v := range stored {
		text := value.AsText(v)
		if text == "" || len(text) > longestCode {
			continue
		}
		if meaning := meaningOf(text, about); meaning != "" {
			if stems := contents(meaning); len(stems) > 0 {
				out = append(out, code{column, v, meaning, stems})
			}
		}
	}
	return out
}

// contents returns the stems that say what a meaning is about.
func contents(meaning string) []string {
	var out []string
	for _, s := range distinct(bm25.Stems(meaning)) {
		if !asking[s] || s == "not" || s == "no" {
			out = append(out, s)
		}
	}
	return out[:min(len(out), maxMeanings)]
}

var (
	// leads are between a code and its meaning.
	leads = regexp.MustCompile(`^["'”’\x{92}\x{94})]*\s*(?:(?::|：|=+|-+>|–|—|-)\s*)?(?:(?:stands? for|refers to|represents?|means?|indicates?|is|are)\s+)?`)
	// ends are where a meaning ends: also where another code begins.
	ends = regexp.MustCompile(`[\n;；]|\.\s| – |,\s+["'“‘]?[^\s,:=]{1,20}["'”’]?\s*[:=：]`)
	// before is what may be in front of a code at the beginning of a line.
	before = regexp.MustCompile(`(?:^|[\n;；,])[\s·•*"'“‘\x{93}\x{91}\x{95}-]*$`)
)

// meaningOf returns what a text says that a code means, or "".
func meaningOf(text, about string) string {
	for from := 0; ; {
		i := strings.Index(about[from:], text)
		if i < 0 {
			return ""
		}
		start, end := from+i, from+i+len(text)
		from = start + 1
		if !alone(about, start, end) {
			continue
		}
		if strings.HasSuffix(about[:start], "(") && strings.HasPrefix(about[end:], ")") { // followed (-)
			if m := clauseBefore(about[:start-1]); m != "" {
				return m
			}
		}
		if !before.MatchString(about[:start]) {
			continue
		}
		lead := leads.FindString(about[end:])
		if strings.Trim(lead, "\"'”’ \u0092\u0094") == "" {
			continue
		}
		meaning := about[end+len(lead):]
		if at := ends.FindStringIndex(meaning); at != nil {
			meaning = meaning[:at[0]]
		}
		if meaning = strings.TrimSpace(meaning); meaning != "" {
			return meaning
		}
	}
}

// clauseBefore returns the last clause of a text.
func clauseBefore(text string) string {
	for _, mark := range []string{")", "\n", ";", ",", " or ", " and "} {
		if i := strings.LastIndex(text, mark); i >= 0 {
			text = text[i+len(mark):]
		}
	}
	return strings.TrimSpace(text)
}

// alone reports whether no letter or digit is next to a piece of a text that begins or
// ends with one.
func alone(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:])
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	left, _ := utf8.DecodeLastRuneInString(text[:start])
	right, _ := utf8.DecodeRuneInString(text[end:])
	return !(isWordRune(first) && isWordRune(left)) && !(isWordRune(last) && isWordRune(right))
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// leastCode is how much of a code's meaning a question must have, from 0 to 1.
const leastCode = .4

// share returns how much of what the words of a code's meaning weigh is in a question.
func (c *code) share(n *names, weights map[string]float64) float64 {
	all, has := n.weigh(c.stems, nil, weights)
	return has / all
}
