package explorer

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// scoresIn returns the folder of scores that evaluate wrote: the folder score in
// the one that it was given, or the folder itself.
func scoresIn(dir string) (string, error) {
	inner := filepath.Join(dir, "score")
	if info, err := os.Stat(inner); err == nil && info.IsDir() {
		dir = inner
	}
	models, err := scorereport.Models(dir)
	if err != nil {
		return "", fmt.Errorf("%w; name the folder that evaluate was given as --out", err)
	}
	if len(models) == 0 {
		return "", fmt.Errorf("%s has no score/MODEL/report.json; name the folder that evaluate was given as --out", dir)
	}
	return dir, nil
}

type evaluationItem struct {
	Model     string         `json:"model"`
	Name      string         `json:"name"`
	Variant   string         `json:"variant"`
	Mode      evaluate.Mode  `json:"mode"`
	Rules     evaluate.Rules `json:"rules"`
	Simulated bool           `json:"simulated"`
	Samples   int            `json:"samples"`
	Completed int            `json:"completed"`
}

// evaluations answers with a list of what was evaluated.
func (x *Explorer) evaluations(*http.Request) (any, error) {
	out := []evaluationItem{}
	if x.scores == "" {
		return out, nil
	}
	models, err := scorereport.Models(x.scores)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		for _, r := range m.Evaluations {
			out = append(out, evaluationItem{m.Model, scorereport.Name(r), r.Variant, r.Mode, r.Rules, r.Simulated, r.Total.Samples, r.Total.Completed})
		}
	}
	return out, nil
}

// findEvaluation returns the evaluation that a request names, and its samples.
func (x *Explorer) findEvaluation(r *http.Request) (*evaluate.Report, []evaluate.Outcome, error) {
	none := missing("evaluation", "The folder of scores has no such model, or no such evaluation of it.")
	if x.scores == "" {
		return nil, nil, none
	}
	models, err := scorereport.Models(x.scores)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range models {
		for _, report := range m.Evaluations {
			if m.Model != r.FormValue("model") || scorereport.Name(report) != r.FormValue("name") {
				continue
			}
			outcomes, err := scorereport.Outcomes(x.scores, report)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil // the report alone was kept
			}
			return report, outcomes, err
		}
	}
	return nil, nil, none
}

type evaluationView struct {
	Report  *evaluate.Report `json:"report"`
	Classes []evaluate.Class `json:"classes"` // in their order
	Samples []outcomeItem    `json:"samples"`
}

type outcomeItem struct {
	DB         string         `json:"db"`
	ID         string         `json:"id"`
	Question   string         `json:"question"`
	Difficulty string         `json:"difficulty"`
	Completed  bool           `json:"completed"`
	Error      evaluate.Class `json:"error"`
	Reason     string         `json:"reason"`
}

// evaluation answers with a report and a list of the samples that are kept.
func (x *Explorer) evaluation(r *http.Request) (any, error) {
	report, outcomes, err := x.findEvaluation(r)
	if err != nil {
		return nil, err
	}
	v := evaluationView{Report: report, Classes: evaluate.Classes(), Samples: []outcomeItem{}}
	for i := range outcomes {
		o := &outcomes[i]
		v.Samples = append(v.Samples, outcomeItem{o.DB, o.ID.String(), o.Question, o.Difficulty, o.Completed, o.Error, o.Reason})
	}
	return v, nil
}

type outcomeView struct {
	outcomeItem
	Constructs  []string              `json:"constructs"`
	Gold        []calledView          `json:"gold"`
	Predicted   []calledView          `json:"predicted"`
	Differences []evaluate.Difference `json:"differences"`
	GoldAnswer  string                `json:"gold_answer"`
	Answer      string                `json:"answer"`
	Text        string                `json:"text"` // what the model wrote, where it is no calls
	SQL         []span                `json:"sql,omitempty"`
}

type calledView struct {
	callView
	Returned string `json:"returned,omitempty"`
	Failed   bool   `json:"failed,omitempty"`
	Wrong    string `json:"malformed,omitempty"`
}

// maxText is how much is shown of a text that a model wrote or was shown.
const maxText = 20_000

// outcome answers with one sample of an evaluation, gold next to predicted.
func (x *Explorer) outcome(r *http.Request) (any, error) {
	_, outcomes, err := x.findEvaluation(r)
	if err != nil {
		return nil, err
	}
	db, id := r.FormValue("db"), r.FormValue("id")
	for i := range outcomes {
		o := &outcomes[i]
		if o.DB != db || o.ID.String() != id {
			continue
		}
		v := outcomeView{
			outcomeItem: outcomeItem{o.DB, id, o.Question, o.Difficulty, o.Completed, o.Error, o.Reason},
			Constructs:  o.Constructs, Gold: []calledView{}, Predicted: []calledView{}, Differences: o.Differences,
			GoldAnswer: cut(o.GoldAnswer), Answer: cut(o.Answer), Text: cut(o.Text),
		}
		if o.SQL != "" {
			v.SQL = colour(o.SQL)
		}
		if v.Gold, err = calledViews(o.Gold); err != nil {
			return nil, err
		}
		v.Predicted, err = calledViews(o.Predicted)
		return v, err
	}
	return nil, missing("sample", "The evaluation has kept no sample "+db+"/"+id+".")
}

func calledViews(list []evaluate.Called) ([]calledView, error) {
	out := []calledView{}
	for _, c := range list {
		call, err := newCall(c.Call)
		if err != nil {
			return nil, err
		}
		out = append(out, calledView{call, cut(c.Returned), c.Failed, cut(c.Wrong)})
	}
	return out, nil
}

func cut(text string) string {
	if short := []rune(text); len(short) > maxText {
		return string(short[:maxText]) + "…"
	}
	return text
}
