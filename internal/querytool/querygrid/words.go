package querygrid

import (
	"slices"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/text/inflect"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// name is what a property is called in questions.
type name struct {
	words  string
	plain  bool // lower-case words, which take an article
	plural bool // the thing is counted: seats, years in practice
}

// nameOf returns the name of a column in questions: its readable name, or the words
// of its own.
func nameOf(column, readable string) name {
	words := strings.Join(strings.Fields(readable), " ")
	if words == "" || len(words) > 60 || strings.Contains(words, "_") || letters(words) == letters(column) && !strings.Contains(words, " ") {
		words = lowered(spelling.Words(column))
	} else if isLetters(words) && unicode.IsUpper([]rune(words)[0]) {
		words = lowered(words)
	}
	if before, isID := strings.CutSuffix(words, " Id"); isID {
		words = before + " id"
	}
	n := name{words: words, plain: isLetters(words) && !strings.ContainsFunc(words, unicode.IsUpper)}
	head := n.head()
	first, _, _ := strings.Cut(head, " ")
	n.plural = n.plain && inflect.IsPlural(head[strings.LastIndex(head, " ")+1:]) &&
		!slices.Contains([]string{"average", "mean", "median", "total", "percent", "number", "maximum", "minimum"}, first)
	return n
}

// head returns the words before the first preposition: years of years in practice.
func (n name) head() string {
	words := strings.Fields(n.words)
	for i, w := range words {
		if i > 0 && slices.Contains([]string{"in", "of", "for", "per", "at", "on", "to", "from", "by", "with"}, w) {
			return strings.Join(words[:i], " ")
		}
	}
	return n.words
}

// counted returns the name as something that has a value: number of seats, price.
func (n name) counted() string {
	if n.plural {
		return "number of " + n.words
	}
	return n.words
}

// several returns the plural: cuisines.
func (n name) several() string {
	head := n.head()
	return pluralOf(head) + strings.TrimPrefix(n.words, head)
}

// nounOf returns what the objects of a table are called.
func nounOf(table string, about *bird.Table) string {
	words := ""
	if about != nil {
		words = strings.Join(strings.Fields(about.Readable), " ")
	}
	if words == "" || strings.Contains(words, "_") || letters(words) == letters(table) && !strings.Contains(words, " ") {
		words = spelling.Words(table)
	}
	words = lowered(words)
	if last := words[strings.LastIndex(words, " ")+1:]; !isLetters(last) || strings.HasSuffix(last, "ed") || strings.HasSuffix(last, "ing") ||
		!strings.ContainsAny(last, "aeiouy") {
		return words + " records"
	}
	return pluralOf(words)
}

// lowered lowers words that begin with a capital, but no acronyms.
func lowered(words string) string {
	list := strings.Fields(words)
	for i, w := range list {
		if first := []rune(w)[:1]; len(w) > len(string(first)) && w == string(first)+strings.ToLower(w[len(string(first)):]) {
			list[i] = strings.ToLower(w)
		}
	}
	return strings.Join(list, " ")
}

// letters returns the letters of a name in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

func isLetters(words string) bool {
	return words != "" && !strings.ContainsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' && r != '-' })
}

// pluralOf puts the last word of a noun phrase into the plural.
func pluralOf(noun string) string {
	at := strings.LastIndex(noun, " ") + 1
	return noun[:at] + inflect.Plural(noun[at:])
}

// common are words that say nothing of a text.
var common = strings.Fields(`about above after again also among another because been before being below beside between both came could does doing
	down during each every from further have having here into itself just like made make more most much must near only other ours over same shall
	should some such than that their them then there these they this those through under until upon very want wants wanted was were what when where
	which while whom whose will with within without would your yours http https href`)

// informative returns the words of a text that say something: letters, four or more,
// none of the common ones. The first word of the text is in lower case.
func informative(v value.Value) []string {
	if v.Kind() != value.Text {
		return nil
	}
	var out []string
	for i, w := range strings.FieldsFunc(v.Raw(), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Mn, r) && r != '\'' && r != '_'
	}) {
		if i == 0 {
			w = strings.ToLower(w)
		}
		letters := !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		if letters && len(w) > 3 && len(w) < 20 && !slices.Contains(common, strings.ToLower(w)) {
			out = append(out, w)
		}
	}
	return out
}
