package pipeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/stats"
	"github.com/birdcall/birdcall/pkg/export"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Writing says in what form records are written. The zero Writing is the
// paper's form: all tools, as bare definitions, in JSON arrays.
type Writing struct {
	Format    export.Format // of the files
	Spec      spec.Format   // of the tools
	Shortlist int           // percent of the tools that a sample lists, 0 for all
	Seed      uint64        // of the shortlists
	Obfuscate bool          // names of functions and arguments that say nothing
}

func (w Writing) tools() spec.Options {
	return spec.Options{Format: w.Spec, Shortlist: w.Shortlist, Seed: w.Seed}
}

// writer writes the files of one variant, database by database.
type writer struct {
	out     *output
	opts    Options
	how     Writing
	stats   *stats.Stats
	columns []export.Column
	files   []string        // the tables
	names   map[string]bool // of the tools of all databases
	rows    int
}

func newWriter(out *output, opts Options, how Writing) *writer {
	if how.Format == "" {
		how.Format = export.Array
	}
	return &writer{out: out, opts: opts, how: how, stats: stats.New(opts.Variant), columns: export.ColumnsOf(slot.Record{}), names: map[string]bool{}}
}

// database writes what one database's questions became: its records, its tools
// as a list and as an OpenAPI document, and what obfuscated names stand for.
// A record's tools are made here, so that only one record has them at a time.
func (w *writer) database(db string, universe []slot.Key, records []*slot.Record) error {
	if name := db + ".json"; name == reportFile || name == examplesFile+".json" {
		return fmt.Errorf("the database %q has the name of the file %s; rename it", db, name)
	}
	all := w.opts.specs(universe)
	how := w.how.tools()
	if w.how.Obfuscate {
		lists := [][]slot.Spec{all}
		for _, r := range records {
			lists = append(lists, w.opts.specs(r.Keys))
		}
		how.Names = spec.NewNames(spec.Union(lists...))
		if err := w.out.json(db+".obfuscation.json", how.Names); err != nil {
			return err
		}
	}
	if err := w.universe(db, all, how); err != nil {
		return err
	}
	var texts []json.RawMessage
	for _, r := range records {
		data, size, err := encodeRecord(r, w.opts.specs(r.Keys), how)
		if err != nil {
			return fmt.Errorf("%s, question %v: %w", db, r.SampleID, err)
		}
		w.stats.AddSample(size)
		texts = append(texts, data)
	}
	w.rows += len(texts)
	name := db + w.how.Format.Ext()
	w.files = append(w.files, name)
	return w.out.write(name, func(b *bufio.Writer) error {
		return export.Write(b, w.how.Format, w.columns, texts)
	})
}

// universe writes all the tools of a database.
func (w *writer) universe(db string, all []slot.Spec, how spec.Options) error {
	list, err := how.List(all)
	if err != nil {
		return err
	}
	data, err := encode(list, "")
	if err != nil {
		return err
	}
	for _, s := range all {
		w.names[s.Name] = true
	}
	w.stats.AddDatabase(db, spec.Size{Tools: len(list), Tokens: spec.Tokens(data)})
	if err := w.out.json(db+".tools.json", list); err != nil {
		return err
	}
	return w.out.json(db+".openapi.json", spec.OpenAPI(db, all))
}

// encodeRecord returns a record as it is written, with these tools, and their size.
func encodeRecord(r *slot.Record, specs []slot.Spec, how spec.Options) (json.RawMessage, spec.Size, error) {
	out := *r
	list, calls, err := how.Prepare(specs, r.Output, fmt.Sprint(r.DatasetName, "/", r.SampleID))
	if err != nil {
		return nil, spec.Size{}, err
	}
	out.Output, out.Tools = calls, nil
	data, err := encode(out, "")
	if err != nil {
		return nil, spec.Size{}, err
	}
	var fields tools.Arguments // which keeps their order
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, spec.Size{}, err
	}
	text, err := encode(list, "")
	if err != nil {
		return nil, spec.Size{}, err
	}
	data, err = encode(fields.Set("tools", json.RawMessage(text)), "")
	return data, spec.Size{Tools: len(list), Tokens: spec.Tokens(text)}, err
}

// finish completes the statistics with the sums over all samples, and writes
// the dataset card of tables.
func (w *writer) finish(calls, slots int) error {
	w.stats.Finish(len(w.names), calls, slots)
	if !w.how.Format.IsTable() || len(w.files) == 0 {
		return nil
	}
	card := export.Card{
		Title:   "Birdcall " + strings.ToUpper(w.opts.Variant),
		Summary: "Questions about SQLite databases, and sequences of tool calls that were executed and give the answer of the questions' SQL.",
		Split:   w.opts.Dataset.Split, Files: w.files, Columns: w.columns, Rows: w.rows,
	}
	return w.out.write(export.CardFile, func(b *bufio.Writer) error { return card.Write(b) })
}

// json writes a value as indented JSON.
func (o *output) json(name string, v any) error {
	data, err := encode(v, "  ")
	if err != nil {
		return err
	}
	return o.write(name, func(b *bufio.Writer) error {
		_, err := b.Write(append(data, '\n'))
		return err
	})
}

// universe describes the keys of every table of the database, and those that
// records have besides, such as the second use of a table.
func (d *database) universe(records []*slot.Record) []slot.Key {
	whole := tools.Start{}
	for _, t := range d.catalog.Schema.Tables {
		whole.Tables = append(whole.Tables, tools.StartTable{Original: t.Name, Modified: t.Name})
	}
	starts := []tools.Start{whole}
	for _, r := range records {
		starts = append(append(starts, r.Initialization), r.Further...)
	}
	return d.keys(&slot.Sequence{Starts: starts})
}
