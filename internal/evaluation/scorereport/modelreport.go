package scorereport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// ModelReport is all evaluations of one model, without their outcomes: what a
// report.json holds.
type ModelReport struct {
	Model       string             `json:"model"`
	Evaluations []*evaluate.Report `json:"evaluations"` // in the order of their names
}

// Read reads a report.json.
func Read(path string) (*ModelReport, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &ModelReport{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("%s: it is no report of evaluate: %w; remove it, and evaluate the model again", path, err)
	}
	if m.Evaluations == nil || slices.Contains(m.Evaluations, nil) {
		return nil, fmt.Errorf("%s: it is no report of evaluate, which has evaluations; give a score/MODEL/report.json", path)
	}
	return m, nil
}

// put adds an evaluation, or replaces the one that it repeats.
func (m *ModelReport) put(r *evaluate.Report) {
	m.Evaluations = slices.DeleteFunc(m.Evaluations, func(old *evaluate.Report) bool { return keyOf(old) == keyOf(r) })
	m.Evaluations = append(m.Evaluations, r)
	slices.SortStableFunc(m.Evaluations, func(a, b *evaluate.Report) int {
		return strings.Compare(keyOf(a).name(), keyOf(b).name())
	})
}

// find returns the evaluation with a key, nil if there is none.
func (m *ModelReport) find(k key) *evaluate.Report {
	for _, r := range m.Evaluations {
		if keyOf(r) == k {
			return r
		}
	}
	return nil
}

func (m *ModelReport) encode(b *bytes.Buffer) error {
	text, err := jsontext.Marshal(m, "  ")
	b.Write(text)
	b.WriteByte('\n')
	return err
}

// writeOutcomes writes the score file: the totals, then each sample that failed,
// or each of them all.
func writeOutcomes(b *bytes.Buffer, r *evaluate.Report, all bool) error {
	head := struct {
		Accuracy  float64        `json:"accuracy"`
		Correct   int            `json:"correct_count"`
		Total     int            `json:"total_count"`
		Model     string         `json:"model"`
		Variant   string         `json:"variant"`
		Mode      evaluate.Mode  `json:"mode"`
		Rules     evaluate.Rules `json:"rules"`
		Executed  bool           `json:"executed"`
		Simulated bool           `json:"simulated,omitempty"`
	}{r.Total.CompletionRate, r.Total.Completed, r.Total.Samples, r.Model, r.Variant, mode(r), r.Rules, r.Executed, r.Simulated}
	if err := jsontext.Append(b, head); err != nil {
		return err
	}
	b.WriteByte('\n')
	for _, o := range r.Outcomes {
		if o.Completed && !all {
			continue
		}
		if err := jsontext.Append(b, o); err != nil {
			return fmt.Errorf("%s/%s: %w", o.DB, o.ID, err)
		}
		b.WriteByte('\n')
	}
	return nil
}
