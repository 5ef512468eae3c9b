package sel

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Set holds the functions of one sample. It is immutable, so several goroutines may use
// it at once.
type Set struct {
	functions []*function
	bound     map[string]*function // those of the catalog, by name
	getters   map[string]*function
}

// New binds a set of tools, such as slot.Toolset.Definitions, for tables with these
// keys. The set has every function that exists for the tools, in their order, with the
// getters before retrieve_data.
func New(definitions []tools.Definition, keys []record.Key) *Set {
	return newCatalog(definitions).set(keys)
}

// function returns the function of that name, or nil.
func (s *Set) function(name string) *function {
	if f := s.getters[name]; f != nil {
		return f
	}
	return s.bound[name]
}

// Specs returns the specifications of all functions of the set. Sets that a Converter
// makes share the schemas: do not modify these.
func (s *Set) Specs() []spec.Tool {
	out := make([]spec.Tool, len(s.functions))
	for i, f := range s.functions {
		out[i] = f.spec()
	}
	return out
}

// BindAll returns the SEL calls of SLOT calls. The error names the call that
// has no function in the set.
func (s *Set) BindAll(calls []tools.Call) ([]tools.Call, error) {
	out := make([]tools.Call, len(calls))
	for i, c := range calls {
		var err error
		if out[i], err = s.Bind(c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	return out, nil
}

// Bind returns the SEL call of a SLOT call. The error is a *tools.ToolError.
func (s *Set) Bind(c tools.Call) (tools.Call, error) {
	f := s.function(boundName(c))
	if c.Name == toolname.Retrieve && (f == nil || !f.takes(c.Arguments)) {
		f = s.bound[c.Name] // no getter returns a column that an earlier call made, or takes an offset
	}
	if f == nil {
		return tools.Call{}, &tools.ToolError{Tool: c.Name, Reason: "has no function for these arguments", Hint: "use a tool and values of the set that is bound"}
	}
	out := tools.Call{Name: f.name, Label: c.Label}
	for _, a := range c.Arguments {
		if a.Name != f.bound && !f.drops(a) {
			out.Arguments = append(out.Arguments, a)
		}
	}
	return out, nil
}

// takes reports whether the function has all these arguments, apart from the one that
// its name expresses.
func (f *function) takes(args tools.Arguments) bool {
	return !slices.ContainsFunc(args, func(a tools.Argument) bool {
		return a.Name != f.bound && !slices.ContainsFunc(f.parameters, func(p tools.Parameter) bool { return p.Name == a.Name })
	})
}

// boundName names the function of a SLOT call.
func boundName(c tools.Call) string {
	if c.Name == toolname.Retrieve {
		if key, ok := oneKey(c.Arguments); ok {
			return Getter(key)
		}
		return c.Name
	}
	b, ok := bindingOf(c.Name)
	if !ok {
		return c.Name
	}
	v, _ := c.Arguments.Get(b.argument)
	return b.name(v)
}

// oneKey returns the key of a call of retrieve_data that asks for only one.
func oneKey(args tools.Arguments) (string, bool) {
	v, _ := args.Get(toolname.ArgKeyName)
	if list, ok := v.([]any); ok && len(list) == 1 {
		v = list[0]
	}
	key, ok := v.(string)
	return key, ok
}

// drops reports whether an argument has the value that calls omit. A whole number may
// be a json.Number or an int.
func (f *function) drops(a tools.Argument) bool {
	i := slices.IndexFunc(f.drop, func(d tools.Argument) bool { return d.Name == a.Name })
	if i < 0 {
		return false
	}
	switch v := a.Value.(type) {
	case tools.Arguments:
		return len(v) == 0
	case json.Number:
		return v.String() == fmt.Sprint(f.drop[i].Value)
	}
	return reflect.DeepEqual(a.Value, f.drop[i].Value)
}

// Unbind returns the SLOT call of a SEL call, including the arguments that Bind
// omitted. The error is a *tools.ToolError that says how to correct the call.
func (s *Set) Unbind(c tools.Call) (tools.Call, error) {
	f := s.function(c.Name)
	if f == nil {
		return tools.Call{}, &tools.ToolError{Tool: c.Name, Reason: "there is no such function", Hint: s.suggest(c.Name)}
	}
	if err := f.check(c.Arguments); err != nil {
		return tools.Call{}, err
	}
	out := tools.Call{Name: f.tool.Name, Label: c.Label, Arguments: slices.Clone(c.Arguments)}
	if f.bound != "" {
		f.insert(&out.Arguments, tools.Argument{Name: f.bound, Value: f.value})
	}
	for _, d := range f.drop {
		if _, given := c.Arguments.Get(d.Name); !given {
			f.insert(&out.Arguments, d)
		}
	}
	return out, nil
}

// check returns an error for an argument that the function does not have, such as the
// bound one.
func (f *function) check(args tools.Arguments) error {
	names := make([]string, len(f.parameters))
	for i, p := range f.parameters {
		names[i] = p.Name
	}
	for _, a := range args {
		if !slices.Contains(names, a.Name) {
			return &tools.ToolError{Tool: f.name, Argument: a.Name, Reason: "is no argument of this function", Hint: "it takes " + strings.Join(names, ", ")}
		}
	}
	return nil
}

// insert puts an argument before the first argument that follows it in the tool's
// definition.
func (f *function) insert(args *tools.Arguments, a tools.Argument) {
	place := func(name string) int {
		return slices.IndexFunc(f.tool.Parameters, func(p tools.Parameter) bool { return p.Name == name })
	}
	at := slices.IndexFunc(*args, func(b tools.Argument) bool { return place(b.Name) > place(a.Name) })
	if at < 0 {
		at = len(*args)
	}
	*args = slices.Insert(*args, at, a)
}

// suggest names functions whose names begin alike.
func (s *Set) suggest(name string) string {
	const maxAlike = 12
	first, _, _ := strings.Cut(name, "_")
	var alike []string
	for _, f := range s.functions {
		if strings.HasPrefix(f.name, first+"_") && len(alike) < maxAlike {
			alike = append(alike, f.name)
		}
	}
	if len(alike) == 0 {
		return "use a function that the sample specifies"
	}
	return "there are " + strings.Join(alike, ", ")
}
