package pipeline

import (
	"context"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// method is how the samples of a variant are made.
type method interface {
	// write writes all files but the list of them.
	write(ctx context.Context, opts Options, out *outdir.Dir) (*Report, error)
	// maker returns what makes the samples of single questions.
	maker(ctx context.Context, opts Options) (maker, error)
	// examples makes samples of these questions of the options' dataset.
	examples(ctx context.Context, opts Options, questions []bird.ID) ([]*outcome, error)
	// toolset returns the name of the toolset, "" where there is none.
	toolset(opts Options) string
}

// methods has the method of each variant by its name. Another variant is a line here,
// and its description in package variant.
var methods map[string]method

func init() { // which a variable cannot do that the methods themselves refer to
	methods = map[string]method{
		record.SLOT:  perQuestion{openPlanner, planToolset},
		record.SEL:   perQuestion{openPlanner, planToolset},
		record.REST:  perQuestion{openEndpoints, func(Options) string { return "" }},
		record.QUERY: perQuestion{openAsker, func(o Options) string { return string(o.Queries.Toolset) }},
		record.MULTI: paired{},
	}
}

// method returns the method of the options' variant.
func (o Options) method() method { return methods[o.Variant] }

// variant returns the description of the options' variant.
func (o Options) variant() *variant.Variant { return variant.Of(o.Variant) }

// maker makes the samples of a dataset.
type maker interface {
	open(ctx context.Context, info *bird.Database) (database, error)
	// report adds what is to be said of all databases together.
	report(ctx context.Context, r *Report) error
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
	// answers says which other tools answer the question of a sample, by calling
	// them. Several goroutines may ask for those of different samples at once.
	answers(ctx context.Context, s *prepared) spec.Answers
	// restore makes of what a shard kept of a question's sample the sample again,
	// with the names that it has among all other questions.
	restore(o *outcome, k *shardOutcome) error
	// needs returns what the sequences made so far need of the tools, if the
	// list of tools depends on that; addNeeds adds what a shard has found.
	needs() *slot.Needs
	addNeeds(n *slot.Needs)
	// tools returns all tools of the database, of which these are the samples.
	tools(samples []*prepared) []spec.Tool
	// document returns the OpenAPI document of these tools.
	document(ctx context.Context, list []spec.Tool) ([]byte, error)
	// report adds what is to be said of the database.
	report(r *Report)
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
	record      func(calls []tools.Call) (any, error)
	slotRecord  *record.Slot  // of SLOT and SEL
	restRecord  *record.Rest  // of REST
	queryRecord *query.Record // of QUERY
	multiRecord *record.Multi // of MULTI

	observed *observed // nil where records have no chat
}
