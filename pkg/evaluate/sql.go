package evaluate

import (
	"cmp"
	"context"
	"fmt"

	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// sql scores a SELECT instead of calls.
func (j *judge) sql(ctx context.Context, s *Sample, p *Prediction, out *Outcome) error {
	out.SQL, out.Text = s.SQL, cmp.Or(p.SQL, p.text())
	if out.Text == "" {
		out.Reason = "there is no SQL"
		return nil
	}
	predicted, err := j.query(ctx, s, out.Text)
	if err != nil {
		return err
	}
	var gold *ran
	if predicted.usage != nil {
		if gold, err = j.query(ctx, s, s.SQL); err != nil {
			return err
		}
		out.APIs = &APICost{Predicted: *predicted.usage, took: predicted.took}
		out.APIs.of(gold)
	}
	if predicted.wrong != "" {
		out.Reason = predicted.wrong
		return nil
	}
	return j.rows(ctx, s, predicted.rows, gold, out)
}

// rows says whether rows are the right answer. The question's own statement need not
// have been run.
func (j *judge) rows(ctx context.Context, s *Sample, rows [][]value.Value, gold *ran, out *Outcome) (err error) {
	out.Answer = shown(spec.Answer(writable(rows)))
	if out.Completed, err = j.isRight(ctx, s, rows, gold); err == nil && !out.Completed {
		out.Reason = "the rows differ from the answer"
	}
	return err
}

// isRight reports whether rows of a statement are the right answer by the rules.
// Where SQL leaves open which one is right, so is what the question's own
// statement gives; and so it is for the paper's code, which asks for one order of
// rows and one text of a real.
func (j *judge) isRight(ctx context.Context, s *Sample, rows [][]value.Value, gold *ran) (bool, error) {
	right, err := s.isAnswer(rows)
	if j.options.Rules == Paper {
		right, err = s.isPaperAnswer(spec.Answer(rows))
	}
	if right || err != nil || j.options.Rules == Exact && !s.Facts.TieDependent {
		return right, err
	}
	if gold == nil {
		if gold, err = j.query(ctx, s, s.SQL); err != nil {
			return false, err
		}
	}
	switch {
	case gold.wrong != "":
		return false, nil // such as one that takes longer than a model's may
	case j.options.Rules == Paper:
		return paperEqual(spec.Answer(rows), spec.Answer(gold.rows), s.variant()), nil
	}
	return verify.Compare(gold.rows, rows, verify.Options{Ordered: s.Facts.Gold.Ordered}).Equal, nil
}

// isPaperAnswer reports whether an answer is gold_answer to the paper's code.
func (s *Sample) isPaperAnswer(answer any) (bool, error) {
	want, err := plain(s.Answer)
	if err != nil {
		return false, fmt.Errorf("sample %s: gold_answer: %w", s.Key(), err)
	}
	return paperEqual(answer, want, s.variant()), nil
}
