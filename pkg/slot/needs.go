package slot

import "github.com/birdcall/birdcall/pkg/tools"

// Needs collects what sequences use of the tools: which tools, arguments,
// operations and values of categorical arguments. The zero Needs is of no
// sequence. Adding the sequences of all questions of a database, and not of one
// alone, keeps a tool list from telling what its question needs.
type Needs struct {
	used map[string]bool // tool, tool/argument or tool/argument/value
	of   *Needs          // the operations
}

// Add adds what the calls of a sequence use.
func (n *Needs) Add(calls []tools.Call) {
	for _, c := range calls {
		n.add(c.Name, c.Arguments)
		if operation, ok := c.Arguments.Get(tools.ArgOperationType); ok && c.Name == tools.ToolTransform {
			name, _ := operation.(string)
			given, _ := c.Arguments.Get(tools.ArgOperationArgs)
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
