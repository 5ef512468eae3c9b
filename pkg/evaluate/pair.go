package evaluate

import (
	"context"
	"fmt"
	"regexp"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// PairResult is what a prediction has of a question over two databases.
type PairResult struct {
	Parts  []bool `json:"parts"`  // whether the answer of each question is among the results
	Answer bool   `json:"answer"` // whether all of them are, and the comparison is right
}

// has reports whether the answers of both questions are there.
func (d *PairResult) has() bool {
	for _, part := range d.Parts {
		if !part {
			return false
		}
	}
	return len(d.Parts) > 0
}

// PairScores are the scores of questions over two databases, as the paper on
// relational memories has them (section 5.1): SQL accuracy is the share of samples
// with the answers of both questions among the results, and answer accuracy of those
// where the answer is right, too.
type PairScores struct {
	Samples        int     `json:"samples"`
	Both           int     `json:"both_parts"`
	Right          int     `json:"right"`
	SQLAccuracy    float64 `json:"sql_accuracy"`
	AnswerAccuracy float64 `json:"answer_accuracy"`
}

func (d *PairScores) add(o *PairResult) {
	d.Samples++
	if o.has() {
		d.Both++
	}
	if o.Answer {
		d.Right++
	}
	d.SQLAccuracy, d.AnswerAccuracy = float64(d.Both)/float64(d.Samples), float64(d.Right)/float64(d.Samples)
}

// pairResult says which answers of a pair's questions are among the results of calls. It
// is nil for any other sample.
func (t *trial) pairResult(ctx context.Context, s *Sample) (*PairResult, error) {
	if s.Pair == nil {
		return nil, nil
	}
	out := &PairResult{}
	for _, part := range s.Pair.Parts {
		text, err := jsontext.Marshal([][]any{{part.Answer}}, "")
		if err != nil {
			return nil, err
		}
		want, err := ReadRows(text)
		if err != nil {
			return nil, fmt.Errorf("sample %s: %w", s.Key(), err)
		}
		has, err := t.returns(ctx, want)
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, has)
	}
	return out, nil
}

// returns reports whether one of the calls returned these rows, of one value.
func (t *trial) returns(ctx context.Context, want [][]value.Value) (bool, error) {
	for _, r := range t.results {
		if r.Err != nil || r.RowCount != 1 || r.Columns != 1 {
			continue
		}
		rows, err := r.Rows(ctx)
		if err != nil {
			return false, err
		}
		if verify.Compare(want, rows, verify.Options{}).Equal {
			return true, nil
		}
	}
	return false, nil
}

// both completes the score of a pair. One of two answers is easily guessed, so that
// a sample is completed only with the answers of both questions. What ReAct says in
// the end is an answer, too, but no call.
func (j *judge) both(s *Sample, p *Prediction, c *compared, out *Outcome) {
	switch {
	case s.Pair == nil:
		return
	case out.Pair == nil: // nothing was run
		out.Pair = &PairResult{Parts: make([]bool, len(s.Pair.Parts))}
		for i := range out.Pair.Parts {
			out.Pair.Parts[i] = c.same && j.options.Executor == nil
		}
	}
	has := out.Pair.has()
	out.Completed = out.Completed && has
	out.Pair.Answer = has && (out.Completed || says(p.Answer, s.Pair.GoldAnswer))
}

var partNames = regexp.MustCompile(`\bQ[12]\b`)

// says reports whether a text names that one of the two questions, and not the other.
func says(text, want string) bool {
	named := partNames.FindAllString(text, -1)
	for _, name := range named {
		if name != want {
			return false
		}
	}
	return len(named) > 0
}
