package value

import (
	"errors"
	"strconv"
	"strings"
)

// invalidChar is what an escape stands for that is none.
const invalidChar = 0x99999

// unescapeJSON returns the characters that the inside of a string stands for.
func unescapeJSON(s string) string {
	var b strings.Builder
	for s != "" {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		r, n := unescapeOne(s)
		s = s[n:]
		if r != invalidChar {
			b.WriteString(encodeChar(r))
		}
	}
	return b.String()
}

// encodeChar writes a character as UTF-8, halves of surrogate pairs as well.
func encodeChar(r rune) string {
	if r >= 0xD800 && r < 0xE000 {
		return string([]byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6)&0xBF, 0x80 | byte(r)&0xBF})
	}
	return string(r)
}

// unescapeOne reads the escape that s begins with and returns its bytes. An
// escaped newline stands for the character behind it.
func unescapeOne(s string) (rune, int) {
	if len(s) < 2 {
		return invalidChar, len(s)
	}
	switch c := s[1]; c {
	case 'u':
		if len(s) < 6 {
			return invalidChar, len(s)
		}
		r := hexRune(s[2:6])
		if r&0xFC00 == 0xD800 && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
			if low := hexRune(s[8:12]); low&0xFC00 == 0xDC00 {
				return (r&0x3FF)<<10 + low&0x3FF + 0x10000, 12
			}
		}
		return r, 6
	case 'x':
		if len(s) < 4 {
			return invalidChar, len(s)
		}
		return hexRune(s[2:4]), 4
	case '0':
		if len(s) > 2 && isDigit(s[2]) {
			return invalidChar, 2
		}
		return 0, 2
	case '\n', '\r', 0xE2:
		return unescapeAfterNewline(s)
	case 'v':
		return '\v', 2
	case '\'', '"', '/', '\\':
		return rune(c), 2
	}
	if i := strings.IndexByte("bfnrt", s[1]); i >= 0 {
		return rune("\b\f\n\r\t"[i]), 2
	}
	return invalidChar, 2
}

func unescapeAfterNewline(s string) (rune, int) {
	skip := 0
	for skip+1 < len(s) && s[skip] == '\\' {
		n := escapedNewline(s[skip+1:])
		if n == 0 {
			break
		}
		skip += 1 + n
	}
	switch {
	case skip == 0:
		return invalidChar, len(s)
	case skip == len(s):
		return 0, len(s)
	case s[skip] == '\\':
		r, n := unescapeOne(s[skip:])
		return r, skip + n
	}
	r, rest := readLimited(s[skip:])
	return r, len(s) - len(rest)
}

// readLimited reads a character of at most four bytes.
func readLimited(s string) (rune, string) {
	if s[0] < 0xC0 {
		return rune(s[0]), s[1:]
	}
	n := 1
	for n < 4 && continues(s, n) {
		n++
	}
	r, _ := readChar(s[:n])
	return r, s[n:]
}

// hexRune reads hexadecimal digits. Others count as SQLite happens to count
// them.
func hexRune(s string) rune {
	r := rune(0)
	for i := range len(s) {
		c := rune(s[i])
		r = r<<4 | (c+9*(1&(c>>6)))&0xF
	}
	return r
}

// sameLabel compares two labels; raw ones have no escapes.
func sameLabel(a string, rawA bool, b string, rawB bool) bool {
	if rawA && rawB {
		return a == b
	}
	next := func(s *string, raw bool) rune {
		if *s == "" {
			return 0
		}
		if (*s)[0] == '\\' && !raw {
			r, n := unescapeOne(*s)
			*s = (*s)[n:]
			return r
		}
		r, rest := readLimited(*s)
		*s = rest
		return r
	}
	for {
		x, y := next(&a, rawA), next(&b, rawB)
		if x != y {
			return false
		}
		if x == 0 {
			return true
		}
	}
}

func (n *jsonNode) isRaw() bool { return n.kind == jsonText || n.kind == jsonTextRaw }

// edit says what is done to the element that a path leads to.
type edit uint8

const (
	editNone    edit = iota
	editRemove       // remove it
	editReplace      // put another in its place
	editInsert       // put another there, if there is none
	editSet          // either of these
)

// lookup follows a path.
type lookup struct {
	call *jsonCall
	path string
	edit edit
	with *jsonNode // of the edits that put one there
}

// find returns the element at a path, nil if there is none
// (https://www.sqlite.org/json1.html, section 3.4). The error is that of a path
// that is none.
func (c *jsonCall) find(path string) (*jsonNode, error) {
	return c.change(path, editNone, nil)
}

// change is find with an edit.
func (c *jsonCall) change(path string, e edit, with *jsonNode) (*jsonNode, error) {
	path = cstring(path)
	l := &lookup{call: c, path: path, edit: e, with: with}
	rest, ok := strings.CutPrefix(path, "$")
	if !ok {
		return nil, l.bad()
	}
	top := &jsonNode{kind: jsonArray, kids: []*jsonNode{c.root}}
	n, err := l.step(top, 0, rest, 0)
	if err == nil && len(top.kids) == 1 {
		c.root = top.kids[0]
	}
	return n, err
}

func (l *lookup) bad() error {
	return &FunctionError{l.call.name, "bad JSON path: " + quote(Str(l.path), false)}
}

// step follows the rest of a path from a value, which is the parent's kid at a
// place.
func (l *lookup) step(parent *jsonNode, at int, path string, depth int) (*jsonNode, error) {
	n := parent.kids[at]
	switch {
	case path == "":
		l.arrive(parent, at)
		return n, nil
	case depth >= maxJSONDepth:
		return nil, &FunctionError{l.call.name, "JSON path too deep"}
	case path[0] == '.':
		return l.member(n, path[1:], depth)
	case path[0] == '[':
		return l.item(n, path[1:], depth)
	}
	return nil, l.bad()
}

// arrive edits the element that the path leads to.
func (l *lookup) arrive(parent *jsonNode, at int) {
	switch l.edit {
	case editReplace, editSet:
		parent.kids[at] = l.with
	case editRemove:
		from := at
		if parent.kind == jsonObject {
			from--
		}
		parent.kids = append(parent.kids[:from:from], parent.kids[at+1:]...)
	}
}

// member follows a label.
func (l *lookup) member(n *jsonNode, path string, depth int) (*jsonNode, error) {
	key, rest, raw, ok := cutLabel(path)
	switch {
	case !ok:
		return nil, l.bad()
	case n.kind != jsonObject:
		return nil, nil
	}
	for i := 0; i < len(n.kids); i += 2 {
		if sameLabel(key, raw, n.kids[i].text, n.kids[i].isRaw()) {
			return l.step(n, i+1, rest, depth+1)
		}
	}
	if l.edit != editInsert && l.edit != editSet {
		return nil, nil
	}
	label := &jsonNode{kind: jsonTextRaw, text: key}
	if !raw {
		label.kind = jsonText5
	}
	made, err := l.make(rest, depth)
	if made != nil {
		n.kids = append(n.kids, label, made)
	}
	return nil, err
}

// cutLabel splits a path at the end of its label, which may be in quotes.
func cutLabel(path string) (key, rest string, raw, ok bool) {
	if !strings.HasPrefix(path, `"`) {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		return path[:end], path[end:], true, end > 0
	}
	for i := 1; i < len(path); i++ {
		switch path[i] {
		case '"':
			return path[1:i], path[i+1:], strings.IndexByte(path[1:i], '\\') < 0, true
		case '\\':
			i++
		}
	}
	return "", "", false, false
}

// item follows an index: [2], [#], [#-1].
func (l *lookup) item(n *jsonNode, path string, depth int) (*jsonNode, error) {
	if n.kind != jsonArray {
		return nil, nil
	}
	count := uint64(len(n.kids))
	at, path, ok := cutIndex(path)
	if rest, fromEnd := strings.CutPrefix(path, "#"); !ok && fromEnd {
		at, path, ok = count, rest, true
		if rest, minus := strings.CutPrefix(path, "-"); minus {
			var less uint64
			if less, path, ok = cutIndex(rest); less > count {
				return nil, nil
			}
			at -= less
		}
	}
	rest, closed := strings.CutPrefix(path, "]")
	switch {
	case !ok || !closed:
		return nil, l.bad()
	case at < count:
		return l.step(n, int(at), rest, depth+1)
	case at > count || l.edit != editInsert && l.edit != editSet:
		return nil, nil
	}
	made, err := l.make(rest, depth)
	if made != nil {
		n.kids = append(n.kids, made)
	}
	return nil, err
}

// cutIndex reads digits. A number that is too large is larger than any array.
func cutIndex(s string) (n uint64, rest string, ok bool) {
	rest = strings.TrimLeft(s, "0123456789")
	n, err := strconv.ParseUint(s[:len(s)-len(rest)], 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		n, err = 1<<62, nil
	}
	return n, rest, err == nil
}

// make returns what is put where a path leads on from an element that is not
// there; nil if it leads to nothing that could be made.
func (l *lookup) make(rest string, depth int) (*jsonNode, error) {
	if rest == "" {
		return l.with, nil
	}
	if depth+1 >= maxJSONDepth {
		return nil, &FunctionError{l.call.name, "JSON path too deep"}
	}
	n := &jsonNode{kind: jsonArray}
	if rest[0] == '.' {
		n.kind = jsonObject
	}
	top := &jsonNode{kind: jsonArray, kids: []*jsonNode{n}}
	before := len(n.kids)
	if _, err := l.step(top, 0, rest, depth+1); err != nil || len(n.kids) == before {
		return nil, err
	}
	return n, nil
}
