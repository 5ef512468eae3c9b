package scorereport

import (
	"bytes"
	"fmt"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport/page"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport/plot"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// writeMarkdown writes the tables of a report; all has the model's other
// evaluations.
func writeMarkdown(b *bytes.Buffer, r *evaluate.Report, all *ModelReport) error {
	fmt.Fprintf(b, "# Scores of %s\n\nOn %s.\n", table.Escape(model(r)), table.Escape(heading(r)))
	if r.Simulated {
		fmt.Fprintf(b, "\n%s\n", table.Escape(simulatedNote))
	}
	fmt.Fprintln(b)
	for _, line := range facts(r) {
		fmt.Fprintf(b, "- %s\n", table.Escape(line))
	}
	tables := append(paperTables(r, all), apiTable(r), errorTable(r))
	for _, by := range Breakdowns() {
		tables = append(tables, breakdown(r, by))
	}
	for _, t := range tables {
		if t != nil {
			fmt.Fprintln(b)
			t.Markdown(b)
		}
	}
	if list := problems(r.Problems, reportFile); len(list) > 0 {
		fmt.Fprintf(b, "\n## Problems of the input\n\n")
		for _, line := range list {
			fmt.Fprintf(b, "- %s\n", table.Escape(line))
		}
	}
	return nil
}

// paperTables are the paper's tables with one line, that of r. Next to it are
// the evaluations of the same model that the tables have columns for.
func paperTables(r *evaluate.Report, all *ModelReport) []*table.Table {
	k := keyOf(r)
	if k.mode == evaluate.Agent {
		return []*table.Table{totals(r)} // the paper has none
	}
	one := &ModelReport{Model: r.Model, Evaluations: []*evaluate.Report{r}}
	for _, mode := range []evaluate.Mode{evaluate.Direct, evaluate.SQL} {
		if other := all.otherMode(k, mode); other != nil && other != r {
			one.Evaluations = append(one.Evaluations, other)
		}
	}
	only := []*ModelReport{one}
	if k.mode == evaluate.ReAct {
		return []*table.Table{table2(only, r.Rules)}
	}
	return []*table.Table{table1(only, r.Rules)}
}

// writePage writes a report as HTML. scoreFile has the samples that are too many
// for it.
func writePage(b *bytes.Buffer, r *evaluate.Report, all *ModelReport, scoreFile string) error {
	p := &page.Page{Title: "Scores of " + model(r), Subtitle: heading(r)}
	if r.Simulated {
		p.Warnings = append(p.Warnings, simulatedNote)
	}
	if !r.Executed {
		p.Warnings = append(p.Warnings, "Nothing was run: completion means the same calls, and not the right answer.")
	}
	p.Sections = append(p.Sections, page.Section{ID: "scores", Title: "Scores", Lines: facts(r), Tables: paperTables(r, all)})
	if t := apiTable(r); t != nil {
		scores := &p.Sections[len(p.Sections)-1]
		scores.Tables = append(scores.Tables, t)
	}

	var figures []*plot.Figure
	for _, by := range []Breakdown{ByLength, ByUniverse, ByConstruct} {
		figures = append(figures, scoreFigure(r, by))
	}
	k := keyOf(r)
	k.obfuscated = !k.obfuscated
	if other := all.find(k); other != nil && other.Executed == r.Executed && k.mode.HasCalls() {
		plain, obfuscated := r, other
		if r.Obfuscated {
			plain, obfuscated = other, r
		}
		figures = append(figures, obfuscationFigure(plain, obfuscated))
	}
	p.Sections = append(p.Sections, page.Section{ID: "plots", Title: "Plots", Figures: figures})

	errors := page.Section{ID: "errors", Title: "Errors", Figures: []*plot.Figure{
		errorFigure(fmt.Sprintf("Error classes by database, %s rules", r.Rules), "database", r.Databases),
	}}
	if t := errorTable(r); t != nil {
		errors.Tables = append(errors.Tables, t)
	}
	groups := page.Section{ID: "groups", Title: "By group"}
	for _, by := range Breakdowns() {
		if t := breakdown(r, by); t != nil {
			groups.Tables = append(groups.Tables, t)
		}
	}
	p.Sections = append(p.Sections, errors, groups, page.Section{ID: "problems", Title: "Problems of the input", Lines: problems(r.Problems, reportFile)})
	p.Samples = &page.Samples{Outcomes: r.Outcomes, File: scoreFile, SQL: mode(r) == evaluate.SQL, Rules: r.Rules}
	return page.Write(b, p)
}
