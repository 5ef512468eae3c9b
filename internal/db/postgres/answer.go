package postgres

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/budget"
	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// Answer runs one SELECT and returns all rows. It waits for a connection and for the
// rows until ctx ends, whatever Options.Wait and Options.Time say. It retries by itself
// as Retry does. Errors are those of Prepare and of Statement.Run, ErrTooLarge when
// there are more rows or bytes than the options allow, and budget.ErrSpent when the
// context's budget cannot pay for them. The connection limits the size of one value, to
// 16 MiB or more.
func (d *DB) Answer(ctx context.Context, sql string) (*engine.Answer, error) {
	s, err := d.prepare(ctx, sql, 0)
	if err != nil {
		return nil, fail("prepare", d.String(), err)
	}
	var answer *engine.Answer
	err = d.Retry(ctx, func() error {
		answer, err = d.collect(ctx, s)
		return err
	})
	if err != nil {
		return nil, fail("query", d.String(), err)
	}
	return answer, nil
}

// collect runs a statement once.
func (d *DB) collect(ctx context.Context, s *Statement) (*engine.Answer, error) {
	opts := d.server.opts
	answer := &engine.Answer{Exact: [][]value.Value{}, Value: DefaultValue}
	for _, c := range s.columns {
		answer.Columns = append(answer.Columns, c.Name)
	}
	size, tooLarge := int64(0), error(nil)
	question, paid := budget.Of(ctx), int64(0)
	var scratch []byte
	err := d.server.run(ctx, s, nil, limits{once: true}, func(current engine.Row) bool {
		r := current.(*Row)
		values, exact := make([]value.Value, len(s.columns)), make([]value.Value, len(s.columns))
		const header, cell = 48, 64 // bytes of a row and of a cell, without texts
		size += header
		for i := range values {
			for answer.Value < len(r.cells[i]) {
				answer.Value *= 2
			}
			values[i] = r.Value(i)
			// A JSON null in a document becomes NULL, too.
			if scratch = r.AppendJSON(scratch[:0], i); string(scratch) != "null" {
				exact[i] = value.Str(string(scratch))
			}
			size += cell + int64(len(values[i].Raw())+len(exact[i].Raw()))
		}
		switch {
		case len(answer.Rows) == opts.Rows:
			tooLarge = fmt.Errorf("%w: the answer has more than %d rows", ErrTooLarge, opts.Rows)
		case size > opts.Bytes:
			tooLarge = fmt.Errorf("%w: the answer has more than %d bytes", ErrTooLarge, opts.Bytes)
		default:
			if tooLarge = question.Spend(size - paid); tooLarge == nil {
				paid = size
			}
		}
		answer.Rows, answer.Exact = append(answer.Rows, values), append(answer.Exact, exact)
		return tooLarge == nil
	})
	if tooLarge != nil {
		err = tooLarge
	}
	if err != nil {
		question.Return(paid)
		return nil, err
	}
	return answer, nil
}
