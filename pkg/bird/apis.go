package bird

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/api"
	"github.com/birdcall/birdcall/pkg/value"
)

// Attach gives each database the tables and functions that a declaration has for it.
// It fails if the declaration is about a database that the dataset has not, unless
// some says that the dataset is a part of another one.
func (d *Dataset) Attach(apis *api.Declaration, some bool) error {
	var ids []string
	for _, db := range d.Databases {
		ids = append(ids, db.ID)
		for _, f := range apis.Database(db.ID).Functions {
			if isBuiltIn(f) {
				return fmt.Errorf("functions: %s is a function of SQLite; give it another name", f.Name)
			}
		}
		if db.APIs = apis.Database(db.ID); len(db.APIs.Tables)+len(db.APIs.Functions) == 0 {
			db.APIs = nil
		}
	}
	for _, id := range apis.Databases() {
		if !some && d.Database(id) == nil {
			return fmt.Errorf("databases: the dataset has no %s; %s", id, spelling.Suggest(id, ids))
		}
	}
	return nil
}

// isBuiltIn reports whether a function would hide one of SQLite's, which every other
// reader of the statement would take it for.
func isBuiltIn(f *api.Function) bool {
	_, err := value.NewAggregate(spelling.Lower(f.Name), ",", value.Binary)
	return err == nil || value.Known(spelling.Lower(f.Name), len(f.Args))
}
