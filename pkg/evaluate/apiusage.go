package evaluate

import (
	"context"
	"errors"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// APIUsage is what was asked of APIs.
type APIUsage struct {
	Calls    int   `json:"calls"`
	Requests int   `json:"requests"` // that were sent for them: more where some were tried again
	Bytes    int64 `json:"bytes"`    // of what they brought
}

// Add sums up.
func (a *APIUsage) Add(o APIUsage) {
	a.Calls += o.Calls
	a.Requests += o.Requests
	a.Bytes += o.Bytes
}

// Meter is an Executor that says what SELECTs ask of APIs.
type Meter interface {
	Executor
	// Measure is Query of a statement that finds nothing that another one has asked
	// for. It returns nil for a database that uses no API. Where a statement is at
	// fault, it returns what that asked for until then.
	Measure(ctx context.Context, s *Sample, sql string) ([][]value.Value, *APIUsage, error)
}

// APICost is what a prediction asked of APIs, and the question's own statement.
type APICost struct {
	Predicted APIUsage  `json:"predicted"`
	Gold      *APIUsage `json:"gold,omitempty"` // nil where gold's statement fails

	took, goldTook time.Duration
}

// of sets what gold's statement asked, which was run.
func (c *APICost) of(gold *ran) {
	if gold.wrong == "" {
		c.Gold, c.goldTook = gold.usage, gold.took
	}
}

// APIScores sums up what predictions asked of APIs. Samples whose gold statement
// fails are left out.
type APIScores struct {
	All       APISum `json:"all"`
	Completed APISum `json:"completed"`
}

// APISum is what the predictions on some samples asked of APIs, and gold's
// statements on the same samples.
type APISum struct {
	Samples   int      `json:"samples"`
	Predicted APIUsage `json:"predicted"`
	Gold      APIUsage `json:"gold"`
	// The means are of one sample.
	MeanCalls     float64 `json:"mean_calls"`
	MeanBytes     float64 `json:"mean_bytes"`
	GoldMeanCalls float64 `json:"gold_mean_calls"`
	GoldMeanBytes float64 `json:"gold_mean_bytes"`

	// Time and GoldTime are what running the statements took, with the calls that
	// they made. They are in no file.
	Time, GoldTime time.Duration `json:"-"`
}

func (s *APISum) add(c *APICost) {
	s.Samples++
	s.Predicted.Add(c.Predicted)
	s.Gold.Add(*c.Gold)
	s.Time += c.took
	s.GoldTime += c.goldTook
	n := float64(s.Samples)
	s.MeanCalls, s.MeanBytes = float64(s.Predicted.Calls)/n, float64(s.Predicted.Bytes)/n
	s.GoldMeanCalls, s.GoldMeanBytes = float64(s.Gold.Calls)/n, float64(s.Gold.Bytes)/n
}

// add sums up an outcome.
func (s *APIScores) add(o *Outcome) {
	if o.APIs.Gold == nil {
		return
	}
	s.All.add(o.APIs)
	if o.Completed {
		s.Completed.add(o.APIs)
	}
}

// ran is a statement that was run.
type ran struct {
	rows  [][]value.Value
	usage *APIUsage // nil where nothing was measured
	took  time.Duration
	wrong string // what is wrong with it, "" for nothing
}

// query runs a statement. The error is none of the statement's own.
func (j *judge) query(ctx context.Context, s *Sample, sql string) (*ran, error) {
	r, start := &ran{}, time.Now()
	var err error
	if m, ok := j.options.Executor.(Meter); ok {
		r.rows, r.usage, err = m.Measure(ctx, s, sql)
	} else {
		r.rows, err = j.options.Executor.Query(ctx, s, sql)
	}
	r.took = time.Since(start)
	if wrong := (*StatementError)(nil); errors.As(err, &wrong) {
		r.wrong, err = wrong.Error(), nil
	}
	return r, err
}
