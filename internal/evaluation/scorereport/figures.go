package scorereport

import (
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport/plot"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// maxBars is how many groups a plot has at most; the tables have all.
const maxBars = 16

// scoreSeries are what plots of scores show.
var scoreSeries = []string{"intent F1", "slot F1", "completion rate"}

// bars returns the scores as bars of scoreSeries. SQL and agents have the last one only.
func bars(s evaluate.Scores) []*float64 {
	return []*float64{s.Intent.F1, s.Slot.F1, rate(s)}
}

func rate(s evaluate.Scores) *float64 {
	if s.Samples == 0 {
		return nil
	}
	return &s.CompletionRate
}

// largest returns the groups with most samples, in their order, and a note on
// what is left out.
func largest(groups []evaluate.Group) (kept []evaluate.Group, note string) {
	if len(groups) <= maxBars {
		return groups, ""
	}
	sizes := make([]int, len(groups))
	for i, g := range groups {
		sizes[i] = g.Scores.Samples
	}
	slices.SortFunc(sizes, func(a, b int) int { return b - a })
	least, room := sizes[maxBars-1], maxBars
	for _, n := range sizes[:maxBars] {
		if n > least {
			room--
		}
	}
	for _, g := range groups {
		switch n := g.Scores.Samples; {
		case n > least:
			kept = append(kept, g)
		case n == least && room > 0:
			kept = append(kept, g)
			room--
		}
	}
	return kept, fmt.Sprintf("the %d of %d with most samples", maxBars, len(groups))
}

// scoreFigure plots a report's scores by b.
func scoreFigure(r *evaluate.Report, b Breakdown) *plot.Figure {
	groups, note := largest(b.groups(r))
	f := &plot.Figure{Title: fmt.Sprintf("Scores by %s, %s rules", b.column(), r.Rules), X: "score", Y: b.column() + " (samples)", Series: scoreSeries, Note: note}
	onlyRate := !mode(r).HasCalls()
	if onlyRate {
		f.Series, f.X = scoreSeries[2:], scoreSeries[2]
	}
	for _, g := range groups {
		values := bars(g.Scores)
		if onlyRate {
			values = values[2:]
		}
		f.Groups = append(f.Groups, plot.Group{Name: fmt.Sprintf("%s (%s)", g.Name, table.Count(g.Scores.Samples)), Values: values})
	}
	return f
}

// errorFigure stacks the classes of errors for each group.
func errorFigure(title, by string, groups []evaluate.Group) *plot.Figure {
	groups, note := largest(groups)
	var classes []evaluate.Class
	for _, c := range evaluate.Classes() {
		if slices.ContainsFunc(groups, func(g evaluate.Group) bool { return g.Scores.Errors[c] > 0 }) {
			classes = append(classes, c)
		}
	}
	f := &plot.Figure{Title: title, X: "share of the samples", Y: by, Stacked: true, Note: note}
	for _, c := range classes {
		f.Series = append(f.Series, string(c))
	}
	for _, g := range groups {
		at, failed := plot.Group{Name: g.Name}, 0
		for _, c := range classes {
			n := g.Scores.Errors[c]
			failed += n
			part := 0.0
			if g.Scores.Samples > 0 {
				part = float64(n) / float64(g.Scores.Samples)
			}
			at.Values, at.Texts = append(at.Values, &part), append(at.Texts, table.Count(n))
		}
		at.Total = fmt.Sprintf("%s of %s", table.Count(failed), table.Count(g.Scores.Samples))
		f.Groups = append(f.Groups, at)
	}
	return f
}

// obfuscationFigure sets an evaluation under plain names next to the same one
// under names that say nothing.
func obfuscationFigure(plain, obfuscated *evaluate.Report) *plot.Figure {
	f := &plot.Figure{
		Title: fmt.Sprintf("Plain against obfuscated names, %s rules", plain.Rules),
		X:     "score", Y: "score of", Series: []string{"plain", "obfuscated"},
	}
	a, b := bars(plain.Total), bars(obfuscated.Total)
	for i, name := range scoreSeries {
		f.Groups = append(f.Groups, plot.Group{Name: name, Values: []*float64{a[i], b[i]}})
	}
	return f
}
