package paper

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// granite reads the calls after [<tool_call>[, or without the first bracket.
//
// The mark must be in the last line, and what follows it in that line is read.
// Backslashes are resolved as in Python's unicode_escape, which takes each byte
// of UTF-8 for a letter of its own. An object in the arguments is possible only
// if it has the form of a call. Arguments that are no JSON stay a text. A text
// without the mark or without such calls is no calls and no error.
func granite(text string) ([]any, error) {
	text = wrapped(text)
	line := text[strings.LastIndexByte(text, '\n')+1:]
	_, inner, _ := strings.Cut(line, "<tool_call>[")
	inner, err := unescape(inner)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for pos := 0; ; {
		i := strings.Index(inner[pos:], `{"name":`)
		if i < 0 {
			return out, nil
		}
		m, ok := match(inner[pos+i:], 0)
		if !ok {
			pos += i + 1
			continue
		}
		pos += i + m.length
		args, err := loads(m.args)
		if err != nil {
			args = m.args
		}
		out = append(out, call(m.name, args))
	}
}

// matched is a call in a text.
type matched struct {
	name, args string
	length     int
}

// before is a call up to its arguments.
var before = regexp.MustCompile(`^\{"name":[\s\pZ]*"([^"]+)"[\s\pZ]*,[\s\pZ]*"arguments":[\s\pZ]*\{`)

// match reads one call at the beginning of a text. The only braces between those
// of its arguments are those of other calls.
func match(text string, depth int) (matched, bool) {
	m := before.FindStringSubmatch(text)
	if m == nil || depth > maxDepth {
		return matched{}, false
	}
	begin := len(m[0]) - 1
	for pos := len(m[0]); ; {
		i := strings.IndexAny(text[pos:], "{}")
		switch {
		case i < 0:
			return matched{}, false
		case text[pos+i] == '}':
			end := pos + i + 1
			return matched{m[1], text[begin:end], end + 1}, strings.HasPrefix(text[end:], "}")
		}
		inner, ok := match(text[pos+i:], depth+1)
		if !ok {
			return matched{}, false
		}
		pos += i + inner.length
	}
}

var errEscape = errors.New("it has a backslash that is no escape to Python")

// letters are the escapes of one letter.
var letters = map[byte]string{
	'\n': "", '\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// unescape is Python's text.encode().decode("unicode_escape").
func unescape(text string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' {
			b.WriteRune(rune(text[i]))
			i++
			continue
		}
		s, n, ok := escape(text[i+1:])
		if !ok {
			return "", errEscape
		}
		b.WriteString(s)
		i += 1 + n
	}
	return b.String(), nil
}

// escape returns what the escape stands for that begins a text, behind its
// backslash, and how long it is. An unknown one stands for itself.
func escape(text string) (string, int, bool) {
	if text == "" {
		return "", 0, false
	}
	if s, ok := letters[text[0]]; ok {
		return s, 1, true
	}
	octal := 0
	for octal < min(3, len(text)) && text[octal] >= '0' && text[octal] <= '7' {
		octal++
	}
	if octal > 0 {
		n, err := strconv.ParseUint(text[:octal], 8, 16)
		return string(rune(n)), octal, err == nil
	}
	digits, ok := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[0]]
	if !ok {
		return `\`, 0, text[0] != 'N'
	}
	c, ok := hex(text[1:], digits)
	if utf16.IsSurrogate(c) && strings.HasPrefix(text[1+digits:], `\u`) {
		low, paired := hex(text[3+digits:], 4)
		if both := utf16.DecodeRune(c, low); paired && both != utf8.RuneError {
			return string(both), digits + 7, true
		}
	}
	return string(c), 1 + digits, ok
}

func hex(text string, digits int) (rune, bool) {
	if len(text) < digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[:digits], 16, 32)
	return rune(n), err == nil && n <= utf8.MaxRune
}
