package evaluate

import (
	"slices"
	"sync"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Reveal returns a call that is written in the names of the sample's tool list
// under the real names, and without the nulls that stand for arguments left out
// in strict mode. A function or an argument that the list does not have keeps
// its name.
func (s *Sample) Reveal(c tools.Call) tools.Call {
	if s.names != nil {
		c = reveal(s.names, c)
	}
	if s.strict {
		c = s.relax(c)
	}
	return c
}

// reveal does what spec.Names.Reveal does, but that it keeps a wrong name.
func reveal(names *spec.Names, c tools.Call) tools.Call {
	f, ok := names.Functions[c.Name]
	if !ok {
		return c
	}
	c.Name, c.Arguments = f.Name, slices.Clone(c.Arguments)
	for i, a := range c.Arguments {
		if name, ok := f.Arguments[a.Name]; ok {
			c.Arguments[i].Name = name
		}
	}
	return c
}

// relax drops the nulls of strict mode. The listed schema does not distinguish them
// from those that are values, the tool itself does. No endpoint takes null.
func (s *Sample) relax(c tools.Call) tools.Call {
	if s.real != nil {
		for _, t := range s.real() {
			if t.Name != c.Name {
				continue
			}
			if relaxed, err := spec.Relax(c, t); err == nil {
				return relaxed
			}
		}
	}
	kept := tools.Arguments{}
	for _, a := range c.Arguments {
		if a.Value != nil {
			kept = append(kept, a)
		}
	}
	c.Arguments = kept
	return c
}

var slotTools = sync.OnceValue(func() []spec.Tool { return slot.Specs(slot.Full.Definitions(nil)) })
