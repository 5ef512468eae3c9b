package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport/inspect"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

// inspectCommand writes the samples of a dataset as a task for Inspect. load
// reads the samples in a folder.
func inspectCommand(load func(ctx context.Context, dir string) ([]*evaluate.Sample, error)) *cobra.Command {
	dataset, out := "", ""
	c := &cobra.Command{
		Use:   "inspect",
		Short: "Write the samples as a task for Inspect, the framework of the UK AI Security Institute",
		Long: `Write a folder with a task for Inspect (https://inspect.aisi.org.uk): Inspect asks
the model, and evaluate scores the predictions.jsonl that the task writes. The
task is not run here.`,
		Example: `  evaluate inspect --dataset out/slot --out inspect/slot`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case dataset == "":
				return errors.New("--dataset is empty: give a folder that convert wrote, such as out/slot")
			case out == "":
				return errors.New("--out is empty: give a new folder")
			}
			samples, err := load(c.Context(), dataset)
			if err != nil {
				return err
			}
			files, err := inspect.Export(out, samples)
			if err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			for _, f := range files {
				fmt.Fprintln(c.OutOrStdout(), f)
			}
			fmt.Fprintln(c.OutOrStdout(), "The task was not run.")
			return nil
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&dataset, "dataset", "", "folder of samples that convert wrote")
	c.Flags().StringVar(&out, "out", "", "folder to write to, which has no files")
	return c
}
