package slot

import (
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Specs returns the specifications of tools, such as Toolset.Definitions. They
// do not depend on a sample: an argument that takes a key takes any text, since
// calls make keys that later calls name, and which keys a sample starts with is
// what Record.Keys says. A tool says which label its result gets.
func Specs(definitions []tools.Definition) []spec.Tool {
	list := spec.Tools(ExplainKeys(definitions), nil)
	for i := range list {
		list[i].Description += " " + tools.LabelRule(list[i].Name, "")
	}
	return list
}

// ExplainKeys returns tools whose arguments say which keys there are in a
// sequence. The definitions themselves are not changed.
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
