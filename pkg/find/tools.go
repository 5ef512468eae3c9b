package find

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/sel"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// ToolsOf returns tools of a database, of whose arguments no columns are known.
func ToolsOf(db string, list []spec.Tool) []Tool {
	out := make([]Tool, len(list))
	for i, t := range list {
		out[i] = Tool{Tool: t, DB: db}
	}
	return out
}

// Endpoints returns the endpoints of a dataset's questions as tools, with the columns
// that their parameters are compared with. The error is that of reading the data, which
// says the values of an enum.
func Endpoints(ctx context.Context, api *rest.API) ([]Tool, error) {
	var out []Tool
	for _, d := range api.Databases {
		list, err := d.Tools(ctx)
		if err != nil {
			return nil, fmt.Errorf("find: endpoints of %s: %w", d.ID, err)
		}
		for i, t := range list {
			columns := map[string]Column{}
			for _, p := range d.Endpoints[i].Params {
				if p.Column != nil {
					columns[p.Name] = Column{p.Column.Table, p.Column.Name}
				}
			}
			out = append(out, Tool{Tool: t, DB: d.ID, Columns: columns})
		}
	}
	return out, nil
}

// Functions returns the functions of SEL on all tables of a database as tools. Errors
// are those of slot.Open.
func Functions(ctx context.Context, info *bird.Database) ([]Tool, error) {
	db, err := slot.Open(ctx, info)
	if err != nil {
		return nil, err
	}
	list := ToolsOf(info.ID, sel.New(tools.Definitions(), db.Keys()).Specs())
	return list, db.Close()
}
