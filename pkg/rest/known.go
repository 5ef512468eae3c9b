package rest

import (
	"context"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// known are the answers that questions' own SQL has just given, for as long as their
// endpoints are asked. An endpoint's statement is most often the question's but for
// the parameters, and then SQLite compiles both to one program, once the parameters
// have the values that came with the request. Running it a second time would tell
// nothing: what the endpoint does before and after is what verification is about.
// Where the programs differ, and be it in the order of joins, the statement runs.
//
// A nil *known has no answers.
type known struct {
	mu      sync.Mutex
	answers map[*Endpoint][]*knownAnswer
}

type knownAnswer struct {
	program string // as sqlite.Pool.Program returns it, never ""
	rows    [][]value.Value
}

// programmed is a statement whose program can be told.
type programmed interface {
	Program(ctx context.Context, args []value.Value) (string, error)
}

// add keeps the answer that sql gave until the function that it returns is called.
// Nothing is kept of a database that may change, or whose engine tells of no programs.
func (k *known) add(ctx context.Context, d *Database, e *Endpoint, sql string, gold *engine.Answer) (forget func()) {
	forget = func() {}
	if _, ok := e.statement.(programmed); !ok || d.db.IsLive() {
		return forget
	}
	statement, err := d.db.Prepare(ctx, sql)
	if err != nil {
		return forget // asking the endpoint meets what is the matter
	}
	program := programOf(ctx, statement, nil)
	if program == "" {
		return forget
	}
	answer := &knownAnswer{program, gold.Rows}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answers == nil {
		k.answers = map[*Endpoint][]*knownAnswer{}
	}
	k.answers[e] = append(k.answers[e], answer)
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.answers[e] = slices.DeleteFunc(k.answers[e], func(a *knownAnswer) bool { return a == answer })
		if len(k.answers[e]) == 0 {
			delete(k.answers, e)
		}
	}
}

// programOf returns the program of a statement, or "" where it cannot be told.
func programOf(ctx context.Context, statement engine.Statement, args []value.Value) string {
	p, ok := statement.(programmed)
	if !ok {
		return ""
	}
	program, err := p.Program(ctx, args)
	if err != nil {
		return ""
	}
	return program
}

// run does what the statement's Run does, without running it where the rows of its
// program are known.
func (k *known) run(ctx context.Context, e *Endpoint, statement engine.Statement, args []value.Value, yield func(engine.Row) bool) error {
	rows, ok := k.rows(ctx, e, statement, args)
	if !ok {
		return statement.Run(ctx, args, yield)
	}
	for _, row := range rows {
		if !yield(sqlite.RowOf(row)) {
			break
		}
	}
	return nil
}

// rows returns the rows that a statement's program has given.
func (k *known) rows(ctx context.Context, e *Endpoint, statement engine.Statement, args []value.Value) ([][]value.Value, bool) {
	if k == nil {
		return nil, false
	}
	k.mu.Lock()
	answers := slices.Clone(k.answers[e])
	k.mu.Unlock()
	if len(answers) == 0 {
		return nil, false
	}
	program := programOf(ctx, statement, args)
	i := slices.IndexFunc(answers, func(a *knownAnswer) bool { return a.program == program })
	if i < 0 {
		return nil, false
	}
	return answers[i].rows, true
}
