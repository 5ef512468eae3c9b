package spec

import (
	"fmt"

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
// shortlist. list and calls are not changed. Errors name the tool.
func (o Options) Prepare(list []Tool, calls []tools.Call, sample string) ([]any, []tools.Call, error) {
	list = o.listed(list, calls, sample)
	out, err := o.Calls(list, calls)
	if err != nil {
		return nil, nil, err
	}
	written, err := o.List(list)
	return written, out, err
}

// listed returns the tools that the sample lists.
func (o Options) listed(list []Tool, calls []tools.Call, sample string) []Tool {
	if o.Shortlist > 0 {
		return Shortlist(list, calls, o.Shortlist, o.Seed, sample)
	}
	return list
}

// Calls returns gold calls as they are valid under a tool list that List wrote.
// Errors name the call.
func (o Options) Calls(list []Tool, calls []tools.Call) ([]tools.Call, error) {
	out := make([]tools.Call, len(calls))
	for i, c := range calls {
		var err error
		if out[i], err = o.call(list, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	return out, nil
}

func (o Options) call(list []Tool, c tools.Call) (tools.Call, error) {
	if o.Format == OpenAIStrict {
		for _, t := range list {
			if t.Name != c.Name {
				continue
			}
			var err error
			if c, err = withNulls(c, t); err != nil {
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
func (o Options) List(list []Tool) ([]any, error) {
	if o.Names != nil {
		var err error
		if list, err = o.hidden(list); err != nil {
			return nil, err
		}
	}
	return o.Format.List(list)
}

// hidden hides the names in tools. What the format spells out by the arguments'
// names has to be there before.
func (o Options) hidden(list []Tool) ([]Tool, error) {
	if o.Format == OpenAIStrict || o.Format == Gemini {
		spelled := make([]Tool, len(list))
		for i, t := range list {
			schema, err := closed(t)
			if err != nil {
				return nil, fmt.Errorf("specification of %s: %w", t.Name, err)
			}
			t.Parameters = schema
			spelled[i] = t
		}
		list = spelled
	}
	return o.Names.Tools(list)
}
