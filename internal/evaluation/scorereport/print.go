package scorereport

import (
	"bytes"
	"fmt"
	"io"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// Options say what is shown, and what is written.
type Options struct {
	Breakdowns []Breakdown // the tables that Print writes with the totals
	Width      int         // of a line that Print writes; 0 is 80
	All        bool        // whether score files have the completed samples, too
}

// Print writes a report for people.
func Print(w io.Writer, r *evaluate.Report, o Options) error {
	width := o.Width
	if width <= 0 {
		width = 80
	}
	var b bytes.Buffer
	if r.Simulated {
		table.Paragraph(&b, simulatedNote, "", width)
		fmt.Fprintln(&b)
	}
	totals(r).Text(&b, width)
	fmt.Fprintln(&b)
	for _, line := range facts(r) {
		table.Paragraph(&b, line, "  ", width)
	}
	if line := apiTime(r); line != "" {
		table.Paragraph(&b, line, "  ", width)
	}
	tables := []*table.Table{apiTable(r), errorTable(r)}
	for _, by := range o.Breakdowns {
		tables = append(tables, breakdown(r, by))
	}
	for _, t := range tables {
		if t != nil {
			fmt.Fprintln(&b)
			t.Text(&b, width)
		}
	}
	if list := problems(r.Problems, reportFile); len(list) > 0 {
		fmt.Fprintf(&b, "\nProblems of the input\n")
		for _, line := range list {
			table.Paragraph(&b, line, "    ", width)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
