package evaluate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// FuzzScore reads and scores lines of predictions of any bytes. Whatever they are,
// each sample with a prediction has an outcome, and no score is above 1.
func FuzzScore(f *testing.F) {
	for _, line := range []string{
		`{"db_id": "city_library", "sample_id": 8, "calls": [{"name": "filter_data", "arguments": {"data_source": "$A$", "value": ["$A$", {"key_name": "$A$"}]}, "label": "A"}]}`,
		`{"sample_id": 8, "text": "<tool_call>{\"name\": \"retrieve_data\", \"arguments\": {\"data_source\": \"$starting_table_var$\", \"limit\": 1}}</tool_call>"}`,
		`{"sample_id": 8, "message": {"tool_calls": [{"function": {"name": "sort_data", "arguments": "{\"ascending\": [true]}"}}]}}`,
		`{"sample_id": 8, "mode": "react", "steps": [{"call": {"name": "", "arguments": {}, "label": ""}}, {"call": null}]}`,
		`{"sample_id": 8, "generated_text": "[{\"name\": \"f\", \"parameters\": {\"a\": \"$var_1.x$\"}, \"label\": \"$var_1$\"}]", "num_preciedtion_parsing_errors": 0, "predicted_function_calls": ["{}", "1", "null"]}`,
		`{"sample_id": 8, "calls": [{"name": "filter_data", "arguments": {"condition": "between", "value": [1, 2], "key_name": [], "data_source": null}, "label": "A"}, {"name": "select_unique_values", "arguments": {"unique_array": "$A$"}}]}`,
		`[1, {"sample_id": "x"}]`,
	} {
		f.Add(line)
	}
	var datasets []*evaluate.Dataset
	f.Fuzz(func(t *testing.T, line string) {
		if datasets == nil {
			for _, variant := range variants {
				datasets = append(datasets, written(t, variant, pipeline.Writing{}))
			}
		}
		path := filepath.Join(t.TempDir(), "predictions")
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		predictions, problems, err := evaluate.ReadPredictions(path)
		if err != nil {
			return
		}
		for _, d := range datasets {
			for _, rules := range []evaluate.Rules{evaluate.Exact, evaluate.Paper} {
				r, err := evaluate.Score(t.Context(), d, predictions, problems, evaluate.Options{Rules: rules})
				if err != nil {
					continue // such as several modes in one file
				}
				if r.Total.Samples != len(r.Outcomes) || r.Total.Samples+r.Unpredicted+r.NotRun+r.Failed != len(d.Samples) {
					t.Errorf("%d outcomes of %+v", len(r.Outcomes), r.Total)
				}
				for _, m := range []evaluate.Metric{r.Total.Intent, r.Total.IntentSet, r.Total.IntentMultiset, r.Total.Slot} {
					if m.F1 != nil && (*m.F1 < 0 || *m.F1 > 1) {
						t.Errorf("a score is %+v", m)
					}
				}
			}
		}
	})
}
