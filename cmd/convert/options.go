package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// options checks the flags and reads the dataset.
func (f *flags) options(c *cobra.Command) (pipeline.Options, error) {
	queries, err := f.queries(c.Flags())
	pairs, pairsErr := f.pairs(c.Flags())
	opts := pipeline.Options{
		Variant: f.variant, Out: f.out, Toolset: slot.Toolset(f.toolset), Timeout: f.timeout, Jobs: f.jobs, MaxValue: f.maxValue, Memory: f.memory, Queries: queries, Pairs: pairs,
		Source: f.source.URL, AllowWriter: f.source.AllowWriter,
	}
	for _, check := range []error{
		f.checkOwnFlags(c.Flags()),
		err,
		pairsErr,
		cli.NotEmpty(c.Flags(), append(cli.DatasetFlags, cli.Flag{Name: "out", Hint: "give a folder, or leave the flag out for out"})...),
		cli.OneOf("--variant", f.variant, variants),
		f.checkToolset(),
		cli.OneOf("--shortlist-by", f.by, spec.Fillers()),
		cli.OneOf("--tools", f.tools, []string{toolsEach, toolsOnce}),
		f.contradictions(c.Flags()),
		f.checkServer(c.Flags()),
		f.numbers(),
	} {
		if check != nil {
			return opts, check
		}
	}
	var ok bool
	if opts.AsOf, ok = rest.ParseInstant(f.asOf); !ok {
		return opts, fmt.Errorf("--as-of %q: write it as 2025-01-01, 2025-01-01 10:00:00 or 2025-01-01T00:00:00Z", f.asOf)
	}
	if opts.Writing, err = f.writing(c.Flags()); err != nil {
		return opts, err
	}
	if opts.Dataset, err = f.load(); err != nil {
		return opts, err
	}
	if err = f.apis.Attach(c.Context(), opts.Dataset, len(f.databases) > 0); err != nil {
		return opts, err
	}
	f.credit(&opts)
	if f.hasGrid() {
		err = f.drawGrid(c, &opts)
	}
	return opts, err
}

// load reads the dataset.
func (f *flags) load() (*bird.Dataset, error) {
	if f.embedded() && f.hasGrid() {
		return f.loadUseCases()
	}
	load := bird.Options{Dir: f.dataset, Split: f.split, Questions: f.questions, Databases: f.databases, NoFiles: f.source.IsSet(), AllDatabases: f.hasGrid()}
	if f.embedded() {
		load.FS = sample.FS()
	}
	return bird.Load(load)
}

// sampleLicense is that of the dataset inside this binary: this project's own.
const sampleLicense = "apache-2.0"

// credit says in the dataset card where the records come from, as far as that is
// known.
func (f *flags) credit(opts *pipeline.Options) {
	w, layout := &opts.Writing, opts.Dataset.Layout
	switch {
	case f.embedded():
		w.Source, w.License = "Birdcall's sample dataset", sampleLicense
	case layout != bird.Plain:
		w.Source, w.License = "a dataset in the layout of "+string(layout), layout.License()
	}
	w.License = cmp.Or(f.license, w.License)
}

// checkOwnFlags returns an error for the first flag that belongs to another variant
// alone.
func (f *flags) checkOwnFlags(given *pflag.FlagSet) error {
	for _, v := range variant.List {
		for _, name := range v.Flags {
			if v.Name != f.variant && given.Changed(name) {
				return fmt.Errorf("--%s is about %s; leave it out, or choose --variant %s", name, v.Subject, v.Name)
			}
		}
	}
	return nil
}

// checkToolset checks --toolset of the variants that make calls. The toolset of queries
// is checked with their other flags.
func (f *flags) checkToolset() error {
	if variant.Of(f.variant).Calls == variant.Queries {
		return nil
	}
	return cli.OneOf("--toolset", f.toolset, toolsets)
}

// checkServer checks the flags that name a server of databases. With --variant query,
// --source says where the queries come from.
func (f *flags) checkServer(given *pflag.FlagSet) error {
	if variant.Of(f.variant).Calls == variant.Queries && !f.source.AllowWriter {
		return nil
	}
	return f.source.Check(given, f.embedded())
}

// embedded reports whether the dataset is the sample inside this binary. If
// only --questions is given, the dataset is the folder of that file.
func (f *flags) embedded() bool { return f.dataset == "" && f.questions == "" }

// contradictions checks the flags that do not go together.
func (f *flags) contradictions(given *pflag.FlagSet) error {
	v := variant.Of(f.variant)
	switch {
	case f.source.IsSet() && v.Calls != variant.Endpoints:
		return fmt.Errorf("--source: --variant %s works on SQLite files, and of a server's databases there are endpoints only; give --variant %s", f.variant, record.REST)
	case len(v.Toolsets) == 0 && given.Changed("toolset"):
		return fmt.Errorf("--toolset %s: REST has no toolset; leave the flag out, or choose --variant %s or %s", f.toolset, record.SLOT, record.SEL)
	case f.source.IsSet() && f.apis.IsSet():
		return errors.New("--apis: tables of APIs are joined with those of SQLite files, and with --source there are none; leave one of them out")
	case f.split != "" && f.questions != "":
		return errors.New("--split and --questions both say which questions: give one of them")
	case given.Changed("shortlist") && given.Changed("max-tools"):
		return errors.New("--shortlist and --max-tools both say how many tools a sample lists: give one of them")
	case f.shard != "" && given.Changed("at-least"):
		return errors.New("--at-least is about all questions, and a shard has some of them: leave it out here, and give it to convert merge")
	case f.tools == toolsOnce && (given.Changed("shortlist") || given.Changed("max-tools") || given.Changed("shortlist-by")):
		return errors.New("--tools once lists all tools of a database: leave out --shortlist, --max-tools and --shortlist-by")
	}
	return nil
}

// onlyFlags reports the first flag of all commands that was given to one that uses
// none but these.
func onlyFlags(c *cobra.Command, used ...string) (err error) {
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Changed && !slices.Contains(used, f.Name) {
			err = fmt.Errorf("--%s: %s has no use for it; leave the flag out", f.Name, c.Name())
		}
	})
	return err
}

// maxJobs bounds --jobs: each job may hold tables in memory.
const maxJobs = 1024

// maxValue bounds --max-value: SQLite allows no value longer than this.
const maxValue = 1_000_000_000

func (f *flags) numbers() error {
	switch {
	case f.jobs < 1 || f.jobs > maxJobs:
		return fmt.Errorf("--jobs %d: give a number of 1 or more, up to %d", f.jobs, maxJobs)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout %s: give a duration such as 30s", f.timeout)
	case f.maxValue < 1 || f.maxValue > maxValue:
		return fmt.Errorf("--max-value %d: give a number of bytes from 1 to %d", f.maxValue, maxValue)
	case f.memory < 1:
		return fmt.Errorf("--question-memory %d: give a number of bytes of 1 or more, such as %d", f.memory, pipeline.DefaultMemory)
	case f.maxTools < 0:
		return fmt.Errorf("--max-tools %d: give a number of 1 or more, or 0 for any number", f.maxTools)
	case f.atLeast < 0:
		return fmt.Errorf("--at-least %d: give a number of 0 or more", f.atLeast)
	}
	return nil
}

// writing checks the flags that say in what form records are written.
func (f *flags) writing(given *pflag.FlagSet) (w pipeline.Writing, err error) {
	w = pipeline.Writing{MaxTools: f.maxTools, By: spec.Filler(f.by), Seed: f.seed, Obfuscate: f.obfuscate, Once: f.tools == toolsOnce, Messages: f.messages}
	if given.Changed("shortlist") { // also if it is 100, which lists them all
		w.Shortlist, w.MaxTools = f.shortlist, 0
	}
	if w.Spec, err = spec.Parse(f.spec); err != nil {
		return w, fmt.Errorf("--spec: %w", err)
	}
	switch {
	case !f.messages || w.Spec == spec.OpenAI || w.Spec == spec.OpenAIStrict:
	case given.Changed("spec"):
		return w, fmt.Errorf("--spec %s: --messages is a chat in OpenAI's form, whose tools are %s or %s; choose one of them, or leave --spec out for %[2]s", f.spec, spec.OpenAI, spec.OpenAIStrict)
	default:
		w.Spec = spec.OpenAI
	}
	if w.Format, err = export.Parse(f.format); err != nil {
		return w, fmt.Errorf("--format: %w", err)
	}
	if !slices.Contains(spec.ShortlistPercents(), f.shortlist) {
		return w, fmt.Errorf("--shortlist %d: use %s", f.shortlist, spelling.List(spec.ShortlistPercents(), "or"))
	}
	if f.license != "" && !w.Format.IsTable() {
		return w, fmt.Errorf("--license %s: only jsonl and parquet have a dataset card that tells it; choose one with --format, or leave the flag out", f.license)
	}
	if err := export.CheckLicense(f.license); err != nil {
		return w, fmt.Errorf("--license: %w", err)
	}
	return w, nil
}
