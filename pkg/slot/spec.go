package slot

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Specs returns the specifications of the tools for tables with these keys.
// The argument that says which column to use lists the keys and what they
// hold, as the paper's specifications do (appendix D.1).
func Specs(keys []Key, toolset Toolset) []spec.Tool {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	listing := keyListing(keys)
	definitions := toolset.Definitions()
	for _, d := range definitions {
		for i, p := range d.Parameters {
			if p.Name == tools.ArgKeyName {
				d.Parameters[i].Description = p.Description + ":\n" + listing
			}
		}
	}
	return spec.Tools(definitions, names)
}

func keyListing(keys []Key) string {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "* `%s` - %s\n", k.Name, k.Description)
	}
	return b.String()
}
