package pipeline

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/convert/stats"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Writing says in what form records are written. The zero Writing is the
// paper's form: all tools, as plain definitions, in JSON arrays.
type Writing struct {
	Format    export.Format // of the files
	Spec      spec.Format   // of the tools
	Shortlist int           // percent of the tools that a sample lists, 0 for all
	MaxTools  int           // how many tools a sample lists at most, 0 for any number; not with Shortlist
	By        spec.Filler   // how lists are filled up; "" is spec.Random
	Seed      uint64        // of what is drawn to choose tools
	Once      bool          // list the tools once for a database, and name the file in its samples
	Obfuscate bool          // names of functions and arguments that say nothing
	License   string        // of the dataset, for the card; "" where it is not known
	Source    string        // the dataset's name, for the card; may be ""
	Messages  bool          // the sample as a chat, too; for Spec OpenAI and OpenAIStrict
}

func (w Writing) tools() spec.Options {
	return spec.Options{Format: w.Spec, Shortlist: w.Shortlist, Seed: w.Seed}
}

// writer writes the files of one variant, database by database.
type writer struct {
	out     *outdir.Dir
	opts    Options
	how     Writing
	stats   *stats.Stats
	columns []export.Column
	files   []string        // the tables
	names   map[string]bool // of the tools of all databases
	size    spec.Size       // of the whole list of the database that is written
	// answering is how many tools were left out of samples, as they answer too.
	answering int
	rows      int
}

func newWriter(out *outdir.Dir, opts Options) *writer {
	w := &writer{out: out, opts: opts, how: opts.Writing, stats: stats.New(opts.Variant), names: map[string]bool{}}
	if w.how.Format == "" {
		w.how.Format = export.Array
	}
	w.columns = columnsOf(opts.Variant, w.how.Messages)
	return w
}

// columnsOf returns the columns of a variant's records, with or without their
// chats.
func columnsOf(name string, messages bool) []export.Column {
	columns := variant.Of(name).Columns()
	if messages {
		columns = append(columns, export.ListOf[chat.Message](messagesColumn))
	}
	return columns
}

// database writes what one database's questions became: its records, its tools
// as a list and as an OpenAPI document, and what obfuscated names stand for.
func (w *writer) database(ctx context.Context, db string, in database, verified []*outcome) error {
	samples := make([]*prepared, len(verified))
	for i, o := range verified {
		samples[i] = o.sample
	}
	all := in.tools(samples)
	how := w.how.tools()
	if w.how.Obfuscate {
		lists := [][]spec.Tool{all}
		for _, s := range samples {
			lists = append(lists, s.tools())
		}
		how.Names = spec.NewNames(spec.Union(lists...))
		if err := w.out.JSON(db+folder.ObfuscationEnd, how.Names); err != nil {
			return err
		}
	}
	if w.how.By == spec.Near {
		how.Shortlist = 0 // nearest does it
	}
	encoder := how.Encoder()
	if err := w.universe(db, all, encoder); err != nil {
		return err
	}
	document, err := in.document(ctx, all)
	if err != nil {
		return err
	}
	if err := w.out.Bytes(db+openAPIEnd, document); err != nil {
		return err
	}
	var near []map[string]bool
	if w.how.By == spec.Near {
		if near, err = w.nearest(ctx, db, in, verified, all); err != nil {
			return err
		}
	}
	w.rows += len(verified)
	name := db + w.how.Format.Ext()
	w.files = append(w.files, name)
	return w.out.Write(name, func(b *bufio.Writer) error {
		return w.records(b, db, verified, encoder, how, all, near)
	})
}

// records writes the samples of one database, which has all these tools. Only
// one sample at a time has its tools and its text. near names the tools that the
// samples list where they are the nearest to the gold ones; else it is nil.
func (w *writer) records(b io.Writer, db string, verified []*outcome, encoder *spec.Encoder, how spec.Options, all []spec.Tool, near []map[string]bool) error {
	out := export.NewWriter(b, w.how.Format, w.columns)
	var limiter *spec.Limiter
	if w.how.MaxTools > 0 && w.how.Shortlist == 0 {
		limiter = spec.NewLimiter(all, w.how.MaxTools, w.how.Seed)
	}
	for i, o := range verified {
		var text json.RawMessage
		var size spec.Size
		var err error
		name := db + "/" + o.question.ID.String()
		switch {
		case w.how.Once:
			text, err = o.sample.encodeOnce(db+folder.ToolsEnd, all, how)
			size = w.size
		case near != nil:
			text, size, err = o.sample.encode(name, o.sample.only(near[i]), encoder)
		case limiter != nil:
			list := limiter.Limit(o.sample.tools(), o.sample.calls, o.question.Text, name)
			text, size, err = o.sample.encode(name, list, encoder)
		default:
			text, size, err = o.sample.encode(name, o.sample.tools(), encoder)
		}
		if err == nil {
			err = out.Write(text)
		}
		if err != nil {
			return fmt.Errorf("%s, question %v: %w", db, o.question.ID, err)
		}
		w.stats.AddSample(size)
	}
	return out.Close()
}

// universe writes all the tools of a database.
func (w *writer) universe(db string, all []spec.Tool, encoder *spec.Encoder) error {
	list, size, err := encoder.List(all)
	if err != nil {
		return err
	}
	for _, t := range all {
		w.names[t.Name] = true
	}
	w.size = size
	w.stats.AddDatabase(db, size)
	return w.out.JSON(db+folder.ToolsEnd, list)
}

// encode returns the sample as it is written, with a list of tools, and the size
// of the list. name is the sample's in draws.
func (s *prepared) encode(name string, all []spec.Tool, encoder *spec.Encoder) (json.RawMessage, spec.Size, error) {
	list, size, calls, err := encoder.Prepare(all, s.calls, name)
	if err != nil {
		return nil, spec.Size{}, err
	}
	fields, err := s.fields(calls)
	if err != nil {
		return nil, spec.Size{}, err
	}
	text, err := join(fields.Set(toolsField, list))
	return text, size, err
}

// encodeOnce returns the sample as it is written where its tools are in a file
// of the database's. all are these tools.
func (s *prepared) encodeOnce(file string, all []spec.Tool, how spec.Options) (json.RawMessage, error) {
	calls, err := how.Calls(all, s.calls)
	if err != nil {
		return nil, err
	}
	fields, err := s.fields(calls)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(fields, func(f tools.Argument) bool { return f.Name == toolsField })
	fields[at] = tools.Argument{Name: toolsFileField, Value: file}
	return join(fields)
}

// finish completes the statistics with the sums over all samples, and writes
// the dataset card of tables.
func (w *writer) finish(r *Report) error {
	w.stats.Finish(len(w.names), r.calls, r.slots)
	if !w.how.Format.IsTable() || len(w.files) == 0 {
		return nil
	}
	card := export.Card{
		Title:   "Birdcall " + strings.ToUpper(w.opts.Variant),
		Summary: w.opts.variant().Summary,
		Split:   w.opts.Dataset.Split, License: w.how.License, Source: w.how.Source, Files: w.files, Columns: w.columns, Rows: w.rows, Databases: r.Data,
	}
	return w.out.Write(export.CardFile, func(b *bufio.Writer) error { return card.Write(b) })
}
