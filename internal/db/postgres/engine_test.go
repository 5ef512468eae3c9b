package postgres_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/postgres"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/google/go-cmp/cmp"
)

func testAnswer(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Rows: 50, Time: 100 * time.Millisecond, Value: 1000})
	got, err := db.Answer(t.Context(), "SELECT id, paid, paid IS NULL AS unpaid, tags FROM customers WHERE id < 10 ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	if names := strings.Join(got.Columns, " "); names != "id paid unpaid tags" {
		t.Errorf("got the columns %s", names)
	}
	if got.Rows[0][1] != value.Float(12.5) || got.Rows[0][2] != value.Int(0) || got.Exact[0][1] != value.Str("12.50") || got.Exact[0][3] != value.Str(`["a","b"]`) || !got.Exact[1][1].IsNull() {
		t.Errorf("got %v and %v", got.Rows, got.Exact)
	}
	if _, err := db.Answer(t.Context(), "SELECT * FROM orders"); !errors.Is(err, postgres.ErrTooLarge) {
		t.Errorf("more rows than are allowed: got %v", err)
	}
	if got, err := db.Answer(t.Context(), "SELECT id FROM orders WHERE false"); err != nil || len(got.Rows) != 0 || got.Exact == nil {
		t.Errorf("no rows: got %v, %v", got, err)
	}
	const long = "SELECT count(*) FROM generate_series(1, 3000) AS a, generate_series(1, 3000) AS b"
	if _, err := db.Answer(t.Context(), long); err != nil {
		t.Errorf("for longer than a statement may run: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := db.Answer(ctx, slow); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("for longer than the context lets it: got %v", err)
	}
}

func testLimitOfAnswers(t *testing.T, s *pgtest.Server) {
	db := open(t, s, postgres.Options{Value: 1000})
	tests := []struct{ length, want int }{
		{1, 1 << 20},
		{1 << 20, 1 << 20},
		{1<<20 + 1, 1 << 21},
		{10 << 20, 1 << 24},
	}
	for _, test := range tests {
		got, err := db.Answer(t.Context(), "SELECT repeat('x', "+strconv.Itoa(test.length)+") UNION ALL SELECT 'a'")
		if err != nil || got.Value != test.want {
			t.Errorf("%d bytes: got %d, %v, want %d", test.length, got.Value, err, test.want)
		}
	}
	if _, err := db.Answer(t.Context(), "SELECT repeat('x', 20 << 20)"); !errors.Is(err, postgres.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestDistinct(t *testing.T) {
	t.Parallel()
	s := start(t)
	s.Exec(`CREATE DOMAIN shop.size AS text CHECK (VALUE <> '');
		CREATE DOMAIN shop.feeling AS shop.mood;
		CREATE TABLE shop.odds (flag bool, n smallint, word text, code char(4), mood shop.mood, size shop.size, feels shop.feeling, real real, day date, much numeric, "Long ""one" text, nothing text);
		INSERT INTO shop.odds VALUES (true, 10, 'b', 'ab', 'sad', 'L', 'sad', 1, '2024-01-01', 1, repeat('x', 81), NULL), (NULL, 9, 'B', 'a', NULL, 'M', NULL, 2, NULL, 2, 'y', NULL), (NULL, 9, 'b', 'ab', NULL, 'M', NULL, 2, NULL, 2, 'y', NULL);
		CREATE TABLE shop.parts (n int) PARTITION BY RANGE (n);
		CREATE TABLE shop.part1 PARTITION OF shop.parts FOR VALUES FROM (0) TO (10);
		CREATE TABLE shop.part2 PARTITION OF shop.parts FOR VALUES FROM (10) TO (20);
		INSERT INTO shop.parts VALUES (11), (1);
		CREATE TABLE shop.large (n int, long text);
		ALTER TABLE shop.large ALTER COLUMN long SET STORAGE PLAIN;
		INSERT INTO shop.large SELECT n % 3, repeat('x', 7000) FROM generate_series(1, 8200) AS n;
		CREATE MATERIALIZED VIEW shop.kept AS SELECT DISTINCT n FROM shop.odds;
		CREATE VIEW shop.seen AS SELECT n FROM shop.odds;
		GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader`)
	db := open(t, s, postgres.Options{})
	texts := func(texts ...string) (out []value.Value) {
		for _, text := range texts {
			out = append(out, value.Str(text))
		}
		return out
	}
	numbers := func(numbers ...int64) (out []value.Value) {
		for _, n := range numbers {
			out = append(out, value.Int(n))
		}
		return out
	}
	tests := []struct {
		table, column string
		limit         int
		want          []value.Value
	}{
		{"odds", "flag", 12, numbers(0, 1)},
		{"odds", "flag", 1, nil},
		{"odds", "n", 12, numbers(9, 10)},
		{"odds", "n", 2, numbers(9, 10)},
		{"odds", "n", 1, nil},
		{"odds", "word", 12, texts("B", "b")},
		{"odds", "code", 12, texts("a", "ab")},
		{"odds", "mood", 12, texts("sad", "happy")},
		{"odds", "mood", 1, nil},
		{"odds", "size", 12, texts("L", "M")},
		{"odds", "feels", 12, texts("sad", "happy")},
		{"odds", "real", 12, nil},
		{"odds", "day", 12, nil},
		{"odds", "much", 12, nil},
		{"odds", `Long "one`, 12, nil},
		{"odds", "nothing", 12, nil},
		{"odds", "no such", 12, nil},
		{"no such", "n", 12, nil},
		{"parts", "n", 12, numbers(1, 11)},
		{"large", "n", 12, nil},
		{"kept", "n", 12, numbers(9, 10)},
		{"seen", "n", 12, nil},
	}
	for _, test := range tests {
		got, err := db.Distinct(t.Context(), test.table, test.column, test.limit)
		if err != nil || !cmp.Equal(got, test.want, cmp.AllowUnexported(value.Value{})) {
			t.Errorf("%s.%s, at most %d: got %v, %v, want %v", test.table, test.column, test.limit, got, err, test.want)
		}
	}
	if kinds, err := db.Kinds(t.Context(), "odds", []string{"flag", "n"}); err != nil || !cmp.Equal(kinds, make([][]value.Kind, 2)) {
		t.Errorf("got the kinds %v, %v", kinds, err)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	s := start(t)
	standby := s.Standby()
	db := open(t, s, postgres.Options{})
	behind := openURL(t, standby.URL("reader", "postgres", "?sslmode=disable"), postgres.Options{})
	version := func(db *postgres.DB) string {
		v, err := db.Version(t.Context())
		if err != nil || v == "" {
			t.Errorf("got %q, %v", v, err)
		}
		return v
	}
	seen := version(db)
	if again := version(db); again != seen {
		t.Errorf("without a change: got %s and %s", seen, again)
	}
	for _, change := range []string{
		"INSERT INTO shop.orders VALUES (1000, 1)",
		"UPDATE shop.orders SET total = 1 WHERE id = 1000",
		"DELETE FROM shop.orders WHERE id = 1000",
		"TRUNCATE shop.orders",
		"ALTER TABLE shop.orders RENAME COLUMN total TO much",
		"CREATE TABLE shop.more (a int)",
		"DROP TABLE shop.more",
		"ALTER TYPE shop.mood ADD VALUE 'calm'",
	} {
		before, far := version(db), version(behind)
		s.Exec(change)
		pgtest.Wait(t, "the version is another one after "+change, func() bool { return version(db) != before && version(behind) != far })
	}
	snapshot := open(t, s, postgres.Options{Snapshot: true})
	before := version(snapshot)
	s.Exec("INSERT INTO shop.orders VALUES (1001, 1)")
	if after := version(snapshot); after != before {
		t.Errorf("a snapshot had the version %s and has %s", before, after)
	}
	s.Exec("ALTER SYSTEM SET track_counts = off")
	s.Exec("SELECT pg_reload_conf()")
	pgtest.Wait(t, "a server that does not count has no version", func() bool {
		v, err := db.Version(t.Context())
		return v == "" && err == nil
	})
}

func TestErrorsOfAllEngines(t *testing.T) {
	tests := []struct{ err, engine error }{
		{postgres.ErrNotSelect, engine.ErrNotSelect},
		{postgres.ErrManyStatements, engine.ErrManyStatements},
		{postgres.ErrForbidden, engine.ErrForbidden},
		{postgres.ErrTooLarge, engine.ErrTooLarge},
		{postgres.ErrBusy, engine.ErrBusy},
		{postgres.ErrSchema, engine.ErrSchema},
		{postgres.ErrComputation, engine.ErrComputation},
		{postgres.ErrUnavailable, engine.ErrUnavailable},
		{postgres.ErrConflict, engine.ErrUnavailable},
		{postgres.ErrMemory, engine.ErrMemory},
	}
	for _, test := range tests {
		if !errors.Is(test.err, test.engine) {
			t.Errorf("%v is not %v", test.err, test.engine)
		}
	}
}

func TestAgain(t *testing.T) {
	tests := []struct {
		name  string
		errs  []error // of one call after the other, then the last one
		calls int
		want  error
	}{
		{"at once", []error{nil}, 1, nil},
		{"a server that comes back", []error{postgres.ErrUnavailable, postgres.ErrUnavailable, nil}, 3, nil},
		{"another fault", []error{postgres.ErrComputation}, 1, postgres.ErrComputation},
		{"a conflict", []error{postgres.ErrConflict, nil}, 2, nil},
		{"two conflicts", []error{postgres.ErrConflict}, 2, engine.ErrUnavailable},
		{"a conflict after a restart", []error{postgres.ErrUnavailable, postgres.ErrConflict, nil}, 3, nil},
	}
	for _, test := range tests {
		calls := 0
		err := (*postgres.DB)(nil).Retry(t.Context(), func() error {
			calls++
			return test.errs[min(calls, len(test.errs))-1]
		})
		if calls != test.calls || !errors.Is(err, test.want) {
			t.Errorf("%s: got %v after %d calls, want %v after %d", test.name, err, calls, test.want, test.calls)
		}
	}
}
