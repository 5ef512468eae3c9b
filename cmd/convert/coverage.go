package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/pipeline"
)

// coverageIntro heads the report; what follows is measured.
const coverageIntro = `# Coverage

How many of a dataset's questions use each construct of SQL, and how many of
them have a verified sequence. Written by
` + "`convert coverage --dataset DIR --write docs/coverage.md`" + `, here for BIRD dev.

`

// coverageCommand reports constructs instead of writing samples.
func coverageCommand(f *flags) *cobra.Command {
	write := ""
	c := &cobra.Command{
		Use:   "coverage",
		Short: "Report which constructs of SQL are verified, in both toolsets",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			opts, err := f.options()
			if err != nil {
				return err
			}
			if write == "" {
				return pipeline.Coverage(c.Context(), c.OutOrStdout(), opts)
			}
			return writeWhole(write, func(w *os.File) error {
				if _, err := w.WriteString(coverageIntro); err != nil {
					return err
				}
				return pipeline.Coverage(c.Context(), w, opts)
			})
		},
	}
	c.Flags().StringVar(&write, "write", "", "file to write to instead of printing")
	return c
}

// writeWhole makes a file appear complete or not at all.
func writeWhole(path string, content func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".coverage")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := content(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
