package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/pkg/value"
)

// mirror is an External that has what a file has: each table as it is there, and
// the functions double and fails. It knows nothing of a table before it was asked
// for, and of a value of double neither.
type mirror struct {
	tables []*Table
	rows   [][][]value.Value
}

func (m *mirror) Tables() []*Table { return m.tables }
func (m *mirror) Functions() []Function {
	return []Function{{Name: "double", Args: 1}, {Name: "fails", Args: 0}, {Name: "panics", Args: 0}}
}

func (m *mirror) Kinds(int, int) []value.Kind   { return nil }
func (m *mirror) Values(int, int) []value.Value { return nil }

func (m *mirror) Describe(at int, equal []int, _ bool) string {
	text := "rows of " + m.tables[at].Name
	for _, c := range equal {
		text += " by " + m.tables[at].Columns[c].Name
	}
	return text
}

func (m *mirror) Plan(at int, equal []int) Plan {
	t := m.tables[at]
	for _, need := range t.Required {
		if !slices.ContainsFunc(equal, func(c int) bool { return t.Columns[c].Name == need }) {
			return Plan{}
		}
	}
	if len(equal) > 0 {
		return Plan{Possible: true, Cost: 10, Rows: 2}
	}
	return Plan{Possible: true, Cost: 1e6, Rows: 1000}
}

func (m *mirror) Rewrite(sql string) string { return sql }
func (m *mirror) Version() (string, bool)   { return "", false }

func (m *mirror) Begin(context.Context, string) Reading {
	return &mirrored{mirror: m, tables: map[int]bool{}, doubles: map[string]bool{}}
}

type mirrored struct {
	*mirror
	tables  map[int]bool
	doubles map[string]bool
	asked   []func()
}

func (m *mirrored) Rows(table int, where []Equal, maxRows int64) (Rows, error) {
	if !m.tables[table] {
		m.asked = append(m.asked, func() { m.tables[table] = true })
		return Rows{At: []int32{}}, nil
	}
	rows := Rows{All: m.rows[table], At: []int32{}}
	for i := range rows.All {
		if maxRows >= 0 && int64(len(rows.At)) == maxRows {
			break
		}
		rows.At = append(rows.At, int32(i))
	}
	return rows, nil
}

func (m *mirrored) Call(f int, args []value.Value) (value.Value, error) {
	switch f {
	case 1:
		return value.Value{}, errors.New("function fails: it always does")
	case 2:
		panic("a test's")
	}
	key := fmt.Sprint(args[0].Kind(), args[0].Raw(), args[0])
	if !m.doubles[key] {
		m.asked = append(m.asked, func() { m.doubles[key] = true })
		return value.NullValue(), nil
	}
	return value.Multiply(args[0], value.Int(2)), nil
}

func (m *mirrored) Fetch(context.Context) (bool, error) {
	asked := m.asked
	m.asked = nil
	for _, f := range asked {
		f()
	}
	return len(asked) > 0, nil
}

func (m *mirrored) End() {}

// mirrorOf copies all tables of a file.
func mirrorOf(t testing.TB, path string) *mirror {
	db, err := Open(t.Context(), Location{Path: path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	schema, err := db.Schema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := &mirror{}
	for _, table := range schema.Tables {
		if table.View {
			continue
		}
		result, err := db.Query(t.Context(), "SELECT * FROM "+Quote(table.Name))
		if err != nil {
			t.Fatal(err)
		}
		m.tables = append(m.tables, table)
		m.rows = append(m.rows, result.Rows)
	}
	return m
}

const birds = `
CREATE TABLE species(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, wingspan REAL);
INSERT INTO species VALUES(1,'Wren',15.5),(2,'Robin',22),(3,'Heron',NULL),(4,'Swift',42);
CREATE TABLE sighting(species INTEGER, place TEXT, seen, n INTEGER);
INSERT INTO sighting VALUES(1,'Kew',x'00ff',3),(1,'Rye','2020',1),(2,'Kew',NULL,9007199254740993),(4,'Ely',1e999,2),(NULL,'Kew',5,0);
CREATE VIEW kew AS SELECT * FROM sighting WHERE place = 'Kew';
CREATE VIEW wrens AS SELECT count(*) FROM species`

// TestExternalAnswers runs statements on a file, and on tables that are not in it.
func TestExternalAnswers(t *testing.T) {
	path := build(t, birds)
	plain, err := Open(t.Context(), Location{Path: path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	outside, err := Open(t.Context(), Location{Path: path}, Options{External: mirrorOf(t, path)})
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	for _, sql := range []string{
		"SELECT * FROM species",
		"SELECT * FROM sighting",
		"SELECT name, typeof(wingspan), wingspan FROM species WHERE id = 2",
		"SELECT name FROM species WHERE name = 'wren'",
		"SELECT name FROM species WHERE name = 'wren' COLLATE BINARY",
		"SELECT name FROM species WHERE id IN (1, '4', 9, NULL) ORDER BY id",
		"SELECT name FROM species WHERE id = 1 OR name = 'robin' OR id = 1 ORDER BY 1",
		"SELECT name, place FROM sighting JOIN species ON species.id = sighting.species ORDER BY name, place",
		"SELECT name, count(place) FROM species LEFT JOIN sighting ON species = id GROUP BY id ORDER BY id",
		"SELECT name FROM species WHERE id NOT IN (SELECT species FROM sighting WHERE species IS NOT NULL)",
		"SELECT name FROM species s WHERE NOT EXISTS (SELECT 1 FROM sighting WHERE species = s.id)",
		"SELECT count(*), sum(n), max(seen) FROM sighting",
		"SELECT DISTINCT place FROM sighting ORDER BY place LIMIT 2 OFFSET 1",
		"SELECT place FROM sighting LIMIT 2",
		"SELECT place FROM sighting LIMIT 2 OFFSET 3",
		"SELECT place FROM sighting LIMIT -1 OFFSET 4",
		"SELECT a.place FROM sighting a, sighting b WHERE a.place = b.place AND a.n < b.n ORDER BY 1",
		"WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM up JOIN species ON id = i) SELECT max(i) FROM up",
		"WITH c AS (SELECT count(*) AS n FROM species) SELECT n FROM c",
		"SELECT count(*) FROM (SELECT 1 FROM species), sighting",
		"SELECT abs(min(wingspan) - 1) FROM species",
		"SELECT count(*) FROM species AS a NATURAL JOIN species AS b",
		"SELECT 1 FROM species AS a JOIN species AS b USING (name)",
		"SELECT s.name AS k FROM species AS s, json_each('[1]') WHERE k > 'H' ORDER BY k",
	} {
		want, err := plain.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		got, err := outside.Query(t.Context(), sql)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\ngot  %v, %v\nwant %v", sql, got, err, want)
		}
	}
	for sql, want := range map[string]string{
		"SELECT double(n) FROM sighting WHERE double(n) = 6": "[[6]]",
		"SELECT double(double(double(3)))":                   "[[24]]",
		"SELECT name FROM species WHERE double(id) = 8":      "[[Swift]]",
	} {
		got, err := outside.Query(t.Context(), sql)
		if err != nil || fmt.Sprint(got.Rows) != want {
			t.Errorf("%s: %v, %v; want %s", sql, got, err, want)
		}
	}
}

// TestExternalFails lists statements that cannot run, and what is said of them.
func TestExternalFails(t *testing.T) {
	path := build(t, birds)
	m := mirrorOf(t, path)
	m.tables[1].Required = []string{"place"}
	db, err := Open(t.Context(), Location{Path: path}, Options{External: m})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for sql, want := range map[string]string{
		"SELECT * FROM main.species":                                            "leave main out",
		"SELECT count(*) FROM main.species":                                     "leave main out",
		"SELECT 1 FROM main.species AS a NATURAL JOIN main.species":             "leave main out",
		"SELECT count(*) FROM main.species JOIN main.species AS b USING (name)": "leave main out",
		"SELECT rowid FROM sighting":                                            "has no rowid",
		"SELECT * FROM kew":                                                     "the view kew reads sighting in the file",
		"SELECT * FROM wrens":                                                   "the view wrens reads species in the file",
		"SELECT * FROM sighting":                                                "gives rows only for values of place",
		"SELECT n FROM sighting WHERE n = 1 AND place > 'K'":                    "gives rows only for values of place",
		"SELECT fails()":                                                        "it always does",
		"SELECT panics()":                                                       "a defect in reading",
		"SELECT double(1, 2)":                                                   "wrong number of arguments",
	} {
		if _, err := db.Query(t.Context(), sql); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", sql, err, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n JOIN species"
	if _, err := db.Query(ctx, endless); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that the time is over", err)
	}
	if result, err := db.Query(t.Context(), "SELECT rowid, name FROM species WHERE rowid = 4"); err != nil || fmt.Sprint(result.Rows) != "[[4 Swift]]" {
		t.Errorf("after failures: %v, %v", result, err)
	}
}

// TestExternalExplain shows how a statement is meant to be run.
func TestExternalExplain(t *testing.T) {
	path := build(t, birds)
	db := open(t, Location{Path: path}, Options{External: mirrorOf(t, path)})
	lines, err := db.Explain(t.Context(), "SELECT name FROM sighting JOIN species ON id = species WHERE place IN ('Kew', 'Rye')")
	const want = "SCAN sighting: rows of sighting by place\nSCAN species: rows of species by id"
	if got := strings.Join(lines, "\n"); err != nil || got != want {
		t.Errorf("%v, %v", got, err)
	}
}
