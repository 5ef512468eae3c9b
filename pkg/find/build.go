package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Open returns the index of a dataset. The stored values of each database come from
// its file of the index, where there is one that fits the database, and else from the
// database itself; then they are saved, and Options.Warn is told where they cannot be.
// Databases of a server, and those with tables of an API, have no file: nothing tells
// whether they have changed. Names and descriptions always come from the dataset. Errors
// are those of reading the databases, and of ctx.
func Open(ctx context.Context, dataset *bird.Dataset, opts Options) (*Index, error) {
	return open(ctx, dataset, opts, true)
}

// Build is like Open, and neither reads nor writes files of an index.
func Build(ctx context.Context, dataset *bird.Dataset, opts Options) (*Index, error) {
	return open(ctx, dataset, opts, false)
}

func open(ctx context.Context, dataset *bird.Dataset, opts Options, files bool) (*Index, error) {
	if dataset == nil {
		return nil, errors.New("find: no dataset; give one that bird.Load read, or that has databases")
	}
	if len(dataset.Databases) == 0 {
		return nil, errors.New("find: the dataset has no databases; load it with bird.Options.AllDatabases for those without a question")
	}
	hidden, err := Hide(opts.Hidden, dataset)
	if err != nil {
		return nil, err
	}
	o := opener{opts: opts, hidden: hidden, files: files}
	if opts.Source != "" {
		if o.server, err = postgres.Open(opts.Source, postgres.Options{AllowWriter: opts.AllowWriter, Warn: opts.Warn}); err != nil {
			return nil, fmt.Errorf("find: %w", err)
		}
		defer o.server.Close()
	}
	parts := make([]*part, len(dataset.Databases))
	group, reading := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(opts.Workers, runtime.GOMAXPROCS(0)))
	for i, info := range dataset.Databases {
		group.Go(func() (err error) {
			if parts[i], err = o.part(reading, info); err != nil {
				err = fmt.Errorf("find: %w", err)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	x, err := newIndex(parts, opts.Tools, defaults)
	if err == nil && opts.Embedder != nil {
		err = x.embed(ctx, opts.Embedder)
	}
	return x, err
}

// opener opens the parts of an index.
type opener struct {
	opts   Options
	hidden func(db, table, column string) bool
	files  bool
	server *postgres.Source
}

// part returns what is known of a database.
func (o *opener) part(ctx context.Context, info *bird.Database) (*part, error) {
	hidden := func(table, column string) bool { return o.hidden(info.ID, table, column) }
	if o.server != nil {
		db, err := o.server.Database(ctx, info.ID)
		if err != nil {
			return nil, err
		}
		var p *part
		r, err := serverReaderOf(ctx, db, hidden)
		if err == nil {
			p, err = o.read(ctx, info, db, r, "")
		}
		return p, errors.Join(err, db.Close())
	}
	// The stamp comes first: if the file changes in between, it is taken for an older
	// one, and read again the next time.
	stamp, unstamped := stampOf(info)
	db, err := vtab.Open(ctx, info, sqlite.Options{Mode: sqlite.Snapshot}, true)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if unstamped != nil {
		return nil, unstamped
	}
	r, err := readerOf(ctx, db, hidden)
	if err != nil {
		return nil, err
	}
	return o.read(ctx, info, db, r, stamp)
}

// read returns the part of a database whose values r reads, from its file if that fits.
func (o *opener) read(ctx context.Context, info *bird.Database, db interface {
	Schema(ctx context.Context) (*engine.Schema, error)
}, r *valueReader, stamp string,
) (*part, error) {
	has, err := db.Schema(ctx)
	if err != nil {
		return nil, err
	}
	p := &part{id: info.ID, has: has, schema: schemaOf(info, has)}
	at := ""
	if o.files && stamp != "" {
		at = o.fileOf(info)
		if !o.opts.Rebuild {
			if p.values = o.load(info, at, stamp, r.columns); p.values != nil {
				o.warnPartial(p)
				return p, nil
			}
		}
	}
	if p.values, err = valueindex.Build(ctx, r.columns, r.read); err != nil {
		return nil, fmt.Errorf("values of %s: %w", info.ID, err)
	}
	p.partial = r.partial
	o.warnPartial(p)
	if at != "" {
		if err := save(at, stamp, p.values); err != nil && o.opts.Warn != nil {
			o.opts.Warn(fmt.Sprintf("the index of %s cannot be saved, and will be built again the next time: %v", info.ID, err))
		}
	}
	return p, nil
}

// warnPartial says of which columns not all values are found.
func (o *opener) warnPartial(p *part) {
	if o.opts.Warn == nil {
		return
	}
	for i, c := range p.values.Columns() {
		if why := p.missing(i); why != "" {
			o.opts.Warn(fmt.Sprintf("column %s of table %s of %s: %s", c.Name, c.Table, p.id, why))
		}
	}
}

// missing says why not all values of a column are indexed, or is "". Those of more than
// valueindex.MaxBytes are in no index.
func (p *part) missing(column int) string {
	if why := p.partial[column]; why != "" {
		return why
	}
	if p.values.LeftOut(column) > 0 && p.values.Distinct(column) >= mostTexts {
		return fmt.Sprintf("it has more than %d different texts; the first ones are found", mostTexts)
	}
	return ""
}

// Hide returns what reports the columns that patterns fit, as Options.Hidden has them.
// It fails for a pattern that is not complete, or names no database of the dataset.
func Hide(patterns []string, dataset *bird.Dataset) (func(db, table, column string) bool, error) {
	type pattern struct{ db, table, column string }
	var list []pattern
	for _, text := range patterns {
		fields := strings.Split(text, ".")
		switch {
		case slices.Contains(fields, ""):
			return nil, fmt.Errorf("find: the hidden column %q is not complete; write table.column, database.table.column, table.* or *", text)
		case text == "*":
			list = append(list, pattern{"*", "*", "*"})
		case len(fields) == 2:
			list = append(list, pattern{"*", fields[0], fields[1]})
		case len(fields) == 3 && (fields[0] == "*" || dataset.Database(fields[0]) != nil):
			list = append(list, pattern{fields[0], fields[1], fields[2]})
		default:
			return nil, fmt.Errorf("find: the hidden column %q is of no database; write table.column, database.table.column, table.* or *", text)
		}
	}
	fits := func(pattern, name string) bool { return pattern == "*" || spelling.Same(pattern, name) }
	return func(db, table, column string) bool {
		return slices.ContainsFunc(list, func(p pattern) bool {
			return (p.db == "*" || p.db == db) && fits(p.table, table) && fits(p.column, column)
		})
	}, nil
}
