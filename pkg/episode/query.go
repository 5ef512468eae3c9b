package episode

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// QueryTools describes the tool that queries a database, in a toolset (full or paper)
// and a shape (unified, rationale, per-collection or structured). Errors are those of
// Query.
func (e *Environment) QueryTools(ctx context.Context, db, toolset, shape string) ([]spec.Tool, error) {
	var out []spec.Tool
	err := e.bounded(ctx, db, func(ctx context.Context, d *query.Database) error {
		collections, err := d.Described(ctx)
		out = query.Tools(collections, query.Toolset(toolset), query.Shape(shape))
		return err
	})
	return out, err
}

// QueryOptions say how Query reads a call and how much it answers.
type QueryOptions struct {
	Toolset  string // of the arguments: full or paper
	MaxRows  int    // objects and groups; no more are read
	MaxBytes int    // of these; the first one is shown in any case; 0 for any number
	MaxText  int    // characters of a text in a first one that is larger; 0 for any number
}

// Query answers a call of the tool that queries a database, by its arguments, on the
// newest state of the data. The answer is JSON. Its calls share nothing, so that there
// are no episodes of them. Errors are a *NoTaskError where there is no such database,
// a *tools.ToolError or *tools.LimitError that the caller can mend, the context's, and
// a *FailedError.
func (e *Environment) Query(ctx context.Context, db string, args tools.Arguments, o QueryOptions) (json.RawMessage, error) {
	var out *query.Result
	err := e.bounded(ctx, db, func(ctx context.Context, d *query.Database) error {
		q, err := d.Parse(ctx, args, query.Toolset(o.Toolset))
		if err != nil {
			return err
		}
		out, err = d.RunFirst(ctx, q, o.MaxRows)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out.JSON(query.Bounds{Rows: o.MaxRows, Bytes: o.MaxBytes, Text: o.MaxText}), nil
}

// bounded calls a function with a database in its turn and within the time of a call.
// A panic, which is a defect, ends the call and not the service.
func (e *Environment) bounded(ctx context.Context, db string, f func(context.Context, *query.Database) error) (err error) {
	if !e.files {
		return &NoTaskError{Reason: fmt.Sprintf("%s works on tables of database files, and these databases are on a server; use %s, whose endpoints they have", query.ToolName, record.REST)}
	}
	if err := e.KnownDatabase(db); err != nil {
		return err
	}
	turn, err := e.turn(ctx, query.ToolName)
	if err != nil {
		return err
	}
	defer turn()
	bound, cancel := context.WithTimeout(ctx, e.limits.Time)
	defer cancel()
	if err = e.queries.use(bound, db, f); err == nil {
		e.bound()
		return nil
	}
	failed := failure(ctx, bound, query.ToolName, fmt.Sprintf("takes longer than %v; try the same again, or ask for less, such as with filters", e.limits.Time), err)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed == nil:
		return err
	case failed.Failure == Broken:
		e.opts.Failed(fmt.Errorf("%s of %s: %w", query.ToolName, db, err))
	}
	return failed
}
