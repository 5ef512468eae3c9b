package calltext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/tools"
)

// MaxCalls is how many calls of a prediction are looked at. The longest gold
// sequence of BIRD dev has 27.
const MaxCalls = 1000

// The names under which the parts of a call are, the best one first.
var (
	nameKeys     = []string{"name", "function", "function_name", "tool_name", "tool"}
	argumentKeys = []string{"arguments", "parameters", "params", "args", "kwargs", "input", "tool_input"}
	wrapKeys     = []string{"function", "function_call", "tool_call"} // {"function": {"name": ...}}
	listKeys     = []string{"tool_calls", "function_calls", "calls"}
	otherKeys    = []string{"label", "id", "type", "call_id", "tool_call_id", "index"}
)

// reference is a label between dollar signs, as a reference has it.
var reference = regexp.MustCompile(`^\$([A-Za-z0-9_]+)\$$`)

// entries returns what values hold, where a list stands for its elements.
func entries(values []any) []Call {
	out := []Call{}
	for _, v := range values {
		out = append(out, entriesOf(v, 0)...)
	}
	return out
}

// entriesOf returns the entries of one value that is in so many strings.
func entriesOf(v any, strs int) []Call {
	switch v := v.(type) {
	case invoked:
		return []Call{fromInvoked(v)}
	case []any:
		var out []Call
		for _, item := range v {
			out = append(out, entriesOf(item, strs)...)
		}
		return out
	case tools.Arguments:
		for _, key := range listKeys {
			if _, named := v.Get("name"); named {
				break
			}
			if list, ok := get(v, key).([]any); ok {
				return entriesOf(list, strs)
			}
		}
		return []Call{fromObject(v)}
	case string:
		if values, ok := whole(v); ok && strs < maxStrings && !slices.ContainsFunc(values, isScalar) {
			return entriesOf(values, strs+1)
		}
		return []Call{malformed("", "is a text and no object")}
	case nil:
		return []Call{malformed("", "is null and no object")}
	}
	return []Call{malformed("", "is no object")}
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, tools.Arguments, invoked:
		return false
	}
	return true
}

func malformed(name, why string) Call {
	return Call{Call: tools.Call{Name: name, Arguments: tools.Arguments{}}, Malformed: why}
}

func get(o tools.Arguments, name string) any {
	v, _ := o.Get(name)
	return v
}

// fromObject reads an object that stands for one call.
func fromObject(o tools.Arguments) Call {
	labelled := labelOf(o)
	for _, key := range wrapKeys {
		inner, ok := get(o, key).(tools.Arguments)
		if _, named := inner.Get("name"); ok && named {
			c := fromNamed(inner)
			if c.Label == "" {
				c.Label = labelled
			}
			return c
		}
	}
	if name, args, ok := single(o); ok {
		return newCall(name, args, labelled)
	}
	return fromNamed(o)
}

// single returns the name and the arguments in {"f": {...}}.
func single(o tools.Arguments) (string, tools.Arguments, bool) {
	var found []tools.Argument
	for _, a := range o {
		if a.Name != "label" {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		return "", nil, false
	}
	name := found[0].Name
	args, ok := found[0].Value.(tools.Arguments)
	return name, args, ok && !slices.Contains(nameKeys, name) && !slices.Contains(argumentKeys, name)
}

func labelOf(o tools.Arguments) string {
	text, _ := get(o, "label").(string)
	if m := reference.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// fromNamed reads {"name": "f", "arguments": {...}}.
func fromNamed(o tools.Arguments) Call {
	name := ""
	for _, key := range nameKeys {
		if text, ok := get(o, key).(string); ok {
			name = text
			break
		}
	}
	if strings.TrimSpace(name) == "" {
		return malformed("", "has no name")
	}
	for _, key := range argumentKeys {
		if v, ok := o.Get(key); ok {
			return newCall(name, v, labelOf(o))
		}
	}
	for _, a := range o {
		if !slices.Contains(nameKeys, a.Name) && !slices.Contains(otherKeys, a.Name) {
			return malformed(trimName(name), fmt.Sprintf("has %q and no arguments", a.Name))
		}
	}
	return newCall(name, nil, labelOf(o))
}

func trimName(name string) string { return strings.TrimSpace(cleanName(name)) }

// newCall returns a call whose arguments are an object, a string of one, or
// left out.
func newCall(name string, args any, label string) Call {
	object, reason := argumentsOf(args, 0)
	if reason != "" {
		c := malformed(trimName(name), "its arguments "+reason)
		c.Label = label
		return c
	}
	c := Call{Call: tools.Call{Name: trimName(name), Arguments: object, Label: label}}
	if c.Name == "" {
		c.Malformed = "has no name"
	}
	return c
}

// fromInvoked reads f(a=1).
func fromInvoked(f invoked) Call {
	c := newCall(f.name, f.args, f.label)
	if f.unnamed && c.Malformed == "" {
		c.Malformed = "has arguments without names"
	}
	return c
}

// plain returns a value of JSON, with calls in it as the objects that they
// stand for, and whether it is too deep. A call with arguments that have no
// name, or with none, is its text.
func plain(v any, depth int) (any, bool) {
	if depth > maxDepth {
		return nil, true
	}
	switch v := v.(type) {
	case invoked:
		if v.unnamed || len(v.args) == 0 {
			return v.source, false
		}
		return plain(tools.Arguments{{Name: "name", Value: v.name}, {Name: "arguments", Value: v.args}}, depth)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			item, deep := plain(v[i], depth+1)
			if deep {
				return nil, true
			}
			out[i] = item
		}
		return out, false
	case tools.Arguments:
		out := make(tools.Arguments, len(v))
		for i := range v {
			item, deep := plain(v[i].Value, depth+1)
			if deep {
				return nil, true
			}
			out[i] = tools.Argument{Name: v[i].Name, Value: item}
		}
		return out, false
	}
	return v, false
}
