package scorereport

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/internal/text/table"
)

// PrintQueries writes the scores of queries for people, in lines of so many columns;
// 0 is 80.
func PrintQueries(w io.Writer, r *queryscore.Report, width int) error {
	if width <= 0 {
		width = 80
	}
	var b bytes.Buffer
	if r.Simulated {
		table.Paragraph(&b, simulatedNote, "", width)
		fmt.Fprintln(&b)
	}
	for i, t := range queryTables(r) {
		if i > 0 {
			fmt.Fprintln(&b)
		}
		t.Text(&b, width)
	}
	for _, part := range queryLines(r) {
		fmt.Fprintf(&b, "\n%s\n", part.title)
		for _, line := range part.lines {
			table.Paragraph(&b, line, "    ", width)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// remarks are what is said in sentences below a title.
type remarks struct {
	title string
	lines []string
}

// queryLines are the lines about a report that no table has.
func queryLines(r *queryscore.Report) []remarks {
	var out []remarks
	add := func(title string, list []string) {
		if len(list) > 0 {
			out = append(out, remarks{title, list})
		}
	}
	var facts []string
	if r.Unpredicted+r.NotRun > 0 {
		facts = append(facts, fmt.Sprintf("not scored, of %s: %s without a prediction, %s not run", samples(r.Samples), table.Count(r.Unpredicted), table.Count(r.NotRun)))
	}
	if u := usage(r.Usage); u != "" {
		facts = append(facts, u)
	}
	add("Asked", facts)
	add("Of the data", r.Notes)
	add("Problems of the input", problems(r.Problems, queryFile))
	return out
}

// matches says what a match is by a metric.
var matches = map[queryscore.Metric]string{
	queryscore.Strict:    "the same query",
	queryscore.Paper:     "identical arguments",
	queryscore.Published: "published AST = 1",
	queryscore.Execution: "the same answer",
}

// queryTables are the tables of a report.
func queryTables(r *queryscore.Report) []*table.Table {
	return []*table.Table{metricTable(r), answerTable(r), groupTable(r, "complexity", r.Complexities), groupTable(r, "schema", r.Schemas), componentTable(r)}
}

// metricTable has a row for each metric.
func metricTable(r *queryscore.Report) *table.Table {
	t := &table.Table{
		Title: "Queries of " + table.Cut(table.Plain(r.Model), 60),
		Notes: []string{queryHeading(r)},
		Columns: []table.Column{
			{Name: "metric", Words: true}, {Name: "a match is", Words: true},
			{Group: "matches", Name: "n"}, {Group: "matches", Name: "of all"}, {Group: "matches", Name: "of calls"},
			{Group: "AST score", Name: "of all"}, {Group: "AST score", Name: "of calls"},
		},
	}
	for _, s := range r.Total.Scored {
		row := []string{string(s.Metric), matches[s.Metric], table.Count(s.Match.Count), third(s.Match.OfAll), third(s.Match.OfCalled), table.Dash, table.Dash}
		if s.AST != nil {
			row[5], row[6] = third(s.AST.OfAll), third(s.AST.OfCalled)
		}
		t.Add(row...)
	}
	return t
}

// queryHeading says what a report is of.
func queryHeading(r *queryscore.Report) string {
	parts := []string{samples(r.Total.Samples), "toolset " + r.Toolset}
	if r.Shape != "" {
		parts = append(parts, "tool "+r.Shape)
	}
	return strings.Join(append(parts, "of several calls the "+string(r.Calls)), ", ")
}

// answerTable says what the answers are.
func answerTable(r *queryscore.Report) *table.Table {
	s := r.Total
	t := &table.Table{Title: "Answers", Columns: []table.Column{{Name: "answer", Words: true}, {Name: "n"}, {Name: "of all"}, {Name: "of calls"}}}
	row := func(name string, n int, called bool) {
		of := table.Dash
		if called {
			of = portion(n, s.Called)
		}
		t.Add(name, table.Count(n), portion(n, s.Samples), of)
	}
	row("a valid call", s.Called, true)
	row("to the right collection", s.Routed.Count, true)
	row("several calls", s.Several, true)
	row("no call", s.NoCall, false)
	row("an invalid call", s.Invalid, false)
	row("none, as the request failed", s.Failed, false)
	t.Notes = []string{fmt.Sprintf("The no-tool rate of Shorten et al. counts the last three: %s of all.", portion(s.NoCall+s.Invalid+s.Failed, s.Samples))}
	return t
}

// groupTable has a row for each group of samples.
func groupTable(r *queryscore.Report, name string, groups []queryscore.Group) *table.Table {
	t := &table.Table{Title: "By " + name + ", of all", Columns: []table.Column{{Name: name, Words: true}, {Name: "n"}, {Name: "routing"}}}
	for _, m := range r.Metrics {
		t.Columns = append(t.Columns, table.Column{Group: "matches", Name: string(m)})
	}
	for _, m := range r.Total.Scored {
		if m.AST != nil {
			t.Columns = append(t.Columns, table.Column{Group: "AST score", Name: string(m.Metric)})
		}
	}
	for _, g := range groups {
		s := g.Scores
		row := []string{g.Name, table.Count(s.Samples), third(s.Routed.OfAll)}
		for _, m := range s.Scored {
			row = append(row, third(m.Match.OfAll))
		}
		for _, m := range s.Scored {
			if m.AST != nil {
				row = append(row, third(m.AST.OfAll))
			}
		}
		t.Add(row...)
	}
	return t
}

// componentTable has a row for each component.
func componentTable(r *queryscore.Report) *table.Table {
	t := &table.Table{
		Title: "By component of the gold query, of all",
		Columns: []table.Column{
			{Name: "component", Words: true}, {Name: "n"}, {Group: "component", Name: "used"}, {Group: "component", Name: "same"}, {Group: "component", Name: "extra"},
		},
	}
	for _, m := range r.Metrics {
		t.Columns = append(t.Columns, table.Column{Group: "matches", Name: string(m)})
	}
	for _, c := range r.Components {
		row := []string{string(c.Component), table.Count(c.Samples), table.Count(c.Used), table.Count(c.Same), table.Count(c.Extra)}
		for _, m := range c.Matches {
			row = append(row, portion(m.Matches, c.Samples))
		}
		t.Add(row...)
	}
	t.Notes = []string{"used: the predicted query has the component, too; same: it is gold's; extra: it has one and gold has none."}
	return t
}

// third writes a score with three decimals, as Shorten et al. do, or a dash for nil.
func third(f *float64) string {
	if f == nil {
		return table.Dash
	}
	return strconv.FormatFloat(*f, 'f', 3, 64)
}

func portion(n, of int) string {
	if of == 0 {
		return table.Dash
	}
	f := float64(n) / float64(of)
	return third(&f)
}
