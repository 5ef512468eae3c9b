package slot

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Needs collects what sequences use: tools, arguments, operations and values of
// categorical arguments. The zero Needs is empty. Adding the sequences of all questions
// of a database, and not of one alone, keeps a tool list from revealing what its
// question needs.
type Needs struct {
	used map[string]bool // tool, tool/argument or tool/argument/value
	of   *Needs          // the operations
}

// Add adds what the calls of a sequence use.
func (n *Needs) Add(calls []tools.Call) {
	for _, c := range calls {
		n.add(c.Name, c.Arguments)
		if operation, ok := c.Arguments.Get(toolname.ArgOperationType); ok && c.Name == toolname.Transform {
			name, _ := operation.(string)
			given, _ := c.Arguments.Get(toolname.ArgOperationArgs)
			args, _ := given.(tools.Arguments)
			if n.of == nil {
				n.of = &Needs{}
			}
			n.of.add(name, args)
		}
	}
}

func (n *Needs) add(tool string, args tools.Arguments) {
	if n.used == nil {
		n.used = map[string]bool{}
	}
	n.used[tool] = true
	for _, a := range args {
		n.used[tool+"/"+a.Name] = true
		if word, ok := a.Value.(string); ok {
			n.used[tool+"/"+a.Name+"/"+word] = true
		}
	}
}

func (n *Needs) tool(name string) bool           { return n.used[name] }
func (n *Needs) argument(tool, name string) bool { return n.used[tool+"/"+name] }
func (n *Needs) choice(tool, argument, name string) bool {
	return n.used[tool+"/"+argument+"/"+name]
}

func (n *Needs) operations() *Needs {
	if n.of == nil {
		return &Needs{}
	}
	return n.of
}

// Merge adds what other has collected. A nil other adds nothing.
func (n *Needs) Merge(other *Needs) {
	if other == nil {
		return
	}
	if n.used == nil {
		n.used = map[string]bool{}
	}
	maps.Copy(n.used, other.used)
	if other.of != nil {
		if n.of == nil {
			n.of = &Needs{}
		}
		n.of.Merge(other.of)
	}
}

// needsJSON is the JSON form of Needs, in alphabetical order.
type needsJSON struct {
	Used       []string `json:"used"`
	Operations []string `json:"operations"`
}

// MarshalJSON writes the needs, so that another process can merge them.
func (n *Needs) MarshalJSON() ([]byte, error) {
	return json.Marshal(needsJSON{
		Used:       slices.Sorted(maps.Keys(n.used)),
		Operations: slices.Sorted(maps.Keys(n.operations().used)),
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Needs) UnmarshalJSON(data []byte) error {
	var written needsJSON
	if err := json.Unmarshal(data, &written); err != nil {
		return err
	}
	*n = Needs{used: map[string]bool{}, of: &Needs{used: map[string]bool{}}}
	for _, word := range written.Used {
		n.used[word] = true
	}
	for _, word := range written.Operations {
		n.of.used[word] = true
	}
	return nil
}
