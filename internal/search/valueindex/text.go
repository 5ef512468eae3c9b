package valueindex

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText is how many bytes of the texts that are looked up together count.
const MaxText = 4000

// Text is what values are looked for in. It is made once for all indexes, does not
// change, and several goroutines may use it at once.
type Text struct {
	sources []string
	words   []textWord
	quotes  [][2]int // the tokens of what is in quotation marks
	symbols []symbol
	dates   []dated
}

// textWord is a token of a text, with all that does not depend on the index.
type textWord struct {
	token
	source     int // the place of its text in Text.sources
	word       string
	hash       uint32
	isFunction bool     // see functionWords
	forms      []uint32 // hashes of its plural or singular
	// deletions are the keys of what is left of the word without one of its letters,
	// nil where no typo is looked for; singular is what it may be the plural of, where
	// a typo is looked for in that.
	deletions         []uint64
	singular          string
	singularDeletions []uint64
	splits            [][2]uint32
	joins             []join
}

// join is a word that a token makes with those after it.
type join struct {
	word   string
	hash   uint32
	tokens int
	edits  int
}

// symbol is a span without letters and digits.
type symbol struct {
	source, start, end int
	quoted             bool // whether it is in quotation marks
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// maxJoin is how many tokens that only punctuation takes apart are put together.
const maxJoin = 4

// Prepare takes texts apart. Values are found in each of them and in none over two.
// What is beyond MaxText bytes in all is not looked at.
func Prepare(texts ...string) *Text {
	t := &Text{}
	var f folder
	left := MaxText
	for i, s := range texts {
		s = cut(s, left)
		left -= len(s)
		t.sources = append(t.sources, s)
		f.fold(s)
		words := f.words()
		quotes := quotedSpans(s)
		for _, d := range datesOf(s, f.tokens, words) {
			d.first, d.end = d.first+len(t.words), d.end+len(t.words)
			t.dates = append(t.dates, d)
		}
		t.symbols = append(t.symbols, symbolsOf(i, s, f.tokens, quotes)...)
		for _, q := range quotes {
			first, end := tokensIn(f.tokens, q)
			t.quotes = append(t.quotes, [2]int{first + len(t.words), end + len(t.words)})
		}
		for k := range words {
			t.words = append(t.words, textWordOf(i, s, f.tokens, words, k))
		}
	}
	return t
}

// cut returns the longest beginning of s that has at most n bytes and no part of a
// rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func textWordOf(source int, s string, tokens []token, words []string, k int) textWord {
	w := textWord{token: tokens[k], source: source, word: words[k], hash: tokenHash(words[k])}
	w.isFunction = functionWords[w.word] || contractions[w.word] && k > 0 && isApostrophe(s[tokens[k-1].end:w.start])
	for _, form := range numbers(w.word) {
		w.forms = append(w.forms, tokenHash(form))
	}
	if _, runes := lettersOf(w.word); !w.isFunction && runes <= typoRunes+1 {
		w.deletions = deletionKeys(w.word)
		if one, ok := strings.CutSuffix(w.word, "s"); ok && runes > singularLetters && !strings.HasSuffix(one, "s") {
			w.singular, w.singularDeletions = one, deletionKeys(one)
		}
	}
	for i := range w.word {
		if i > 0 && mayBeApart(w.word[:i], w.word[i:]) {
			w.splits = append(w.splits, [2]uint32{tokenHash(w.word[:i]), tokenHash(w.word[i:])})
		}
	}
	joined := w.word
	for n := 2; n <= maxJoin && k+n <= len(tokens); n++ {
		last := k + n - 1
		isSpaced := hasSpace(s[tokens[last-1].end:tokens[last].start])
		if isSpaced && n == 2 && mayBeApart(w.word, words[last]) {
			w.joins = append(w.joins, join{word: joined + words[last], hash: tokenHash(joined + words[last]), tokens: 2, edits: 1})
		}
		if isSpaced {
			break
		}
		joined += words[last]
		w.joins = append(w.joins, join{word: joined, hash: tokenHash(joined), tokens: n})
	}
	return w
}

// deletionKeys returns the keys by which tokens are found that are one edit from w.
func deletionKeys(w string) []uint64 {
	var keys []uint64
	var buf [64]byte
	deletions(w, buf[:0], func(rest []byte) { keys = append(keys, deletionKey(rest)) })
	slices.Sort(keys)
	return slices.Compact(keys)
}

func isApostrophe(s string) bool { return s == "'" || s == "’" }

// closing has the mark that ends what another one begins.
var closing = map[rune]rune{'\'': '\'', '"': '"', '`': '`', '“': '”', '‘': '’', '«': '»', '„': '“'}

// quotedSpans returns what is in quotation marks, without the marks. An
// apostrophe between letters is none.
func quotedSpans(s string) []span {
	var out []span
	inWord := false // whether the rune before is a letter or digit
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if end, ok := closing[r]; ok && !inWord {
			if n := endOfQuote(s[i:], end); n >= 0 {
				out = append(out, span{i, i + n})
				i += n + utf8.RuneLen(end)
			}
		}
		inWord = isWordRune(r)
	}
	return out
}

// endOfQuote returns how many bytes there are before the mark that ends a quotation,
// or -1.
func endOfQuote(s string, end rune) int {
	for i, r := range s[:min(len(s), MaxBytes+utf8.UTFMax)] {
		if r != end {
			continue
		}
		next, size := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if size == 0 || !isWordRune(next) {
			return i
		}
	}
	return -1
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// symbolsOf returns the spans of a text that have no letter and no digit and are
// in quotation marks or between spaces.
func symbolsOf(source int, s string, tokens []token, quotes []span) []symbol {
	var out []symbol
	add := func(at span, quoted bool) {
		inner := strings.TrimSpace(s[at.start:at.end])
		at.start += strings.Index(s[at.start:], inner)
		at.end = at.start + len(inner)
		isKnown := slices.Contains(out, symbol{source, at.start, at.end, true})
		if first, end := tokensIn(tokens, at); inner != "" && first == end && !isKnown {
			out = append(out, symbol{source, at.start, at.end, quoted})
		}
	}
	for _, q := range quotes {
		add(q, true)
	}
	start := 0
	for i, r := range s {
		if unicode.IsSpace(r) {
			add(span{start, i}, false)
			start = i + utf8.RuneLen(r)
		}
	}
	add(span{start, len(s)}, false)
	return out
}

// tokensIn returns the tokens that are in a part of their text, even if not all of
// them.
func tokensIn(tokens []token, at span) (first, end int) {
	first = sort.Search(len(tokens), func(i int) bool { return tokens[i].end > at.start })
	end = sort.Search(len(tokens), func(i int) bool { return tokens[i].start >= at.end })
	return first, max(first, end)
}
