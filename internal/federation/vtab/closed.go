package vtab

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// OpenOwn opens the file of a dataset's database for statements over its own tables.
// One that reads a table of an API, or calls such a function, is refused: also where
// the file has a table of that name, which the API's replaces.
func OpenOwn(ctx context.Context, info *bird.Database, opts sqlite.Options) (*sqlite.DB, error) {
	if declared := apis.Of(info); declared != nil {
		db := *declared
		db.Tables = nil
		for _, t := range declared.Tables {
			free := *t
			free.Required = nil // for an error that names the table, and not a column
			db.Tables = append(db.Tables, &free)
		}
		opts.External = closed{New(&db, true)}
	}
	return sqlite.Open(ctx, sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}, opts)
}

// closed has the tables and functions of an External, and no statement may use them.
type closed struct{ *External }

// Plan implements sqlite.External: anything is possible, as nothing is read.
func (closed) Plan(int, []int) sqlite.Plan { return sqlite.Plan{Possible: true, Cost: 1, Rows: 1} }

// Rewrite implements sqlite.External.
func (closed) Rewrite(sql string) string { return sql }

// Begin implements sqlite.External.
func (c closed) Begin(context.Context, string) sqlite.Reading { return refusal(c) }

// refusal is a reading that refuses everything.
type refusal struct{ *External }

func (r refusal) Rows(table int, _ []sqlite.Equal, _ int64) (sqlite.Rows, error) {
	t := r.tables[table]
	return sqlite.Rows{At: []int32{}}, fmt.Errorf("%s is a table of the API %s, and no table of the database: this statement cannot read it", t.Name, t.API)
}

func (r refusal) Call(function int, _ []value.Value) (value.Value, error) {
	f := r.functions[function]
	return value.NullValue(), fmt.Errorf("%s is a function of the API %s: this statement cannot call it", f.Name, f.API)
}

func (refusal) Fetch(context.Context) (bool, error) { return false, nil }

func (refusal) End() {}
