package queryscore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/birdcall/birdcall/internal/db/opened"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/tools"
)

// DefaultTimeout is how long a query may take.
const DefaultTimeout = 30 * time.Second

// Databases runs queries on the databases of a dataset. Each is opened when it is
// first needed. It is an Executor.
type Databases struct {
	timeout time.Duration
	open    *opened.Databases[*query.Database]
}

// Open prepares to run queries on a dataset: the one that the samples were made of.
// A timeout of 0 is DefaultTimeout. Close must be called when done.
func Open(dataset *bird.Dataset, timeout time.Duration) *Databases {
	return &Databases{timeout: cmp.Or(timeout, DefaultTimeout), open: opened.New(func(ctx context.Context, db string) (*query.Database, error) {
		info := dataset.Database(db)
		if info == nil {
			return nil, fmt.Errorf("the dataset has no database %q, which the samples are about; give the dataset that convert was given, with --databases", db)
		}
		return query.Open(ctx, info)
	})}
}

// Close closes what is open. No query may be running.
func (d *Databases) Close() error { return d.open.Close() }

// Release frees what is kept of a database's data. A later query reads it again.
func (d *Databases) Release(db string) error { return d.open.Release(db) }

// Same runs a query and compares its answer with gold's: the rows of the SQL that
// the sample is from, or for a sample of the grid the result of the gold query.
func (d *Databases) Same(ctx context.Context, s *Sample, q query.Query) (same bool, reason string, err error) {
	db, err := d.open.Get(ctx, s.DB)
	if err != nil {
		return false, "", err
	}
	got, reason, err := d.run(ctx, db, q)
	if got == nil {
		return false, reason, err
	}
	if s.Source == query.FromSQL {
		want, err := s.rows()
		if err != nil {
			return false, "", fmt.Errorf("sample %s: %w; convert the dataset again", s.Key(), err)
		}
		same, reason = sameRows(s, want, got, q)
		return same, reason, nil
	}
	want, reason, err := d.run(ctx, db, s.Gold.Query)
	if err == nil && want == nil {
		err = fmt.Errorf("sample %s: the gold query has no answer: %s; convert the dataset again", s.Key(), reason)
	}
	if err != nil {
		return false, "", err
	}
	same, reason = sameResult(s, want, got, q)
	return same, reason, nil
}

// run runs a query. The result is nil, with the reason, if the query is at fault.
func (d *Databases) run(ctx context.Context, db *query.Database, q query.Query) (*query.Result, string, error) {
	bound, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	r, err := db.Run(bound, q)
	var mistake *tools.ToolError
	var limit *tools.LimitError
	switch {
	case err == nil:
		return r, "", nil
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case bound.Err() != nil:
		return nil, fmt.Sprintf("it takes longer than %v", d.timeout), nil
	case errors.As(err, &mistake), errors.As(err, &limit):
		return nil, err.Error(), nil
	}
	return nil, "", err
}
