package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
)

// compareCommand sets the reports of models side by side.
func compareCommand() *cobra.Command {
	format, out := string(scorereport.Terminal), ""
	c := &cobra.Command{
		Use:   "compare REPORT...",
		Short: "Set the scores of models side by side",
		Long: `Read the reports of models, which evaluate wrote as score/MODEL/report.json, and
set them side by side in the layout of tables 1 and 2 of Elder et al. Scores by
different rules stand in different tables.`,
		Example: `  evaluate compare score/*/report.json
  evaluate compare score/*/report.json --format html --out compare.html`,
		RunE: func(c *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				return errors.New("no reports are given: name them, such as score/*/report.json")
			}
			reports, err := readReports(paths)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := scorereport.Compare(&b, reports, scorereport.Format(format)); err != nil {
				return fmt.Errorf("--format: %w", err)
			}
			if !c.Flags().Changed("out") {
				_, err := c.OutOrStdout().Write(b.Bytes())
				return err
			}
			if out == "" {
				return errors.New("--out is empty: give a file, or leave the flag out to print")
			}
			if err := outdir.WriteFile(out, b.Bytes()); err != nil {
				return fmt.Errorf("--out %s: %w", out, err)
			}
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&format, "format", format, "table, markdown, csv or html")
	c.Flags().StringVar(&out, "out", "", "file to write to instead of printing")
	var formats []string
	for _, f := range scorereport.Formats() {
		formats = append(formats, string(f))
	}
	if err := c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag does not exist, which a test would see
	}
	return c
}

// readReports reads the reports of different models.
func readReports(paths []string) ([]*scorereport.ModelReport, error) {
	var out []*scorereport.ModelReport
	from := map[string]string{}
	for _, path := range paths {
		m, err := scorereport.Read(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w; give a score/MODEL/report.json", err)
		}
		if err != nil {
			return nil, err
		}
		if before, ok := from[m.Model]; ok {
			return nil, fmt.Errorf("%s and %s are both of the model %q; leave one of them out", before, path, m.Model)
		}
		from[m.Model] = path
		out = append(out, m)
	}
	return out, nil
}
