package valueindex

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/pkg/value"
)

// ranked is a match with what its place among others depends on.
type ranked struct {
	Match
	id    uint32
	span  [2]int // the tokens; the same for symbols, whose tokens are negative
	alike int    // how many matches have the same span
}

// ranked compares the candidates with the text, and returns all matches, the best
// first.
func (s *search) ranked() []ranked {
	slices.SortFunc(s.found, func(a, b candidate) int {
		return cmp.Or(int(a.kind)-int(b.kind), a.first-b.first, a.end-b.end, cmp.Compare(a.id, b.id))
	})
	var matches []ranked
	for _, c := range slices.Compact(s.found) {
		if m, ok := s.compare(c); ok {
			matches = append(matches, m)
		}
	}
	return rank(matches)
}

// rank leaves out what another match makes needless, and sorts the rest.
func rank(matches []ranked) []ranked {
	slices.SortFunc(matches, func(a, b ranked) int {
		return cmp.Or(a.span[0]-b.span[0], a.span[1]-b.span[1], cmp.Compare(a.id, b.id), int(a.Kind)-int(b.Kind))
	})
	matches = slices.CompactFunc(matches, func(a, b ranked) bool { return a.id == b.id && a.span == b.span })
	// A typo is not looked for in what means a value as it is.
	kept := matches[:0]
	reach := 0 // the farthest end of better spans that begin here or before
	for i := 0; i < len(matches); {
		same := i
		for ; same < len(matches) && matches[same].span[0] == matches[i].span[0]; same++ {
			if m := &matches[same]; m.Kind != Typo {
				reach = max(reach, m.span[1])
			}
		}
		for _, m := range matches[i:same] {
			if m.Kind != Typo || m.span[1] > reach {
				kept = append(kept, m)
			}
		}
		i = same
	}
	for i := 0; i < len(kept); {
		same := i
		for same < len(kept) && kept[same].span == kept[i].span {
			same++
		}
		for k := i; k < same; k++ {
			kept[k].alike = same - i
		}
		i = same
	}
	slices.SortFunc(kept, func(a, b ranked) int {
		return cmp.Or(b.Tokens-a.Tokens, a.alike-b.alike, int(a.Kind)-int(b.Kind),
			a.Text-b.Text, a.Start-b.Start, b.End-a.End, cmp.Compare(a.id, b.id))
	})
	return kept
}

// compare returns the match that a candidate is, if it is one.
func (s *search) compare(c candidate) (m ranked, ok bool) {
	column := s.x.columnOf(c.id)
	if column < 0 || s.only >= 0 && column != s.only {
		return ranked{}, false
	}
	at := &s.x.columns[column]
	v, ok := s.x.value(at, int(c.id)-at.first)
	if !ok {
		return ranked{}, false
	}
	m = ranked{Match: Match{Column: column, Value: v}, id: c.id}
	switch c.kind {
	case bySymbol:
		y := s.t.symbols[c.first]
		m.span = [2]int{-1 - c.first, -1 - c.first}
		m.Text, m.Start, m.End, m.Tokens, m.Quoted = y.source, y.start, y.end, 1, y.quoted
		return m, v.Kind() == value.Text && strings.TrimSpace(v.Raw()) == s.t.sources[y.source][y.start:y.end]
	case byDate:
		d := s.t.dates[c.first]
		m.Kind = Form
		s.place(&m, d.first, d.end)
		return m, v.Kind() == value.Text && isDate(v.Raw(), d.date)
	}
	s.place(&m, c.first, c.end)
	if v.Kind() != value.Text {
		return m, s.isNumber(&m.Match)
	}
	return m, s.isText(&m.Match, s.t.words[c.first:c.end])
}

// place says which tokens a match's span is.
func (s *search) place(m *ranked, first, end int) {
	words := s.t.words
	m.span = [2]int{first, end}
	m.Text, m.Start, m.End, m.Tokens = words[first].source, words[first].start, words[end-1].end, end-first
	m.Quoted = slices.Contains(s.t.quotes, m.span)
}

// isDate reports whether a stored text is a date.
func isDate(s string, d date) bool {
	if c, ok := compactDate(s); ok {
		return c == d
	}
	c, _, ok := storedDate(s)
	return ok && c == d
}

// isText compares a text with tokens, and says how well they fit.
func (s *search) isText(m *Match, words []textWord) bool {
	raw := m.Value.Raw()
	s.fold.fold(raw)
	stored := s.fold.words()
	if len(stored) == 0 {
		return false
	}
	edits := align(words, stored, len(stored))
	if edits < 0 {
		together, ok := joined(raw, s.fold.tokens, stored)
		if ok {
			edits = align(words, together, len(together))
		}
		if edits < 0 {
			return false
		}
	}
	m.Kind = Folded
	if edits > 0 {
		m.Kind = Typo
	}
	// Punctuation of the value may be around the span, but no words.
	start := m.Start - s.fold.tokens[0].start
	source := s.t.sources[m.Text]
	if edits == 0 && start >= 0 && start+len(raw) >= m.End && strings.HasPrefix(source[start:], raw) && !strings.ContainsFunc(source[m.End:start+len(raw)], isWordRune) {
		m.Kind, m.Start, m.End = Same, start, start+len(raw)
	}
	if len(stored) > 1 || len(words) > 1 || s.whole || m.Quoted {
		return true
	}
	isFunction := functionWords[stored[0]] || words[0].isFunction
	return !isFunction || m.Kind == Same && isUpper(raw)
}

// isUpper reports whether a text has upper-case letters and no others.
func isUpper(s string) bool {
	return strings.ToUpper(s) == s && strings.IndexFunc(s, unicode.IsUpper) >= 0
}

// align returns how many edits make tokens of a text of the tokens of a value, 0
// or 1, or -1 where it takes more. The value has that many tokens in all.
func align(words []textWord, stored []string, of int) int {
	switch {
	case len(words) == 0 && len(stored) == 0:
		return 0
	case len(words) == 0 || len(stored) == 0:
		return -1
	}
	best := -1
	take := func(edits, used, n int) {
		if best == 0 || used > len(words) {
			return
		}
		rest := align(words[used:], stored[n:], of)
		if rest >= 0 && rest+edits <= 1 && (best < 0 || rest+edits < best) {
			best = rest + edits
		}
	}
	w := &words[0]
	if w.word == stored[0] {
		take(0, 1, 1)
	}
	if len(words) == 1 && len(stored) == 1 && slices.Contains(numbers(w.word), stored[0]) {
		take(0, 1, 1)
	}
	for _, j := range w.joins {
		if j.word == stored[0] {
			take(j.edits, j.tokens, 1)
		}
	}
	if best >= 0 {
		return best
	}
	if w.deletions != nil && mayHaveTypo(stored[0]) && isOneEdit(w.word, stored[0]) {
		take(1, 1, 1)
	}
	if len(words) == 1 && len(stored) == 1 && w.singular != "" && mayHaveTypo(stored[0]) && isOneEdit(w.singular, stored[0]) {
		take(1, 1, 1)
	}
	if len(stored) > 1 && w.word == stored[0]+stored[1] && mayBeApart(stored[0], stored[1]) {
		take(1, 1, 2)
	}
	return best
}

// isNumber compares a number with a span, which may have commas in it.
func (s *search) isNumber(m *Match) bool {
	source := s.t.sources[m.Text]
	text := strings.ReplaceAll(source[m.Start:m.End], ",", "")
	v := m.Value
	if v.Int64() < 0 && v.Kind() == value.Integer || v.Float64() < 0 {
		start, ok := minusBefore(source, m.Start)
		if !ok {
			return false
		}
		m.Start, text = start, "-"+text
	}
	if v.Kind() == value.Integer {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n != v.Int64() {
			return false
		}
	} else if f, err := strconv.ParseFloat(text, 64); err != nil || f != v.Float64() {
		return false
	}
	m.Kind = Folded
	if source[m.Start:m.End] == value.AsText(v) {
		m.Kind = Same
	}
	return true
}

// minusBefore returns where the minus sign before a place is.
func minusBefore(s string, at int) (int, bool) {
	for _, sign := range []string{"-", "−"} {
		if strings.HasSuffix(s[:at], sign) {
			return at - len(sign), true
		}
	}
	return 0, false
}
