package pgsql_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/sql/pgsql"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
)

// TestMiniDev loads BIRD's databases into a new Postgres server and runs all
// of Mini-Dev's statements there: as they are, as they are rendered from their
// trees, and as endpoints over HTTP. BIRDCALL_MINIDEV is Mini-Dev's folder,
// BIRDCALL_DATASET that of BIRD dev, and BIRDCALL_LOADER a program that loads
// SQLite's databases of a folder into the server that psql would ask.
func TestMiniDev(t *testing.T) {
	questions, loader, files := os.Getenv("BIRDCALL_MINIDEV"), os.Getenv("BIRDCALL_LOADER"), os.Getenv("BIRDCALL_DATASET")
	if questions == "" || loader == "" || files == "" {
		t.Skip("BIRDCALL_MINIDEV, BIRDCALL_LOADER and BIRDCALL_DATASET do not name BIRD Mini-Dev, what loads it and BIRD dev")
	}
	dataset, err := bird.Load(bird.Options{Dir: questions, NoFiles: true})
	if err != nil {
		t.Fatal(err)
	}
	// A plan that changes between two runs may order tied rows otherwise.
	server := pgtest.Start(t, "autovacuum=off", "timezone=UTC", "max_parallel_workers_per_gather=0", "synchronize_seqscans=off")
	load := exec.CommandContext(t.Context(), loader, files)
	load.Env = append(os.Environ(), "PGHOST=127.0.0.1", fmt.Sprint("PGPORT=", server.Port), "PGUSER=postgres", "PGDATABASE=postgres")
	if text, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	server.Exec("ANALYZE; CREATE ROLE reader LOGIN")
	for _, db := range dataset.Databases {
		server.Exec("GRANT USAGE ON SCHEMA " + db.ID + " TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA " + db.ID + " TO reader")
	}
	t.Run("trees", func(t *testing.T) { testTrees(t, server, dataset) })
	t.Run("endpoints", func(t *testing.T) { testEndpoints(t, server, dataset) })
}

// runs is how many of Mini-Dev's 498 statements run at least: the others have
// dates that there are not.
const runs = 494

// testTrees renders statements from their trees: every expression is at its place,
// and the rows are the same.
func testTrees(t *testing.T, server *pgtest.Server, dataset *bird.Dataset) {
	conn, err := pgconn.Connect(t.Context(), server.URL("reader", "postgres", "?sslmode=disable"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	ran := 0
	for _, q := range dataset.Questions {
		want, err := rowsOf(t, conn, q.DB, q.SQL)
		if err != nil {
			continue
		}
		ran++
		s, err := pgsql.Parse(q.SQL)
		if err != nil {
			t.Errorf("question %s: %v", q.ID, err)
			continue
		}
		checkPlaces(t, s)
		text := render(s.Query)
		got, err := rowsOf(t, conn, q.DB, text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("question %s: %d rows, want %d, %v\n\t%s\n\t%s", q.ID, len(got), len(want), err, q.SQL, text)
		}
	}
	if ran < runs {
		t.Errorf("%d statements ran, want %d", ran, runs)
	}
}

// rowsOf returns the rows of a statement, as the server writes them.
func rowsOf(t *testing.T, conn *pgconn.PgConn, schema, sql string) ([]string, error) {
	t.Helper()
	if err := conn.Exec(t.Context(), "SET search_path = "+schema).Close(); err != nil {
		t.Fatal(err)
	}
	answer := conn.ExecParams(t.Context(), sql, nil, nil, nil, nil).Read()
	var rows []string
	for _, row := range answer.Rows {
		rows = append(rows, fmt.Sprintf("%q", row))
	}
	return rows, answer.Err
}

// testEndpoints makes an endpoint of each statement and asks it.
func testEndpoints(t *testing.T, server *pgtest.Server, dataset *bird.Dataset) {
	report, err := pipeline.Run(t.Context(), pipeline.Options{
		Dataset: dataset, Variant: record.REST, Out: t.TempDir(), Timeout: 3 * time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Program: "test",
		Source: server.URL("reader", "postgres", "?sslmode=disable"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Totals; n.Verified < runs || n.Mismatch > 0 {
		t.Errorf("%+v", n)
	}
	for _, f := range report.Failures {
		if !strings.Contains(f.Reason, "invalid input syntax for type timestamp") {
			t.Errorf("%+v", f)
		}
	}
}
