package bird

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// APIs are the tables and functions of APIs that the statements on one database may
// use: a part of a Declaration that package api has loaded. Others are ignored.
type APIs interface {
	// Names returns the names of the tables and of the functions.
	Names() (tables, functions []string)
}

// Declaration says which tables and functions of APIs databases have. Package api
// loads one from a file.
type Declaration interface {
	// Databases returns the ids of the databases that have tables or functions of their
	// own.
	Databases() []string
	// Database returns what the statements on the database of that id may use, or nil if
	// that is nothing.
	Database(id string) (APIs, error)
}

// Attach gives each database the tables and functions that a declaration has for it.
// It fails if the declaration is about a database that the dataset does not have,
// unless some says that the dataset is a part of another one.
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
