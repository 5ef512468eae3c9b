package mixed

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/birdcall/birdcall/internal/text/table"
)

// maxShown is how many questions a list in the summary names.
const maxShown = 10

// Summarize prints a row for each report, and names the questions that are not as
// they should be.
func Summarize(w io.Writer, reports []*Report, width int) {
	t := table.Table{Title: "Questions over databases and an API"}
	columns := []string{"share", "seed", "equal", "other", "open", "wrong", "error", "calls", "over", "bytes", "s", "file"}
	if len(reports) > 0 && reports[0].Benchmark == 2 {
		columns[3] = "left"
	}
	for _, name := range columns {
		t.Columns = append(t.Columns, table.Column{Name: name})
	}
	for _, r := range reports {
		s := r.Totals
		other := s.States[OtherRight] + s.States[NoRows] + s.States[Idle]
		t.Add(strconv.Itoa(r.Share), strconv.FormatUint(r.Seed, 10), strconv.Itoa(s.States[Equal]), strconv.Itoa(other),
			strconv.Itoa(s.States[Unproven]+s.States[Differ]), strconv.Itoa(s.States[Mismatch]), strconv.Itoa(s.States[Failed]), strconv.Itoa(s.Requests), strconv.Itoa(s.OverBound),
			size(s.Bytes), seconds(s.Took), seconds(s.Plain))
	}
	t.Notes = notes(reports)
	t.Text(w, width)
	for _, r := range reports {
		r.list(w, width)
	}
}

// notes explains the columns.
func notes(reports []*Report) []string {
	other := "other: another answer that SQL allows, too; open: nothing tells whether it does"
	if len(reports) > 0 && reports[0].Benchmark == 2 {
		other = "equal: kept; left: without rows, or with the rows that the question had before; open: the forms differ where SQL leaves the answer open"
	}
	return []string{
		other + ".",
		"calls: requests that the service counted; over: questions that took more than twice those that suffice; bytes: of the responses; s: seconds with the API, and file: without it.",
	}
}

// size writes a number of bytes shortly.
func size(n int64) string {
	switch {
	case n < 10_000:
		return strconv.FormatInt(n, 10)
	case n < 10_000_000:
		return fmt.Sprintf("%dk", n/1_000)
	}
	return fmt.Sprintf("%dM", n/1_000_000)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) }

// list names the questions of a report that are not as they should be.
func (r *Report) list(w io.Writer, width int) {
	say := func(what string, fits func(Outcome) bool, about func(Outcome) string) {
		n := 0
		for _, o := range r.Questions {
			if !fits(o) {
				continue
			}
			if n++; n == 1 {
				fmt.Fprintf(w, "\nShare %d, seed %d: %s\n", r.Share, r.Seed, what)
			}
			if n <= maxShown {
				table.Paragraph(w, "  "+o.DB+" "+o.ID.String()+": "+table.Plain(about(o)), "    ", width)
			}
		}
		if n > maxShown {
			fmt.Fprintf(w, "  and %d more\n", n-maxShown)
		}
	}
	detail := func(o Outcome) string { return cmp.Or(o.Detail, o.Reason) }
	say("wrong answers", func(o Outcome) bool { return o.State == Mismatch }, detail)
	say("errors", func(o Outcome) bool { return o.State == Failed }, func(o Outcome) string { return o.Reason + ": " + o.Detail })
	say("open answers", func(o Outcome) bool { return o.State == Unproven || o.State == Differ }, detail)
	say("more calls than twice what suffices", func(o Outcome) bool { return o.Over }, func(o Outcome) string {
		return fmt.Sprintf("%d calls in %d rounds, %d suffice", o.Calls, o.Rounds, o.Least)
	})
	for _, name := range r.Silent {
		fmt.Fprintf(w, "\nShare %d, seed %d: %s was read, and the service had no request for it\n", r.Share, r.Seed, name)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.refusals)) {
		fmt.Fprintf(w, "%6d  %s\n", r.refusals[reason], reason)
	}
}
