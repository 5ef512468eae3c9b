package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/evaluation/askmodel"
	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
)

// hasQueries says whether a folder has samples of convert --variant query. The error
// is for whoever reads the folder.
func hasQueries(dir string) bool {
	f, err := folder.Open(dir)
	return err == nil && f.Variant == record.QUERY
}

// notOfQueries are flags that say nothing of queries, and what does in their place.
var notOfQueries = [][2]string{
	{"rules", "--metric says what a match is"},
	{"no-execute", "nothing is run but with --metric execution"},
	{"by", "all tables are printed"},
	{"all", "all samples are written"},
	{"shortlist", "a database has few tools"},
	{"search-tools", "a database has few tools"},
	{"loops", "there is one call"},
}

// queries asks a model for queries, and scores them. The tool is given as the
// samples have it: by the endpoint's own interface, or as the form of the answer.
func (f *runFlags) queries(c *cobra.Command, opts askmodel.Options) error {
	set := c.Flags()
	for _, flag := range notOfQueries {
		if set.Changed(flag[0]) {
			return fmt.Errorf("--%s is not about queries: %s; leave it out", flag[0], flag[1])
		}
	}
	if opts.Mode != evaluate.Direct {
		return fmt.Errorf("--mode %s: queries are asked for in one answer; use %s", opts.Mode, evaluate.Direct)
	}
	metrics, err := f.query.scored()
	if err != nil {
		return err
	}
	samples, problems, err := queryscore.Load(c.Context(), f.dataset)
	if err != nil {
		return err
	}
	if len(samples) == 0 {
		return fmt.Errorf("%s has no queries to ask for%s", f.dataset, firstOf(problems))
	}
	opts.Native = f.native || !set.Changed("native")
	if f.name == "" {
		opts.Name = fmt.Sprintf("%s_%s_%s", baseName(f.dataset), samples[0].Toolset, samples[0].Shape)
		if !opts.Native {
			opts.Name += "_text"
		}
	}
	for _, s := range samples {
		opts.Samples = append(opts.Samples, s.WithoutGold())
	}
	return f.askAndScore(c, opts, func(file string) error {
		q := f.query
		q.dataFlags, q.predictions, q.out, q.missing = f.dataFlags, file, f.out, f.missing
		return q.file(c, samples, problems, metrics)
	})
}

// baseName is the name of a folder.
func baseName(dir string) string {
	name := filepath.Base(filepath.Clean(dir))
	if whole, err := filepath.Abs(dir); err == nil {
		name = filepath.Base(whole) // "." has no name
	}
	return askmodel.ModelFolder(name)
}
