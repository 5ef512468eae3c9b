package pipeline

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	_ "modernc.org/sqlite" // the driver that makes the copies

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/value"
)

// BenchmarkConvertRows converts the questions on one database with a tenth of its
// rows, all of them, and three times as many, and measures that against the questions'
// SQL on the same rows. BIRDCALL_BENCH_DB names the database.
func BenchmarkConvertRows(b *testing.B) {
	dataset := anyDataset(b)
	at := slices.IndexFunc(dataset.Databases, func(d *bird.Database) bool { return d.ID == os.Getenv("BIRDCALL_BENCH_DB") })
	if at < 0 || dataset.Databases[at].Path == "" {
		b.Skip("BIRDCALL_BENCH_DB names no database of the folder BIRDCALL_DATASET")
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\ntimes the rows\trows\tSQL ms each\tconvert ms each\tratio\t")
	for _, scale := range []scale{{1, 10}, {1, 1}, {3, 1}} {
		info, rows := scale.database(b, dataset.Databases[at])
		opts := Options{
			Dataset: &bird.Dataset{Databases: []*bird.Database{info}, Split: dataset.Split}, Variant: record.SLOT, Out: b.TempDir(),
			Toolset: slot.Full, Timeout: time.Minute, Jobs: 1, AsOf: bird.DefaultAsOf,
		}
		for _, q := range dataset.Questions {
			if q.DB == info.ID {
				opts.Dataset.Questions = append(opts.Dataset.Questions, q)
			}
		}
		start := time.Now()
		runSQLAlone(b, info, opts)
		alone := time.Since(start)
		var took time.Duration
		opts.Measure = func(_ string, _ int, d time.Duration) { took = d }
		if _, err := Run(context.Background(), opts); err != nil {
			b.Fatal(err)
		}
		ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(len(opts.Dataset.Questions)) }
		fmt.Fprintf(w, "%d/%d\t%d\t%.1f\t%.1f\t%.2f\t\n", scale.times, scale.of, rows, ms(alone), ms(took), took.Seconds()/alone.Seconds())
	}
	w.Flush()
}

// scale is a number of rows: so many times each one of so many.
type scale struct{ times, of int }

// database returns a copy of a database with so many rows, and how many these are.
func (s scale) database(b *testing.B, info *bird.Database) (*bird.Database, int) {
	b.Helper()
	ctx := context.Background()
	source, err := sqlite.Open(ctx, sqlite.Location{Path: info.Path}, sqlite.Options{})
	if err != nil {
		b.Fatal(err)
	}
	schema, err := sqltree.Schema(ctx, source)
	if err != nil {
		b.Fatal(err)
	}
	if err := source.Close(); err != nil {
		b.Fatal(err)
	}
	data, err := os.ReadFile(info.Path)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), info.ID+".sqlite")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // which has the temporary table
	rows := 0
	for _, t := range schema.Tables {
		if t.View || !t.RowID {
			continue
		}
		for _, statement := range s.statements(schema, t) {
			if _, err := db.Exec(statement); err != nil {
				b.Fatalf("%s: %v", statement, err)
			}
		}
		n := 0
		if err := db.QueryRow("SELECT count(*) FROM " + sqlite.Quote(t.Name)).Scan(&n); err != nil {
			b.Fatal(err)
		}
		rows += n
	}
	if _, err := db.Exec("VACUUM"); err != nil {
		b.Fatal(err)
	}
	copied := *info
	copied.Path = path
	return &copied, rows
}

// statements leaves out rows of a table, or adds its rows again under other keys.
func (s scale) statements(schema *engine.Schema, t *engine.Table) []string {
	name := sqlite.Quote(t.Name)
	out := []string{"PRAGMA foreign_keys = off"}
	if s.of > 1 {
		return append(out, fmt.Sprintf("DELETE FROM %s WHERE rowid %% %d <> 0", name, s.of))
	}
	keys := keysOf(schema, t)
	last := fmt.Sprintf("(SELECT coalesce(max(rowid), 0) FROM %s)", name)
	out = append(out, fmt.Sprintf("CREATE TEMP TABLE last AS SELECT %s AS id", last))
	for n := 1; n < s.times; n++ {
		var columns, values []string
		for _, c := range t.Columns {
			if c.Hidden || c.Generated {
				continue
			}
			v := sqlite.Quote(c.Name)
			columns = append(columns, v)
			switch {
			case !keys[c.Name]:
			case c.Affinity == value.AffinityText:
				v = fmt.Sprintf("%s || '#%d'", v, n)
			default:
				v = fmt.Sprintf("%s + %d", v, n*100_000_000)
			}
			values = append(values, v)
		}
		out = append(out, fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) SELECT %s FROM %s WHERE rowid <= (SELECT id FROM last)", name, strings.Join(columns, ", "), strings.Join(values, ", "), name))
	}
	return append(out, "DROP TABLE last")
}

// keysOf returns the columns of a table that identify rows, or that refer to
// other tables or are referred to.
func keysOf(schema *engine.Schema, t *engine.Table) map[string]bool {
	keys := map[string]bool{}
	for _, c := range t.Columns {
		if c.PrimaryKey > 0 || c.Name == t.IntegerPrimaryKey {
			keys[c.Name] = true
		}
	}
	for _, other := range schema.Tables {
		for _, f := range other.ForeignKeys {
			if other == t {
				for _, c := range f.Columns {
					keys[t.Column(c).Name] = true
				}
			}
			if schema.Table(f.Table) == t {
				for _, c := range f.To {
					keys[t.Column(c).Name] = true
				}
			}
		}
	}
	return keys
}
