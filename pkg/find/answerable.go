package find

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/value"
)

// knowledge is what some databases know of a question: its words, without those by which
// questions ask, and how much of their weight.
type knowledge struct {
	known   []string // words of names and descriptions, and of stored values that count
	stored  []string // words that only other stored values have
	unknown []string
	covered float64 // of the weight of all words, that of those that are known; from 0 to 1
}

// knowledge looks for the words of a question in some databases.
func (x *Index) knowledge(a *asked, dbs []int) *knowledge {
	values := map[string]float64{} // how much stored values count, by stem
	mended := map[string]string{}  // what is stored, by the stem of a word with a typo
	for _, d := range dbs {
		for _, m := range a.values[d] {
			for _, s := range a.stems.of(a.span(m)) {
				if _, found := values[s]; !found && m.typo {
					mended[s] = value.AsText(m.value)
				}
				values[s] = max(values[s], a.counts(m))
			}
		}
	}
	k := &knowledge{}
	all, found := 0., 0.
	for _, t := range a.terms {
		if asking[t.stem] {
			continue
		}
		has := 0.
		x.names.words.Each(t.stem, func(doc int, weight float64) {
			if slices.Contains(dbs, x.names.columns[doc].db) {
				has = max(has, weight)
			}
		})
		counts, stored := values[t.stem]
		has = max(has, counts)
		word := a.words[t.stem]
		switch {
		case has > 0:
			k.known = append(k.known, word)
		case stored:
			if as := mended[t.stem]; as != "" && !strings.EqualFold(as, word) {
				word += " (" + as + ")"
			}
			k.stored = append(k.stored, word)
		default:
			k.unknown = append(k.unknown, word)
		}
		rarity := x.names.words.Rarity(t.stem) * t.weight
		all, found = all+rarity, found+rarity*has
	}
	if all > 0 {
		k.covered = found / all
	}
	return k
}

// counts returns how much a stored value that a question means says, from 0 to 1, of
// whether its database has what is asked for: most if it has several words, less if it
// is written as a name is. In a large database there is a value for nearly each other
// word.
func (a *asked) counts(m meant) float64 {
	switch {
	case m.typo:
		return 0
	case m.several:
		return 1
	case m.text == 0 && isName(a.q.Text, m.start, m.end):
		return ofName
	}
	return 0
}

// ofName is how much a name of one word counts.
const ofName = .3

// isName reports whether a word of a text is written as a name: with a capital letter,
// though no sentence begins there, and not as a number.
func isName(text string, start, end int) bool {
	if first, _ := utf8.DecodeRuneInString(text[start:end]); !unicode.IsUpper(first) {
		return false
	}
	before := strings.TrimRight(text[:start], " \t\n\"'“”‘’«»(")
	last, _ := utf8.DecodeLastRuneInString(before)
	return before != "" && !strings.ContainsRune(".?!:;", last)
}

// confidence returns how sure it is that databases that know that much have what a
// question asks for, from 0 to 1: 0.5 where it is just enough, which it is also where no
// word is foreign to them.
func (k *knowledge) confidence() float64 {
	confidence := k.covered / (k.covered + enough)
	if len(k.known) > 0 && len(k.unknown)+len(k.stored) == 0 {
		confidence = max(confidence, .5)
	}
	return confidence
}

// enough is how much of a question databases must know for an answer.
const enough = .2

// confidence returns how sure it is that some databases have what a question asks for.
func (x *Index) confidence(a *asked, dbs []int) float64 { return x.knowledge(a, dbs).confidence() }

// judge says whether the question can be answered.
func (x *Index) judge(r *Result, a *asked) {
	dbs := x.about(a)
	if len(dbs) == 0 {
		r.Reason = "no table or column has a word of the question"
		return
	}
	k := x.knowledge(a, dbs)
	r.Confidence = round(k.confidence())
	r.Answerable = r.Confidence >= .5
	var ids []string
	for _, d := range dbs {
		ids = append(ids, x.parts[d].id)
	}
	r.Reason = fmt.Sprintf("known in %s: %s", strings.Join(ids, " and "), cmp.Or(strings.Join(k.known, ", "), "none of its words"))
	if len(k.stored) > 0 {
		r.Reason += "; only in stored values: " + strings.Join(k.stored, ", ")
	}
	if len(k.unknown) > 0 {
		r.Reason += "; not known: " + strings.Join(k.unknown, ", ")
	}
}
