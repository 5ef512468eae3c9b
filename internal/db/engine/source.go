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
	Connections int           // at most that many at once
	Wait        time.Duration // for a free connection
	Time        time.Duration // for one run of a statement
	Value       int           // bytes of one value
	// AllowWriter has roles accepted that may write.
	AllowWriter bool
	// Snapshot has all statements read one state of the data.
	Snapshot bool
	// Warn is called, if not nil, with a sentence for what is not safe.
	Warn func(string)
}

// Source is the databases that a URL names. Several goroutines may use it at once.
// Close must be called when done.
type Source interface {
	// Database connects to the database of an id.
	Database(ctx context.Context, id string) (Database, error)
	// Ping fails if the server of an id does not answer.
	Ping(ctx context.Context, id string) error
	// Close closes all connections. No statement may be running.
	Close()
}

// A Database may implement the following interfaces, too. Whoever needs one does
// without where it is missing.

// Describer is a database whose server has something to say of itself.
type Describer interface {
	About(ctx context.Context) (About, error)
}

// About is what the answers of a database depend on besides its tables.
type About struct {
	Version   string // of the server, such as 15.18
	Collation string // by which texts are compared and sorted where nothing else is said, such as en_US.UTF-8
}

// TextReader is a database that finds the texts of a column without reading all of a
// large table.
type TextReader interface {
	// Texts returns at most so many different values of a column as texts, in the order
	// of their bytes, without those of more than maxBytes. partial says why values may
	// be missing, or is "".
	Texts(ctx context.Context, table, column string, maxBytes, maxTexts int) (texts []string, partial string, err error)
}
