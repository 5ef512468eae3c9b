package scorereport

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport/plot"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/spec"
)

// contest is the evaluations of several models on one dataset, in one mode and
// by one set of rules.
type contest struct {
	key     key
	reports []*evaluate.Report
}

// contests returns those of one set of rules, in the datasets' order.
func contests(reports []*ModelReport, rules evaluate.Rules) []contest {
	var out []contest
	for _, m := range reports {
		for _, r := range m.Evaluations {
			k := keyOf(r)
			if k.rules != rules {
				continue
			}
			i := slices.IndexFunc(out, func(c contest) bool { return c.key == k })
			if i < 0 {
				i = len(out)
				out = append(out, contest{key: k})
			}
			out[i].reports = append(out[i].reports, r)
		}
	}
	slices.SortStableFunc(out, func(a, b contest) int { return compareDatasets(a.key, b.key) })
	return out
}

// figures plots a contest: the scores and the errors by model, and the models'
// rates of completion by what makes a question hard.
func (c contest) figures() []*plot.Figure {
	scores := &plot.Figure{Title: "Scores by model", X: "score", Y: "model", Series: scoreSeries}
	if !c.key.mode.HasCalls() {
		scores.Series, scores.X = scoreSeries[2:], scoreSeries[2]
	}
	var models []evaluate.Group
	shown := c.reports[:min(len(c.reports), maxBars)]
	if len(shown) < len(c.reports) {
		scores.Note = fmt.Sprintf("the first %d of %d", len(shown), len(c.reports))
	}
	for _, r := range shown {
		values := bars(r.Total)
		if !c.key.mode.HasCalls() {
			values = values[2:]
		}
		scores.Groups = append(scores.Groups, plot.Group{Name: named(r), Values: values})
		models = append(models, evaluate.Group{Name: named(r), Scores: r.Total})
		if !r.Executed {
			scores.Note = sameCallsNote
		}
	}
	out := []*plot.Figure{scores, errorFigure("Error classes by model", "model", models)}
	for _, b := range []Breakdown{ByLength, ByUniverse, ByConstruct} {
		if len(c.reports) > 1 {
			out = append(out, c.by(b))
		} else {
			out = append(out, scoreFigure(c.reports[0], b))
		}
	}
	return out
}

// by plots the models' rates of completion by b.
func (c contest) by(b Breakdown) *plot.Figure {
	f := &plot.Figure{Title: "Completion rate by " + b.column(), X: "completion rate", Y: b.column()}
	shown := c.reports[:min(len(c.reports), plot.MaxSeries)]
	if len(shown) < len(c.reports) {
		f.Note = fmt.Sprintf("the first %d of %d models", len(shown), len(c.reports))
	}
	var union []evaluate.Group // with the first report's samples
	for _, r := range shown {
		f.Series = append(f.Series, named(r))
		for _, g := range b.groups(r) {
			if !slices.ContainsFunc(union, func(u evaluate.Group) bool { return u.Name == g.Name }) {
				union = append(union, g)
			}
		}
	}
	slices.SortStableFunc(union, func(a, b evaluate.Group) int { return byNumber(a.Name, b.Name) })
	union, note := largest(union)
	if f.Note == "" {
		f.Note = note
	}
	for _, u := range union {
		at := plot.Group{Name: u.Name}
		for _, r := range shown {
			var value *float64
			for _, g := range b.groups(r) {
				if g.Name == u.Name {
					value = rate(g.Scores)
				}
			}
			at.Values = append(at.Values, value)
		}
		f.Groups = append(f.Groups, at)
	}
	return f
}

// named names a model with the mark of what was not run.
func named(r *evaluate.Report) string {
	if r.Executed {
		return model(r)
	}
	return model(r) + sameCallsMark
}

// byNumber orders names by the numbers that they begin with, and leaves other
// names as they are.
func byNumber(a, b string) int {
	x, isX := leading(a)
	y, isY := leading(b)
	if !isX || !isY {
		return 0
	}
	return cmp.Compare(x, y)
}

func leading(name string) (int, bool) {
	end := 0
	for end < len(name) && name[end] >= '0' && name[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(name[:end])
	return n, err == nil
}

// obfuscationFigures sets the models' plain evaluations next to their obfuscated
// ones.
func obfuscationFigures(reports []*ModelReport, rules evaluate.Rules) []*plot.Figure {
	var out []*plot.Figure
	for _, c := range contests(reports, rules) {
		if c.key.obfuscated {
			continue
		}
		f := &plot.Figure{
			Title: fmt.Sprintf("Plain against obfuscated names: %s %s", dataset(c.reports[0]), c.key.mode),
			X:     "completion rate", Y: "model", Series: []string{"plain", "obfuscated"},
		}
		k := c.key
		k.obfuscated = true
		for _, m := range reports {
			plain, obfuscated := m.find(c.key), m.find(k)
			if plain != nil && obfuscated != nil && plain.Executed == obfuscated.Executed {
				f.Groups = append(f.Groups, plot.Group{Name: model(plain), Values: []*float64{rate(plain.Total), rate(obfuscated.Total)}})
			}
		}
		out = append(out, f)
	}
	return out
}

// shareFigures sets the evaluations next to each other that differ in how many of
// the tools a sample lists (section 4.3.2).
func shareFigures(reports []*ModelReport, rules evaluate.Rules) []*plot.Figure {
	var out []*plot.Figure
	done := map[key]bool{}
	for _, c := range contests(reports, rules) {
		same := c.key
		same.share = 100
		if done[same] {
			continue
		}
		done[same] = true
		f := &plot.Figure{Title: fmt.Sprintf("Completion rate by the share of tools listed: %s %s", strings.ToUpper(c.key.variant), c.key.mode), X: "completion rate", Y: "model, share of tools"}
		f.Series = []string{"completion rate"}
		if c.key.obfuscated {
			f.Title += ", obfuscated"
		}
		for _, m := range reports {
			var groups []plot.Group
			for _, percent := range spec.ShortlistPercents() {
				k := same
				k.share = percent
				if r := m.find(k); r != nil {
					groups = append(groups, plot.Group{Name: fmt.Sprintf("%s, %d %%", named(r), percent), Values: []*float64{rate(r.Total)}})
				}
			}
			if len(groups) > 1 {
				f.Groups = append(f.Groups, groups...)
			}
		}
		if f.Groups = f.Groups[:min(len(f.Groups), maxBars)]; len(f.Groups) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// sizes is the table of how many samples the scores are of.
func sizes(reports []*ModelReport, rules evaluate.Rules) *table.Table {
	t := &table.Table{Title: fmt.Sprintf("Samples behind the scores by the %s rules", rules), Columns: []table.Column{
		{Name: "Dataset", Words: true}, {Name: "Model", Words: true}, {Name: "Mode", Words: true},
		{Name: "Scored"}, {Name: "Of"}, {Name: "Not run"}, {Name: "Failed"}, {Name: "Cost"},
	}}
	for _, c := range contests(reports, rules) {
		for _, r := range c.reports {
			cost := table.Dash
			if r.Usage.Cost > 0 {
				cost = fmt.Sprintf("%.2f", r.Usage.Cost)
			}
			t.Add(dataset(r), model(r), string(mode(r)), table.Count(r.Total.Samples), table.Count(r.Samples), table.Count(r.NotRun), table.Count(r.Failed), cost)
		}
	}
	return t
}
