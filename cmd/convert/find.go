package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
)

// findFlags are those of convert find besides the ones that it shares.
type findFlags struct {
	evidence   string
	k          int
	kinds      []string
	json       bool
	index      string
	rebuild    bool
	hidden     []string
	embeddings cli.Embeddings
}

// findCommand looks for what a question is about.
func findCommand(f *flags) *cobra.Command {
	own := &findFlags{}
	c := &cobra.Command{
		Use:   "find QUESTION",
		Short: "Find the databases, tables, columns, values and tools that a question is about",
		Long: `Find which databases of a dataset a question is about, and of these the tables,
the columns, the stored values that its words mean, and the tools. No model is
asked. docs/find.md tells more.

Tools are the endpoints of the dataset's questions, or with --variant sel the
functions on its tables. With one --db the question is about that database. The
index is built once and kept in the folder find of the dataset.`,
		Example: `  convert find "How many copies of A Quiet Lighthouse are there?"
  convert find "Which schools in Fresno are charter schools?" --dataset bird/dev --k 5
  convert find "..." --dataset bird/dev --db superhero --kinds value,tool --json
  convert find "..." --source postgres://reader@db.example/bird --dataset minidev --hide patient.name`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.runFind(c, own, args[0]) },
	}
	set := c.Flags()
	set.SortFlags = false
	set.StringVar(&own.evidence, "evidence", "", "a hint on what the words of the question mean")
	set.IntVar(&own.k, "k", find.DefaultK, fmt.Sprintf("hits of each kind at most, up to %d", find.MaxK))
	set.StringSliceVar(&own.kinds, "kinds", nil, "what to look for, separated by commas: "+strings.Join(kinds(), ", ")+" (default: all)")
	set.BoolVar(&own.json, "json", false, "print the result as JSON")
	set.StringVar(&own.index, "index", "", "folder of the index, or - for memory alone (default: the folder find of the dataset; memory for the embedded sample and for files)")
	set.BoolVar(&own.rebuild, "rebuild", false, "build the index anew")
	set.StringArrayVar(&own.hidden, "hide", nil, "a column whose values are not to be found: table.column, db.table.column, table.* or * for all; may be repeated")
	own.embeddings.AddFlags(set)
	complete(c, "kinds", kinds())
	return c
}

// kinds returns the values of --kinds.
func kinds() []string {
	var out []string
	for _, k := range find.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// check looks for values that make no sense, and returns the query.
func (own *findFlags) check(c *cobra.Command, question string) (find.Query, error) {
	q := find.Query{Text: question, Evidence: own.evidence, K: own.k}
	for _, k := range own.kinds {
		if err := cli.OneOf("--kinds", k, kinds()); err != nil {
			return q, err
		}
		q.Kinds = append(q.Kinds, find.Kind(k))
	}
	switch {
	case strings.TrimSpace(question) == "":
		return q, errors.New("the question is empty: give it as one argument, in quotation marks")
	case len(question)+len(own.evidence) > find.MaxText:
		return q, fmt.Errorf("the question and --evidence have %d bytes; give at most %d", len(question)+len(own.evidence), find.MaxText)
	case own.k < 1 || own.k > find.MaxK:
		return q, fmt.Errorf("--k %d: give a number from 1 to %d", own.k, find.MaxK)
	case own.rebuild && own.index == find.InMemory:
		return q, errors.New("--rebuild: with --index - the index is always built anew; leave one of them out")
	}
	return q, errors.Join(
		cli.NotEmpty(c.Flags(),
			cli.Flag{Name: "index", Hint: "give a folder, or - for memory alone"},
			cli.Flag{Name: "hide", Hint: "give a column such as patient.name"},
		),
		own.embeddings.Check(c.Flags()))
}

func (f *flags) runFind(c *cobra.Command, own *findFlags, question string) error {
	q, err := own.check(c, question)
	for _, err := range []error{
		onlyFlags(c, "variant", "dataset", "split", "questions", "db", "source", "allow-writer", "timeout", "jobs", "quiet"),
		err,
		cli.NotEmpty(c.Flags(), cli.DatasetFlags...),
		f.source.Check(c.Flags(), f.embedded()),
		f.numbers(),
	} {
		if err != nil {
			return err
		}
	}
	if c.Flags().Changed("variant") {
		if err := cli.OneOf("--variant", f.variant, []string{record.REST, record.SEL}); err != nil {
			return err
		}
	}
	dataset, folder, err := f.searched(own)
	if err != nil {
		return err
	}
	switch len(f.databases) {
	case 0:
	case 1:
		q.DB = dataset.Databases[0].ID
		if db := dataset.Database(f.databases[0]); db != nil {
			q.DB = db.ID
		}
	default:
		return errors.New("--db: name one database, or leave the flag out for all")
	}
	warn := cli.Once(func(text string) {
		if !f.quiet {
			cli.Warn(c.ErrOrStderr(), text)
		}
	})
	o := find.Options{
		Hidden: own.hidden, Source: f.source.URL, AllowWriter: f.source.AllowWriter, Dir: folder, Rebuild: own.rebuild, Workers: f.jobs, Warn: warn,
	}
	if o.Embedder, err = own.embeddings.Embedder(folder, warn); err != nil {
		return err
	}
	if len(q.Kinds) == 0 || slices.Contains(q.Kinds, find.KindTool) {
		if o.Tools, err = f.tooling(c.Context(), c.Flags().Changed("variant") && f.variant == record.SEL, dataset); err != nil {
			return err
		}
	}
	index, err := find.Open(c.Context(), dataset, o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
	defer cancel()
	result, err := index.Find(ctx, q)
	if err != nil {
		return err
	}
	if own.json {
		text, err := jsontext.Marshal(result, "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", text)
		return err
	}
	return writeFound(c.OutOrStdout(), result, cli.Width(c.OutOrStdout(), 80))
}

// searched returns the dataset whose databases are searched, and the folder of its index.
// The index is of all databases, also where the question is about one.
func (f *flags) searched(own *findFlags) (*bird.Dataset, string, error) {
	if !f.source.IsSet() && f.embedded() {
		files, err := cli.FilesOf(f.databases)
		if err != nil || files != nil {
			// Nothing is written next to files that are no dataset.
			return files, cmp.Or(own.index, find.InMemory), err
		}
	}
	load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, NoFiles: f.source.IsSet(), AllDatabases: !f.source.IsSet()}
	if f.embedded() {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		return nil, "", err
	}
	for _, id := range f.databases {
		if dataset.Database(id) == nil {
			return nil, "", fmt.Errorf("--db %s: the dataset has no such database; %s", id, spelling.Suggest(id, dataset.IDs()))
		}
	}
	return dataset, cli.IndexFolder(own.index, f.dataset, f.questions), nil
}

// tooling returns the tools that can be found: the endpoints of the questions, or the
// functions on tables.
func (f *flags) tooling(ctx context.Context, functions bool, dataset *bird.Dataset) ([]find.Tool, error) {
	var out []find.Tool
	if functions {
		if f.source.IsSet() {
			return nil, errors.New("--variant sel works on SQLite files, and of a server's databases there are endpoints only; leave the flag out")
		}
		for _, db := range dataset.Databases {
			list, err := find.Functions(ctx, db)
			if err != nil {
				return nil, err
			}
			out = append(out, list...)
		}
		return out, nil
	}
	if len(dataset.Questions) == 0 {
		return nil, nil
	}
	api, err := rest.Open(ctx, dataset, rest.Options{Immutable: f.embedded(), Source: f.source.URL, AllowWriter: f.source.AllowWriter, Timeout: f.timeout})
	if err != nil {
		return nil, err
	}
	out, err = find.Endpoints(ctx, api)
	return out, errors.Join(err, api.Close())
}
