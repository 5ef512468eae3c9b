package find

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/value"
)

// meant is a stored value that words of a question mean.
type meant struct {
	column  int // of names.columns
	value   value.Value
	text    int // where the words are: 0 for the question, 1 for its evidence; -1 for those of a code
	start   int // in bytes
	end     int
	score   float64
	reason  string
	typo    bool
	several bool // words
}

// values has the stored values of one database.
type values struct {
	index   *valueindex.Index
	columns []int // of names.columns, by the columns of index
	codes   []code
}

// valuesOf joins the values of a database with its names.
func (n *names) valuesOf(db int, index *valueindex.Index) *values {
	s := n.schemas[db]
	places := map[valueindex.Column]int{}
	for t, table := range s.Tables {
		for c, column := range table.Columns {
			places[valueindex.Column{Table: table.Name, Name: column.Name}] = n.first[db][t] + c
		}
	}
	v := &values{index: index}
	for i, c := range index.Columns() {
		at, ok := places[c]
		if !ok {
			at = -1 // the table was changed since
		}
		v.columns = append(v.columns, at)
		if ok && index.Distinct(i) <= maxCodes {
			p := n.columns[at]
			about := s.Tables[p.table].Columns[p.column]
			v.codes = append(v.codes, codesOf(at, about.Values+"\n"+about.Description, index.Values(i, maxCodes))...)
		}
	}
	return v
}

// find returns the values that a question means, the best first. weights has the
// question's stems.
func (v *values) find(n *names, w valueWeights, texts [2]string, text *valueindex.Text, stemmed stemmer, weights map[string]float64) []meant {
	type span struct{ text, start, end int }
	matches := v.index.Lookup(text)
	shared := map[span]int{}
	for _, m := range matches {
		shared[span{m.Text, m.Start, m.End}]++
	}
	var out []meant
	for _, m := range matches {
		at := v.columns[m.Column]
		if at < 0 {
			continue
		}
		words := texts[m.Text][m.Start:m.End]
		stems := stemmed.of(words)
		if !m.Quoted && (m.Kind == valueindex.Typo && n.isMeant(words, stems) || m.Kind == valueindex.Folded && len(stems) == 1 && asking[stems[0]]) {
			continue
		}
		score := w.weight(m.Kind) * math.Pow(float64(m.Tokens), w.Tokens) * (1 + n.share(at, stems, weights)) /
			math.Pow(float64(shared[span{m.Text, m.Start, m.End}]), w.Shared)
		switch {
		case m.Quoted:
			score *= w.Quoted
		case len(stems) == 1 && n.words.Has(stems[0]):
			score *= w.Named
		}
		if m.Text == 1 {
			score *= w.Evidence
		}
		out = append(out, meant{at, m.Value, m.Text, m.Start, m.End, score, reasonOf(m), m.Kind == valueindex.Typo, m.Tokens > 1})
	}
	for _, c := range v.codes {
		if share := c.share(n, weights); share >= leastCode {
			score := w.Code * share * (1 + n.share(c.column, c.stems, weights))
			out = append(out, meant{c.column, c.value, -1, 0, 0, score, fmt.Sprintf("%s: %s", value.AsText(c.value), c.meaning), false, false})
		}
	}
	slices.SortStableFunc(out, func(a, b meant) int { return cmp.Compare(b.score, a.score) })
	return out
}

// isMeant reports whether a word is likely to be meant as it is, rather than to be a value
// with a typo: one by which questions ask or things are called here, or a short one that
// does not look like a name or a code.
func (n *names) isMeant(word string, stems []string) bool {
	if len(stems) != 1 {
		return false
	}
	isPlain := !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) })
	return asking[stems[0]] || n.words.Has(stems[0]) || isPlain && utf8.RuneCountInString(word) <= shortWord
}

// shortWord is how many letters a word has that is an English one more often than a name.
const shortWord = 3

// reasonOf says how well the words mean the value.
func reasonOf(m valueindex.Match) string {
	if m.Value.Kind() != value.Text {
		return "the same number"
	}
	return m.Kind.String()
}

func (w valueWeights) weight(h valueindex.MatchKind) float64 {
	switch h {
	case valueindex.Folded:
		return w.Folded
	case valueindex.Form:
		return w.Form
	case valueindex.Typo:
		return w.Typo
	}
	return 1
}

// share returns how much of what a column's name weighs is in a question besides the
// words that mean its value, from 0 to 1.
func (n *names) share(column int, without []string, weights map[string]float64) float64 {
	all, has := n.weigh(n.whole[column], without, weights)
	if all == 0 {
		return 0
	}
	return has / all
}
