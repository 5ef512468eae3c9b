package episode

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// FindTools returns the places of the tools of a task that the arguments of a call of
// spec.SearchTool ask for, the best first. Endpoints are ranked by the index where there
// is one, and all other tools by their words. Errors are a *tools.ToolError and
// the context's.
func (e *Environment) FindTools(ctx context.Context, t *Task, args tools.Arguments) ([]int, error) {
	text, err := toolnames.Query(args)
	if err != nil {
		return nil, err
	}
	if x := e.index.Load(); x != nil && variant.Of(t.Variant).Calls == variant.Endpoints {
		places, err := indexed(ctx, x, t, text)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil { // such as that of a model which makes vectors; words are enough
			e.opts.Failed(err)
		}
		if len(places) > 0 {
			return places, nil
		}
	}
	if t.search == nil {
		return toolnames.NewSearch(t.DB, t.Tools).Places(text), nil
	}
	return t.search().Places(text), nil
}

// SetIndex has endpoints ranked by an index from now on, instead of Options.Index.
func (e *Environment) SetIndex(x *find.Index) { e.index.Store(x) }

// indexed returns the places of the listed tools that an index finds.
func indexed(ctx context.Context, x *find.Index, t *Task, text string) ([]int, error) {
	result, err := x.Find(ctx, find.Query{Text: text, DB: t.DB, Kinds: []find.Kind{find.KindTool}, K: find.MaxK})
	if err != nil {
		return nil, err
	}
	var out []int
	for _, hit := range result.Tools {
		at := slices.IndexFunc(t.Tools, func(tool spec.Tool) bool { return tool.Name == hit.Tool })
		if at >= 0 && len(out) < spec.MaxFound {
			out = append(out, at)
		}
	}
	return out, nil
}

// find answers a call of spec.SearchTool. It is no step towards the answer, and so
// not scored.
func (e *Episode) find(ctx context.Context, c tools.Call) (*observation.Observation, error) {
	places, err := e.env.FindTools(ctx, e.task, c.Arguments)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return e.mistake(c, err), nil
	}
	e.searches++
	found := make([]spec.Tool, len(places))
	for i, at := range places {
		found[i] = e.task.Tools[at]
	}
	return observation.OfSearch(e.task.Search, found, len(e.task.Tools))
}
