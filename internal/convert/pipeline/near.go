package pipeline

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// nearest chooses which tools the samples of a database list, where these are the
// nearest to the gold ones: their names for each sample. Whether a tool answers too
// takes calling it, so that Options.Jobs samples are worked on at a time.
func (w *writer) nearest(ctx context.Context, db string, in database, verified []*outcome, all []spec.Tool) ([]map[string]bool, error) {
	near := spec.NewNeighbours(all)
	out := make([]map[string]bool, len(verified))
	errs := make([]error, len(verified))
	answering := make([]int, len(verified))
	jobs := make(chan struct{}, max(w.opts.Jobs, 1))
	var wait sync.WaitGroup
	for i, o := range verified {
		jobs <- struct{}{}
		wait.Go(func() {
			defer func() { <-jobs }()
			answers := in.answers(ctx, o.sample)
			counted := func(t spec.Tool) (bool, error) {
				isAnswer, err := answers(t)
				if isAnswer {
					answering[i]++
				}
				return isAnswer, err
			}
			var list []spec.Tool
			if w.how.Shortlist > 0 {
				list, errs[i] = near.Shortlist(o.sample.tools(), o.sample.calls, w.how.Shortlist, counted)
			} else {
				list, errs[i] = near.Limit(o.sample.tools(), o.sample.calls, o.question.Text, w.how.MaxTools, counted)
			}
			out[i] = map[string]bool{}
			for _, t := range list {
				out[i][t.Name] = true
			}
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s, question %v: the tools nearest to the gold ones: %w", db, verified[i].question.ID, err)
		}
		w.answering += answering[i]
	}
	return out, nil
}

// only returns the tools of those names.
func (s *prepared) only(names map[string]bool) []spec.Tool {
	var out []spec.Tool
	for _, t := range s.tools() {
		if names[t.Name] {
			out = append(out, t)
		}
	}
	return out
}

// takes returns the arguments that a tool has.
func takes(t spec.Tool, args tools.Arguments) tools.Arguments {
	properties, _ := t.Parameters["properties"].(map[string]any)
	var out tools.Arguments
	for _, a := range args {
		if _, ok := properties[a.Name]; ok {
			out = append(out, a)
		}
	}
	return out
}

// answers calls a tool instead of each gold call, with the arguments that it
// takes of it, and looks whether its result is the same. Arguments that the name of
// a SEL function stands for count as given: retrieve_data of one column is
// another name of the column's getter.
func (d *slotDatabase) answers(ctx context.Context, s *prepared) spec.Answers {
	var in slot.Session
	var calls []tools.Call // as they are before they are bound
	return func(t spec.Tool) (bool, error) {
		if in == nil {
			var err error
			if calls, err = d.unbound(s); err != nil {
				return false, err
			}
			in = d.converter.SessionOf(s.slotRecord)
			if _, err := slot.Run(ctx, s.slotRecord, in); err != nil {
				return false, err
			}
		}
		for i, c := range calls {
			gold, ok := in.Table(s.calls[i].Label)
			if !ok {
				continue // nothing says what it is to be
			}
			isSame, err := d.gives(ctx, in, tools.Call{Name: t.Name, Arguments: takes(t, c.Arguments)}, gold)
			if isSame || err != nil {
				return isSame, err
			}
		}
		return false, nil
	}
}

// unbound returns the calls of a sample as calls of the generic tools.
func (d *slotDatabase) unbound(s *prepared) ([]tools.Call, error) {
	if d.set == nil {
		return s.calls, nil
	}
	set := d.set(s.slotRecord)
	out := make([]tools.Call, len(s.calls))
	for i, c := range s.calls {
		var err error
		if out[i], err = set.Unbind(c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// gives reports whether a call has a result. One that takes too long counts as one
// that does, as nobody has shown that it does not.
func (d *slotDatabase) gives(ctx context.Context, in slot.Session, c tools.Call, want *tools.Table) (bool, error) {
	own, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	got, err := in.Run(own, c)
	isSame := false
	if err == nil {
		isSame, err = sameTable(own, got, want)
	}
	var wrong *tools.ToolError
	var tooLarge *tools.LimitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return true, nil
	case errors.As(err, &wrong), errors.As(err, &tooLarge):
		return false, nil
	}
	return isSame, err
}

// sameTable reports whether two tables have the same cells and groups.
func sameTable(ctx context.Context, a, b *tools.Table) (bool, error) {
	columns := len(a.Keys())
	if a.Len() != b.Len() || columns != len(b.Keys()) || a.Grouped() != b.Grouped() {
		return false, nil
	}
	for i := range columns {
		x, err := a.Column(ctx, i)
		if err != nil {
			return false, err
		}
		y, err := b.Column(ctx, i)
		if err != nil {
			return false, err
		}
		for row := range a.Len() {
			if x.At(row) != y.At(row) {
				return false, nil
			}
		}
	}
	return true, nil
}

// answers asks another endpoint.
func (s *restDatabase) answers(ctx context.Context, p *prepared) spec.Answers {
	return func(t spec.Tool) (bool, error) { return s.converter.Answers(ctx, p.restRecord, t.Name) }
}

// answers queries another collection in the same way.
func (d *queryDatabase) answers(ctx context.Context, s *prepared) spec.Answers {
	result := func(c tools.Call) (string, error) {
		queries, err := query.Read(c, s.queryRecord.Toolset, s.queryRecord.Collections)
		if err != nil || len(queries) == 0 {
			return "", err
		}
		r, err := d.Database().Run(ctx, queries[0])
		if err != nil {
			return "", err
		}
		return string(r.JSON(query.ForModels)), nil
	}
	return func(t spec.Tool) (bool, error) {
		got, err := result(tools.Call{Name: t.Name, Arguments: s.calls[0].Arguments})
		if wrong := (*tools.ToolError)(nil); errors.As(err, &wrong) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		want, err := result(s.calls[0])
		return got == want, err
	}
}
