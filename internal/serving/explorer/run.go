package explorer

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// runTime bounds the calls of one request.
const runTime = 30 * time.Second

// runRequest is calls to run on a question's starting tables.
type runRequest struct {
	Variant string       `json:"variant"`
	DB      string       `json:"db"`
	ID      string       `json:"id"`
	Calls   []tools.Call `json:"calls"`

	// Of a request for a table.
	Label  string `json:"label"`
	Offset int    `json:"offset"`
	Rows   int    `json:"rows"`
}

// step is what a model is shown of a call.
type step struct {
	// Observation is JSON, as text: its numbers keep their digits.
	Observation string `json:"observation"`
	Error       string `json:"error,omitempty"` // the message, where the call is at fault
}

type runView struct {
	Steps []step     `json:"steps"`
	Score *scoreView `json:"score"`
}

// made reads a request, runs its calls one after the other in an episode that is the
// request's alone, the ones behind a mistake too, as a model might, and answers with
// what answer makes of it. shown is what a model is shown of each call.
func (x *Explorer) made(r *http.Request, answer func(ctx context.Context, in *runRequest, e *episode.Episode, shown []*observation.Observation) (any, error)) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), runTime)
	defer cancel()
	var in runRequest
	if err := read(r, &in); err != nil {
		return nil, err
	}
	task, err := x.env.Task(ctx, in.Variant, in.DB, in.ID)
	if err != nil {
		return nil, err
	}
	e, err := x.env.Open(ctx, task, "")
	if err != nil {
		return nil, err
	}
	defer e.End()
	shown := make([]*observation.Observation, len(in.Calls))
	for i, c := range in.Calls {
		if shown[i], err = e.Call(ctx, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	return answer(ctx, &in, e, shown)
}

// run answers with what a model is shown of each call, and the score.
func (x *Explorer) run(r *http.Request) (any, error) {
	return x.made(r, func(ctx context.Context, _ *runRequest, e *episode.Episode, shown []*observation.Observation) (any, error) {
		v := runView{Steps: make([]step, len(shown))}
		for i, o := range shown {
			text, err := o.JSON()
			if err != nil {
				return nil, err
			}
			v.Steps[i].Observation = text
			if o.Err != nil {
				v.Steps[i].Error = o.Err.Message
			}
		}
		score, err := e.Score(ctx)
		if err != nil {
			return nil, err
		}
		v.Score = &scoreView{score.Components.Completed == 1, score.Reward, score.Components, score.Reason}
		return v, nil
	})
}

// scoreView is a score, and in words what is wrong.
type scoreView struct {
	Completed  bool               `json:"completed"`
	Reward     float64            `json:"reward"`
	Components episode.Components `json:"components"`
	Reason     string             `json:"reason,omitempty"`
}

type tableView struct {
	Label    string       `json:"label"`
	RowCount int          `json:"row_count"`
	Offset   int          `json:"offset"`
	Grouped  bool         `json:"grouped"`
	Columns  []columnView `json:"columns"`
	Rows     [][]*string  `json:"rows"`
}

type columnView struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// table answers with rows of a starting table or of the result of a call. The
// calls are run again for it, so that nothing is kept between requests.
func (x *Explorer) table(r *http.Request) (any, error) {
	return x.made(r, func(ctx context.Context, in *runRequest, e *episode.Episode, _ []*observation.Observation) (any, error) {
		page, err := e.Table(ctx, in.Label, max(in.Offset, 0), min(max(in.Rows, 1), maxRows))
		if err != nil {
			return nil, err
		}
		return viewOf(page), nil
	})
}

func viewOf(page *episode.Page) tableView {
	v := tableView{Label: page.Label, RowCount: page.RowCount, Offset: page.Offset, Grouped: page.Grouped, Rows: [][]*string{}}
	for _, c := range page.Columns {
		v.Columns = append(v.Columns, columnView{c.Key, string(c.Type)})
	}
	for _, row := range page.Rows {
		v.Rows = append(v.Rows, valueTexts(row))
	}
	return v
}
