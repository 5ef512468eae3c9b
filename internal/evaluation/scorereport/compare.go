package scorereport

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport/page"
	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Format is a form in which Compare writes.
type Format string

// The formats.
const (
	Terminal Format = "table"
	Markdown Format = "markdown"
	CSV      Format = "csv"
	HTML     Format = "html"
)

// Formats returns all of them.
func Formats() []Format { return []Format{Terminal, Markdown, CSV, HTML} }

// Compare writes models side by side. Each set of rules has tables of its own;
// CSV, which has one table for programs, names the rules in each row.
func Compare(w io.Writer, reports []*ModelReport, format Format) error {
	var b bytes.Buffer
	var err error
	switch format {
	case Terminal, Markdown:
		compareTables(&b, reports, format)
	case CSV:
		err = compareCSV(&b, reports)
	case HTML:
		err = comparePage(&b, reports)
	default:
		var known []string
		for _, f := range Formats() {
			known = append(known, string(f))
		}
		err = fmt.Errorf("no format %q; give one of %s", format, strings.Join(known, ", "))
	}
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func compareTables(b *bytes.Buffer, reports []*ModelReport, format Format) {
	if format == Markdown {
		fmt.Fprintf(b, "# Models compared\n")
	}
	for i, rules := range rulesOf(reports) {
		for j, t := range []*table.Table{table1(reports, rules), table2(reports, rules)} {
			switch {
			case t == nil:
			case format == Markdown:
				fmt.Fprintln(b)
				t.Markdown(b)
			default:
				if i+j > 0 && b.Len() > 0 {
					fmt.Fprintln(b)
				}
				t.Text(b, 80)
			}
		}
	}
}

// csvHead are the columns of compareCSV. A score that is not defined is empty.
var csvHead = []string{
	"model", "simulated", "variant", "obfuscated", "tools_percent", "mode", "rules", "samples", "scored", "unpredicted", "not_run", "failed",
	"intent_precision", "intent_recall", "intent_f1", "intent_set_f1", "intent_multiset_f1", "slot_precision", "slot_recall", "slot_f1",
	"completion_means", "completed", "completion_rate", "completed_by_other_calls",
	"average_loops", "out_of_budget", "stuck", "stuck_on_the_same_call", "unclassified",
	"prompt_tokens", "completion_tokens", "cost",
}

func compareCSV(b *bytes.Buffer, reports []*ModelReport) error {
	w := csv.NewWriter(b)
	head := csvHead
	for _, c := range evaluate.Classes() {
		head = append(head[:len(head):len(head)], string(c))
	}
	_ = w.Write(head) // Error says
	for _, m := range reports {
		for _, r := range m.Evaluations {
			_ = w.Write(csvRow(r))
		}
	}
	w.Flush()
	return w.Error()
}

func csvRow(r *evaluate.Report) []string {
	number := func(f *float64) string {
		if f == nil {
			return ""
		}
		return strconv.FormatFloat(*f, 'g', -1, 64)
	}
	means := "answer"
	if !r.Executed {
		means = "same calls"
	}
	s := r.Total
	row := []string{
		r.Model, strconv.FormatBool(r.Simulated), r.Variant, strconv.FormatBool(r.Obfuscated), strconv.Itoa(r.Share), string(mode(r)), string(r.Rules),
		strconv.Itoa(r.Samples), strconv.Itoa(s.Samples), strconv.Itoa(r.Unpredicted), strconv.Itoa(r.NotRun), strconv.Itoa(r.Failed),
		number(s.Intent.Precision), number(s.Intent.Recall), number(s.Intent.F1), number(s.IntentSet.F1), number(s.IntentMultiset.F1),
		number(s.Slot.Precision), number(s.Slot.Recall), number(s.Slot.F1),
		means, strconv.Itoa(s.Completed), number(rate(s)), strconv.Itoa(s.OtherCalls),
	}
	if l := s.Loops; l != nil {
		row = append(row, number(&l.Average), strconv.Itoa(l.OutOfBudget), strconv.Itoa(l.Stuck), strconv.Itoa(l.StuckSame), strconv.Itoa(l.Unclassified))
	} else {
		row = append(row, "", "", "", "", "")
	}
	row = append(row, strconv.Itoa(r.Usage.PromptTokens), strconv.Itoa(r.Usage.CompletionTokens), number(&r.Usage.Cost))
	for _, c := range evaluate.Classes() {
		row = append(row, strconv.Itoa(s.Errors[c]))
	}
	return row
}

func comparePage(b *bytes.Buffer, reports []*ModelReport) error {
	p := &page.Page{Title: "Models compared", Subtitle: fmt.Sprintf("%d models", len(reports))}
	if len(reports) == 1 {
		p.Subtitle = "1 model"
	}
	simulated := false
	for _, m := range reports {
		for _, r := range m.Evaluations {
			simulated = simulated || r.Simulated
		}
	}
	if simulated {
		p.Warnings = append(p.Warnings, "Some of these are simulated and marked so: no model was asked, the answers are those of a scripted server and say nothing of any model.")
	}
	for _, rules := range rulesOf(reports) {
		scores := page.Section{ID: "scores-" + string(rules), Title: fmt.Sprintf("Scores by the %s rules", rules)}
		for _, t := range []*table.Table{table1(reports, rules), table2(reports, rules), sizes(reports, rules)} {
			if t != nil {
				scores.Tables = append(scores.Tables, t)
			}
		}
		scores.Figures = append(obfuscationFigures(reports, rules), shareFigures(reports, rules)...)
		p.Sections = append(p.Sections, scores)
		for _, c := range contests(reports, rules) {
			p.Sections = append(p.Sections, page.Section{
				ID: c.key.name(), Title: heading(c.reports[0]), Figures: c.figures(),
			})
		}
	}
	return page.Write(b, p)
}
