package plan

import (
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// TestUnknownColumn lists columns that there are not with how they are named, also one
// without a name.
func TestUnknownColumn(t *testing.T) {
	schema := &sqlite.Schema{Tables: []*sqlite.Table{{Name: "t", Columns: []sqlite.Column{{Name: "a"}}}}}
	for statement, want := range map[string]string{
		`SELECT t.b FROM t`:  `unknown column: there is no column t.b`,
		`SELECT b FROM t`:    `unknown column: there is no column b`,
		`SELECT t."" FROM t`: `unknown column: there is no column t.""`,
		`SELECT [] FROM t`:   `unknown column: there is no column ""`,
	} {
		q, err := sqltree.Read(statement, schema)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Build(q, schema, Options{AsOf: time.Unix(0, 0)}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", statement, err, want)
		}
	}
}
