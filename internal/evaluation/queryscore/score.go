package queryscore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Executor runs queries. Several goroutines may use one at once.
type Executor interface {
	// Same says whether a query has the sample's gold answer, and if not, why. The
	// error is not the query's but that of the database or of ctx.
	Same(ctx context.Context, s *Sample, q query.Query) (same bool, reason string, err error)
	// Release frees what is kept of a database's data, when no query on it is
	// running.
	Release(db string) error
}

// Options adjust Score.
type Options struct {
	Metrics  []Metric // default Strict
	Calls    Calls    // default First
	Executor Executor // for Execution
	Jobs     int      // samples to work on at a time; default the number of processors
	// Missing counts samples without an answer as answered without a call. Without
	// it they are left out of the scores, and counted.
	Missing bool
	// SameSearch is for Published: searches are right if their texts are the same,
	// as the scripts had it before 22 November 2024, and not if both queries search.
	SameSearch bool
	// Progress is called for each sample that is done; nil is for none. Calls come
	// one at a time.
	Progress func()
}

// Score holds answers against their samples. Errors are those of Executor and of
// ctx: what an answer does wrong is in the report.
func Score(ctx context.Context, samples []*Sample, answers map[*Sample]Answer, o Options) (*Report, error) {
	if len(o.Metrics) == 0 {
		o.Metrics = []Metric{Strict}
	}
	o.Calls = cmp.Or(o.Calls, First)
	o.Jobs = cmp.Or(o.Jobs, runtime.GOMAXPROCS(0))
	if !slices.Contains(AllCalls(), o.Calls) {
		return nil, fmt.Errorf("there are no calls %q: use %s", o.Calls, list(AllCalls()))
	}
	if slices.Contains(o.Metrics, Execution) && o.Executor == nil {
		return nil, errors.New("the metric execution runs queries: give databases to run them on")
	}
	r := &Report{Metrics: o.Metrics, Calls: o.Calls, Samples: len(samples)}
	var work []*Sample
	for _, s := range samples {
		a, ok := answers[s]
		switch {
		case a.NotRun:
			r.NotRun++
		case !ok && !o.Missing:
			r.Unpredicted++
		default:
			work = append(work, s)
		}
	}
	if len(samples) > 0 {
		r.Toolset, r.Shape = string(samples[0].Toolset), string(samples[0].Shape)
	}
	for first := 0; first < len(work); {
		last := first
		for last < len(work) && work[last].DB == work[first].DB {
			last++
		}
		outcomes, err := o.some(ctx, work[first:last], answers)
		if err != nil {
			return nil, err
		}
		r.Outcomes = append(r.Outcomes, outcomes...)
		if o.Executor != nil {
			if err := o.Executor.Release(work[first].DB); err != nil {
				return nil, err
			}
		}
		first = last
	}
	r.sum()
	return r, nil
}

// some scores samples of one database, several at a time, and returns the outcomes in
// their order.
func (o Options) some(ctx context.Context, work []*Sample, answers map[*Sample]Answer) ([]Outcome, error) {
	out, errs := make([]Outcome, len(work)), make([]error, len(work))
	var wait sync.WaitGroup
	var said sync.Mutex
	free := make(chan struct{}, o.Jobs)
	for i, s := range work {
		free <- struct{}{}
		wait.Go(func() {
			defer func() { <-free }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				out[i], errs[i] = o.one(ctx, s, answers[s])
			}
			if o.Progress != nil {
				said.Lock()
				o.Progress()
				said.Unlock()
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil { // the others say the same of their samples
			return nil, err
		}
	}
	return out, nil
}

// one scores one sample.
func (o Options) one(ctx context.Context, s *Sample, a Answer) (Outcome, error) {
	out := Outcome{
		DB: s.DB, ID: s.ID, Question: s.Question, Complexity: s.Complexity,
		Calls: len(a.Calls), Gold: s.Gold.Arguments, parts: componentsOf(s.Gold.Arguments, s.collection(s.Gold)),
	}
	var calls []Call
	out.Kind, out.Reason, calls = o.kind(a)
	for _, c := range calls {
		out.Routed = out.Routed || spelling.Same(text(c.Arguments, argCollection), text(s.Gold.Arguments, argCollection))
	}
	countable := o.Calls != One || len(a.Calls) == 1
	for i, m := range o.Metrics {
		best, chosen := Scored{Metric: m}, -1
		if m == Paper || m == Published {
			best.AST = new(float64)
		}
		for j, c := range calls {
			if !countable {
				break
			}
			got, err := o.by(ctx, m, s, c)
			if err != nil {
				return out, err
			}
			if chosen < 0 || got.better(best) {
				best, chosen = got, j
			}
		}
		out.Scored = append(out.Scored, best)
		if i == 0 && len(calls) > 0 {
			c := calls[max(chosen, 0)]
			out.Predicted, out.got = c.Arguments, componentsOf(c.Arguments, s.collection(c))
		}
	}
	if out.Kind == InvalidOne && len(a.Calls) > 0 {
		out.Predicted = a.Calls[0].Arguments
	}
	if out.Kind == Called && !countable {
		out.Reason = fmt.Sprintf("there are %d calls", len(a.Calls))
	}
	return out, nil
}

// collection returns the collection of a call, nil where there is no such one.
func (s *Sample) collection(c Call) *query.Collection {
	return query.Find(s.Collections, text(c.Arguments, argCollection))
}

// kind says what an answer is, and which of its calls are scored.
func (o Options) kind(a Answer) (Kind, string, []Call) {
	switch {
	case a.Failed:
		return Failed, a.Reason, nil
	case len(a.Calls) == 0:
		return NoCall, a.Reason, nil
	}
	calls := a.Calls
	if o.Calls != Best {
		calls = calls[:1]
	}
	var valid []Call
	for _, c := range calls {
		if c.Err == nil {
			valid = append(valid, c)
		}
	}
	if len(valid) == 0 {
		return InvalidOne, calls[0].Err.Error(), nil
	}
	return Called, "", valid
}

// by scores a call by one metric.
func (o Options) by(ctx context.Context, m Metric, s *Sample, c Call) (Scored, error) {
	out := Scored{Metric: m}
	var ast float64
	var err error
	switch m {
	case Strict:
		out.Match = normalize(s.Gold.Query, s.collection(s.Gold)).same(normalize(c.Query, s.collection(c)))
	case Paper:
		out.Match, ast = paperMatch(s.Gold.Arguments, c.Arguments), paperAST(s.Gold.Arguments, c.Arguments)
		out.AST = &ast
	case Published:
		ast = script{sameSearch: o.SameSearch}.ast(typedOf(s.Gold.Arguments, s.collection(s.Gold)), typedOf(c.Arguments, s.collection(c)))
		out.Match, out.AST = ast == 1, &ast
	case Execution:
		out.Match, out.Reason, err = o.Executor.Same(ctx, s, c.Query)
	}
	return out, err
}

// better says whether one score is higher than another by the same metric.
func (s Scored) better(than Scored) bool {
	if s.AST != nil && *s.AST != *than.AST {
		return *s.AST > *than.AST
	}
	return s.Match && !than.Match
}
