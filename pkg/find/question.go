package find

import (
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/search/bm25"
)

// term is a stem of a question, and how much it counts.
type term struct {
	stem   string
	weight float64
}

// stemmer keeps the stems of the texts of one question, which are asked for again and
// again. Those that it returns must not be changed.
type stemmer map[string][]string

func (s stemmer) of(text string) []string {
	stems, ok := s[text]
	if !ok {
		stems = bm25.Stems(text)
		s[text] = stems
	}
	return stems
}

// termsOf returns the stems of a question, each once, and after them those that only
// its evidence has.
func termsOf(stems stemmer, text, evidence string, ofEvidence float64) []term {
	var out []term
	seen := map[string]bool{}
	add := func(text string, weight float64) {
		for _, s := range stems.of(text) {
			if !seen[s] && weight > 0 {
				seen[s] = true
				out = append(out, term{s, weight})
			}
		}
	}
	add(text, 1)
	add(evidence, ofEvidence)
	return out
}

// distinct returns the strings of a list, each once, in the order in which they first
// come.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// pairs returns each stem with the one after it.
func pairs(stems []string) []string {
	var out []string
	for i := 1; i < len(stems); i++ {
		out = append(out, stems[i-1]+" "+stems[i])
	}
	return out
}

// asking are stems by which questions ask, whatever they are about. They do not say
// whether a database has what is asked for.
var asking = func() map[string]bool {
	out := map[string]bool{}
	for _, s := range bm25.Stems(`
		a about above after all also among amount an and answer any are as ask at average be been before below between both but by calculate can compare
		compute could count did difference display do does down during each either else every find first for from full get give given had has have having he
		her here him highest his how i identify if in include indicate into is it its kindly larger largest last least less let list lowest many maximum me
		mention minimum more most much my name need no not number of on one ones only or order other our out over percent percentage please provide question
		ratio refer regarding respectively return s same she should show smaller so some state such sum tell than that the their them then there these they
		this those three to top total two under up us was we were what when where whether which while who whom whose why will with within would write yes you
		your best biggest called fastest fewest greatest heaviest kind latest longest named newest oldest recent shortest slowest smallest tallest worst youngest q1 q2`) {
		out[s] = true
	}
	return out
}()

var clauseEnd = regexp.MustCompile(`[.?!;:]+(?:\s+|$)|\n\s*`)

// clause is a piece of a question that says what it is about.
type clause struct {
	text       string
	start, end int // bytes of the question
	terms      []term
}

// clauses returns the sentences and parts of sentences of a question that have other
// words than those of asking, as the Q1 in front of a question is.
func clauses(stems stemmer, text string) []clause {
	var out []clause
	add := func(start, end int) {
		c := clause{strings.TrimSpace(text[start:end]), start, end, termsOf(stems, text[start:end], "", 0)}
		if slices.ContainsFunc(c.terms, func(t term) bool { return !asking[t.stem] && !isNumber(t.stem) }) {
			out = append(out, c)
		}
	}
	from := 0
	for _, at := range clauseEnd.FindAllStringIndex(text, -1) {
		add(from, at[0])
		from = at[1]
	}
	add(from, len(text))
	return out
}

// isNumber reports whether a stem counts things, as 1 and q1 do.
func isNumber(stem string) bool {
	digits := strings.TrimPrefix(stem, "q")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// synonyms lead from the stems of questions to those of the words that descriptions of
// tools have for the same.
var synonyms = func() map[string][]string {
	out := map[string][]string{}
	for _, line := range []string{
		"after: above", "age: birth", "amount: total number", "average: mean", "avg: average", "before: below", "best: highest", "biggest: highest", "born: birthday birth",
		"count: number how many", "difference: minus", "exceed: above", "fastest: lowest", "fewer: below", "fewest: lowest", "first: earliest", "greater: above", "greatest: highest",
		"heaviest: highest", "higher: above", "largest: highest", "last: latest", "least: lowest fewest", "less: below", "link: url", "longest: highest", "lower: below", "many: number",
		"max: highest", "maximum: highest", "mean: average", "min: lowest", "minimum: lowest", "more: above difference", "most: highest", "newest: latest", "number: how many", "old: age",
		"oldest: earliest", "over: above", "percent: percentage", "proportion: percentage", "rate: ratio percentage", "ratio: percentage divided", "recent: latest", "shortest: lowest",
		"smallest: lowest", "sum: total", "tallest: highest", "than: above below", "top: highest", "under: below", "website: url", "when: date", "who: name", "worst: lowest", "youngest: latest",
	} {
		from, to, _ := strings.Cut(line, ": ")
		out[bm25.Stem(from)] = append(out[bm25.Stem(from)], bm25.Stems(to)...)
	}
	return out
}()
