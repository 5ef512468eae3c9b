package engine

import (
	"context"
	"time"
)

// Engine is a kind of database server, which a URL names.
type Engine struct {
	Schemes []string // of its URLs, such as postgres
	// Open reads a URL. It connects to nothing, and keeps no password.
	Open func(url string, opts Options) (Source, error)
}

// Options adjust a source. A zero field means the engine's default.
type Options struct {
	Connections int           // maximum at once
	Wait        time.Duration // for a free connection
	Time        time.Duration // for one run of a statement
	Value       int           // bytes of one value
	// AllowWriter accepts roles that may write.
	AllowWriter bool
	// Snapshot makes all statements read one state of the data.
	Snapshot bool
	// Warn, if not nil, is called with a sentence about each unsafe setting.
	Warn func(string)
}

// Source is the set of databases that a URL names. Several goroutines may use it at
// once. Close must be called when done.
type Source interface {
	// Database connects to the database of an id.
	Database(ctx context.Context, id string) (Database, error)
	// Ping fails if the server of an id does not answer.
	Ping(ctx context.Context, id string) error
	// Close closes all connections. No statement may be running.
	Close()
}

// A Database may also implement the following interfaces. Callers must work without
// them.

// Describer is a database that can describe its server.
type Describer interface {
	About(ctx context.Context) (About, error)
}

// About describes what answers depend on besides the tables.
type About struct {
	Version   string // of the server, such as 15.18
	Collation string // the default collation of texts, such as en_US.UTF-8
}

// TextReader is a database that finds the texts of a column without reading all of a
// large table.
type TextReader interface {
	// Texts returns at most maxTexts distinct values of a column as texts, in the order
	// of their bytes. It omits texts longer than maxBytes. partial says why values may
	// be missing, or is "".
	Texts(ctx context.Context, table, column string, maxBytes, maxTexts int) (texts []string, partial string, err error)
}
