package calltext

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/pkg/tools"
)

// maxDepth bounds the nesting of arguments. The reader goes a little deeper,
// for the lists and objects that are around them.
const (
	maxDepth = 100
	maxNest  = maxDepth + 20
)

// reader reads values as JSON and Python write them, from a place in a text.
// What it reads is what encoding/json would return with UseNumber, but objects
// are tools.Arguments and calls of functions are invoked.
type reader struct {
	text string
	pos  int
	// names are the names of functions: a text without quotes in their
	// parentheses is a string.
	names int
	// cut says that the last failure was the end of the text.
	cut bool
	// far is the place up to which the text was looked at.
	far int
}

// invoked is a call f(a=1) as a value.
type invoked struct {
	name   string
	label  string // of L = f(a=1)
	args   tools.Arguments
	source string
	// unnamed says that there is an argument without a name, and broken that its
	// end is missing.
	unnamed, broken bool
}

// statements reads values and calls up to what is none of them. They are one
// after the other, in lines or behind commas or semicolons. pos is the end of
// the last one, or of the text if only space follows.
func (r *reader) statements() []any {
	var out []any
	for {
		end := r.pos
		r.separators()
		if r.pos == len(r.text) {
			return out
		}
		v, ok := r.statement()
		if !ok {
			r.pos = end
			return out
		}
		out = append(out, v)
	}
}

func (r *reader) separators() {
	for r.space(); r.is(',') || r.is(';'); r.space() {
		r.pos++
	}
}

// statement reads a value, a call, or an assignment of a call.
func (r *reader) statement() (any, bool) {
	start := r.pos
	if label := r.identifier(false); label != "" {
		if r.space(); r.is('=') {
			r.pos++
			r.space()
			v, ok := r.value(0)
			call, isCall := v.(invoked)
			call.label = label
			return call, ok && isCall
		}
	}
	r.pos = start
	return r.value(0)
}

func (r *reader) is(c byte) bool { return r.pos < len(r.text) && r.text[r.pos] == c }

// take steps over c if it is next.
func (r *reader) take(c byte) bool {
	if !r.is(c) {
		return false
	}
	r.pos++
	return true
}

// space steps over white space and comments.
func (r *reader) space() {
	defer func() { r.far = max(r.far, r.pos) }()
	for r.pos < len(r.text) {
		rest := r.text[r.pos:]
		c, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(c):
			r.pos += size
		case strings.HasPrefix(rest, "//"), c == '#':
			if line := strings.IndexByte(rest, '\n'); line >= 0 {
				r.pos += line
			} else {
				r.pos = len(r.text)
			}
		default:
			return
		}
	}
}

// fail notes whether it is the end of the text that is wrong.
func (r *reader) fail() (any, bool) {
	r.cut = r.pos >= len(r.text)
	r.far = max(r.far, r.pos)
	return nil, false
}

// value reads one value that is so deep in others.
func (r *reader) value(depth int) (any, bool) {
	if r.pos >= len(r.text) || depth > maxNest {
		return r.fail()
	}
	switch c := r.text[r.pos]; {
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.list(']', depth)
	case c == '(':
		return r.parenthesis(depth)
	case r.closing() != "":
		return r.str()
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		start := r.pos
		v, ok := r.number()
		if r.names > 0 && (!ok || !r.atEnd()) {
			return r.unquoted(start)
		}
		return v, ok
	}
	return r.word(depth)
}

// atEnd reports whether a value of a call ends here, and is not the beginning
// of a text without quotes such as 5 km.
func (r *reader) atEnd() bool {
	rest := strings.TrimLeftFunc(r.text[r.pos:], unicode.IsSpace)
	return rest == "" || strings.ContainsRune(",)]}:", rune(rest[0]))
}

// object reads {"a": 1}. Where that fails it returns what it has read.
func (r *reader) object(depth int) (any, bool) {
	r.pos++
	o := object{args: tools.Arguments{}}
	for r.space(); !r.take('}'); r.space() {
		name, ok := r.key()
		if r.space(); !ok || !r.take(':') {
			r.fail()
			return o.args, false
		}
		r.space()
		v, ok := r.value(depth + 1)
		if ok || v != nil {
			o.set(name, v)
		}
		if r.space(); ok && !r.take(',') && !r.is('}') {
			ok = false
			r.fail()
		}
		if !ok {
			return o.args, false
		}
	}
	return o.args, true
}

// key reads the name of a value in an object: a string, a word or a number.
func (r *reader) key() (string, bool) {
	if r.closing() != "" {
		v, ok := r.str()
		name, _ := v.(string)
		return cleanName(name), ok
	}
	if v, ok := r.number(); ok {
		n, isNumber := v.(json.Number)
		return n.String(), isNumber
	}
	name := r.identifier(false)
	return name, name != ""
}

// list reads the values up to a closing bracket. Where that fails it returns
// those that it has read.
func (r *reader) list(closing byte, depth int) (any, bool) {
	r.pos++
	out := []any{}
	for r.space(); !r.take(closing); r.space() {
		v, ok := r.value(depth + 1)
		if r.space(); ok && !r.take(',') && !r.is(closing) {
			ok = false
			r.fail()
		}
		if ok || v != nil {
			out = append(out, v)
		}
		if !ok {
			return out, false
		}
	}
	return out, true
}

// parenthesis reads a tuple, which is a list here, or a value in parentheses.
func (r *reader) parenthesis(depth int) (any, bool) {
	start := r.pos
	v, ok := r.list(')', depth)
	items, _ := v.([]any)
	inner := strings.TrimRightFunc(r.text[start:r.pos-1], unicode.IsSpace)
	if ok && len(items) == 1 && !strings.HasSuffix(inner, ",") {
		return items[0], true
	}
	return v, ok
}

// word reads true, null, a call, or a text without quotes in a call.
func (r *reader) word(depth int) (any, bool) {
	start := r.pos
	name := r.identifier(true)
	if name == "" {
		return r.fail()
	}
	end := r.pos
	if r.space(); r.is('(') {
		return r.call(name, start, depth)
	}
	r.pos = end
	if v, ok := constant(name); ok {
		return v, true
	}
	if r.names > 0 {
		return r.unquoted(start)
	}
	return r.fail()
}

func constant(word string) (any, bool) {
	switch word {
	case "true", "True":
		return true, true
	case "false", "False":
		return false, true
	case "null", "None", "NaN", "nan":
		return nil, true
	case "Infinity", "inf":
		return json.Number("1e999"), true
	}
	return nil, false
}

// call reads the arguments of a function. Arguments have names, and a text
// without quotes ends at the next comma or parenthesis.
func (r *reader) call(name string, start, depth int) (any, bool) {
	r.pos++
	r.names++
	defer func() { r.names-- }()
	c := invoked{name: name}
	o := object{args: tools.Arguments{}}
	for r.space(); !r.take(')'); r.space() {
		at := r.pos
		arg := r.identifier(false)
		r.space()
		named := arg != "" && r.take('=') && !r.is('=')
		if !named {
			r.pos = at
		}
		r.space()
		v, ok := r.value(depth + 1)
		if r.space(); !ok || !r.take(',') && !r.is(')') {
			c.args, c.broken = o.args, true
			r.fail()
			return c, false
		}
		if named {
			o.set(arg, v)
		} else {
			c.unnamed = true
		}
	}
	c.args, c.source = o.args, r.text[start:r.pos]
	return c, true
}

// unquoted reads a text without quotes, such as New York.
func (r *reader) unquoted(start int) (any, bool) {
	rest := r.text[start:]
	end := strings.IndexAny(rest, ",()[]{}\"'=\n")
	if end < 0 {
		r.pos = len(r.text)
		return r.fail()
	}
	text := strings.TrimRightFunc(rest[:end], unicode.IsSpace)
	r.pos = start + len(text)
	return cleanName(text), text != ""
}

// identifier reads a name, "" if there is none. That of a function may have
// dots and hyphens.
func (r *reader) identifier(function bool) string {
	start := r.pos
	for r.pos < len(r.text) {
		c, size := utf8.DecodeRuneInString(r.text[r.pos:])
		first := r.pos == start
		switch {
		case unicode.IsLetter(c), c == '_', c == '$':
		case c == '\\' && strings.HasPrefix(r.text[r.pos:], `\_`):
		case !first && unicode.IsDigit(c):
		case !first && function && (c == '.' || c == '-'):
		default:
			return cleanName(r.text[start:r.pos])
		}
		r.pos += size
	}
	return cleanName(r.text[start:r.pos])
}

// cleanName drops the backslashes that Markdown has before underscores.
func cleanName(s string) string {
	for strings.Contains(s, `\_`) {
		s = strings.ReplaceAll(s, `\_`, "_")
	}
	return s
}
