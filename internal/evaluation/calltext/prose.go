package calltext

import (
	"slices"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/pkg/tools"
)

// effort bounds how often the reader starts again in a text: the bytes that it
// reads without a result are at most so many times those of the text.
const effort = 8

// found is what was found in a part of a text, in its order.
type found struct {
	groups []group
}

// group is the entries of one value.
type group struct {
	calls []Call
	// broken says that the value cannot be read to its end.
	broken bool
}

func (f *found) add(v any) {
	if !isScalar(v) {
		f.groups = append(f.groups, group{calls: entriesOf(v, 0)})
	}
}

// addCall adds a call whose name and arguments are apart.
func (f *found) addCall(name string, args tools.Arguments) {
	f.groups = append(f.groups, group{calls: []Call{newCall(name, args, "")}})
}

const (
	cutOff   = "is cut off"
	unending = "cannot be read to its end"
)

func (f *found) addBrokenCall(c Call, why string) {
	c.Malformed = why
	f.groups = append(f.groups, group{[]Call{c}, true})
}

// addBroken keeps what could be read of an object or of a list of calls f(a=1),
// and reports whether there is anything to keep.
func (f *found) addBroken(v any, cut bool) bool {
	why := unending
	if cut {
		why = cutOff
	}
	switch v := v.(type) {
	case tools.Arguments:
		if _, _, nameless := single(v); nameless && !cut {
			return false
		}
		if c := fromObject(v); c.Name != "" {
			f.addBrokenCall(c, why)
			return true
		}
	case []any:
		if !slices.ContainsFunc(v, func(item any) bool { _, ok := item.(invoked); return ok }) {
			return false
		}
		for _, item := range v {
			if call, ok := item.(invoked); ok && call.broken {
				f.addBrokenCall(fromInvoked(call), why)
			} else {
				f.add(item)
			}
		}
		return true
	}
	return false
}

// whole reports whether any value could be read to its end.
func (f *found) whole() bool {
	return slices.ContainsFunc(f.groups, func(g group) bool { return !g.broken })
}

// calls returns the entries of the values that hold a call, and of those that
// are broken, and whether there is any call.
func (f *found) calls() ([]Call, bool) {
	var out []Call
	called := false
	for _, g := range f.groups {
		holds := slices.ContainsFunc(g.calls, func(c Call) bool { return c.Malformed == "" })
		if holds || g.broken {
			out = append(out, g.calls...)
		}
		called = called || holds
	}
	return out, called
}

// all returns all entries.
func (f *found) all() []Call {
	out := []Call{}
	for _, g := range f.groups {
		out = append(out, g.calls...)
	}
	return out
}

// search collects the lists and objects in a text.
func (f *found) search(text string) {
	tries := effort * len(text)
	for pos := 0; tries >= 0; {
		i := strings.IndexAny(text[pos:], "[{")
		if i < 0 {
			return
		}
		r := reader{text: text, pos: pos + i}
		if v, ok := r.value(0); ok {
			f.add(v)
		} else {
			tries -= max(r.far-pos, 0)
			if !f.addBroken(v, r.cut) {
				r.pos = pos + i + 1
			}
		}
		pos = r.pos
	}
}

// inProse reads the lists and objects in a text.
func inProse(text string) ([]Call, bool) {
	var f found
	f.search(text)
	if calls, ok := f.calls(); ok {
		return calls, true
	}
	// The words around an empty list say why no call is made.
	return []Call{}, f.whole() && len(f.all()) == 0 && strings.Contains(text, "[]")
}

// inLines reads the calls f(a=1) that have a line or a code span of their own.
func inLines(text string) ([]Call, bool) {
	var f found
	f.searchLines(text)
	return f.calls()
}

func (f *found) searchLines(text string) {
	tries := effort * len(text)
	for pos := 0; pos < len(text) && tries >= 0; {
		r := reader{text: text, pos: pos + bullet(text[pos:])}
		begin := r.pos
		v, ok := r.statement()
		if _, call := v.(invoked); ok && call && endsLine(text[r.pos:]) {
			f.add(v)
			begin = r.pos
		} else {
			tries -= max(r.far-begin, 0)
		}
		i := strings.IndexAny(text[begin:], "\n`")
		if i < 0 {
			return
		}
		pos = begin + i + 1
	}
}

// bullet returns the length of what may stand before the words of a line.
func bullet(line string) int {
	rest := strings.TrimLeft(line, " \t>-*+`")
	if number := strings.TrimLeft(rest, "0123456789"); number != rest && strings.HasPrefix(number, ". ") {
		rest = strings.TrimLeft(number[1:], " \t`")
	}
	return len(line) - len(rest)
}

// endsLine reports whether nothing more is said in a line or a code span.
func endsLine(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r,;.")
	return rest == "" || rest[0] == '\n' || rest[0] == '`'
}

// fences are what fenced blocks are between.
var fences = []string{"```", "~~~"}

// fenced reads the fenced blocks of a text.
func fenced(text string) ([]Call, bool) {
	var f found
	for tries := effort * len(text); tries >= 0; {
		_, after, ok := cutFence(text)
		if !ok {
			break
		}
		start := info(after)
		r := reader{text: after, pos: start}
		values := r.statements()
		tries -= max(r.far-r.pos, 0)
		r.space()
		_, rest, closed := cutFence(after[r.pos:])
		if !atFence(after[r.pos:]) && r.pos < len(after) {
			tries -= r.pos - start
			var block string
			block, rest, closed = cutFence(after[start:])
			values = nil
			n := len(f.groups)
			if f.search(block); len(f.groups) == n {
				f.searchLines(block)
			}
		}
		for _, v := range values {
			f.add(v)
		}
		if !closed {
			break
		}
		text = rest
	}
	if calls, ok := f.calls(); ok {
		return calls, true
	}
	return f.all(), f.whole()
}

// atFence reports whether a text begins with a fence.
func atFence(text string) bool {
	return slices.ContainsFunc(fences, func(fence string) bool { return strings.HasPrefix(text, fence) })
}

// cutFence cuts a text at the first fence.
func cutFence(text string) (before, after string, ok bool) {
	for at := 0; at < len(text); at++ {
		i := strings.IndexAny(text[at:], "`~")
		if i < 0 {
			break
		}
		if at += i; atFence(text[at:]) {
			return text[:at], text[at+3:], true
		}
	}
	return text, "", false
}

// info returns the length of the word that may follow a fence, such as json.
func info(text string) int {
	word := strings.TrimLeftFunc(text, func(c rune) bool { return unicode.IsLetter(c) || c == '_' || c == '+' || c == '-' })
	if word != "" && !strings.ContainsRune(" \t\r\n[{", rune(word[0])) {
		return 0
	}
	return len(text) - len(word)
}
