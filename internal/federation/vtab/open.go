package vtab

import (
	"context"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Open opens the file of a dataset's database together with the tables and functions
// of APIs that it may use. With fixed, what was read of APIs stays as it was until
// Close. Errors are those of sqlite.Open.
func Open(ctx context.Context, info *bird.Database, opts sqlite.Options, fixed bool) (*sqlite.DB, error) {
	if declared := apis.Of(info); declared != nil {
		opts.External = New(declared, fixed)
	}
	return sqlite.Open(ctx, sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}, opts)
}
