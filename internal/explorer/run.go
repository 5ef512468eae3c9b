package explorer

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/birdcall/birdcall/pkg/episode"
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

// begin reads a request and opens an episode for its calls. The episode is the
// request's alone.
func (x *Explorer) begin(ctx context.Context, r *http.Request) (*runRequest, *episode.Episode, error) {
	var in runRequest
	if err := read(r, &in); err != nil {
		return nil, nil, err
	}
	task, err := x.env.Task(ctx, in.Variant, in.DB, in.ID)
	if err != nil {
		return nil, nil, err
	}
	e, err := x.env.Open(ctx, task, "")
	return &in, e, err
}

// run runs calls one after the other, the ones behind a mistake too, as a model
// might. It answers with what a model is shown of each, and the score.
func (x *Explorer) run(r *http.Request) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), runTime)
	defer cancel()
	in, e, err := x.begin(ctx, r)
	if err != nil {
		return nil, err
	}
	defer e.End()
	v := runView{Steps: []step{}}
	for i, c := range in.Calls {
		shown, err := e.Call(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
		text, err := shown.JSON()
		if err != nil {
			return nil, err
		}
		one := step{Observation: text}
		if shown.Err != nil {
			one.Error = shown.Err.Message
		}
		v.Steps = append(v.Steps, one)
	}
	score, err := e.Score(ctx)
	if err != nil {
		return nil, err
	}
	v.Score = &scoreView{score.Components.Completed == 1, score.Reward, score.Components, score.Reason}
	return v, nil
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
	ctx, cancel := context.WithTimeout(r.Context(), runTime)
	defer cancel()
	in, e, err := x.begin(ctx, r)
	if err != nil {
		return nil, err
	}
	defer e.End()
	for i, c := range in.Calls {
		if _, err := e.Call(ctx, c); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
	}
	page, err := e.Table(ctx, in.Label, max(in.Offset, 0), min(max(in.Rows, 1), mostRows))
	if err != nil {
		return nil, err
	}
	v := tableView{Label: page.Label, RowCount: page.RowCount, Offset: page.Offset, Grouped: page.Grouped, Rows: [][]*string{}}
	for _, c := range page.Columns {
		v.Columns = append(v.Columns, columnView{c.Key, string(c.Type)})
	}
	for _, row := range page.Rows {
		v.Rows = append(v.Rows, valueTexts(row))
	}
	return v, nil
}
