package slot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// TestGold lists statements with what their records say about the answer: its columns,
// and which rows may change places.
func TestGold(t *testing.T) {
	d := open(t, `CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT COLLATE NOCASE, c TEXT);
		INSERT INTO t VALUES (1, 1, 'x', 'x'), (2, 2, 'X', 'X'), (3, 2, 'y', 'y'), (4, 3, NULL, NULL), (5, NULL, NULL, NULL)`)
	converter := slot.NewConverter(d, slot.Options{})
	for sql, want := range map[string]record.Gold{
		"SELECT id FROM t":                             {Columns: []string{"id"}},
		"SELECT id, count(*) FROM t GROUP BY id":       {Columns: []string{"id", "count(*)"}},
		"SELECT id AS n, T.a, a+1 FROM t":              {Columns: []string{"n", "a", "a+1"}},
		"SELECT date('now') - a FROM t":                {Columns: []string{"date('now') - a"}},
		"SELECT id FROM t ORDER BY id":                 {Columns: []string{"id"}, Ordered: true},
		"SELECT id FROM t ORDER BY a":                  {Columns: []string{"id"}, Ordered: true, Ties: [][2]int{{2, 3}}},
		"SELECT id FROM t ORDER BY a, id":              {Columns: []string{"id"}, Ordered: true},
		"SELECT id FROM t ORDER BY b":                  {Columns: []string{"id"}, Ordered: true, Ties: [][2]int{{0, 1}, {2, 3}}},
		"SELECT id FROM t ORDER BY c":                  {Columns: []string{"id"}, Ordered: true, Ties: [][2]int{{0, 1}}},
		"SELECT id FROM t ORDER BY c, a % 2":           {Columns: []string{"id"}, Ordered: true},
		"SELECT id FROM t ORDER BY b LIMIT 2":          {Columns: []string{"id"}, Ordered: true, Ties: [][2]int{{0, 1}}},
		"SELECT DISTINCT b FROM t ORDER BY b":          {Columns: []string{"b"}, Ordered: true},
		"SELECT a FROM t UNION SELECT 9 ORDER BY 1":    {Columns: []string{"a"}, Ordered: true},
		"SELECT id FROM t ORDER BY 'x'":                {Columns: []string{"id"}, Ordered: true, Ties: [][2]int{{0, 4}}},
		"SELECT count(*) FROM t ORDER BY 1":            {Columns: []string{"count(*)"}, Ordered: true},
		"SELECT id FROM (SELECT id FROM t ORDER BY a)": {Columns: []string{"id"}},
	} {
		r, err := converter.Convert(t.Context(), &bird.Question{SQL: sql})
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		got := r.Gold
		got.Rows = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", sql, diff)
		}
	}
}
