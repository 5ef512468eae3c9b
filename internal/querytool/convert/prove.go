package convert

import (
	"context"
	"errors"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/querytool/oracle"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// Prove runs a query that answers a question of the grid, and holds its whole result
// against SQL that is written of the query alone. Errors are those of Convert.
func (c *Converter) Prove(ctx context.Context, q *bird.Question, as query.Query) (*query.Record, error) {
	result, err := c.db.Run(ctx, as)
	if err != nil {
		return nil, err
	}
	err = c.proof.Verify(ctx, as, result)
	if wrong := (*oracle.Mismatch)(nil); errors.As(err, &wrong) {
		return nil, &slot.Error{Reason: slot.ErrMismatch, Err: err}
	}
	if err != nil {
		return nil, err
	}
	names, rows := result.Table()
	r := c.record(q, as)
	r.Source, r.Template = query.FromGrid, true
	r.GoldAnswer, r.Facts = spec.Answer(rows), facts.New(q, names, rows)
	r.Gold.Ordered = len(as.OrderBy) > 0 // the SQL has an order, but nobody asks for it
	return r, c.check(r)
}
