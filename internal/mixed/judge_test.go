package mixed

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestJudge holds answers against that of the file.
func TestJudge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.sqlite")
	file, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Exec(`CREATE TABLE t(g TEXT, n INTEGER, name TEXT);
		INSERT INTO t VALUES ('a', 3, 'p'), ('a', 3, 'q'), ('b', 2, 'r'), ('c', 1, 's')`); err != nil {
		t.Fatal(err)
	}
	file.Close()
	db, err := sqlite.Open(t.Context(), sqlite.Location{Path: path}, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	j := &judge{db: db, asOf: bird.DefaultAsOf}
	names := func(all ...string) (rows [][]value.Value) {
		for _, name := range all {
			rows = append(rows, []value.Value{value.Str(name)})
		}
		return rows
	}
	for _, c := range []struct {
		sql  string
		got  [][]value.Value
		want State
	}{
		{"SELECT name FROM t", names("s", "r", "q", "p"), Equal},
		{"SELECT name FROM t", names("s", "r", "q"), Mismatch},
		{"SELECT name FROM t ORDER BY name", names("p", "q", "r", "s"), Equal},
		{"SELECT name FROM t ORDER BY name", names("q", "p", "r", "s"), Mismatch},
		{"SELECT name FROM t ORDER BY n DESC", names("q", "p", "r", "s"), Equal},
		{"SELECT name FROM t ORDER BY n DESC", names("q", "r", "p", "s"), Mismatch},
		{"SELECT name FROM t ORDER BY n DESC LIMIT 1", names("q"), OtherRight},
		{"SELECT name FROM t ORDER BY n DESC LIMIT 1", names("r"), Unproven},
		{"SELECT name FROM t ORDER BY n LIMIT 1", names("r"), Mismatch},
		{"SELECT name FROM t GROUP BY g ORDER BY g", names("q", "r", "s"), OtherRight},
		{"SELECT group_concat(name, value) FROM t, json_each('[1]')", names("x"), Unproven},
		{"SELECT count(*) FROM t", [][]value.Value{{value.Int(4)}}, Equal},
		{"SELECT count(*) FROM t", [][]value.Value{{value.Float(4)}}, Mismatch},
	} {
		result, err := db.Query(t.Context(), c.sql)
		if err != nil {
			t.Fatal(err)
		}
		if state, reason := j.compare(t.Context(), c.sql, result.Rows, c.got); state != c.want {
			t.Errorf("%s: %v is %s (%s), want %s", c.sql, c.got, state, reason, c.want)
		}
	}
}
