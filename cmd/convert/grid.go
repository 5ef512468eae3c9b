package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/embedded"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/querygrid"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
)

// hasGrid reports whether queries of all combinations are asked for.
func (f *flags) hasGrid() bool {
	return variant.Of(f.variant).Calls == variant.Queries && f.query.from != fromSQL
}

// drawGrid adds the questions of the grid to the dataset, or puts them in the place
// of its own.
func (f *flags) drawGrid(c *cobra.Command, opts *pipeline.Options) error {
	of := *opts.Dataset
	if f.query.from == fromBoth && f.embedded() {
		of.Databases = slices.DeleteFunc(slices.Clone(of.Databases), func(d *bird.Database) bool {
			return slices.ContainsFunc(of.Questions, func(q bird.Question) bool { return q.DB == d.ID })
		})
	}
	bar := cli.Progress(c.ErrOrStderr(), len(of.Databases), "databases", f.quiet)
	set, err := querygrid.Dataset(c.Context(), &of, querygrid.Options{
		PerCombination: f.query.perCombination, Seed: f.seed, Progress: func() { _ = bar.Add(1) },
	})
	_ = bar.Clear()
	if err != nil {
		return err
	}
	if f.query.from == fromGrid {
		opts.Dataset.Questions = nil
	}
	opts.Dataset.Questions = append(opts.Dataset.Questions, set.Questions...)
	opts.Queries.Grid = set
	return nil
}

// loadUseCases reads the use cases inside this binary, and with them the sample where
// its questions or databases are asked for.
func (f *flags) loadUseCases() (*bird.Dataset, error) {
	if f.query.from == fromGrid && len(f.databases) == 0 {
		return embedded.UseCases()
	}
	whole, err := embedded.All(f.split)
	if err != nil {
		return nil, err
	}
	return whole, f.only(whole)
}

// only leaves the databases that --db names.
func (f *flags) only(d *bird.Dataset) error {
	if len(f.databases) == 0 {
		return nil
	}
	known := d.IDs()
	for _, id := range f.databases {
		if !slices.Contains(known, id) {
			return fmt.Errorf("--db %s: there is no such database; %s", id, spelling.Suggest(id, known))
		}
	}
	d.Databases = slices.DeleteFunc(d.Databases, func(db *bird.Database) bool { return !slices.Contains(f.databases, db.ID) })
	d.Questions = slices.DeleteFunc(d.Questions, func(q bird.Question) bool { return !slices.Contains(f.databases, q.DB) })
	return nil
}
