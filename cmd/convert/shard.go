package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/shard"
	"github.com/birdcall/birdcall/internal/convert/variant"
)

// runShard works on the questions of one shard. What the report of all questions
// says is for merge to judge: a shard that has done its work need not be run
// again.
func (f *flags) runShard(c *cobra.Command, opts pipeline.Options) error {
	number, err := shard.Parse(f.shard)
	if err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	opts.Program = cli.Version()
	questions := shard.Questions(shard.Divide(opts.Dataset, number.Of)[number.Index])
	report, err := f.work(c, opts, questions, func(ctx context.Context, opts pipeline.Options) (*pipeline.Report, error) {
		return pipeline.RunShard(ctx, opts, number)
	})
	if err != nil || f.quiet {
		return err
	}
	stdout := c.OutOrStdout()
	if questions > 0 {
		pipeline.Summarize(stdout, report, cli.Width(stdout, 100))
		fmt.Fprintln(stdout)
	}
	fmt.Fprintf(stdout, "Shard %s, %d of %d questions, is written to %s\n", number, questions, len(opts.Dataset.Questions), shard.Folder(opts.Folder(), number))
	return nil
}

// mergeCommand writes what one run would have written of what shards have found.
func mergeCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "merge [FOLDER...]",
		Short: "Put the shards of a conversion together, to the bytes of a single run",
		Long: `Put the shards of a conversion together. Give the flags that the shards had;
those that say how records are written count here alone. The shards are in the
FOLDERs, or beside the output, where convert --shard writes them.`,
		Example: `  convert merge --variant slot --dataset bird/dev
  convert merge --variant slot --dataset bird/dev --format parquet node1/slot.shard-0-of-2 node2/slot.shard-1-of-2`,
		RunE: func(c *cobra.Command, folders []string) error {
			if f.shard != "" {
				return errors.New("--shard: merge takes all shards; leave the flag out")
			}
			if variant.Of(f.variant).Pairs {
				return fmt.Errorf("--variant %s: there are no shards of pairs, which are drawn from all questions; convert them in one run", f.variant)
			}
			opts, err := f.options(c)
			if err != nil {
				return err
			}
			opts.Program = cli.Version()
			if len(folders) == 0 {
				if folders, err = shard.Folders(opts.Folder()); err != nil {
					return err
				}
			}
			report, err := f.work(c, opts, len(opts.Dataset.Questions), func(ctx context.Context, opts pipeline.Options) (*pipeline.Report, error) {
				return pipeline.Merge(ctx, opts, folders)
			})
			if err != nil {
				return err
			}
			return f.finish(c, opts, report)
		},
	}
}
