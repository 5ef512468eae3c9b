package rewrite

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// drawn is how many statements of each shape a test draws on each database.
const drawn = 6

// draws makes statements and rows of random parts.
type draws struct{ *rand.Rand }

func (d draws) of(list ...string) string { return list[d.Intn(len(list))] }

// tables are those of every database: columns with types and without, some that
// are never NULL, one whose texts compare without their case.
const tables = `
CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, r REAL, s TEXT, x, n INTEGER NOT NULL, w TEXT NOT NULL, c TEXT COLLATE NOCASE);
CREATE TABLE u (k INTEGER PRIMARY KEY, t_id INTEGER, y REAL, z TEXT);
`

// cells are values by column. Those of a column with a type may have another.
var cells = map[string][]string{
	"i": {"NULL", "0", "1", "2", "3", "-4", "9007199254740993", "'12ab'", "'-0z'"},
	"r": {"NULL", "0", "1.5", "2", "-3.25", "100", "'5e1z'", "x'31'"},
	"s": {"NULL", "'a'", "'b'", "'B'", "''", "'2:30.5'", "'10:02.250'", "'7'", "'-0'"},
	"x": {"NULL", "1", "1.0", "'1'", "'a'", "2.5", "x'61'", "'-0'"},
	"n": {"0", "1", "2", "3"},
	"w": {"'a'", "'b'", "'c'"},
	"c": {"NULL", "'a'", "'A'", "'b'", "'B'"},
	"y": {"NULL", "1.5", "2", "-0.5", "'q'"},
	"z": {"NULL", "'a'", "'b'", "'c'"},
}

// script draws the rows: often a few, sometimes none.
func (d draws) script() string {
	var b strings.Builder
	b.WriteString(tables)
	for row := range d.Intn(4) * d.Intn(5) {
		fmt.Fprintf(&b, "INSERT INTO t VALUES (%d", row+1)
		for _, c := range []string{"i", "r", "s", "x", "n", "w", "c"} {
			b.WriteString(", " + d.of(cells[c]...))
		}
		b.WriteString(");\n")
	}
	for row := range d.Intn(3) * d.Intn(5) {
		fmt.Fprintf(&b, "INSERT INTO u VALUES (%d, %s, %s, %s);\n", row+1, d.of("NULL", "1", "2", "3", "4"), d.of(cells["y"]...), d.of(cells["z"]...))
	}
	return b.String()
}

// condition draws a comparison of a column of t.
func (d draws) condition() string {
	return d.of("t.i = 1", "t.i > 0", "t.s = 'a'", "t.s LIKE 'b%'", "t.x IS NOT NULL", "t.x IS NULL", "t.n = 2", "t.w = 'a'", "t.i IN (1, 2)", "t.r BETWEEN 0 AND 2", "t.c = 'a'", "t.w <> 'b'", "t.s GLOB '[a-z]'")
}

// column draws a column of t that may be aggregated.
func (d draws) column() string { return d.of("t.i", "t.r", "t.x", "t.n", "t.id", "t.s", "t.c") }

// from draws rows: of one table or of two, all of them or some.
func (d draws) from() string {
	return d.of("FROM t", "FROM t", "FROM t WHERE t.n < 3", "FROM t JOIN u ON u.t_id = t.id", "FROM t LEFT JOIN u ON u.t_id = t.id", "FROM u LEFT JOIN t ON u.t_id = t.id")
}

// database is one that was drawn.
type database struct {
	schema *sqlite.Schema
	db     *sqlite.DB
	store  *columns.Store
	script string
}

func open(t *testing.T, script string) *database {
	t.Helper()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "db.sqlite")
	out, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(off)&_pragma=journal_mode(off)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.ExecContext(ctx, script); err != nil {
		t.Fatalf("%v in %s", err, script)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	d := &database{script: script}
	if d.db, err = sqlite.Open(ctx, sqlite.Location{Path: path}, sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.db.Close() })
	if d.schema, err = sqltree.Schema(ctx, d.db); err != nil {
		t.Fatal(err)
	}
	d.store = columns.New(d.db, d.schema)
	return d
}

var asOf = time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)

// build plans a statement.
func (d *database) build(t *testing.T, statement string) *plan.Plan {
	t.Helper()
	q, err := sqltree.Read(statement, d.schema)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	p, err := plan.Build(q, d.schema, plan.Options{AsOf: asOf})
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return p
}

// run runs a plan's calls.
func (d *database) run(ctx context.Context, p *plan.Plan) ([][]value.Value, error) {
	seq, err := emit.Emit(p, d.schema, false)
	if err != nil {
		return nil, err
	}
	return seq.Run(ctx, tools.NewSession(d.store, tools.Options{Now: asOf}))
}

// check rewrites a statement's plan and compares the answer with SQLite's. It
// returns how often the rule fired.
func (d *database) check(t *testing.T, statement, rule string) int {
	t.Helper()
	ctx := t.Context()
	want, err := d.db.Query(ctx, statement)
	if err != nil {
		if strings.Contains(err.Error(), "integer overflow") {
			return 0
		}
		t.Fatalf("%s: %v", statement, err)
	}
	p := d.build(t, statement)
	before := p.String()
	fired := 0
	for _, s := range Apply(p, d.schema) {
		if s.Rule == rule {
			fired = s.Fired
		}
	}
	got, err := d.run(ctx, p)
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", statement, err, before, p)
	}
	options := verify.Options{Ordered: strings.Contains(statement, "ORDER BY"), Loose: true}
	if v := verify.Compare(want.Rows, got, options); !v.Equal {
		t.Fatalf("%s: %s\nSQLite: %v\ncalls:  %v\n%s\n%s\n%s", statement, v.Reason, want.Rows, got, d.script, before, p)
	}
	return fired
}

// shape draws statements for a rule.
type shape struct {
	rule string
	draw func(draws) string
}

// TestRules has every rule fire on random statements of its shapes, on random
// databases, and holds the answers against SQLite's.
func TestRules(t *testing.T) {
	databases := thorough.Rounds(20, 100)
	fired := make([]int, len(shapes))
	for seed := range databases {
		d := draws{rand.New(rand.NewSource(int64(seed)))}
		db := open(t, d.script())
		for i, s := range shapes {
			for range drawn {
				fired[i] += db.check(t, s.draw(d), s.rule)
			}
		}
	}
	tested := map[string]bool{}
	for i, s := range shapes {
		tested[s.rule] = true
		if fired[i] < databases {
			t.Errorf("%s: fired only %d times, such as not for %s", s.rule, fired[i], s.draw(draws{rand.New(rand.NewSource(1))}))
		}
	}
	for _, name := range Names() {
		if !tested[name] {
			t.Errorf("no shape draws statements for %s", name)
		}
	}
}

// TestLeft lists statements that the rules leave as they are, since their answer
// would be another one for some database: without rows, with NULL, with texts.
func TestLeft(t *testing.T) {
	db := open(t, tables)
	for _, statement := range []string{
		"SELECT sum(CASE WHEN i = 1 THEN 1 ELSE 0 END) FROM t",
		"SELECT sum(CASE WHEN i = 1 THEN 1 END) FROM t",
		"SELECT sum(CASE WHEN i = 1 THEN 1 ELSE 0 END) - sum(CASE WHEN i = 2 THEN 1 ELSE 0 END) FROM t",
		"SELECT sum(CASE WHEN i = 1 THEN r ELSE 0 END) FROM t",
		"SELECT sum(CASE WHEN i = 1 THEN r ELSE 0 END) - sum(CASE WHEN i = 2 THEN r ELSE 0 END) FROM t",
		"SELECT avg(CASE WHEN i = 1 THEN 1 ELSE 0 END) FROM t",
		"SELECT count(DISTINCT CASE WHEN i = 1 THEN c END) FROM t",
		"SELECT max(CASE WHEN i = 1 THEN c END) FROM t",
		"SELECT w, sum(CASE WHEN i = 1 THEN 1 ELSE 0 END) FROM t GROUP BY w",
		"SELECT i / r FROM t",
		"SELECT i * 100 / n FROM t",
		"SELECT s, n FROM t GROUP BY s",
		"SELECT DISTINCT s FROM t ORDER BY n",
		"SELECT id FROM t WHERE i >= 1 AND r <= 2",
		"SELECT id FROM t WHERE i IS NOT NULL AND r > 2",
		"SELECT i FROM t WHERE s = 'a' OR w = 'a'",
	} {
		p := db.build(t, statement)
		before := p.String()
		if Apply(p, db.schema); p.String() != before {
			t.Errorf("%s: rewritten\n%s\n%s", statement, before, p)
		}
	}
}

// TestNotOfAny holds sums of conditions that may be NULL apart from counts: all
// rows are there, and none of them shows it.
func TestNotOfAny(t *testing.T) {
	db := open(t, tables+"INSERT INTO t (id, n, w) VALUES (1, 1, 'a'), (2, 1, 'b');")
	db.check(t, "SELECT CAST(sum(i = 1) AS REAL) * 100 / count(*) FROM t", "")
	if n := db.check(t, "SELECT CAST(sum(n = 1) AS REAL) * 100 / count(*) FROM t", "counts and sums of CASE are filters"); n != 1 {
		t.Errorf("a condition that is never NULL: fired %d times", n)
	}
	db.check(t, "SELECT count(*) * 1.0 / sum(i = 1) FROM t", "")
}
