package pipeline

import (
	"context"

	"github.com/birdcall/birdcall/internal/db/fingerprint"
	"github.com/birdcall/birdcall/pkg/bird"
)

// data reads which data the databases of a run have, during the work on their
// questions.
type data struct {
	onServer bool
	readers  map[string]*fingerprint.Reader
}

func newData(opts Options) *data {
	return &data{opts.Source != "", map[string]*fingerprint.Reader{}}
}

// open opens the files of databases, which must be before their connections are.
func (d *data) open(databases ...*bird.Database) {
	for _, info := range databases {
		if !d.onServer && d.readers[info.ID] == nil {
			d.readers[info.ID] = fingerprint.Open(info)
		}
	}
}

// start reads the files of a database in the background, once.
func (d *data) start(ctx context.Context, info *bird.Database) {
	if d.onServer {
		return
	}
	d.open(info)
	d.readers[info.ID].Start(ctx)
}

// of returns what was read after start.
func (d *data) of(info *bird.Database) (fingerprint.Database, error) {
	if d.onServer {
		return fingerprint.OnServer(info.ID), nil
	}
	return d.readers[info.ID].Wait()
}

// close closes the files, after all connections.
func (d *data) close() {
	for _, r := range d.readers {
		r.Close()
	}
}
