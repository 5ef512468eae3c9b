package pipeline

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/birdcall/birdcall/internal/text/table"
)

// Summarize writes a report for people: a table of databases, then what was
// not verified by its reason, in lines of at most width columns.
func Summarize(w io.Writer, r *Report, width int) {
	var b strings.Builder
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	shown := shownColumns(r.Totals)
	for _, c := range shown {
		fmt.Fprintf(tw, "\t%s", c.title)
	}
	fmt.Fprintln(tw, "\t")
	row := func(name string, counts Counts) {
		fmt.Fprint(tw, name)
		for _, c := range shown {
			fmt.Fprintf(tw, "\t%d", c.count(counts))
		}
		fmt.Fprintln(tw, "\t")
	}
	for _, d := range r.Databases {
		row(table.Plain(d.DB), d.Counts)
	}
	if len(r.Databases) > 1 {
		row("total", r.Totals)
	}
	tw.Flush()
	for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		fmt.Fprintln(w, cut(strings.TrimRight(line, " "), width))
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, cut(fmt.Sprintf("%.2f calls per sample (at most %d), %.2f slots per call",
		r.Sequences.AverageLength, r.Sequences.MaximumLength, r.Sequences.SlotsPerCall), width))
	if len(r.Parts) > 0 {
		fmt.Fprintln(w, cut(qualified(r.Parts), width))
	}
	for _, g := range groupFailures(r.Failures) {
		fmt.Fprintln(w, cut(fmt.Sprintf("%4d %s (%s)", len(g.ids), g.key, strings.Join(g.ids, ", ")), width))
		fmt.Fprintln(w, cut(fmt.Sprintf("     %s: %s", g.ids[0], g.reason), width))
	}
	for _, line := range groupImpossible(r.Impossible) {
		fmt.Fprintln(w, cut(line, width))
	}
	for _, d := range r.Wide {
		fmt.Fprintln(w, cut(fmt.Sprintf("%s: %s is described in %d tokens (--tool per-collection: %d at most)", d.DB, d.Tool, d.Tokens, d.PerCollection), width))
	}
	for _, d := range r.Defects {
		fmt.Fprintln(w, cut(fmt.Sprintf("defect of %s: %s", d.Endpoint, d.Reason), width))
	}
}

// qualified says how many questions pairs are drawn from.
func qualified(parts []PartCounts) string {
	questions, n := 0, 0
	for _, p := range parts {
		questions, n = questions+p.Questions, n+p.Qualified
	}
	return fmt.Sprintf("pairs are drawn from %d of %d questions: the verified ones with one number as their answer", n, questions)
}

// column is one of the table's columns of counts.
type column struct {
	title string
	count func(Counts) int
}

// shownColumns leaves out the failures that did not occur, but for mismatches:
// that there is none is worth saying.
func shownColumns(totals Counts) []column {
	shown := []column{
		{"verified", func(c Counts) int { return c.Verified }},
		{"of", func(c Counts) int { return c.Questions }},
		{"ties", func(c Counts) int { return c.TieDependent }},
		{"mismatch", func(c Counts) int { return c.Mismatch }},
	}
	for _, c := range []column{
		{"unsupported", func(c Counts) int { return c.Unsupported }},
		{"timeout", func(c Counts) int { return c.Timeout }},
		{"SQL error", func(c Counts) int { return c.SQLError }},
	} {
		if c.count(totals) > 0 {
			shown = append(shown, c)
		}
	}
	return shown
}

// group is the failures of one status and construct.
type group struct {
	key    string
	ids    []string // of the questions
	reason string   // of the first
}

// groupFailures groups the failures by status and construct, most frequent first.
func groupFailures(failures []Failure) []*group {
	byKey := map[string]*group{}
	var groups []*group
	for _, f := range failures {
		key := string(f.Status) + ": " + f.Construct
		g := byKey[key]
		if g == nil {
			g = &group{key: key, reason: f.Reason}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.ids = append(g.ids, f.QuestionID.String())
	}
	sort.SliceStable(groups, func(i, j int) bool { return len(groups[i].ids) > len(groups[j].ids) })
	return groups
}

// groupImpossible says for each database and reason how many combinations there are
// not.
func groupImpossible(list []Impossible) []string {
	type key struct{ db, reason string }
	counts := map[key]int{}
	var keys []key
	for _, one := range list {
		k := key{one.DB, one.Reason}
		if counts[k] == 0 {
			keys = append(keys, k)
		}
		counts[k]++
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = fmt.Sprintf("%4d combinations not in %s: %s", counts[k], k.db, k.reason)
	}
	return out
}

// cut shortens a line to width columns. Ids and messages in it are a dataset's.
func cut(s string, width int) string {
	s = table.Plain(s)
	runes := []rune(s)
	if len(runes) <= width || width < 2 {
		return s
	}
	return string(runes[:width-1]) + "…"
}
