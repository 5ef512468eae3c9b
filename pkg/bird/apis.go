package bird

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// APIs are the tables and functions of web APIs that the statements on one database may
// use. They must be a part of a Declaration that package api has loaded; other
// implementations are ignored.
type APIs interface {
	// Names returns the names of the tables and of the functions.
	Names() (tables, functions []string)
}

// Declaration says which tables and functions of web APIs each database has. Package
// api loads one from a file.
type Declaration interface {
	// Databases returns the ids of the databases that have tables or functions of their
	// own.
	Databases() []string
	// Database returns the APIs of the database with that id, or nil if it has none.
	Database(id string) (APIs, error)
}

// Attach gives each database the tables and functions that a declaration has for it. It
// fails if the declaration names a database that the dataset does not have, unless some
// reports that the dataset is only a part of a larger one.
func (d *Dataset) Attach(apis Declaration, some bool) error {
	for _, db := range d.Databases {
		var err error
		if db.APIs, err = apis.Database(db.ID); err != nil {
			return err
		}
	}
	for _, id := range apis.Databases() {
		if !some && d.Database(id) == nil {
			return fmt.Errorf("databases: the dataset has no %s; %s", id, spelling.Suggest(id, d.IDs()))
		}
	}
	return nil
}
