package ties_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// open makes a database of a script, and returns what converts a statement
// about it.
func open(t *testing.T, script string) func(sql string) (*record.Slot, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "d.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	d, err := slot.Open(t.Context(), &bird.Database{ID: "d", Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	converter := slot.NewConverter(d, slot.Options{})
	return func(sql string) (*record.Slot, error) {
		return converter.Convert(t.Context(), &bird.Question{SQL: sql})
	}
}

// TestOpenAnswers lists statements whose answer SQL leaves open. Whichever
// right answer SQLite gives, the sample is kept and marked.
func TestOpenAnswers(t *testing.T) {
	const schema = `
		CREATE TABLE t(g TEXT, n INTEGER, name TEXT);
		INSERT INTO t VALUES ('a', 3, 'p'), ('a', 3, 'q'), ('b', 3, 'r'), ('b', 1, 's'), ('c', 1, 's');
		CREATE TABLE u(name TEXT, k INTEGER);
		INSERT INTO u VALUES ('s', 1), ('r', 2), ('q', 3), ('p', 4)`
	convert := open(t, schema)
	for _, c := range []struct {
		sql string
		tie bool
	}{
		{"SELECT name FROM t ORDER BY n DESC LIMIT 1", true},
		{"SELECT name FROM t ORDER BY n DESC LIMIT 3", false},
		{"SELECT name FROM t ORDER BY n LIMIT 1", false}, // the tied rows are the same
		{"SELECT t.name FROM t JOIN u ON t.name = u.name ORDER BY n DESC LIMIT 2", true},
		{"SELECT t.name FROM t JOIN u ON t.name = u.name LIMIT 2", true},
		{"SELECT name FROM t ORDER BY n DESC, name LIMIT 1", false},
		{"SELECT g, name FROM t GROUP BY g", true},
		{"SELECT g, max(n), name FROM t GROUP BY g", true},
		{"SELECT g, min(n), name FROM t WHERE g = 'b' GROUP BY g", false},
		{"SELECT k FROM u WHERE name = (SELECT name FROM t ORDER BY n DESC LIMIT 1)", true},
		{"SELECT k FROM u WHERE name = (SELECT name FROM t WHERE n = 3)", true},
		{"SELECT DISTINCT g FROM t ORDER BY n LIMIT 1", true},
		{"SELECT DISTINCT g FROM t GROUP BY g ORDER BY count(*) DESC LIMIT 1", true},
		{"SELECT DISTINCT g FROM t GROUP BY g ORDER BY count(*) LIMIT 1", false},
		{"SELECT DISTINCT name FROM t GROUP BY g, name ORDER BY n DESC, count(*), name LIMIT 2", false},
		{"SELECT DISTINCT n FROM t GROUP BY g, n ORDER BY count(*) DESC LIMIT 1", true},
		{"SELECT group_concat(name) FROM t", true},
		{"SELECT group_concat(DISTINCT g) FROM t WHERE g = 'a'", false}, // one part
		{"SELECT t.g, group_concat(k, ' / ') FROM t, u GROUP BY t.g ORDER BY t.g", true},
		{"SELECT group_concat(k) FROM t CROSS JOIN u", true},
	} {
		r, err := convert(c.sql)
		if err != nil || r.TieDependent != c.tie {
			t.Errorf("%s: %+v, %v, want it verified and tie-dependent %t", c.sql, r, err, c.tie)
		}
	}
}

// TestUnprovenAnswers says that an answer that SQL leaves open is no defect where
// it cannot be proven right: SQLite takes the first two rows by an index.
func TestUnprovenAnswers(t *testing.T) {
	const schema = `
		CREATE TABLE r(k TEXT, g INTEGER);
		CREATE INDEX by_g ON r(g, k);
		INSERT INTO r VALUES ('d', 4), ('a', 1), ('e', 3), ('c', 2), ('b', 5)`
	_, err := open(t, schema)("SELECT k FROM (SELECT k, g FROM r WHERE g > 0 LIMIT 2) ORDER BY k")
	if !errors.Is(err, slot.ErrOpen) {
		t.Errorf("got %v", err)
	}
}

// TestCutWithOffset lists inner LIMITs with an OFFSET that cut a run of ties, where
// SQLite takes other rows of the run, by an index, than the calls: it is shown that
// both answers are right ones, wherever the run begins and ends.
func TestCutWithOffset(t *testing.T) {
	convert := open(t, `
		CREATE TABLE r(k TEXT, g INTEGER);
		CREATE INDEX by_g ON r(g, k);
		INSERT INTO r VALUES ('z', 1), ('m', 2), ('c', 3), ('b', 3), ('a', 3), ('y', 4), ('x', 5)`)
	for _, sql := range []string{
		"SELECT k FROM (SELECT k, g FROM r ORDER BY g LIMIT 3) ORDER BY k",           // the run begins within the LIMIT
		"SELECT k FROM (SELECT k, g FROM r ORDER BY g LIMIT 2 OFFSET 1) ORDER BY k",  // after the OFFSET
		"SELECT k FROM (SELECT k, g FROM r ORDER BY g LIMIT 1 OFFSET 2) ORDER BY k",  // at it
		"SELECT k FROM (SELECT k, g FROM r ORDER BY g LIMIT 2 OFFSET 4) ORDER BY k",  // before it
		"SELECT k FROM (SELECT k, g FROM r ORDER BY g LIMIT -1 OFFSET 3) ORDER BY k", // and no LIMIT
	} {
		if r, err := convert(sql); err != nil || !r.TieDependent {
			t.Errorf("%s: %+v, %v, want it verified and tie-dependent", sql, r, err)
		}
	}
}

// TestCutForEach lists LIMITs of subqueries that read the row around them: a tie
// that one of them cuts leaves the answer open.
func TestCutForEach(t *testing.T) {
	convert := open(t, `
		CREATE TABLE t(g INTEGER, name TEXT, n INTEGER);
		INSERT INTO t VALUES (1, 'p', 3), (1, 'q', 3), (2, 'r', 2), (2, 's', 1);
		CREATE TABLE u(k INTEGER);
		INSERT INTO u VALUES (0), (1)`)
	for _, c := range []struct {
		sql  string
		open bool
	}{
		{"SELECT k, (SELECT name FROM t WHERE g > k GROUP BY name ORDER BY max(n) DESC LIMIT 1) FROM u", true},
		{"SELECT k, (SELECT name FROM t WHERE g > k GROUP BY name ORDER BY max(n) LIMIT 1) FROM u", false},
		{"SELECT k, (SELECT name FROM t WHERE g > k + 1 GROUP BY name ORDER BY max(n) DESC LIMIT 1) FROM u", false},
		{"SELECT k FROM u WHERE EXISTS (SELECT name FROM t WHERE g > k GROUP BY name ORDER BY max(n) LIMIT 1 OFFSET 2)", true},
	} {
		r, err := convert(c.sql)
		if err != nil && !errors.Is(err, slot.ErrOpen) {
			t.Errorf("%s: %v", c.sql, err)
		} else if got := err != nil || r.TieDependent; got != c.open {
			t.Errorf("%s: open is %t, want %t", c.sql, got, c.open)
		}
	}
}
