package sel

import (
	"context"
	"errors"
	"slices"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Converter makes verified SEL records of questions about one database. Several
// goroutines may use it at once.
type Converter struct {
	slot      *slot.Converter
	db        *slot.Database
	toolset   slot.Toolset
	validator spec.Validator
}

// NewConverter returns a converter of questions about a database.
func NewConverter(db *slot.Database, opts slot.Options) *Converter {
	return &Converter{slot: slot.NewConverter(db, opts), db: db, toolset: opts.Toolset}
}

// Convert makes a SLOT record of a question, binds its calls, runs them under
// their SEL names, which has to give the same rows, and checks them against the
// tools of the record. Errors are those of slot.Converter.Convert.
func (c *Converter) Convert(ctx context.Context, q *bird.Question) (*slot.Record, error) {
	r, rows, err := c.slot.ConvertBare(ctx, q)
	if err != nil {
		return nil, err
	}
	set := New(c.toolset.Definitions(nil), r.Keys) // of one question, Auto would tell what it needs
	bound, err := set.Record(r)
	if err != nil {
		return nil, err
	}
	again, err := bound.Run(ctx, NewSession(set, c.NewSession()))
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(rows, again, slices.Equal) {
		return nil, errors.New("the bound calls give another answer than the calls they are made of")
	}
	if err := c.validator.Validate(bound.Tools, bound.Output); err != nil {
		return nil, err
	}
	return bound, nil
}

// Tools returns the specifications that go with a record: those of
// slot.Converter.Tools, bound, and a getter for each of the record's keys.
func (c *Converter) Tools(r *slot.Record) []spec.Tool { return c.specs(r.Keys) }

// AllTools returns specifications with a getter for each key of the database,
// and for those that the records have besides.
func (c *Converter) AllTools(records ...*slot.Record) []spec.Tool {
	return c.specs(c.db.Keys(records...))
}

func (c *Converter) specs(keys []slot.Key) []spec.Tool {
	return New(c.slot.Definitions(), keys).Specs()
}

// Needs returns what the questions converted so far need of the tools of SLOT.
func (c *Converter) Needs() *slot.Needs { return c.slot.Needs() }

// AddNeeds counts questions as converted that another converter has converted.
func (c *Converter) AddNeeds(needs *slot.Needs) { c.slot.AddNeeds(needs) }

// NewSession returns a session of the tools, for NewSession of this package, in
// which calls run as they did when they were verified.
func (c *Converter) NewSession() *tools.Session { return c.slot.NewSession() }

// SessionOf returns a session for the Run of a record, under the names of its
// functions.
func (c *Converter) SessionOf(r *slot.Record) slot.Session {
	return NewSession(New(c.toolset.Definitions(nil), r.Keys), c.NewSession())
}
