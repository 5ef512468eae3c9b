// Command smith measures what convert does with the queries of sqlsmith, a
// generator of random SQL that knows nothing of this module
// (https://github.com/anse1/sqlsmith, apt-get install sqlsmith).
//
//	smith write -out DIR -queries 7000 -seed 1 -rewrite
//	smith report DIR/report.json...
//
// Write makes five small databases, two of the embedded sample's and three of
// its own, has sqlsmith write queries for them, keeps those that SQLite answers within
// 0.3 seconds, and writes all of it as a dataset in the plain layout for
// convert --dataset. The same seed gives the same dataset, but for queries that
// take about as long as that.
//
// LATERAL and TABLESAMPLE are not SQLite's. Queries that have them are left out,
// and with them most of the long ones; with -rewrite, the words are.
//
// Report sums up reports of convert: how many queries are verified, how many
// answers differ, and what stopped the others.
package main

import (
	"context"
	"errors"
	"flag"
	"os"

	"github.com/birdcall/birdcall/internal/cli"
)

func main() {
	cli.Tool("smith", func(ctx context.Context) error { return run(ctx, os.Args[1:]) })
}

func run(ctx context.Context, args []string) error {
	if len(args) > 1 && args[0] == "report" {
		for _, path := range args[1:] {
			if err := summarize(os.Stdout, path); err != nil {
				return err
			}
		}
		return nil
	}
	if len(args) == 0 || args[0] != "write" {
		return errors.New("use: smith write [-out DIR] [-queries N] [-seed N] [-rewrite], or smith report FILE")
	}
	set := flag.NewFlagSet("smith write", flag.ExitOnError)
	out := set.String("out", "smith", "folder of the dataset")
	queries := set.Int("queries", 7000, "how many queries to keep")
	seed := set.Int("seed", 1, "of the first queries")
	rewrite := set.Bool("rewrite", false, "take LATERAL and TABLESAMPLE out of queries, instead of leaving the queries out")
	_ = set.Parse(args[1:]) // it exits
	smith, err := newSmith(ctx, *rewrite)
	if err != nil {
		return err
	}
	defer smith.close()
	return writeDataset(ctx, smith, *out, *queries, *seed)
}
