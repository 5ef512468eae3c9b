package value

import "strings"

// Like returns text LIKE pattern ESCAPE escape (lang_expr.html, "The LIKE,
// GLOB, REGEXP, MATCH, and extract operators"): 1, 0, or NULL if either
// operand is NULL. % stands for any text and _ for any one character; ASCII
// letters match in either case. escape is the character that takes the special
// meaning from the next one, 0 for none. As SQLite is built here, a blob
// matches nothing.
func Like(pattern, text Value, escape rune) Value {
	return match(pattern, text, func(p string) *Pattern { return CompileLike(p, escape) })
}

// Glob returns text GLOB pattern: as Like, but * stands for any text, ? for
// any one character, [a-z] and [^a-z] for one of a set, and case matters.
func Glob(pattern, text Value) Value { return match(pattern, text, CompileGlob) }

func match(pattern, text Value, compile func(string) *Pattern) Value {
	if pattern.kind == Blob || text.kind == Blob {
		return Int(0)
	}
	if pattern.kind == Null || text.kind == Null {
		return Value{}
	}
	return Bool(compile(AsText(pattern)).Match(AsText(text)))
}

// Pattern is a LIKE or GLOB pattern prepared for many texts. It is safe for
// concurrent use.
type Pattern struct {
	tokens []token
	folds  bool // ASCII letters match in either case
	never  bool // the pattern is malformed and matches no text
}

type tokenKind uint8

const (
	tokenChar tokenKind = iota
	tokenOne
	tokenAny
	tokenSet
)

type token struct {
	kind   tokenKind
	char   rune
	set    []charRange
	invert bool
}

type charRange struct{ first, last rune }

// CompileLike prepares a LIKE pattern. escape is as in Like.
func CompileLike(pattern string, escape rune) *Pattern {
	p := &Pattern{folds: true}
	for s := cstring(pattern); s != ""; {
		var c rune
		c, s = readChar(s)
		switch {
		case escape != 0 && c == escape:
			if s == "" {
				p.never = true
				return p
			}
			c, s = readChar(s)
			p.tokens = append(p.tokens, token{char: foldRune(c)})
		case c == '%':
			p.any()
		case c == '_':
			p.tokens = append(p.tokens, token{kind: tokenOne})
		default:
			p.tokens = append(p.tokens, token{char: foldRune(c)})
		}
	}
	return p
}

// CompileGlob prepares a GLOB pattern.
func CompileGlob(pattern string) *Pattern {
	p := &Pattern{}
	for s := cstring(pattern); s != ""; {
		var c rune
		c, s = readChar(s)
		switch c {
		case '*':
			p.any()
		case '?':
			p.tokens = append(p.tokens, token{kind: tokenOne})
		case '[':
			t, rest, ok := readSet(s)
			if !ok {
				p.never = true
				return p
			}
			s = rest
			p.tokens = append(p.tokens, t)
		default:
			p.tokens = append(p.tokens, token{char: c})
		}
	}
	return p
}

// any appends a wildcard, once for a run of them.
func (p *Pattern) any() {
	if n := len(p.tokens); n == 0 || p.tokens[n-1].kind != tokenAny {
		p.tokens = append(p.tokens, token{kind: tokenAny})
	}
}

// readSet reads a set from behind its opening bracket. A ] that comes first
// and a - without a character on both sides stand for themselves.
func readSet(s string) (t token, rest string, ok bool) {
	t.kind = tokenSet
	if strings.HasPrefix(s, "^") {
		t.invert = true
		s = s[1:]
	}
	if strings.HasPrefix(s, "]") {
		t.set = append(t.set, charRange{']', ']'})
		s = s[1:]
	}
	var prior, c rune
	for s != "" {
		c, s = readChar(s)
		switch {
		case c == ']':
			return t, s, true
		case c == '-' && s != "" && s[0] != ']' && prior > 0:
			c, s = readChar(s)
			t.set = append(t.set, charRange{prior, c})
			prior = 0
		default:
			t.set = append(t.set, charRange{c, c})
			prior = c
		}
	}
	return t, "", false
}

func (t *token) matches(c rune, folds bool) bool {
	switch t.kind {
	case tokenOne:
		return true
	case tokenSet:
		for _, r := range t.set {
			if c >= r.first && c <= r.last {
				return !t.invert
			}
		}
		return t.invert
	}
	if folds {
		c = foldRune(c)
	}
	return c == t.char
}

// Match reports whether the whole text matches. The time is at most the
// product of the lengths of the pattern and the text.
func (p *Pattern) Match(text string) bool {
	if p.never {
		return false
	}
	text = cstring(text)
	next := 0 // the token to match now
	// Where to go on when a token fails: behind the last wildcard, with one
	// more character of the text given to it.
	retry, retryText := -1, ""
	for {
		switch {
		case next < len(p.tokens) && p.tokens[next].kind == tokenAny:
			next++
			retry, retryText = next, text
			continue
		case next == len(p.tokens) && (text == "" || retry == next):
			return true
		case next < len(p.tokens) && text != "":
			if c, rest := readChar(text); p.tokens[next].matches(c, p.folds) {
				next, text = next+1, rest
				continue
			}
		}
		if retry < 0 || retryText == "" {
			return false
		}
		_, retryText = readChar(retryText)
		next, text = retry, retryText
	}
}

func foldRune(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
