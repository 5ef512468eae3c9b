package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
)

// describeCommand reports how large the samples are that convert wrote.
func describeCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "describe DIR",
		Short:   "Print the quartiles of the samples' sizes in a folder that convert wrote",
		Example: "  convert describe out/slot",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var unused error
			c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
				if !f.Changed {
					return
				}
				unused = fmt.Errorf("--%s: describe reads what is written already; leave the flag out", f.Name)
			})
			if unused != nil {
				return unused
			}
			return pipeline.Describe(c.Context(), c.OutOrStdout(), args[0], cli.Width(c.OutOrStdout(), 100))
		},
	}
}
