package usecases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/dev/gen/build"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/google/go-cmp/cmp"
)

func load(t *testing.T) *bird.Dataset {
	t.Helper()
	d, err := bird.Load(bird.Options{FS: FS(), AllDatabases: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func open(t *testing.T, at sqlite.Location) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), at, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestShape(t *testing.T) {
	d := load(t)
	var ids []string
	for _, described := range d.Databases {
		ids = append(ids, described.ID)
		db := open(t, sqlite.Location{FS: described.FS, Name: described.Name})
		schema, err := db.Schema(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(schema.Tables) != 3 {
			t.Errorf("%s has %d collections, want 3", described.ID, len(schema.Tables))
		}
		for _, table := range schema.Tables {
			var types []string
			for _, column := range table.Columns {
				types = append(types, column.Type)
				if about := described.Describe(table.Name, column.Name); about.Description == "" || about.Readable == "" || about.DataFormat == "" {
					t.Errorf("%s: %s.%s has the description %+v", described.ID, table.Name, column.Name, about)
				}
			}
			if got := strings.Join(types, " "); got != "TEXT TEXT INTEGER BOOLEAN" && got != "TEXT TEXT REAL BOOLEAN" {
				t.Errorf("%s: %s has columns of %s", described.ID, table.Name, got)
			}
			answer, err := db.Query(t.Context(), "SELECT COUNT(*) FROM "+sqlite.Quote(table.Name))
			if err != nil {
				t.Fatal(err)
			}
			if rows := answer.Rows[0][0].Int64(); rows < 40 || rows > 80 {
				t.Errorf("%s: %s has %d objects, want 40 to 80", described.ID, table.Name, rows)
			}
		}
	}
	if got, want := strings.Join(ids, " "), "art_museums course_platform health_clinics restaurant_guide travel_agency"; got != want {
		t.Errorf("got databases %s, want %s", got, want)
	}
	if len(d.Warnings) > 0 || len(d.Questions) > 0 {
		t.Errorf("got warnings %v and %d questions", d.Warnings, len(d.Questions))
	}
}

// dump lists the rows of all tables, with their types.
func dump(t *testing.T, db *sqlite.DB) string {
	t.Helper()
	schema, err := db.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, table := range schema.Tables {
		answer, err := db.Query(t.Context(), "SELECT * FROM "+sqlite.Quote(table.Name))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(table.Name + "\n")
		for _, row := range answer.Rows {
			for _, cell := range row {
				b.WriteString(cell.String() + "|")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestDatabasesMatchTheirSQL(t *testing.T) {
	for _, described := range load(t).Databases {
		script, err := os.ReadFile(filepath.Join("schema", described.ID+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), described.ID+".sqlite")
		if err := build.Database(path, string(script)); err != nil {
			t.Fatal(err)
		}
		want := dump(t, open(t, sqlite.Location{Path: path}))
		got := dump(t, open(t, sqlite.Location{FS: described.FS, Name: described.Name}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s differs from its SQL; run go generate:\n%s", described.ID, diff)
		}
	}
}
