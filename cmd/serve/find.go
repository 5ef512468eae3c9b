package main

import (
	"cmp"
	"errors"

	"github.com/spf13/pflag"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/serving/server"
	"github.com/birdcall/birdcall/pkg/find"
)

// finding is the flags about GET /v1/find.
type finding struct {
	find       bool
	index      string
	hidden     []string
	embeddings cli.Embeddings
}

// findFlags adds the flags.
func (f *finding) findFlags(set *pflag.FlagSet) {
	set.BoolVar(&f.find, "find", false, "answer which databases, tables, columns, values and tools a question is about, at /v1/find, and rank endpoints by it where tools are searched")
	set.StringVar(&f.index, "find-index", "", "folder of the index of --find, or - for memory alone (default: the folder find of the dataset; memory for the embedded sample and for files)")
	set.StringSliceVar(&f.hidden, "find-hide", nil, "columns whose values --find does not find: table.column, db.table.column, table.* or * for all, separated by commas")
	f.embeddings.AddFlags(set)
}

// checkFind looks for values that make no sense.
func (f *finding) checkFind(set *pflag.FlagSet) error {
	if !f.find {
		for _, name := range []string{"find-index", "find-hide", "embeddings", "embedding-model", "embeddings-key-env"} {
			if set.Changed(name) {
				return errors.New("--" + name + " is about --find; add that, or leave it out")
			}
		}
		return nil
	}
	return errors.Join(
		cli.NotEmpty(set,
			cli.Flag{Name: "find-index", Hint: "give a folder, or - for memory alone"},
			cli.Flag{Name: "find-hide", Hint: "give columns such as patient.name"},
		),
		f.embeddings.Check(set))
}

// finder returns the options of --find, or nil without it. own says that the databases
// are files without a dataset.
func (f *flags) finder(own bool) (*server.FindOptions, error) {
	if !f.find {
		return nil, nil
	}
	out := &server.FindOptions{Index: cli.IndexFolder(f.index, f.dataset, f.questions), Hidden: f.hidden}
	if own {
		out.Index = cmp.Or(f.index, find.InMemory) // nothing is written next to them
	}
	var err error
	out.Embedder, err = f.embeddings.Embedder(out.Index, func(text string) { f.Logger.Warn("vectors", "warning", text) })
	return out, err
}
