package slot

import (
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Specs returns the specifications of tools, such as Toolset.Definitions. They do not
// depend on a sample. An argument that takes a key allows any text, since calls make
// new keys that later calls name; Slot.Keys in package record lists the keys that a
// sample starts with. The description of a tool says which label its result gets.
func Specs(definitions []tools.Definition) []spec.Tool {
	list := spec.Tools(ExplainKeys(definitions), nil)
	for i := range list {
		list[i].Description += " " + tools.LabelRule(list[i].Name, "")
	}
	return list
}

// ExplainKeys returns copies of the tools whose arguments explain which keys a sequence
// has. It does not change definitions.
func ExplainKeys(definitions []tools.Definition) []tools.Definition {
	keys := " (a starting key, or one made by an earlier call)"
	if slices.ContainsFunc(definitions, makesKeys) {
		keys = " (a starting key, or the output_key of an earlier call)"
	}
	out := slices.Clone(definitions)
	for i, d := range out {
		out[i].Parameters = slices.Clone(d.Parameters)
		for j, p := range d.Parameters {
			if p.IsKey() {
				out[i].Parameters[j].Description += keys
			}
		}
	}
	return out
}

func makesKeys(d tools.Definition) bool {
	return slices.ContainsFunc(d.Parameters, func(p tools.Parameter) bool { return p.Name == toolname.ArgOutputKey })
}
