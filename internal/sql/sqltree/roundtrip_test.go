package sqltree

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/dialect"
)

// run returns the rows of a query as text, each cell with its storage class.
func run(t *testing.T, db *sql.DB, query string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return "", err
	}
	cells, ptrs := make([]any, len(cols)), make([]any, len(cols))
	for i := range cells {
		ptrs[i] = &cells[i]
	}
	var b strings.Builder
	for rows.Next() {
		if err := rows.Scan(ptrs...); err != nil {
			return "", err
		}
		for _, c := range cells {
			fmt.Fprintf(&b, "%T:%v|", c, c)
		}
		b.WriteByte('\n')
	}
	return b.String(), rows.Err()
}

// fixture is a database with the names that make trouble: keywords, spaces,
// quotes, and two tables that share a column.
func fixture(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	for _, q := range []string{
		`CREATE TABLE t(a INTEGER, b TEXT, c REAL, "order" TEXT, "K-12 (x)" INTEGER, key TEXT)`,
		`INSERT INTO t VALUES (1,'x',1.5,'o1',7,'k1'), (2,'Y',NULL,'o2',8,'k2'), (3,NULL,3.5,'o3',NULL,'k3'),
		 (NULL,'it''s',-2.0,'o4',9,'k\4'), (5,'x',0.0,'o5',7,'k5')`,
		`CREATE TABLE u(a INTEGER, d TEXT)`,
		`CREATE TABLE one(x INTEGER)`, `INSERT INTO one VALUES (2), (5)`,
		`INSERT INTO u VALUES (1,'one'),(2,'two'),(9,'nine'),(NULL,'none')`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	return db
}

// roundTrips are statements whose rendering must give SQLite's own rows.
var roundTrips = []string{
	// Precedence that the two grammars see differently.
	"SELECT a || b || 'z' FROM t",
	"SELECT 2 * a || 1 FROM t",
	"SELECT -a || 1, - -a, ~a | 1 & 2, 1 | 2 & 4, 8 >> 1 + 1, 1 + 2 & 3 FROM t",
	"SELECT a = 1 = 1, a < 3 = 1, 1 = a < 3, a <> 1 = 0 FROM t",
	"SELECT NOT a = 1, NOT a IS NULL, NOT a + 1, (NOT a) IS NULL FROM t",
	"SELECT a FROM t WHERE a = 1 OR a = 2 AND b = 'Y' OR NOT (a > 2 AND c < 5)",
	"SELECT a FROM t WHERE NOT a BETWEEN 1 AND 2 AND a NOT BETWEEN 4 AND 4",
	"SELECT a BETWEEN 1 AND 3 AND c, a + 1 BETWEEN 2 - 1 AND 3 * 2 FROM t",
	"SELECT a % 2, a / 2, 5 - 3 - 1, 2 - (3 - 1), 100 / 10 / 5, 7 % 4 * 2 FROM t",
	// NULL, truth and the words of comparison.
	"SELECT a IS 1, a IS NOT 1, a IS NULL, a NOTNULL, a ISNULL, a NOT NULL, b IS b FROM t",
	"SELECT a IS DISTINCT FROM 1, a IS NOT DISTINCT FROM 1, a IS DISTINCT FROM TRUE, a IS NOT DISTINCT FROM NULL FROM t",
	"SELECT 1 IS NOT NULL % a, a IS NULL < 2, a IS TRUE * 2 FROM t",
	"SELECT a IS TRUE, c IS FALSE, c IS NOT TRUE, c IS NOT FALSE, true, FALSE FROM t",
	"SELECT b LIKE 'X', b NOT LIKE '%x%', b GLOB 'x*', b NOT GLOB 'x', key LIKE 'k\\%' ESCAPE '\\' FROM t",
	"SELECT a IN (1, 2, NULL), a NOT IN (1, 2), a IN (), a NOT IN (), b IN ('x', 'it''s') FROM t",
	"SELECT a IN one, a IN (SELECT a FROM u), (SELECT max(a) FROM u), EXISTS (SELECT 1 FROM u WHERE u.a = t.a) FROM t",
	// Names, strings and quotes.
	`SELECT "a", "b", "nosuch", [order], "order", ` + "`K-12 (x)`" + `, "K-12 (x)", key, t."key" FROM t`,
	`SELECT a FROM t WHERE b = "x" OR "order" = "o2"`,
	`SELECT 'a\b', 'it''s', 'tab	', '"', x'00ff', 'ünï' FROM t LIMIT 1`,
	"SELECT rowid, oid FROM t WHERE _rowid_ > 1",
	"SELECT a AS 'a name', b AS \"B\", c AS [c c], key key FROM t AS [T 1]",
	"SELECT t.*, u.d FROM main.t, u WHERE t.a = u.a",
	// Numbers.
	"SELECT 0x1F, 1e3, .5, 5., 1.5E-2, 9223372036854775807, -9223372036854775808, 9223372036854775808, 1_000",
	// Functions, CAST, CASE.
	"SELECT CAST(a AS TEXT), CAST(b AS INTEGER), CAST(a AS VARCHAR(10)), CAST(c AS DECIMAL(10, 2)) FROM t",
	"SELECT CASE a WHEN 1 THEN 'one' WHEN 1 + 1 THEN 'two' END, CASE WHEN a > 2 OR b IS NULL THEN a ELSE -a END FROM t",
	"SELECT substr(b, 1, 1), replace(b, 'x', 'y'), iif(a > 1, 'y', 'n'), coalesce(b, 'none'), round(c, 1) FROM t",
	"SELECT count(*), count(a), count(DISTINCT b), sum(a = 1 OR b = 'x'), group_concat(b, '-'), total(c) FROM t",
	"SELECT count(*) FILTER (WHERE a > 1), sum(a) FILTER (WHERE b = 'x' AND c > 0) FROM t",
	"SELECT b, count(*), max(a) FROM t GROUP BY b HAVING count(*) > 0 AND max(a) IS NOT NULL ORDER BY 2 DESC, b",
	"SELECT b COLLATE NOCASE, a FROM t WHERE b COLLATE NOCASE = 'X' ORDER BY b COLLATE NOCASE DESC, a",
	"SELECT date('2020-01-31', '+1 month'), strftime('%Y-%m', '2020-05-06'), julianday('2000-01-01')",
	// Joins.
	"SELECT t.a, d FROM t JOIN u ON t.a = u.a",
	"SELECT t.a AS n, d FROM t JOIN u ON n = u.a",
	"SELECT count(ORDER BY a), count() FROM t",
	"SELECT t.a, d FROM t LEFT JOIN u ON t.a = u.a AND u.d <> 'two' ORDER BY 1, 2",
	"SELECT t.a, d FROM t RIGHT OUTER JOIN u ON t.a = u.a ORDER BY 1, 2",
	"SELECT t.a, d FROM t FULL JOIN u ON t.a = u.a ORDER BY 1, 2",
	"SELECT * FROM t NATURAL JOIN u",
	"SELECT a, d FROM t LEFT JOIN u USING (a) ORDER BY a, d",
	"SELECT x.a, y.a, z.d FROM t x, t y LEFT JOIN u z ON z.a = x.a CROSS JOIN u w WHERE x.a < y.a ORDER BY 1, 2, 3",
	"SELECT count(*) FROM t, (u JOIN t AS v ON u.a = v.a)",
	"SELECT x.a FROM t JOIN (u JOIN one ON u.a = one.x) AS x ON t.a = x.a",
	"SELECT a, d FROM t FULL JOIN u USING (a) ORDER BY 1, 2",
	"SELECT a, d FROM t NATURAL RIGHT JOIN u ORDER BY 1, 2",
	"SELECT e.value FROM t, json_each('[1, 2]') AS e WHERE t.a = 1",
	// Subqueries, CTEs, compounds.
	"SELECT x.n FROM (SELECT b, count(*) AS n FROM t GROUP BY b) x WHERE x.n > 1",
	"SELECT n FROM (SELECT count(*) AS n FROM t)",
	"WITH x(p, q) AS (SELECT a, b FROM t), y AS (SELECT p FROM x WHERE p > 1) SELECT * FROM x JOIN y ON x.p = y.p ORDER BY 1",
	"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
	"SELECT a FROM t UNION SELECT a FROM u ORDER BY a DESC LIMIT 3",
	"SELECT a FROM t EXCEPT SELECT a FROM u INTERSECT SELECT 3 ORDER BY 1",
	"SELECT a FROM t UNION ALL SELECT a FROM u ORDER BY a NULLS LAST LIMIT 2, 3",
	"SELECT (SELECT count(*) FROM t WHERE t.a > u.a), d FROM u ORDER BY d",
	"SELECT a FROM t ORDER BY c IS NULL, c DESC NULLS FIRST LIMIT 2 OFFSET 1",
	"VALUES (1, 'a'), (2, NULL) UNION SELECT a, b FROM t ORDER BY 1",
	"SELECT a FROM t WHERE (a, b) IN (VALUES (1, 'x'), (2, 'Y')) OR (a, c) > (3, 1)",
	// JSON, and aggregates with an order.
	`SELECT '{"x": [1, 2]}' -> 'x' ->> 0, '[1]' -> '$[0]' || a FROM t`,
	"SELECT group_concat(b, '+' ORDER BY a DESC) FROM t",
	// Windows.
	"SELECT a, row_number() OVER (ORDER BY c DESC, a), rank() OVER (PARTITION BY b ORDER BY a) FROM t ORDER BY a",
	"SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
	"SELECT sum(a) OVER w, count(*) OVER (w ROWS UNBOUNDED PRECEDING EXCLUDE TIES), lag(a, 1, 0) OVER w FROM t WINDOW w AS (PARTITION BY b ORDER BY a)",
	"SELECT count(*) FILTER (WHERE a > 1) OVER (ORDER BY a NULLS LAST GROUPS 1 PRECEDING) FROM t",
}

// TestRoundTrip renders each statement back from its trees. SQLite must give
// the same rows for both, in the same order.
func TestRoundTrip(t *testing.T) {
	db := fixture(t)
	for _, q := range roundTrips {
		checkRoundTrip(t, db, q)
	}
}

func checkRoundTrip(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	stmt, err := Parse(query)
	if err != nil {
		t.Errorf("%s\n\t%v", query, err)
		return
	}
	rendered := render(stmt)
	want, err := run(t, db, query)
	if errors.Is(err, context.DeadlineExceeded) {
		t.Logf("too slow to compare: %s", query)
		return
	}
	if err != nil {
		t.Errorf("%s\n\tSQLite: %v", query, err)
		return
	}
	if got, err := run(t, db, rendered); err != nil || got != want {
		t.Errorf("%s\nbecame %s\n\terror %v\n\tgot  %q\n\twant %q", query, rendered, err, got, want)
	}
}

// TestRoundTripOfBIRD does the same for every query of BIRD dev, where the
// environment variable BIRD_DEV names its folder.
func TestRoundTripOfBIRD(t *testing.T) {
	dir := os.Getenv("BIRD_DEV")
	if dir == "" {
		t.Skip("BIRD_DEV names no folder with BIRD's dev.json")
	}
	data, err := os.ReadFile(filepath.Join(dir, "dev.json"))
	if err != nil {
		t.Fatal(err)
	}
	var questions []struct {
		DB  string `json:"db_id"`
		SQL string
	}
	if err := json.Unmarshal(data, &questions); err != nil {
		t.Fatal(err)
	}
	if len(questions) == 0 {
		t.Fatal("no questions")
	}
	dbs := map[string]*sql.DB{}
	for _, q := range questions {
		db := dbs[q.DB]
		if db == nil {
			if db, err = sql.Open("sqlite", "file:"+filepath.Join(dir, "dev_databases", q.DB, q.DB+".sqlite")+"?mode=ro"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			dbs[q.DB] = db
		}
		fixed, _ := dialect.FixClock(q.SQL, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
		checkRoundTrip(t, db, fixed)
	}
}

// TestSpans reads back what each expression was written as.
func TestSpans(t *testing.T) {
	const sql = "SELECT count( * ) AS n, (a + -1) * 2 FROM t WHERE (b = 'it''s') AND a NOT IN (1, 2) AND NOT c ISNULL ORDER BY CASE WHEN a THEN 1 END LIMIT 5 OFFSET 0x2"
	q, err := Parse(sql)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	q.WalkAll(func(*Query) {}, func(e Expr) {
		text := sql[e.Span().Start:e.Span().End]
		if outer := sql[e.Outer().Start:e.Outer().End]; outer != text {
			text = outer + " is " + text
		}
		got = append(got, text)
	})
	want := []string{
		"count( * )", "(a + -1) * 2", "(a + -1) is a + -1", "a", "-1", "1", "2",
		"(b = 'it''s') AND a NOT IN (1, 2) AND NOT c ISNULL", "(b = 'it''s') AND a NOT IN (1, 2)",
		"(b = 'it''s') is b = 'it''s'", "b", "'it''s'", "a NOT IN (1, 2)", "a", "1", "2",
		"NOT c ISNULL", "c ISNULL", "c", "ISNULL", "CASE WHEN a THEN 1 END", "a", "1", "5", "0x2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if limit := sql[q.LimitSpan.Start:q.LimitSpan.End]; limit != "LIMIT 5 OFFSET 0x2" {
		t.Errorf("LIMIT is %q", limit)
	}
}

// FuzzParse holds Parse to its word on any text: a tree or a *dialect.Error, and
// a tree that renders to text which parses again.
func FuzzParse(f *testing.F) {
	for _, q := range roundTrips {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, err := Read(query, &engine.Schema{})
		if err != nil {
			var e *dialect.Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v is no *dialect.Error", query, err)
			}
			return
		}
		q.Constructs()
		if q, err = Parse(query); err != nil {
			t.Fatal(err)
		}
		if again := render(q); !readable(again) {
			t.Fatalf("%q became %q, which does not parse", query, again)
		}
	})
}

// readable reports whether a text parses, but for the bounds on its size.
func readable(query string) bool {
	_, err := Parse(query)
	c := dialect.Construct(err)
	return err == nil || c == "nesting" || c == "size of the statement"
}
