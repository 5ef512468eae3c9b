package pipeline

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestDatabaseThatIsWrittenTo has another program write while questions are
// converted: calls and SQL are held against each other on one state.
func TestDatabaseThatIsWrittenTo(t *testing.T) {
	for _, journal := range []string{"WAL", "DELETE"} {
		for _, variant := range variant.Single() {
			t.Run(journal+" "+variant, func(t *testing.T) {
				var queries []string
				for i := range 25 {
					queries = append(queries, fmt.Sprintf("SELECT sum(n), count(*) FROM t WHERE id >= %d", i))
				}
				d := plain(t, "PRAGMA journal_mode = "+journal+`; CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER);
					WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 1000) INSERT INTO t SELECT i, i FROM c`, queries...)
				w, err := sql.Open("sqlite", d.Databases[0].Path)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				w.SetMaxOpenConns(1)
				write := func() error {
					_, err := w.Exec("UPDATE t SET n = n + 1; INSERT INTO t(n) VALUES (1)")
					return err
				}
				if err := write(); err != nil { // which leaves a log, if there is one
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(context.Background())
				var wait sync.WaitGroup
				wait.Go(func() {
					for ctx.Err() == nil {
						if err := write(); err != nil && !strings.Contains(err.Error(), "locked") {
							t.Error(err)
						}
						time.Sleep(time.Millisecond)
					}
				})
				r, err := Run(ctx, Options{Dataset: d, Variant: variant, Out: t.TempDir(), Toolset: slot.Full, Timeout: time.Minute, Jobs: 4, AsOf: bird.DefaultAsOf})
				cancel()
				wait.Wait()
				if err != nil {
					t.Fatal(err)
				}
				if r.Totals.Verified != len(queries) {
					t.Errorf("verified are %+v: %v", r.Totals, r.Failures)
				}
			})
		}
	}
}

// TestDatabaseThatIsReplaced has another file take a database's place while
// questions are converted.
func TestDatabaseThatIsReplaced(t *testing.T) {
	for _, variant := range variant.Single() {
		const schema = "CREATE TABLE t(n)"
		d := plain(t, schema, "SELECT n FROM t", "SELECT count(*) FROM t")
		other := plain(t, schema+"; INSERT INTO t VALUES (1)", "SELECT n FROM t").Databases[0].Path
		opts := Options{Dataset: d, Variant: variant, Out: t.TempDir(), Toolset: slot.Full, Timeout: time.Minute, Jobs: 1, AsOf: bird.DefaultAsOf}
		opts.Progress = func() { _ = os.Rename(other, d.Databases[0].Path) }
		_, err := Run(context.Background(), opts)
		if !errors.Is(err, sqlite.ErrChanged) || !strings.Contains(err.Error(), d.Databases[0].Path) {
			t.Errorf("%s: error %v", variant, err)
		}
		if entries, _ := os.ReadDir(opts.Folder()); len(entries) > 0 {
			t.Errorf("%s: files were written: %v", variant, entries)
		}
	}
}
