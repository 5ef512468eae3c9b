package pipeline

import (
	"context"
	"errors"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// allFile is the OpenAPI document of all databases.
const allFile = "openapi.json"

// restMaker make REST samples: they are served, and each question's own is
// asked over HTTP.
type restMaker struct{ converter *rest.Converter }

func openEndpoints(ctx context.Context, opts Options) (maker, error) {
	x, err := restConverter(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &restMaker{x}, nil
}

// restConverter returns the converter of all databases, whose files it opens.
func restConverter(ctx context.Context, opts Options) (*rest.Converter, error) {
	opts.data.open(opts.Dataset.Databases...)
	return rest.NewConverter(ctx, opts.Dataset, rest.ConverterOptions{
		AsOf: opts.AsOf, Timeout: opts.Timeout, Jobs: opts.Jobs, MaxValue: opts.maxValue(),
		Source: opts.Source, AllowWriter: opts.AllowWriter, Warn: opts.Warn,
	})
}

func (e *restMaker) open(ctx context.Context, info *bird.Database) (database, error) {
	list, err := e.converter.Tools(ctx, info.ID)
	return &restDatabase{converter: e.converter, db: e.converter.API.Database(info.ID), list: list}, err
}

func (e *restMaker) finish(ctx context.Context, out *outdir.Dir) error {
	text, err := e.converter.API.Document(ctx, rest.DocumentOptions{Indent: "  "})
	if err != nil {
		return err
	}
	return out.Bytes(allFile, text)
}

// report adds what is wrong with the endpoints' descriptions, and what the server of
// the databases is.
func (e *restMaker) report(ctx context.Context, r *Report) (err error) {
	for _, d := range e.converter.API.Databases {
		for _, one := range d.Endpoints {
			for _, reason := range one.Defects {
				r.Defects = append(r.Defects, Defect{Endpoint: one.Name, DB: d.ID, Questions: one.Questions, Reason: reason})
			}
		}
	}
	r.Server, err = e.converter.API.Server(ctx)
	return err
}

func (e *restMaker) close() { _ = e.converter.Close() } // what was only read needs no Close to succeed

// restDatabase is a database with endpoints. Its samples list all of them.
type restDatabase struct {
	converter *rest.Converter
	db        *rest.Database
	list      []spec.Tool
}

// Load reads what is needed to judge the answers of questions.
func (s *restDatabase) Load(ctx context.Context, questions []*bird.Question) {
	s.converter.Load(ctx, s.db.ID, questions)
}

func (s *restDatabase) sample(ctx context.Context, o *outcome) error {
	r, err := s.converter.Convert(ctx, o.question)
	switch {
	case errors.Is(err, rest.ErrSQL):
		o.fail(SQLError, "SQL", "%v", err)
	case errors.Is(err, rest.ErrUnsupported):
		o.fail(Unsupported, "endpoint", "%v", err)
	case errors.Is(err, rest.ErrMismatch):
		o.fail(Mismatch, "answer", "%v", err)
	}
	if err != nil {
		return err
	}
	o.tie = r.TieDependent
	o.sample = &prepared{
		calls:      r.ToolCalls(),
		restRecord: r,
		tools:      func() []spec.Tool { return r.Tools },
		record:     func(calls []tools.Call) (any, error) { return restWith(r, calls), nil },
	}
	return nil
}

func (s *restDatabase) tools([]*prepared) []spec.Tool { return s.list }

func (s *restDatabase) document(ctx context.Context, _ []spec.Tool) ([]byte, error) {
	return s.converter.API.Document(ctx, rest.DocumentOptions{Indent: "  "}, s.db.ID)
}

func (s *restDatabase) needs() *slot.Needs   { return nil } // all endpoints are listed
func (s *restDatabase) addNeeds(*slot.Needs) {}

func (s *restDatabase) report(*Report)   {}
func (s *restDatabase) unchanged() error { return s.db.Unchanged() }

// close frees what judging the answers has read. The converter has opened the
// database itself, and closes it.
func (s *restDatabase) close() { _ = s.converter.Release(s.db.ID) }

// restWith returns the record with those calls instead of its own, such as the
// same ones under obfuscated names, and without its tools, which have others.
func restWith(r *record.Rest, calls []tools.Call) *record.Rest {
	out := *r
	out.Tools = nil
	out.Calls = make([]record.Invocation, len(calls))
	for i, c := range calls {
		out.Calls[i] = record.Invocation{Name: c.Name, Arguments: c.Arguments, Path: spec.HiddenPath(r.Calls[i].Path, c.Name)}
	}
	return &out
}
