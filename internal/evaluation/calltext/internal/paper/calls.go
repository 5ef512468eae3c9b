package paper

import (
	"errors"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// Calls reads an answer about SLOT or SEL, in four steps of which the first that
// succeeds counts: JSON, Python, a split at the parentheses, and <tool_call>.
//
// Line breaks are dropped first, so that JSON lines are never read, and \_ is _.
func Calls(text string) ([]any, error) {
	text = strip(strings.ReplaceAll(strings.ReplaceAll(text, "\n", ""), `\_`, "_"))
	if v, err := fromJSON(text); err == nil {
		if list, ok := v.([]any); ok {
			return list, nil
		}
		return []any{v}, nil
	}
	if calls, err := fromPython(text); err == nil {
		return calls, nil
	}
	if calls, err := bySplitting(text); err == nil {
		return calls, nil
	}
	return fromTags(text)
}

var errNoJSON = errors.New("it holds no JSON")

// fromJSON reads the first object or list to the last bracket of its kind.
//
// Where there is a [ and no {, an object is looked for: a list of texts, and [],
// is no JSON. A list that is never closed is an empty object.
func fromJSON(text string) (any, error) {
	list, object := strings.IndexByte(text, '['), strings.IndexByte(text, '{')
	if list >= 0 && list < object {
		end := strings.LastIndexByte(text, ']')
		if list >= end {
			return tools.Arguments{}, nil
		}
		return loads(text[list : end+1])
	}
	end := strings.LastIndexByte(text, '}')
	if object < 0 || object >= end {
		return nil, errNoJSON
	}
	return loads(text[object : end+1])
}

// Arguments reads the arguments of a native tool call: the JSON in a text, or a
// list of the JSON in each of its lines.
func Arguments(text string) (any, error) {
	v, err := fromJSON(text)
	if err == nil {
		return v, nil
	}
	out := []any{}
	for line := range strings.SplitSeq(text, "\n") {
		v, err := fromJSON(line)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// bySplitting reads [f(a=1), g(b=2)] by cutting it at "),", then at the commas
// that an even number of double quotes precedes, then at =.
//
// All values are texts, without their quotes, and end at the next =. The
// character after a comma is dropped as if it were a space. The names of all
// calls but the first begin with the space before them. A call without
// arguments, or a comma between single quotes, makes all of the text unreadable.
func bySplitting(text string) ([]any, error) {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, errPython
	}
	out := []any{}
	for part := range strings.SplitSeq(text[1:len(text)-1], "),") {
		if !strings.HasSuffix(strip(part), ")") {
			part += ")"
		}
		name, slots, ok := strings.Cut(part, "(")
		if !ok {
			return nil, errPython
		}
		args := newObject()
		runes := []rune(slots)
		for _, slot := range splitSlots(runes[:max(len(runes)-1, 0)]) {
			sides := strings.Split(slot, "=")
			if len(sides) < 2 {
				return nil, errPython
			}
			args.set(strip(sides[0]), unquote(strip(sides[1])))
		}
		out = append(out, call(name, args.args))
	}
	return out, nil
}

// splitSlots cuts at the commas that are not between double quotes.
func splitSlots(slots []rune) []string {
	var out []string
	begin, quotes := 0, 0
	for i, c := range slots {
		switch {
		case c == '"':
			quotes++
		case c == ',' && quotes%2 == 0:
			out = append(out, strip(string(slots[min(begin, i):i])))
			begin = i + 2
		}
	}
	return append(out, strip(string(slots[min(begin, len(slots)):])))
}

// unquote drops the quotes around a value, even if there is only one, and makes
// the double quotes in it single ones.
func unquote(v string) string {
	v = strings.TrimSuffix(strings.TrimPrefix(v, "'"), "'")
	if !strings.HasPrefix(v, `"`) {
		v = `"` + v
	}
	if !strings.HasSuffix(v, `"`) {
		v += `"`
	}
	return strings.ReplaceAll(v[1:max(len(v)-1, 1)], `"`, "'")
}

// fromTags reads the objects between <tool_call> tags, both of which must occur.
//
// What is before, between and after the tags counts too, and lists do not.
func fromTags(text string) ([]any, error) {
	const begin, end = "<tool_call>", "</tool_call>"
	if !strings.Contains(text, begin) || !strings.Contains(text, end) {
		return nil, errors.New("it is neither JSON nor Python, and has no <tool_call>...</tool_call>")
	}
	out := []any{}
	for part := range strings.SplitSeq(strings.ReplaceAll(text, end, begin), begin) {
		if v, err := fromJSON(part); err == nil {
			if o, ok := v.(tools.Arguments); ok {
				out = append(out, o)
			}
		}
	}
	return out, nil
}
