package queryscore

import (
	"fmt"

	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Answers finds the sample of each prediction, of one model, and reads what it
// says. The first of several for one sample counts. What cannot be used is a problem
// with its place.
func Answers(samples []*Sample, predictions []evaluate.Prediction) (answers map[*Sample]Answer, problems []evaluate.Problem) {
	byKey, byID := map[string]*Sample{}, map[string][]*Sample{}
	for _, s := range samples {
		byKey[s.Key()] = s
		byID[s.ID.String()] = append(byID[s.ID.String()], s)
	}
	answers = map[*Sample]Answer{}
	first := map[*Sample]int{} // the line of the prediction that counts
	for i := range predictions {
		p := &predictions[i]
		say := func(kind, format string, args ...any) {
			problems = append(problems, evaluate.Problem{File: p.File, Line: p.Line, Kind: kind, Text: fmt.Sprintf(format, args...)})
		}
		id := p.ID.String()
		s := byKey[p.DB+"/"+id]
		if p.DB == "" && len(byID[id]) == 1 {
			s = byID[id][0]
		}
		line, twice := first[s]
		switch {
		case s == nil && p.DB == "" && len(byID[id]) > 1:
			say("prediction for several samples", "several databases have a sample %s; give its db_id", id)
		case s == nil:
			say("prediction for no sample", "the dataset has no sample %s of database %q", id, p.DB)
		case twice:
			say("two predictions for one sample", "sample %s has one on line %d, which is scored", s.Key(), line)
		default:
			first[s] = p.Line
			answers[s] = s.Read(p)
		}
	}
	return answers, problems
}
