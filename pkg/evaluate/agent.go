package evaluate

import (
	"context"
)

// agent scores the rows that an agent ends with, as those of SQL are.
func (j *judge) agent(ctx context.Context, s *Sample, p *Prediction, out *Outcome) error {
	out.SQL, out.Tools = s.SQL, 0
	for _, step := range p.Steps {
		c := Called{Returned: step.Observation, Failed: step.Failed}
		if step.Call != nil {
			c.Call = *step.Call
		} else {
			c.Wrong = cut(step.Text)
		}
		out.Predicted = append(out.Predicted, c)
	}
	defer j.loops(p, out)
	var gold *ran
	if p.APIs != nil {
		var err error
		if gold, err = j.query(ctx, s, s.SQL); err != nil {
			return err
		}
		out.APIs = &APICost{Predicted: *p.APIs}
		out.APIs.of(gold)
	}
	if p.Rows == nil {
		out.Reason, out.Text = "there is no answer in rows", p.text()
		return nil
	}
	rows, err := ReadRows(p.Rows)
	if err != nil {
		out.Reason, out.Text = err.Error(), string(p.Rows)
		return nil
	}
	return j.rows(ctx, s, rows, gold, out)
}
