package scorereport

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Breakdown is what samples are grouped by.
type Breakdown string

// The breakdowns.
const (
	ByDatabase   Breakdown = "database"
	ByDifficulty Breakdown = "difficulty"
	ByConstruct  Breakdown = "construct"
	ByLength     Breakdown = "length"   // the number of gold calls
	ByUniverse   Breakdown = "universe" // the number of tools listed
)

// Breakdowns returns all of them.
func Breakdowns() []Breakdown {
	return []Breakdown{ByDatabase, ByDifficulty, ByConstruct, ByLength, ByUniverse}
}

// groups returns a report's groups by b.
func (b Breakdown) groups(r *evaluate.Report) []evaluate.Group {
	switch b {
	case ByDatabase:
		return r.Databases
	case ByDifficulty:
		return r.Difficulties
	case ByConstruct:
		return r.Constructs
	case ByLength:
		return r.Lengths
	case ByUniverse:
		return r.Universes
	}
	return nil
}

// column is the head of the column that names the groups.
func (b Breakdown) column() string {
	switch b {
	case ByLength:
		return "gold calls"
	case ByUniverse:
		return "tools listed"
	}
	return string(b)
}

// metricColumns are three columns for each group.
func metricColumns(groups ...string) []table.Column {
	var out []table.Column
	for _, group := range groups {
		for _, name := range []string{"P", "R", "F1"} {
			out = append(out, table.Column{Group: group, Name: name})
		}
	}
	return out
}

// metrics are the cells of the columns of intents and slots. A mode without
// calls has none of them.
func metrics(r *evaluate.Report) []string {
	if !mode(r).HasCalls() {
		return []string{table.Dash, table.Dash, table.Dash, table.Dash, table.Dash, table.Dash}
	}
	i, s := r.Total.Intent, r.Total.Slot
	return []string{
		table.Decimal(i.Precision), table.Decimal(i.Recall), table.Decimal(i.F1),
		table.Decimal(s.Precision), table.Decimal(s.Recall), table.Decimal(s.F1),
	}
}

// totals is the table of a report's totals.
func totals(r *evaluate.Report) *table.Table {
	t := &table.Table{Title: "Scores by the " + string(r.Rules) + " rules"}
	t.Columns = append(t.Columns, table.Column{Name: "dataset", Words: true}, table.Column{Name: "model", Words: true}, table.Column{Name: "rules", Words: true})
	t.Columns = append(t.Columns, metricColumns("intent", "slot")...)
	t.Columns = append(t.Columns, table.Column{Group: "compl.", Name: "rate"}, table.Column{Name: "n"})
	row := append([]string{dataset(r), model(r), string(r.Rules)}, metrics(r)...)
	t.Add(append(row, completion(r), table.Count(r.Total.Samples))...)
	if !r.Executed {
		t.Notes = append(t.Notes, sameCallsNote)
	}
	return t
}

// errorTable counts the classes of errors, nil where nothing failed.
func errorTable(r *evaluate.Report) *table.Table {
	failed := r.Total.Samples - r.Total.Completed
	if len(r.Total.Errors) == 0 {
		return nil // SQL has no classes
	}
	t := &table.Table{
		Title: fmt.Sprintf("Errors of the %s that were not completed, by the %s rules", samples(failed), r.Rules),
		Columns: []table.Column{
			{Name: "class", Words: true}, {Name: "samples"}, {Name: "share"},
		},
	}
	for _, class := range evaluate.Classes() {
		if n := r.Total.Errors[class]; n > 0 {
			t.Add(string(class), table.Count(n), table.Share(n, failed))
		}
	}
	return t
}

// breakdown is a table of groups, nil where there are none.
func breakdown(r *evaluate.Report, b Breakdown) *table.Table {
	groups := b.groups(r)
	if len(groups) == 0 {
		return nil
	}
	rate := ""
	t := &table.Table{
		Title: fmt.Sprintf("By %s, by the %s rules", b.column(), r.Rules),
		Columns: []table.Column{
			{Name: b.column(), Words: true}, {Name: "n"}, {Group: "intent", Name: "F1"}, {Group: "slot", Name: "F1"},
			{Group: "completion", Name: "rate"}, {Group: "completion", Name: "other calls"},
		},
	}
	if !r.Executed {
		rate = sameCallsMark
		t.Notes = []string{sameCallsNote}
	}
	for _, g := range groups {
		s := g.Scores
		t.Add(g.Name, table.Count(s.Samples), table.Decimal(s.Intent.F1), table.Decimal(s.Slot.F1),
			table.Share(s.Completed, s.Samples)+rate, table.Count(s.OtherCalls))
	}
	return t
}

// samples says a number of them.
func samples(n int) string {
	if n == 1 {
		return "1 sample"
	}
	return table.Count(n) + " samples"
}

// facts are the lines about a report that no table has.
func facts(r *evaluate.Report) []string {
	s := r.Total
	var out []string
	what := "with the right answer"
	if !r.Executed {
		what = "by the same calls, as nothing was run"
	}
	line := fmt.Sprintf("completed: %s of %s %s", table.Count(s.Completed), samples(s.Samples), what)
	if r.Executed && s.Completed > 0 && mode(r).HasCalls() {
		line += fmt.Sprintf(", %s of them by other calls than gold's", table.Count(s.OtherCalls))
	}
	out = append(out, line)
	if mode(r).HasCalls() {
		out = append(out, fmt.Sprintf("intent F1 without order: %s as sets, %s as multisets", table.Decimal(s.IntentSet.F1), table.Decimal(s.IntentMultiset.F1)))
	}
	if l := s.Loops; l != nil {
		name := "ReAct"
		if mode(r) == evaluate.Agent {
			name = "agent"
		}
		out = append(out, fmt.Sprintf("%s: %.2f loops on average; failed: %s out of budget, %s stuck (%s on the very same call), %s unclassified",
			name, l.Average, table.Count(l.OutOfBudget), table.Count(l.Stuck), table.Count(l.StuckSame), table.Count(l.Unclassified)))
	}
	if d := s.Pairs; d != nil {
		out = append(out, fmt.Sprintf("questions over two databases: SQL accuracy %s (the answers of both parts are among the results), answer accuracy %s",
			table.Decimal(&d.SQLAccuracy), table.Decimal(&d.AnswerAccuracy)))
	}
	if line := apiFact(r); line != "" {
		out = append(out, line)
	}
	if r.Unpredicted+r.NotRun+r.Failed > 0 {
		out = append(out, fmt.Sprintf("not scored, of %s: %s without a prediction, %s not run, %s failed",
			samples(r.Samples), table.Count(r.Unpredicted), table.Count(r.NotRun), table.Count(r.Failed)))
	}
	if usage := usage(r.Usage); usage != "" {
		out = append(out, usage)
	}
	return out
}

// usage says what the predictions took, "" where that is not known.
func usage(u evaluate.Usage) string {
	if u == (evaluate.Usage{}) {
		return ""
	}
	parts := []string{
		fmt.Sprintf("tokens: %s in prompts, %s in answers", table.Count(u.PromptTokens), table.Count(u.CompletionTokens)),
		fmt.Sprintf("%s requests in %s attempts", table.Count(u.Requests), table.Count(u.Attempts)),
	}
	if u.Unmeasured > 0 {
		parts = append(parts, table.Count(u.Unmeasured)+" of them without a count of tokens")
	}
	if u.Cost > 0 {
		parts = append(parts, fmt.Sprintf("cost %.2f", u.Cost))
	}
	return strings.Join(parts, "; ")
}

// firstProblems is how many problems of a kind are named.
const firstProblems = 3

// problems says what is wrong with the input: each kind with its number, the
// first few of it by name. The file has all of them.
func problems(found []evaluate.Problem, file string) []string {
	byKind := map[string][]evaluate.Problem{}
	var kinds []string
	for _, p := range found {
		if byKind[p.Kind] == nil {
			kinds = append(kinds, p.Kind)
		}
		byKind[p.Kind] = append(byKind[p.Kind], p)
	}
	var out []string
	for _, kind := range kinds {
		list := byKind[kind]
		var named []string
		for _, p := range list[:min(len(list), firstProblems)] {
			named = append(named, table.Cut(place(p)+table.Plain(p.Text), 160))
		}
		line := fmt.Sprintf("%s %s: %s", table.Count(len(list)), kind, strings.Join(named, "; "))
		if more := len(list) - len(named); more > 0 {
			line += fmt.Sprintf("; and %s more, in %s", table.Count(more), file)
		}
		out = append(out, line)
	}
	return out
}

// place is a problem's file and line, with a colon.
func place(p evaluate.Problem) string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File + ": "
	}
	return fmt.Sprintf("%s:%d: ", p.File, p.Line)
}
