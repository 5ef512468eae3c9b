package scorereport

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/pkg/evaluate"
)

// notAvailable stands for an evaluation that a model has not had.
const notAvailable = "N/A"

// writeOverall writes data_overall.csv from all reports in dir: a row for each
// model and set of rules, a column for each category, with its accuracy in
// percent. Where nothing was run the category says so, as its accuracy is
// another thing. There is no overall accuracy: the categories are not parts of
// one benchmark but ways to ask the same.
func writeOverall(b *bytes.Buffer, dir string) error {
	models, err := Models(dir)
	if err != nil {
		return err
	}
	type row struct {
		model     string
		rules     evaluate.Rules
		simulated bool
		cost      float64
		accuracy  map[string]string
	}
	var rows []*row
	var categories []string
	for _, m := range models {
		own := map[evaluate.Rules]*row{}
		for _, r := range m.Evaluations {
			to := own[r.Rules]
			if to == nil {
				to = &row{model: m.Model, rules: r.Rules, accuracy: map[string]string{}}
				own[r.Rules] = to
				rows = append(rows, to)
			}
			category := keyOf(r).category()
			if !r.Executed {
				category += "_not_executed"
			}
			if r.Total.Samples > 0 {
				to.accuracy[category] = fmt.Sprintf("%.2f%%", 100*r.Total.CompletionRate)
			}
			to.simulated = to.simulated || r.Simulated
			to.cost += r.Usage.Cost
			categories = append(categories, category)
		}
	}
	slices.Sort(categories)
	categories = slices.Compact(categories)
	w := csv.NewWriter(b)
	_ = w.Write(append([]string{"Model", "Rules", "Simulated", "Total Cost"}, categories...)) // Error says
	for _, r := range rows {
		line := []string{r.model, string(r.rules), fmt.Sprint(r.simulated), fmt.Sprintf("%.2f", r.cost)}
		for _, c := range categories {
			accuracy := r.accuracy[c]
			if accuracy == "" {
				accuracy = notAvailable
			}
			line = append(line, accuracy)
		}
		_ = w.Write(line)
	}
	w.Flush()
	return w.Error()
}
