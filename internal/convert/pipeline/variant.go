package pipeline

import (
	"context"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Variants returns the names of those that make a sample of each question.
func Variants() []string { return []string{record.SLOT, record.SEL, record.REST, record.QUERY} }

// variant makes the samples of a dataset.
type variant interface {
	open(ctx context.Context, info *bird.Database) (database, error)
	// finish writes what is about all databases together.
	finish(ctx context.Context, out *outdir.Dir) error
	close()
}

// database makes the samples of one database.
type database interface {
	// sample takes one question to its sample. An error for which it has not
	// said what the outcome is, is a defect of ours. Several goroutines may
	// call it at once.
	sample(ctx context.Context, o *outcome) error
	// observe runs the calls of a sample again for what they return, and keeps it
	// there, where sample has not done so already. Several goroutines may call it at once.
	observe(ctx context.Context, s *prepared) error
	// answers tells which other tools answer the question of a sample, by calling
	// them. Several goroutines may ask for those of different samples at once.
	answers(ctx context.Context, s *prepared) spec.Answers
	// restore makes of what a shard kept of a question's sample the sample again,
	// with the names that it has beside all other questions.
	restore(o *outcome, k *kept) error
	// needs returns what the sequences made so far need of the tools, if the
	// list of tools depends on that; addNeeds adds what a shard has found.
	needs() *slot.Needs
	addNeeds(n *slot.Needs)
	// tools returns all tools of the database, of which these are the samples.
	tools(samples []*prepared) []spec.Tool
	// document returns the OpenAPI document of these tools.
	document(ctx context.Context, list []spec.Tool) ([]byte, error)
	// unchanged fails if the database is not what it was when it was opened, so
	// that samples need not belong together.
	unchanged() error
	close()
}

// prepared is a verified question, ready to be written.
type prepared struct {
	calls []tools.Call
	// tools returns those that the sample lists. They are made when it is
	// written, so that only one sample at a time has them.
	tools func() []spec.Tool
	// record returns what is written but for the tools, with these calls in
	// the place of the sample's own.
	record  func(calls []tools.Call) (any, error)
	planned *record.Slot  // of SLOT and SEL
	served  *record.Rest  // of REST
	asked   *query.Record // of QUERY
	multi   *record.Multi // of MULTI

	observed *observed // nil where records have no chat
}

// variant returns the one that the options name.
func (o Options) variant(ctx context.Context) (variant, error) {
	switch o.Variant {
	case record.REST:
		o.data.open(o.Dataset.Databases...)
		return openEndpoints(ctx, o)
	case record.QUERY:
		return asker{o}, nil
	}
	return planner{o}, nil
}
