package rest

import (
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/tools"
)

// invocation returns the call as it is written: its arguments in the order of
// the parameters, without those that are left to their defaults.
func (c Call) invocation() record.Invocation {
	out := record.Invocation{Name: c.Endpoint.Name, Arguments: tools.Arguments{}, Path: c.Endpoint.Path}
	for i, p := range c.Endpoint.Params {
		values := c.Arguments[i]
		if len(values) == 0 {
			continue
		}
		out.Arguments = append(out.Arguments, tools.Argument{Name: p.Name, Value: p.plain(values)})
	}
	return out
}
