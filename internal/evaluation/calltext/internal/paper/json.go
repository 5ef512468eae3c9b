package paper

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/pkg/tools"
)

const maxDepth = 100

// loads reads JSON as Python's json.loads does: NaN and Infinity are numbers,
// and of values with one name the last one counts.
func loads(text string) (any, error) {
	s := scanner{text: text}
	s.space()
	v, ok := s.value(0)
	s.space()
	if !ok || s.pos < len(text) {
		return nil, fmt.Errorf("it is no JSON at byte %d", s.pos)
	}
	return v, nil
}

// strip removes what Python's str.strip does.
func strip(s string) string {
	return strings.TrimFunc(s, func(c rune) bool { return unicode.IsSpace(c) || c >= 0x1c && c <= 0x1f })
}

// scanner reads values from a place in a text.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) space() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// take steps over a text if it is next.
func (s *scanner) take(text string) bool {
	if !strings.HasPrefix(s.text[s.pos:], text) {
		return false
	}
	s.pos += len(text)
	return true
}

var words = []struct {
	text  string
	value any
}{
	{"true", true}, {"false", false}, {"null", nil},
	{"NaN", "nan"}, {"Infinity", "inf"}, {"-Infinity", "-inf"},
}

var number = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

func (s *scanner) value(depth int) (any, bool) {
	switch {
	case depth > maxDepth:
		return nil, false
	case s.take("{"):
		return s.object(depth)
	case s.take("["):
		return s.list(depth)
	case s.take(`"`):
		return s.str()
	}
	for _, w := range words {
		if s.take(w.text) {
			return w.value, true
		}
	}
	n := number.FindString(s.text[s.pos:])
	s.pos += len(n)
	return json.Number(n), n != ""
}

func (s *scanner) object(depth int) (any, bool) {
	o := newObject()
	s.space()
	if s.take("}") {
		return o.args, true
	}
	for {
		s.space()
		if !s.take(`"`) {
			return nil, false
		}
		name, ok := s.str()
		if s.space(); !ok || !s.take(":") {
			return nil, false
		}
		s.space()
		v, ok := s.value(depth + 1)
		if !ok {
			return nil, false
		}
		o.set(name.(string), v)
		if s.space(); s.take("}") {
			return o.args, true
		}
		if !s.take(",") {
			return nil, false
		}
	}
}

func (s *scanner) list(depth int) (any, bool) {
	out := []any{}
	s.space()
	if s.take("]") {
		return out, true
	}
	for {
		s.space()
		v, ok := s.value(depth + 1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if s.space(); s.take("]") {
			return out, true
		}
		if !s.take(",") {
			return nil, false
		}
	}
}

// str reads a string behind its first quotes. Control characters must be
// escaped, and one that is half a pair is allowed.
func (s *scanner) str() (any, bool) {
	begin := s.pos
	for ; s.pos < len(s.text) && s.text[s.pos] >= ' '; s.pos++ {
		switch s.text[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			var out string
			err := json.Unmarshal([]byte(s.text[begin-1:s.pos]), &out)
			return out, err == nil
		}
	}
	return nil, false
}

// object is a Python dict: a name that comes again keeps its place and has the
// last value.
type object struct {
	args tools.Arguments
	at   map[string]int
}

func newObject() *object { return &object{args: tools.Arguments{}, at: map[string]int{}} }

func (o *object) set(name string, v any) {
	if i, ok := o.at[name]; ok {
		o.args[i].Value = v
		return
	}
	o.at[name] = len(o.args)
	o.args = append(o.args, tools.Argument{Name: name, Value: v})
}

// call returns a call as the evaluator has it.
func call(name string, args any) tools.Arguments {
	return tools.Arguments{{Name: "name", Value: name}, {Name: "arguments", Value: args}}
}
