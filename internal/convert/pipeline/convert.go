package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/birdcall/birdcall/internal/artifact/folder"
	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Memory is a good limit for debug.SetMemoryLimit, from where on garbage is collected
// more often than it has to be: a conversion leaves much of it, and only the columns of
// one database and the records of a few questions are alive at a time.
const Memory = 304 << 20

// The bounds of one question where nothing else is asked for.
const (
	DefaultMaxValue       = 64 << 20
	DefaultMemory   int64 = 1 << 30
)

// Options of Run.
type Options struct {
	Dataset *bird.Dataset
	Variant string        // one of variant.Names
	Out     string        // the folder that the variant's folder goes into
	Toolset slot.Toolset  // of calls on tables
	Queries Queries       // of QUERY
	Pairs   Pairs         // of MULTI
	Timeout time.Duration // for one question
	Jobs    int           // questions at a time
	// MaxValue bounds the bytes of one value or stored row that SQL reads or makes; 0
	// is DefaultMaxValue. Memory bounds the accounted bytes of one question's tables,
	// texts and answer; 0 is DefaultMemory.
	MaxValue int
	Memory   int64
	AsOf     time.Time // what 'now' stands for
	Writing  Writing
	// Source is the URL of a Postgres server that has the databases, instead of
	// files; of REST alone. AllowWriter and Warn are those of rest.Options.
	Source      string
	AllowWriter bool
	Warn        func(string)
	Program     string // the version of the program, which the shards of a conversion have in common
	// Progress is called after each question, from one goroutine at a time.
	// It may be nil.
	Progress func()
	// Measure is called, if not nil, with what one database took.
	Measure func(db string, questions int, took time.Duration)

	data *data // of the databases, while files are written
}

// Folder returns the folder that Run writes.
func (o Options) Folder() string { return filepath.Join(o.Out, o.Variant) }

// Run converts a dataset to samples of one variant and writes them with a
// report: for every database the samples in <db>.json (or another format), its
// tools in <db>.tools.json and as an OpenAPI document in <db>.openapi.json.
// Errors are those of files and of ctx; what goes wrong with a question is in
// the report.
func Run(ctx context.Context, opts Options) (*Report, error) {
	opts.data = newData(opts)
	defer opts.data.close()
	return publish(ctx, opts.Folder(), func(out *outdir.Dir) (*Report, error) {
		return opts.method().write(ctx, opts, out)
	})
}

// publish writes a folder that appears whole, or not at all.
func publish(ctx context.Context, path string, write func(*outdir.Dir) (*Report, error)) (*Report, error) {
	out, err := outdir.Open(path)
	if err != nil {
		return nil, err
	}
	defer out.Discard()
	report, err := write(out)
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err() // whatever a database or a file makes of it
	}
	if err != nil {
		return nil, err
	}
	return report, out.Publish()
}

// source says what became of the questions of a database: it converts them, or
// knows it from shards.
type source func(ctx context.Context, in database, info *bird.Database) ([]*outcome, error)

// writeAll writes all files of a dataset but the list of them.
func writeAll(ctx context.Context, opts Options, out *outdir.Dir, outcomes source) (*Report, error) {
	w := newWriter(out, opts)
	if err := w.checkNames(); err != nil {
		return nil, err
	}
	m, err := opts.method().maker(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer m.close()
	report := newReport(opts)
	report.Stats = w.stats
	if err := m.report(ctx, report); err != nil {
		return nil, err
	}
	for _, info := range opts.Dataset.Databases {
		start := time.Now()
		n, err := runDatabase(ctx, m, info, outcomes, report, w)
		if err != nil {
			return nil, err
		}
		if opts.Measure != nil {
			opts.Measure(info.ID, n, time.Since(start))
		}
	}
	if err := m.finish(ctx, out); err != nil {
		return nil, err
	}
	if err := w.examples(ctx); err != nil {
		return nil, err
	}
	if err := w.finish(report); err != nil {
		return nil, err
	}
	report.Answering = w.answering
	return report, out.JSON(folder.ReportFile, report)
}

// runDatabase writes one database, and returns how many questions it has.
func runDatabase(ctx context.Context, m maker, info *bird.Database, from source, report *Report, w *writer) (int, error) {
	w.opts.data.open(info)
	in, err := m.open(ctx, info)
	if err != nil {
		return 0, err
	}
	defer in.close()
	w.opts.data.start(ctx, info)
	outcomes, err := from(ctx, in, info)
	if err != nil {
		return 0, err
	}
	data, err := w.opts.data.of(info)
	if err != nil {
		return 0, err
	}
	report.Data = append(report.Data, data)
	report.add(info.ID, outcomes)
	in.report(report)
	return len(outcomes), w.database(ctx, info.ID, in, verified(outcomes))
}

// verified returns the outcomes that have a sample.
func verified(outcomes []*outcome) []*outcome {
	var out []*outcome
	for _, o := range outcomes {
		if o.status == "" {
			out = append(out, o)
		}
	}
	return out
}

// questions returns those of one database, in their order.
func (o Options) questions(db string) []*bird.Question {
	var out []*bird.Question
	for i := range o.Dataset.Questions {
		if q := &o.Dataset.Questions[i]; q.DB == db {
			out = append(out, q)
		}
	}
	return out
}

// loader is a database that can read at once what all questions need, outside the time
// that each of them has.
type loader interface {
	Load(ctx context.Context, questions []*bird.Question)
}

// convertAll works on questions of one database, opts.Jobs at a time. The error
// is that of ctx, or that the database has changed meanwhile, or was unavailable.
func convertAll(ctx context.Context, in database, opts Options, questions []*bird.Question) ([]*outcome, error) {
	if d, ok := in.(loader); ok {
		d.Load(budget.With(ctx, opts.budget()), questions)
	}
	var outcomes []*outcome
	var wait sync.WaitGroup
	var progress sync.Mutex
	jobs := make(chan struct{}, max(opts.Jobs, 1))
	var aborted atomic.Bool // whether the other questions need not be worked on
	for _, q := range questions {
		if ctx.Err() != nil || aborted.Load() {
			break
		}
		o := &outcome{question: q}
		outcomes = append(outcomes, o)
		jobs <- struct{}{}
		wait.Go(func() {
			defer func() { <-jobs }()
			o.convert(ctx, in, opts)
			if o.unavailable != nil || o.status != "" && in.unchanged() != nil {
				aborted.Store(true)
			}
			if opts.Progress != nil {
				progress.Lock()
				opts.Progress()
				progress.Unlock()
			}
		})
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := in.unchanged(); err != nil {
		return nil, err
	}
	for _, o := range outcomes {
		if o.unavailable != nil {
			return nil, fmt.Errorf("question %s on %s: %w; run convert again", o.question.ID, o.question.DB, o.unavailable)
		}
	}
	return outcomes, nil
}

// outcome is what became of one question: a sample, or a status and a reason.
type outcome struct {
	question  *bird.Question
	status    Status
	construct string
	reason    string

	sample *prepared
	tie    bool
	// unavailable says that the server of the databases was not there, of which nothing
	// follows for the question.
	unavailable error
}

func (o *outcome) fail(status Status, construct, format string, args ...any) {
	o.status, o.construct, o.reason = status, construct, fmt.Sprintf(format, args...)
}

// convert takes the question all the way to a verified sample. A panic is a
// defect of ours, which is not to cost the other questions their samples.
func (o *outcome) convert(ctx context.Context, in database, opts Options) {
	run, timeout := ctx, opts.Timeout
	ctx, cancel := context.WithTimeout(budget.With(ctx, opts.budget()), timeout)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			o.fail(Mismatch, "panic", "%v at %s", p, firstOf(debug.Stack()))
		}
	}()
	err := in.sample(ctx, o)
	if err == nil && opts.Writing.Messages && o.sample.observed == nil {
		err = in.observe(run, o.sample) // the time was enough for the same calls
	}
	switch limit := (*tools.LimitError)(nil); {
	case err == nil:
	case errors.Is(err, budget.ErrSpent):
		o.fail(Unsupported, "memory", "%v; allow more with --question-memory", budget.ErrSpent)
	case errors.Is(err, engine.ErrTooLarge):
		o.fail(Unsupported, "memory", "%v; --max-value is %d bytes", engine.Why(err), opts.maxValue())
	case errors.Is(err, engine.ErrUnavailable):
		o.unavailable = err
	case errors.Is(err, context.DeadlineExceeded), errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.fail(Timeout, "time", "not finished within %s; allow more with --timeout", timeout)
	case errors.As(err, &limit):
		o.fail(Unsupported, "size of a result", "%v", err)
	case o.status == "" && errors.Is(err, engine.ErrAPI):
		o.fail(SQLError, "API", "%v", engine.Why(err)) // which says nothing of the calls
	case o.status == "":
		o.fail(Mismatch, "error", "%v", err)
	}
}

// budget returns the memory of one question.
func (o Options) budget() *budget.Budget { return budget.New(cmp.Or(o.Memory, DefaultMemory)) }

// maxValue returns the bytes of one value.
func (o Options) maxValue() int { return cmp.Or(o.MaxValue, DefaultMaxValue) }

// firstOf returns the function of this module that a stack shows first below
// the panic.
func firstOf(stack []byte) string {
	_, below, _ := strings.Cut(string(stack), "panic(")
	for line := range strings.Lines(below) {
		if strings.HasPrefix(line, "github.com/birdcall/") {
			return strings.TrimSpace(line[:strings.LastIndexByte(line, '(')])
		}
	}
	return "an unknown place"
}

// size returns how many calls a sample has, and how many arguments these.
func (s *prepared) size() (calls, slots int) {
	for _, c := range s.calls {
		slots += len(c.Arguments)
	}
	return len(s.calls), slots
}
