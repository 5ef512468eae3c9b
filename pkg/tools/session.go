package tools

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// Options set what the calls of a Session depend on, apart from their arguments.
type Options struct {
	// Now is the time that 'now' stands for in date operations, zero for that
	// of NewSession.
	Now time.Time
	// MaxRows bounds the rows of the result of every call; 0 is DefaultMaxRows. The
	// tables that a session starts from may have more, unless they are joined.
	MaxRows int
	// MaxBytes bounds the text that one call makes; 0 is DefaultMaxBytes.
	MaxBytes int
	// Spend is called, if not nil, with how many more bytes of memory the results of the
	// session take, of joins before they are made. Its error ends the call.
	Spend func(bytes int64) error
}

// rows returns how many rows a result may have.
func (o Options) rows() int {
	if o.MaxRows <= 0 {
		return DefaultMaxRows
	}
	return o.MaxRows
}

// Session runs a sequence of calls and keeps their results by label. It is for
// one goroutine at a time.
type Session struct {
	database Database
	options  Options
	tables   map[string]*Table
	labels   []string

	footprint Footprint // of all results, if the options have Spend
	spent     int64
}

// NewSession returns a session on a database without any results yet. A
// session that only works on tables from Put needs no database: it may be nil.
func NewSession(db Database, options Options) *Session {
	if options.Now.IsZero() {
		options.Now = time.Now()
	}
	return &Session{database: db, options: options, tables: map[string]*Table{}}
}

// Init builds the starting table and keeps it under the label of s. Errors are
// *ToolError, *LimitError, and those of the database and the context.
func (s *Session) Init(ctx context.Context, start Start) (*Table, error) {
	if err := s.ready(ctx, toolname.Start); err != nil {
		return nil, err
	}
	if s.database == nil {
		return nil, &ToolError{Tool: toolname.Start, Reason: "the session has no database", Hint: "give NewSession one"}
	}
	t, err := startTable(ctx, s.database, start, s.options.MaxRows, s.spend)
	if err == nil {
		err = s.pay(t)
	}
	if err != nil {
		return nil, err
	}
	label := start.Label
	if label == "" {
		label = StartLabel
	}
	s.keep(label, t)
	return t, nil
}

// Run runs one call and keeps the result under its label, if it has one; an
// earlier result of that label is replaced. A call that fails changes nothing.
// Errors are *ToolError, which says how to mend the call, *LimitError, and
// those of the database and the context.
func (s *Session) Run(ctx context.Context, c Call) (*Table, error) {
	if err := s.ready(ctx, c.Name); err != nil {
		return nil, err
	}
	var called *tool
	for i := range catalog {
		if catalog[i].Name == c.Name {
			called = &catalog[i]
		}
	}
	if called == nil {
		return nil, unknown(c.Name, "", "tool", c.Name, toolNames())
	}
	if c.Label != "" && !isLabel(c.Label) {
		return nil, badLabel(c.Name, c.Label)
	}
	d := &decoder{session: s, tool: called, args: c.Arguments}
	d.check()
	t, err := called.run(ctx, d)
	if err == nil {
		err = s.pay(t)
	}
	if err != nil {
		return nil, err
	}
	if limit := s.options.rows(); t.Len() > limit {
		return nil, &LimitError{Tool: c.Name, What: "rows", Limit: limit}
	}
	if c.Label != "" {
		s.keep(c.Label, t)
	}
	return t, nil
}

// spend reports the bytes of a result that is about to be made.
func (s *Session) spend(bytes int64) error {
	if s.options.Spend == nil {
		return nil
	}
	s.spent += bytes
	return s.options.Spend(bytes)
}

// pay reports what a result takes that was not reported before it was made.
func (s *Session) pay(t *Table) error {
	if s.options.Spend == nil {
		return nil
	}
	s.footprint.Add(t)
	if more := s.footprint.Bytes() - s.spent; more > 0 {
		return s.spend(more)
	}
	return nil
}

// Table returns the result of that label, and whether there is one.
func (s *Session) Table(label string) (*Table, bool) {
	if s == nil {
		return nil, false
	}
	t, ok := s.tables[label]
	return t, ok
}

// Labels returns the labels in the order in which they first came.
func (s *Session) Labels() []string {
	if s == nil {
		return nil
	}
	return slices.Clone(s.labels)
}

// ready fails for a nil session or context.
func (s *Session) ready(ctx context.Context, tool string) error {
	if s == nil {
		return &ToolError{Tool: tool, Reason: "the session is nil", Hint: "make one with NewSession"}
	}
	return ready(ctx, tool)
}

func badLabel(tool, label string) error {
	return &ToolError{Tool: tool, Argument: "label", Reason: quoted(label) + " is not a label", Hint: "use letters, digits and underscores"}
}

func (s *Session) keep(label string, t *Table) {
	if s.tables == nil {
		s.tables = map[string]*Table{}
	}
	if _, known := s.tables[label]; !known {
		s.labels = append(s.labels, label)
	}
	s.tables[label] = t
}

func toolNames() []string {
	out := make([]string, len(catalog))
	for i, t := range catalog {
		out[i] = t.Name
	}
	return out
}

// Put keeps a table under a label, so that calls can refer to it: a table read
// from CSV, say. The error is a *ToolError: there is no table, or the label is
// not made of ASCII letters, digits and underscores.
func (s *Session) Put(label string, t *Table) error {
	const call = "put"
	if s == nil {
		return s.ready(context.Background(), call)
	}
	if err := t.check(call, ""); err != nil {
		return err
	}
	if !isLabel(label) {
		return badLabel(call, label)
	}
	s.keep(label, t)
	return nil
}

// Fork returns a session with the same results, in which further calls change
// nothing of this one.
func (s *Session) Fork() *Session {
	if s == nil {
		return nil
	}
	out := *s
	out.tables = maps.Clone(s.tables)
	out.labels = slices.Clone(s.labels)
	return &out
}
