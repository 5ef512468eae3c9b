package sel

import (
	"context"
	"sync"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Converter makes verified SEL records of questions about one database. Several
// goroutines may use it at once.
type Converter struct {
	slot *slot.Converter
	db   *slot.Database
	// everything returns the catalog for a question on its own. If Auto listed only
	// what this question needs, the list would reveal it.
	everything func() *catalog

	mu     sync.Mutex
	needed *catalog // the catalog of Tools until the needs change, or nil
}

// NewConverter returns a converter of questions about a database. It overrides
// opts.Map.
func NewConverter(db *slot.Database, opts slot.Options) *Converter {
	c := &Converter{db: db, everything: sync.OnceValue(func() *catalog { return newCatalog(opts.Toolset.Definitions(nil)) })}
	opts.Map = c.bind
	c.slot = slot.NewConverter(db, opts)
	return c
}

// bind is a slot.CallMapper that binds calls to the functions of their keys.
func (c *Converter) bind(keys []record.Key, calls []tools.Call, in *tools.Session) (slot.MappedCalls, error) {
	set := c.everything().set(keys)
	bound, err := set.BindAll(calls)
	return slot.MappedCalls{Calls: bound, Session: NewSession(set, in), Tools: set.Specs}, err
}

// Convert plans a question as pkg/slot does, binds the calls, runs them under their SEL
// names, compares their answer with that of the SQL, and checks the calls against the
// tools of the record. Errors are those of slot.Converter.Convert.
func (c *Converter) Convert(ctx context.Context, q *bird.Question, opts ...slot.ConvertOption) (*record.Slot, error) {
	defer c.forget()
	return c.slot.Convert(ctx, q, opts...)
}

// Tools returns the specifications that go with a record: those of
// slot.Converter.Tools, bound, and a getter for each of the record's keys. Records
// share the schemas: do not modify these.
func (c *Converter) Tools(r *record.Slot) []spec.Tool { return c.specs(r.Keys) }

// AllTools returns specifications with a getter for each key of the database and for
// each additional key of the records.
func (c *Converter) AllTools(records ...*record.Slot) []spec.Tool {
	return c.specs(c.db.Keys(records...))
}

func (c *Converter) specs(keys []record.Key) []spec.Tool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.needed == nil {
		c.needed = newCatalog(c.slot.Definitions())
	}
	return c.needed.set(keys).Specs()
}

// forget drops the list of tools, as the needs have changed.
func (c *Converter) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.needed = nil
}

// Needs returns the parts of the SLOT tools that the questions converted so far need.
func (c *Converter) Needs() *slot.Needs { return c.slot.Needs() }

// AddNeeds adds the needs of questions that another converter has converted.
func (c *Converter) AddNeeds(needs *slot.Needs) {
	c.slot.AddNeeds(needs)
	c.forget()
}

// SessionOf returns a session for the Run of a record, under the names of its
// functions.
func (c *Converter) SessionOf(r *record.Slot) slot.Session {
	return NewSession(c.everything().set(r.Keys), c.slot.NewSession())
}
