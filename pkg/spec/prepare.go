package spec

import (
	"fmt"

	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Options say how a sample's tools are given to its reader.
type Options struct {
	Format    Format
	Shortlist int    // percent of the tools; 0 is all of them
	Seed      uint64 // of the shortlists
	Names     *Names // hides the names; nil leaves them
}

// Prepare returns a sample's tool list, ready to marshal, and its gold calls as
// they are valid under it. sample names the sample, for the draw of its
// shortlist. specs and calls are not changed. Errors name the tool.
func (o Options) Prepare(specs []slot.Spec, calls []tools.Call, sample string) ([]any, []tools.Call, error) {
	if o.Shortlist > 0 {
		specs = Shortlist(specs, calls, o.Shortlist, o.Seed, sample)
	}
	out := make([]tools.Call, len(calls))
	for i, c := range calls {
		var err error
		if out[i], err = o.call(specs, c); err != nil {
			return nil, nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	list, err := o.List(specs)
	return list, out, err
}

func (o Options) call(specs []slot.Spec, c tools.Call) (tools.Call, error) {
	if o.Format == OpenAIStrict {
		for _, s := range specs {
			if s.Name != c.Name {
				continue
			}
			var err error
			if c, err = Complete(c, s); err != nil {
				return tools.Call{}, err
			}
		}
	}
	if o.Names == nil {
		return c, nil
	}
	return o.Names.Call(c)
}

// List returns a tool list without gold calls, such as a database's, ready to
// marshal.
func (o Options) List(specs []slot.Spec) ([]any, error) {
	if o.Names != nil {
		var err error
		if specs, err = o.hidden(specs); err != nil {
			return nil, err
		}
	}
	return o.Format.List(specs)
}

// hidden hides the names in specifications. What the format spells out by the
// arguments' names has to be there before.
func (o Options) hidden(specs []slot.Spec) ([]slot.Spec, error) {
	if o.Format == OpenAIStrict || o.Format == Gemini {
		spelled := make([]slot.Spec, len(specs))
		for i, s := range specs {
			schema, err := closed(s)
			if err != nil {
				return nil, fmt.Errorf("specification of %s: %w", s.Name, err)
			}
			s.Parameters = schema
			spelled[i] = s
		}
		specs = spelled
	}
	return o.Names.Specs(specs)
}
