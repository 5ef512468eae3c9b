package rest

import (
	"context"
	"slices"
	"sync"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// verifiedAnswers are the answers that questions' own SQL has just given, for as long
// as their endpoints are called. An endpoint's statement is most often the question's
// but for the parameters, and then SQLite compiles both to one program, once the
// parameters have the values that came with the request. Running it a second time would
// prove nothing: verification is about what the endpoint does before and after. Where
// the programs differ, even if only in the order of joins, the statement runs.
//
// A nil *verifiedAnswers has no answers.
type verifiedAnswers struct {
	mu      sync.Mutex
	answers map[*Endpoint][]*verifiedAnswer
}

type verifiedAnswer struct {
	program string // as sqlite.Pool.Program returns it, never ""
	rows    [][]value.Value
}

// programmed is a statement that can say which program it is compiled to.
type programmed interface {
	Program(ctx context.Context, args []value.Value) (string, error)
}

// add keeps the answer that sql gave until the function that it returns is called.
// Nothing is kept of a database that may change, or whose engine knows no programs.
func (v *verifiedAnswers) add(ctx context.Context, d *Database, e *Endpoint, sql string, gold *engine.Answer) (forget func()) {
	forget = func() {}
	if _, ok := e.statement.(programmed); !ok || d.db.IsLive() {
		return forget
	}
	statement, err := d.db.Prepare(ctx, sql)
	if err != nil {
		return forget // calling the endpoint meets the same error
	}
	program := programOf(ctx, statement, nil)
	if program == "" {
		return forget
	}
	answer := &verifiedAnswer{program, gold.Rows}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.answers == nil {
		v.answers = map[*Endpoint][]*verifiedAnswer{}
	}
	v.answers[e] = append(v.answers[e], answer)
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.answers[e] = slices.DeleteFunc(v.answers[e], func(a *verifiedAnswer) bool { return a == answer })
		if len(v.answers[e]) == 0 {
			delete(v.answers, e)
		}
	}
}

// programOf returns the program of a statement, or "" where it is not known.
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
func (v *verifiedAnswers) run(ctx context.Context, e *Endpoint, statement engine.Statement, args []value.Value, yield func(engine.Row) bool) error {
	rows, ok := v.rows(ctx, e, statement, args)
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
func (v *verifiedAnswers) rows(ctx context.Context, e *Endpoint, statement engine.Statement, args []value.Value) ([][]value.Value, bool) {
	if v == nil {
		return nil, false
	}
	v.mu.Lock()
	answers := slices.Clone(v.answers[e])
	v.mu.Unlock()
	if len(answers) == 0 {
		return nil, false
	}
	program := programOf(ctx, statement, args)
	i := slices.IndexFunc(answers, func(a *verifiedAnswer) bool { return a.program == program })
	if i < 0 {
		return nil, false
	}
	return answers[i].rows, true
}
