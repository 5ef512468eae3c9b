package episode

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Score is how well an episode's calls answer its question.
type Score struct {
	// Reward is 1 if they do, by the exact rules of pkg/verify, and else 0.
	Reward     float64    `json:"reward"`
	Components Components `json:"components"`
	// Error is the class of what is wrong, "" where nothing is, and Reason says it
	// in words (Elder et al., appendix H.1.1). They may mention the gold calls.
	Error  evaluate.Class `json:"error_class,omitempty"`
	Reason string         `json:"reason,omitempty"`
}

// Components are what a reward may be made of: numbers, so that trainers can log
// and weigh them. Intents are the functions called, by their place in the sequence,
// and slots their arguments (section 4.1). A score of 0/0 is 1 where the functions are
// those of gold, and else 0. Calls that failed count for nothing else, and those of
// spec.SearchTool for nothing at all.
type Components struct {
	Completed       float64 `json:"completed"` // 1 or 0
	IntentPrecision float64 `json:"intent_precision"`
	IntentRecall    float64 `json:"intent_recall"`
	IntentF1        float64 `json:"intent_f1"`
	SlotPrecision   float64 `json:"slot_precision"`
	SlotRecall      float64 `json:"slot_recall"`
	SlotF1          float64 `json:"slot_f1"`
	Calls           int     `json:"calls"`
	FailedCalls     int     `json:"failed_calls"`
}

// ErrNoGold says that an episode has no question, and so no score.
var ErrNoGold = errors.New("the session has no question, and so no score; open one of a question")

// Score scores the calls so far, by the results that the episode keeps: no call is
// run again. The answer is the result of the last call that did not fail, or all
// results that no call reads, side by side, if that is right (docs/evaluation.md).
//
// A wrong answer may be the service's doing: where it failed at a call that was not
// answered since, or where the gold calls need more than its limits allow, the error
// is a *FailedError and not a score of 0. Other errors are *EndedError, ErrNoGold and
// the context's.
func (e *Episode) Score(ctx context.Context) (*Score, error) {
	if e.task.Gold() == nil {
		return nil, ErrNoGold
	}
	end, err := e.work(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	turn, err := e.env.turn(ctx, scoring)
	if err != nil {
		return nil, err
	}
	defer turn()
	bound, cancel := context.WithTimeout(ctx, e.env.limits.Time)
	defer cancel()
	s, err := e.score(bound)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		e.env.opts.Failed(fmt.Errorf("session of %s: %s: %w", e.task.DB, scoring, err))
		late := fmt.Sprintf("takes longer than %v; try again", e.env.limits.Time)
		if failed := failure(ctx, bound, scoring, late, err); failed != nil {
			return nil, failed
		}
		return nil, &FailedError{Broken, scoring, "the service failed", err}
	case s.Reward == 1:
		return s, nil
	}
	if failed := e.unscorable(); failed != nil {
		return nil, failed
	}
	return s, nil
}

// score is Score, whatever the service failed at.
func (e *Episode) score(ctx context.Context) (*Score, error) {
	made := &recorded{}
	p := evaluate.Prediction{DB: e.task.DB, ID: e.task.ID}
	for _, s := range e.steps {
		if !s.failed {
			made.steps = append(made.steps, s)
			p.Calls = append(p.Calls, s.call)
		}
	}
	out, err := e.task.sample.Judge(ctx, p, evaluate.Options{Executor: made})
	if err != nil {
		return nil, err
	}
	s := &Score{Error: out.Error, Reason: out.Reason}
	if out.Completed {
		s.Reward = 1
	}
	intent, slot := out.Intent.Metric(), out.Slot.Metric()
	same := 0.0 // what stands for 0/0: whether the same functions were called
	if intent.FP+intent.FN == 0 {
		same = 1
	}
	s.Components = Components{
		Completed:       s.Reward,
		IntentPrecision: or(intent.Precision, same), IntentRecall: or(intent.Recall, same), IntentF1: or(intent.F1, same),
		SlotPrecision: or(slot.Precision, same), SlotRecall: or(slot.Recall, same), SlotF1: or(slot.F1, same),
		Calls: len(e.steps), FailedCalls: len(e.steps) - len(made.steps),
	}
	return s, nil
}

// or returns a score, or what stands for it.
func or(score *float64, other float64) float64 {
	if score == nil {
		return other
	}
	return *score
}

// recorded is an evaluate.Executor that returns what the calls of an episode
// returned.
type recorded struct {
	steps []step
	next  int
}

func (r *recorded) Episode(context.Context, *evaluate.Sample) (evaluate.Episode, error) {
	r.next = 0
	return r, nil
}

func (r *recorded) Query(context.Context, *evaluate.Sample, string) ([][]value.Value, error) {
	return nil, errors.New("an episode has no SQL")
}

func (r *recorded) Release(string) error { return nil }

// Call returns the result of the next call.
func (r *recorded) Call(context.Context, tools.Call) evaluate.Result {
	s := r.steps[r.next]
	r.next++
	show := func(context.Context) (string, error) { return "", nil } // nobody is shown it
	if s.table != nil {
		return evaluate.Result{RowCount: s.table.Len(), Columns: len(s.table.Keys()), Rows: s.table.Rows, Show: show}
	}
	return evaluate.Result{RowCount: s.rows, Columns: s.cols, Show: show, Rows: func(context.Context) ([][]value.Value, error) {
		return rest.DecodeAnswer(s.answer)
	}}
}
