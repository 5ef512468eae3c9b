package spec

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Names hides the names of functions and arguments, as in the paper's study of
// what models read from them (appendix C.1): FUNC_0, FUNC_1, ... over a
// database's tools, and ARG_1, ARG_2, ... over the arguments of each, in the
// order of their names. Descriptions stay, as they do in the paper, with names
// in them replaced where they can be distinguished from plain words by an underscore. The
// titles of arguments, which say their names again, go, and a path ends in the
// function's hidden name.
type Names struct {
	// Functions maps the names that say nothing to what they mean. It is
	// what is written besides the samples.
	Functions map[string]HiddenFunction `json:"functions"`

	hidden map[string]string // by the real name
}

// HiddenFunction is what a function and its arguments are really called, and the
// path of the endpoint that it asks, if it asks one.
type HiddenFunction struct {
	Name      string            `json:"name"`
	Arguments map[string]string `json:"arguments"`
	Path      string            `json:"path,omitempty"`
}

// NewNames numbers the tools of a database.
func NewNames(universe []Tool) *Names {
	n := &Names{Functions: map[string]HiddenFunction{}, hidden: map[string]string{}}
	for i, t := range Union(universe) {
		f := HiddenFunction{Name: t.Name, Arguments: map[string]string{}, Path: t.Path}
		for j, name := range argumentNames(t) {
			f.Arguments[fmt.Sprintf("ARG_%d", j+1)] = name
		}
		hidden := fmt.Sprintf("FUNC_%d", i)
		n.Functions[hidden], n.hidden[t.Name] = f, hidden
	}
	return n
}

func argumentNames(t Tool) []string {
	properties, _ := t.Parameters[kwProperties].(object)
	return sortedNames(properties)
}

// Tools returns tools under names that say nothing. The error names a tool that
// was not among those numbered.
func (n *Names) Tools(list []Tool) ([]Tool, error) {
	out := make([]Tool, len(list))
	for i, t := range list {
		hidden, arguments, err := n.of(t.Name)
		if err != nil {
			return nil, err
		}
		schema, err := jsontext.Object(t.Parameters)
		if err != nil {
			return nil, err
		}
		properties := object{}
		for name, v := range schema[kwProperties].(object) {
			p := v.(object)
			delete(p, kwTitle)
			if text, ok := p[kwText].(string); ok {
				p[kwText] = hide(text, arguments)
			}
			properties[arguments[name]] = p
		}
		schema[kwProperties] = properties
		required, _ := schema[kwRequired].([]any)
		for j, name := range required {
			required[j] = arguments[name.(string)]
		}
		out[i] = Tool{Name: hidden, Description: hide(t.Description, arguments), Parameters: schema, Path: HiddenPath(t.Path, hidden)}
	}
	return out, nil
}

// HiddenPath returns the path of an endpoint whose tool has that name instead of
// its own, which the path ends in. "" stays "".
func HiddenPath(p, name string) string {
	if p == "" {
		return ""
	}
	return path.Join(path.Dir(p), name)
}

// of returns the hidden name of a tool, and those of its arguments.
func (n *Names) of(name string) (string, map[string]string, error) {
	hidden, ok := n.hidden[name]
	if !ok {
		return "", nil, fmt.Errorf("obfuscation: %s is none of the database's tools; number it first", name)
	}
	arguments := map[string]string{}
	for placeholder, argument := range n.Functions[hidden].Arguments {
		arguments[argument] = placeholder
	}
	return hidden, arguments, nil
}

// word is a name in a text; one in quotes is part of a notation, not a name.
var word = regexp.MustCompile(`"?[A-Za-z0-9]+(_[A-Za-z0-9]+)+`)

func hide(text string, arguments map[string]string) string {
	return word.ReplaceAllStringFunc(text, func(name string) string {
		if placeholder, ok := arguments[name]; ok {
			return placeholder
		}
		return name
	})
}

// Call returns a call under names that say nothing. The error names what was
// not among the tools and arguments that were numbered.
func (n *Names) Call(c tools.Call) (tools.Call, error) {
	hidden, arguments, err := n.of(c.Name)
	if err != nil {
		return tools.Call{}, err
	}
	return rename(c, hidden, arguments)
}

// Reveal returns the call that one under such names stands for. A name that
// stands for nothing gives an error.
func (n *Names) Reveal(c tools.Call) (tools.Call, error) {
	f, ok := n.Functions[c.Name]
	if !ok {
		return tools.Call{}, fmt.Errorf("obfuscation: there is no function %s", c.Name)
	}
	return rename(c, f.Name, f.Arguments)
}

func rename(c tools.Call, name string, arguments map[string]string) (tools.Call, error) {
	out := tools.Call{Name: name, Label: c.Label, Arguments: slices.Clone(c.Arguments)}
	for i, a := range out.Arguments {
		to, ok := arguments[a.Name]
		if !ok {
			return tools.Call{}, fmt.Errorf("obfuscation: %s has no argument %s; it has %s", c.Name, a.Name,
				strings.Join(slices.Sorted(maps.Keys(arguments)), ", "))
		}
		out.Arguments[i].Name = to
	}
	return out, nil
}
