package postgres

import (
	"context"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// Engine opens the databases of Postgres servers.
var Engine = engine.Engine{Schemes: schemes, Open: openSource}

// schemes are those of URLs.
var schemes = []string{"postgres", "postgresql"}

var (
	_ engine.Database   = (*DB)(nil)
	_ engine.Describer  = (*DB)(nil)
	_ engine.TextReader = (*DB)(nil)
	_ engine.Statement  = (*Statement)(nil)
)

// source is a Source as an engine.Source.
type source struct{ *Source }

func openSource(url string, opts engine.Options) (engine.Source, error) {
	s, err := Open(url, Options{
		Connections: opts.Connections, Wait: opts.Wait, Time: opts.Time, Value: opts.Value,
		AllowWriter: opts.AllowWriter, Snapshot: opts.Snapshot, Warn: opts.Warn,
	})
	if err != nil {
		return nil, err
	}
	return source{s}, nil
}

// Database connects to the database of an id.
func (s source) Database(ctx context.Context, id string) (engine.Database, error) {
	db, err := s.Source.Database(ctx, id)
	if err != nil {
		return nil, err
	}
	return db, nil
}
