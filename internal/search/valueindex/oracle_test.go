package valueindex

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/pkg/value"
)

// The same values and texts are drawn each time; -rapid.seed and -rapid.checks draw
// others, and more.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err) // the flag is rapid's
	}
}

// TestLookupOracle compares lookups with what the package's comment says, computed
// over all values and spans: all that can be written for a value is made, where the
// index looks for what is the case.
func TestLookupOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SliceOfN(rapid.SliceOfN(drawValue(), 0, 8), 1, 3).Draw(t, "columns")
		x := buildColumns(t, columns)
		text := Prepare(rapid.SliceOfN(drawText(), 1, 2).Draw(t, "texts")...)
		got := x.Lookup(text)
		if len(got) == MaxMatches {
			t.Skip("there are more matches than are returned")
		}
		want := oracle(columns, text)
		order := cmpopts.SortSlices(func(a, b Match) bool { return fmt.Sprint(a, a.Value.Kind()) < fmt.Sprint(b, b.Value.Kind()) })
		if diff := cmp.Diff(want, got, order, cmpopts.EquateEmpty(), cmp.Comparer(func(a, b value.Value) bool { return a == b })); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
		if !slices.IsSortedFunc(got, func(a, b Match) int { return b.Tokens - a.Tokens }) {
			t.Fatalf("the longest spans are not first: %+v", got)
		}
	})
}

// TestBuildOrder says that the bytes of an index depend on the values alone.
func TestBuildOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.SliceOfN(rapid.SliceOfN(drawValue(), 0, 40), 1, 3).Draw(t, "columns")
		want := buildColumns(t, columns)
		for _, c := range columns {
			rand.Shuffle(len(c), func(i, k int) { c[i], c[k] = c[k], c[i] })
		}
		if got := buildColumns(t, columns); string(got.Bytes()) != string(want.Bytes()) {
			t.Fatal("the same values in another order give other bytes")
		}
		for i, c := range columns {
			distinct := map[value.Value]bool{}
			for _, v := range c {
				distinct[v] = true
				if got, how, ok := want.Stored(i, value.AsText(v)); !ok || how != Same || value.AsText(got) != value.AsText(v) {
					t.Fatalf("%v is not stored: %v, %v, %t", v, got, how, ok)
				}
			}
			got := want.Values(i, len(c))
			for _, v := range got {
				delete(distinct, v)
			}
			if len(distinct) > 0 || len(got) != want.Distinct(i) {
				t.Fatalf("values %v are not among %v", distinct, got)
			}
		}
	})
}

func buildColumns(t interface{ Fatal(...any) }, columns [][]value.Value) *Index {
	list := make([]Column, len(columns))
	x, err := Build(context.Background(), list, func(_ context.Context, column int, yield func(value.Value) error) error {
		for _, v := range columns[column] {
			if err := yield(v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// oracle returns the matches of a text in columns of values.
func oracle(columns [][]value.Value, t *Text) []Match {
	type found struct {
		Match
		first, end int
	}
	var all []found
	add := func(m Match, first, end int) {
		for i := range all {
			if a := &all[i]; a.Column == m.Column && a.Value == m.Value && a.first == first && a.end == end && a.Text == m.Text {
				if first < end || a.Start == m.Start {
					if m.Kind < a.Kind {
						all[i] = found{m, first, end}
					}
					return
				}
			}
		}
		all = append(all, found{m, first, end})
	}
	for c, values := range columns {
		dates := datesByText(values)
		for _, v := range values {
			for _, y := range t.symbols {
				s := t.sources[y.source][y.start:y.end]
				if v.Kind() == value.Text && strings.TrimSpace(v.Raw()) == s {
					add(Match{c, v, y.source, y.start, y.end, 1, Same, y.quoted}, 0, 0)
				}
			}
			for _, d := range t.dates {
				if v.Kind() == value.Text && dates[v.Raw()] == d.date {
					m := spanMatch(t, c, v, d.first, d.end)
					m.Kind = Form
					add(m, d.first, d.end)
				}
			}
			for first := range t.words {
				for end := first + 1; end <= len(t.words) && t.words[end-1].source == t.words[first].source; end++ {
					if m, ok := meaning(t, c, v, first, end); ok {
						add(m, first, end)
					}
				}
			}
		}
	}
	var out []Match
	for _, f := range all {
		isIn := func(o found) bool { return o.Kind != Typo && o.first <= f.first && f.end <= o.end && o.first < o.end }
		if f.Kind != Typo || !slices.ContainsFunc(all, isIn) {
			out = append(out, f.Match)
		}
	}
	return out
}

func datesByText(values []value.Value) map[string]date {
	var texts []string
	for _, v := range values {
		if v.Kind() == value.Text {
			texts = append(texts, v.Raw())
		}
	}
	slices.Sort(texts)
	out := map[string]date{}
	for i, d := range datesOfColumn(texts) {
		if d.year > 0 {
			out[texts[i]] = d
		}
	}
	return out
}

func spanMatch(t *Text, column int, v value.Value, first, end int) Match {
	a, b := t.words[first], t.words[end-1]
	return Match{Column: column, Value: v, Text: a.source, Start: a.start, End: b.end, Tokens: end - first, Quoted: slices.Contains(t.quotes, [2]int{first, end})}
}

// meaning says whether a span of tokens means a value, dates aside.
func meaning(t *Text, column int, v value.Value, first, end int) (Match, bool) {
	m := spanMatch(t, column, v, first, end)
	source := t.sources[m.Text]
	if v.Kind() != value.Text {
		s := value.AsText(v)
		start := m.Start
		if strings.HasPrefix(s, "-") && strings.HasSuffix(source[:start], "-") {
			start--
		}
		whole, isWhole := strings.CutSuffix(s, ".0")
		written := source[start:m.End]
		plain := strings.ReplaceAll(written, ",", "")
		if plain != s && (!isWhole || plain != whole) || strings.HasPrefix(s, "-") && start == m.Start {
			return m, false
		}
		m.Start, m.Kind = start, Folded
		if written == s {
			m.Kind = Same
		}
		return m, true
	}
	raw := v.Raw()
	var f folder
	f.fold(raw)
	words := f.words()
	if len(words) == 0 {
		return m, false
	}
	least := costOf(t.words[first:end], words)
	if together, ok := joined(raw, f.tokens, words); ok {
		least = min(least, costOf(t.words[first:end], together))
	}
	if least > 1 {
		return m, false
	}
	m.Kind = [...]MatchKind{Folded, Typo}[least]
	for at := range source {
		if least == 0 && strings.HasPrefix(source[at:], raw) {
			in := func(w textWord) bool { return w.source == m.Text && at <= w.start && w.end <= at+len(raw) }
			i := slices.IndexFunc(t.words, in)
			n := 0
			for _, w := range t.words {
				if in(w) {
					n++
				}
			}
			if i == first && n == end-first {
				m.Kind, m.Start, m.End = Same, at, at+len(raw)
				break
			}
		}
	}
	if len(words) == 1 && end-first == 1 && !m.Quoted && (functionWords[words[0]] || t.words[first].isFunction) {
		isUpper := strings.IndexFunc(raw, unicode.IsLower) < 0 && strings.IndexFunc(raw, unicode.IsUpper) >= 0
		return m, m.Kind == Same && isUpper
	}
	return m, true
}

// reading is words that tokens of a text may be, and after how many edits.
type reading struct {
	words []string
	edits int
	from  []int // the token that a word is, or -1 where it is several
}

// costOf returns how many edits make a value's words of tokens; 2 stands for more.
func costOf(tokens []textWord, stored []string) int {
	best := 2
	for _, r := range readings(tokens, 0) {
		for _, other := range edits(tokens, r, stored) {
			if slices.Equal(other.words, stored) {
				best = min(best, other.edits)
			}
		}
	}
	return best
}

// readings puts tokens together in all ways.
func readings(tokens []textWord, at int) []reading {
	if at == len(tokens) {
		return []reading{{}}
	}
	var out []reading
	take := func(word string, n, edits, from int) {
		for _, rest := range readings(tokens, at+n) {
			if rest.edits+edits <= 1 {
				out = append(out, reading{append([]string{word}, rest.words...), rest.edits + edits, append([]int{from}, rest.from...)})
			}
		}
	}
	take(tokens[at].word, 1, 0, at)
	for _, j := range tokens[at].joins {
		if at+j.tokens <= len(tokens) {
			take(j.word, j.tokens, j.edits, -1)
		}
	}
	return out
}

// edits returns a reading, and all that one more edit makes of it.
func edits(tokens []textWord, r reading, stored []string) []reading {
	out := []reading{r}
	replace := func(i int, edits int, with ...string) {
		words := slices.Concat(r.words[:i], with, r.words[i+1:])
		out = append(out, reading{words: words, edits: edits})
	}
	last := len(r.words) - 1
	if r.from[last] >= 0 {
		for _, form := range numbers(r.words[last]) {
			replace(last, r.edits, form)
		}
	}
	if r.edits > 0 {
		return out
	}
	for i, w := range r.words {
		if r.from[i] < 0 {
			continue
		}
		for k := range w {
			if k > 0 && mayBeApart(w[:k], w[k:]) {
				replace(i, 1, w[:k], w[k:])
			}
		}
		if tokens[r.from[i]].isFunction {
			continue
		}
		for _, edited := range oneEdits(w, stored) {
			if mayHaveTypo(edited) {
				replace(i, 1, edited)
			}
		}
		if one, ok := strings.CutSuffix(w, "s"); ok && i == last && len([]rune(w)) > singularLetters && !strings.HasSuffix(one, "s") {
			for _, edited := range oneEdits(one, stored) {
				if mayHaveTypo(edited) {
					replace(i, 1, edited)
				}
			}
		}
	}
	return out
}

// oneEdits returns all words that one edit makes of w with the letters of others.
func oneEdits(w string, others []string) []string {
	runes := []rune(w)
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, strings.Join(others, "")))
	slices.Sort(letters)
	letters = slices.Compact(letters)
	var out []string
	add := func(edited []rune) { out = append(out, string(edited)) }
	for i := 0; i <= len(runes); i++ {
		for _, l := range letters {
			add(slices.Insert(slices.Clone(runes), i, l))
		}
		if i == len(runes) || !unicode.IsLetter(runes[i]) {
			continue
		}
		add(slices.Delete(slices.Clone(runes), i, i+1))
		for _, l := range letters {
			edited := slices.Clone(runes)
			edited[i] = l
			add(edited)
		}
		if i+1 < len(runes) && unicode.IsLetter(runes[i+1]) {
			edited := slices.Clone(runes)
			edited[i], edited[i+1] = edited[i+1], edited[i]
			add(edited)
		}
	}
	return out
}
