package randsql

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/verify"
)

// equalColumns hold values that are equal but not the same. The last one is of
// the rows' numbers.
var equalColumns = []column{
	{name: "name", decl: "TEXT", values: []string{"'a'", "'A'", "'a '", "'b'", "NULL"}},
	{name: "nc", decl: "TEXT COLLATE NOCASE", values: []string{"'a'", "'A'", "'b'", "'B'", "'c'", "NULL"}},
	{name: "rt", decl: "TEXT COLLATE RTRIM", values: []string{"'a'", "'a '", "'b'", "'b  '", "'c'"}},
	{name: "x", decl: "", values: []string{"1", "1.0", "2", "2.0", "'a'", "'A'", "NULL"}},
	{name: "n", decl: "INTEGER", key: true},
}

// equalTable draws a table of such columns. Where it is plain, equal values are
// the same.
func (g *gen) equalTable(plain bool) *database {
	t := &table{name: "p"}
	for i := range equalColumns {
		c := equalColumns[i]
		if plain && !c.key {
			c.values = []string{"'a'", "'b'", "'c'", "2", "NULL"}
		}
		t.cols = append(t.cols, &c)
	}
	for i := range 2 + g.n(9) {
		var row []string
		for _, c := range t.cols {
			row = append(row, g.cell(c, i))
		}
		t.rows = append(t.rows, row)
	}
	return &database{tables: []*table{t}}
}

// equalItem draws a column, and with it maybe a COLLATE.
func (g *gen) equalItem() string {
	return pick(g, "nc", "x", "rt", "name") + pick(g, "", "", "", " COLLATE NOCASE", " COLLATE RTRIM", " COLLATE BINARY")
}

// equalStatement draws a statement that shows or compares equal values.
func (g *gen) equalStatement() string {
	from := " FROM p" + pick(g, "", "", " WHERE n > 2", " WHERE n % 2 = 0")
	a, b := g.equalItem(), g.equalItem()
	tail := pick(g, "", "", " ORDER BY 1", " ORDER BY 1 DESC")
	switch g.n(12) {
	case 0, 1:
		return fmt.Sprintf("SELECT %s, %s%s GROUP BY %s%s", a, pick(g, "count(*)", "max(n)", "min(n)", "count(DISTINCT nc)"), from, a, tail)
	case 2:
		return fmt.Sprintf("SELECT %s AS z, count(*)%s GROUP BY %s%s", a, from, pick(g, "z", "1", b+", z"), tail)
	case 3:
		return fmt.Sprintf("SELECT %s%s GROUP BY %s, %s HAVING count(*) %s 1%s", a, from, a, b, pick(g, ">=", "<>"), tail)
	case 4, 5:
		return fmt.Sprintf("SELECT DISTINCT %s%s%s%s", a, pick(g, "", ", "+b), from, tail)
	case 6:
		return fmt.Sprintf("SELECT DISTINCT %s%s ORDER BY n %% 3, n", a, from)
	case 7:
		return fmt.Sprintf("SELECT %s%s %s SELECT %s FROM p%s", a, from, pick(g, "UNION", "INTERSECT", "EXCEPT", "UNION ALL"), b, tail)
	case 8:
		return fmt.Sprintf("SELECT %s(%s)%s%s", pick(g, "min", "max"), a, pick(g, "", ", count(*)"), from)
	case 9:
		return fmt.Sprintf("SELECT n %% 2, %s(%s)%s GROUP BY n %% 2%s", pick(g, "min", "max"), a, from, tail)
	case 10:
		return fmt.Sprintf("SELECT n FROM p WHERE %s IN (SELECT DISTINCT %s%s) ORDER BY n", a, b, from)
	}
	return fmt.Sprintf("SELECT count(*), %s FROM (SELECT DISTINCT %s AS z%s)", pick(g, "count(z)", "max(z)", "typeof(min(z))", "hex(max(z))"), a, from)
}

// TestEqualValues draws statements that show one of several values that are
// equal but not the same. None may be called a defect; where the answer is said
// to be fixed, SQLite must give the same one from the same rows in reverse, and
// where the data have no such values, nothing is open.
func TestEqualValues(t *testing.T) {
	ctx := context.Background()
	total, ties, fixed := 0, 0, 0
	databases := max(statements(t, 1500)/100, 4)
	for seed := range databases {
		plain := seed%4 == 3
		g := &gen{draws: fresh(1_000_000+seed, 0)}
		db := g.equalTable(plain)
		dir := t.TempDir()
		index := fmt.Sprintf("CREATE INDEX i ON p(%s %s);", pick(g, "nc", "x", "rt"), pick(g, "", "DESC"))
		forward, err := build(ctx, filepath.Join(dir, "db.sqlite"), db.script(false)+index)
		if err != nil {
			t.Fatal(err)
		}
		reverse, err := build(ctx, filepath.Join(dir, "reverse.sqlite"), db.script(true))
		if err != nil {
			t.Fatal(err)
		}
		dataset := &bird.Dataset{Split: "random", Databases: []*bird.Database{{ID: "d", Path: filepath.Join(dir, "db.sqlite")}}}
		for i := range 25 {
			sql := (&gen{draws: fresh(1_000_000+seed, i+1)}).equalStatement()
			dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "d", Text: "?", SQL: sql})
		}
		report, err := pipeline.Run(ctx, pipeline.Options{
			Dataset: dataset, Variant: record.SLOT, Out: dir, Toolset: slot.Full, Timeout: time.Minute, Jobs: 2, AsOf: asOf,
		})
		if err != nil {
			t.Fatal(err)
		}
		total += report.Totals.Questions
		for _, f := range report.Failures {
			if f.Status != pipeline.Unsupported {
				t.Errorf("%s: %s: %s\n%s\n%s", f.Status, f.Construct, f.Reason, statementOf(dataset, f.QuestionID), db.script(false)+index)
			}
		}
		for _, r := range recordsOf(t, filepath.Join(dir, "slot", "d.json")) {
			if r.Tie {
				ties++
				if plain && !strings.Contains(r.SQL, "ORDER BY n % 3") {
					t.Errorf("nothing is open in %s\n%s", r.SQL, db.script(false))
				}
				continue
			}
			fixed++
			if again := answersDiffer(ctx, t, forward, reverse, r.SQL); again != "" {
				t.Errorf("the answer of %s is open: %s\n%s", r.SQL, again, db.script(false)+index)
			}
		}
		if err := forward.Close(); err != nil {
			t.Error(err)
		}
		if err := reverse.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("of %d statements, %d have a fixed answer and %d an open one that is shown right", total, fixed, ties)
	if fixed < total/5 || ties < total/20 {
		t.Error("too few statements are verified; draw others")
	}
}

// written is what the test needs of a written sample.
type written struct {
	SQL string `json:"query"`
	Tie bool   `json:"tie_dependent"`
}

func recordsOf(t *testing.T, path string) (out []written) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// answersDiffer says how SQLite's answers from two databases differ, or "".
func answersDiffer(ctx context.Context, t *testing.T, a, b *sqlite.DB, sql string) string {
	t.Helper()
	first, err := a.Query(ctx, sql)
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Query(ctx, sql)
	if err != nil {
		t.Fatal(err)
	}
	if v := verify.Compare(first.Rows, second.Rows, verify.Options{}); !v.Equal {
		return strings.Join(slices.Compact([]string{v.Reason, printed(first.Rows), printed(second.Rows)}), "\n")
	}
	return ""
}
