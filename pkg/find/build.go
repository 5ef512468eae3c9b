package find

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Open returns the index of a dataset. The stored values of each database come from
// its file of the index, where there is one that fits the database, and else from the
// database itself; then they are saved, and Options.Warn is called where they cannot be.
// Databases of a server, and those with tables of an API, have no file: nothing says
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
	o := opener{opts: opts, files: files}
	connections, err := o.connectAll(ctx, dataset)
	if err != nil {
		return nil, fmt.Errorf("find: %w", err)
	}
	parts := make([]*part, len(connections))
	err = o.each(ctx, len(connections), func(ctx context.Context, i int) (err error) {
		parts[i], err = o.read(ctx, connections[i])
		return errors.Join(err, connections[i].Close())
	})
	if err = errors.Join(err, o.close(connections)); err != nil {
		return nil, fmt.Errorf("find: %w", err)
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
	files  bool
	source engine.Source // of the databases, or nil if they are files
}

// read returns the part of a database, with its values from its file if that fits.
func (o *opener) read(ctx context.Context, c *connection) (*part, error) {
	info, r := c.info, c.values
	p := &part{id: info.ID, has: c.schema, schema: schemaOf(info, c.schema)}
	at := ""
	if o.files && c.stamp != "" {
		at = o.fileOf(info)
		if !o.opts.Rebuild {
			if p.values = o.load(info, at, c.stamp, r.columns); p.values != nil {
				o.warnPartial(p)
				return p, nil
			}
		}
	}
	var err error
	if p.values, err = valueindex.Build(ctx, r.columns, r.read); err != nil {
		return nil, fmt.Errorf("values of %s: %w", info.ID, err)
	}
	p.partial = r.partial
	o.warnPartial(p)
	if at != "" {
		if err := save(at, c.stamp, p.values); err != nil && o.opts.Warn != nil {
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
	if p.values.LeftOut(column) > 0 && p.values.Distinct(column) >= maxTexts {
		return fmt.Sprintf("it has more than %d different texts; the first ones are found", maxTexts)
	}
	return ""
}
