package valueindex

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// token is a run of letters and digits of a text.
type token struct {
	from, to   int // its folded form in folder.text
	start, end int // its bytes in the source
}

// folder takes texts apart. It reuses its memory, and one goroutine uses it at a
// time.
type folder struct {
	text   []byte // the folded tokens, one after another
	tokens []token
	caser  *cases.Caser
}

// whole are letters that have no decomposition, and how people write them who do
// not have them.
var whole = map[rune]string{'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'æ': "ae", 'œ': "oe", 'ı': "i"}

// fold takes a text apart, and forgets the one before.
func (f *folder) fold(s string) {
	f.text, f.tokens = f.text[:0], f.tokens[:0]
	open := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			f.foldUnicode(s)
			return
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		default:
			open = false
			continue
		}
		f.text = append(f.text, c)
		f.extend(&open, len(f.text)-1, i, i+1)
	}
}

// extend has the last token, or a new one if none is open, reach to the end of the
// folded text and of the source.
func (f *folder) extend(open *bool, from, start, end int) {
	if !*open {
		f.tokens = append(f.tokens, token{from: from, start: start})
		*open = true
	}
	last := &f.tokens[len(f.tokens)-1]
	last.to, last.end = len(f.text), end
}

func (f *folder) foldUnicode(s string) {
	if f.caser == nil {
		c := cases.Fold()
		f.caser = &c
	}
	f.text, f.tokens = f.text[:0], f.tokens[:0]
	open := false
	var it norm.Iter
	it.InitString(norm.NFKD, s)
	for !it.Done() {
		start := it.Pos()
		segment := it.Next()
		end := it.Pos()
		if len(segment) > 1 || segment[0] >= utf8.RuneSelf {
			segment = f.caser.Bytes(segment)
		}
		for len(segment) > 0 {
			r, size := utf8.DecodeRune(segment)
			segment = segment[size:]
			switch {
			case unicode.In(r, unicode.Mn, unicode.Me): // an accent
			case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Mc, r):
				from := len(f.text)
				if plain, ok := whole[r]; ok {
					f.text = append(f.text, plain...)
				} else {
					f.text = utf8.AppendRune(f.text, unicode.ToLower(r))
				}
				f.extend(&open, from, start, end)
			default:
				open = false
			}
		}
	}
}

// at returns a folded token. Its bytes are those of the folder.
func (f *folder) at(i int) []byte { return f.text[f.tokens[i].from:f.tokens[i].to] }

// words returns copies of the folded tokens.
func (f *folder) words() []string {
	text := string(f.text)
	out := make([]string, len(f.tokens))
	for i, t := range f.tokens {
		out[i] = text[t.from:t.to]
	}
	return out
}

// joined returns the tokens with those put together that only punctuation takes
// apart, as in e-mail or O'Brien, and whether there are such. Digits stay apart
// from digits: 3.14 is not 314.
func joined(s string, tokens []token, words []string) (out []string, any bool) {
	for i, w := range words {
		if i > 0 && !hasSpace(s[tokens[i-1].end:tokens[i].start]) && !(endsInDigit(words[i-1]) && startsWithDigit(w)) {
			out[len(out)-1] += w
			any = true
			continue
		}
		out = append(out, w)
	}
	return out, any
}

func hasSpace(s string) bool {
	for _, r := range s {
		if unicode.IsSpace(r) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func startsWithDigit(w string) bool { return w != "" && isDigit(w[0]) }

func endsInDigit(w string) bool { return w != "" && isDigit(w[len(w)-1]) }
