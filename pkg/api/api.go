// Package api reads declarations of tables and functions of APIs, which the statements
// on a dataset's databases may use then:
//
//	declaration, err := api.Load(ctx, "apis.yaml", os.LookupEnv)
//	...
//	defer declaration.Close()
//	err = dataset.Attach(declaration, false)
//
// docs/apis.md says what a declaration is.
package api

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// Declaration is what a file declares of APIs. Several goroutines may use it at once.
type Declaration struct{ declared *openapi.Declaration }

var _ bird.Declaration = (*Declaration)(nil)

// Load reads a declaration from a YAML file, and the OpenAPI documents that it names.
// ${NAME} is filled in from getenv, such as os.LookupEnv. The error has a line for each
// thing that is wrong, with the file, its line and column.
func Load(ctx context.Context, path string, getenv func(string) (string, bool)) (*Declaration, error) {
	d, err := openapi.Load(ctx, path, getenv)
	if err != nil {
		return nil, err
	}
	return &Declaration{d}, nil
}

// Close ends the connections to the APIs.
func (d *Declaration) Close() { d.declared.Close() }

// Databases returns the ids of the databases that have tables or functions of their
// own, as the declaration has them.
func (d *Declaration) Databases() []string { return d.declared.Databases() }

// Database returns what the statements on the database of that id may use: what every
// database has, and its own; nil if that is nothing. It fails for a function that would
// hide one of SQLite's, which every other reader of a statement would take it for.
func (d *Declaration) Database(id string) (bird.APIs, error) {
	db := d.declared.Database(id)
	if len(db.Tables)+len(db.Functions) == 0 {
		return nil, nil
	}
	for _, f := range db.Functions {
		if isBuiltIn(f.Name, len(f.Args)) {
			return nil, fmt.Errorf("functions: %s is a function of SQLite; give it another name", f.Name)
		}
	}
	return db, nil
}

func isBuiltIn(name string, args int) bool {
	_, err := value.NewAggregate(spelling.Lower(name), ",", value.Binary)
	return err == nil || value.Known(spelling.Lower(name), args)
}
