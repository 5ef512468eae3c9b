package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/evaluation/rowscore"
	"github.com/birdcall/birdcall/internal/text/table"
)

// mixedCommand scores rows of the files of Khabiri et al.
func mixedCommand() *cobra.Command {
	var gold, predictions string
	c := &cobra.Command{
		Use:   "mixed",
		Short: "Score rows in the files of Khabiri et al.",
		Long: `Score a file of rows that were predicted against one of gold rows, in the form of
Khabiri et al. (Declarative Techniques for NL Queries over Heterogeneous Data):
as that paper compares rows, which forgives more columns than gold has, and
exactly.

docs/evaluation.md says what the files look like.`,
		Example: `  evaluate mixed --gold benchmark2.json --predictions agentic.json`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case gold == "":
				return errors.New("no --gold: give the file with the rows that are right")
			case predictions == "":
				return errors.New("no --predictions: give a file of what a model answered")
			}
			want, err := rowscore.Read(gold, rowscore.Gold)
			if err != nil {
				return err
			}
			got, err := rowscore.Read(predictions, rowscore.Predicted)
			if err != nil {
				return err
			}
			r := rowscore.Score(want, got)
			if r.Total.Questions == 0 {
				return fmt.Errorf("%s: no question has rows: %s", gold, r.Problems[0])
			}
			printRows(c.OutOrStdout(), r, cli.Width(c.OutOrStdout(), 80))
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&gold, "gold", "", "file with the rows that are right, as JSON lines or a JSON array")
	c.Flags().StringVar(&predictions, "predictions", "", "file with the rows that were predicted")
	return c
}

// printRows prints a report for people.
func printRows(w io.Writer, r *rowscore.Report, width int) {
	t := &table.Table{
		Title: "Rows that were predicted",
		Columns: []table.Column{
			{Name: "database", Words: true}, {Name: "n"}, {Name: "no rows"}, {Group: "matched", Name: "n"}, {Group: "matched", Name: "rate"},
			{Group: "exactly", Name: "n"}, {Group: "exactly", Name: "rate"}, {Name: "seconds"},
		},
		Notes: []string{"matched: the right rows, with more columns or not; exactly: with gold's columns in their order; seconds: the mean of what the file tells"},
	}
	add := func(name string, s rowscore.Scores) {
		seconds := table.Dash
		if s.Timed > 0 {
			seconds = strconv.FormatFloat(s.Seconds/float64(s.Timed), 'f', 2, 64)
		}
		t.Add(name, table.Count(s.Questions), table.Count(s.Missing), table.Count(s.Matched), table.Share(s.Matched, s.Questions),
			table.Count(s.Exact), table.Share(s.Exact, s.Questions), seconds)
	}
	for _, g := range r.Databases {
		add(g.DB, g.Scores)
	}
	add("all", r.Total)
	t.Text(w, width)
	if len(r.Problems) > 0 {
		fmt.Fprintf(w, "\nProblems of the input: %s\n", table.Count(len(r.Problems)))
	}
	const limit = 10
	for _, p := range r.Problems[:min(len(r.Problems), limit)] {
		table.Paragraph(w, table.Plain(p), "    ", width)
	}
}
