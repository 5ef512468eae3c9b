package rewrite

import "testing"

// TestPartOfTheKeys has lists of which LIMIT and OFFSET take a part: a join with the
// table would find the keys that they leave out.
func TestPartOfTheKeys(t *testing.T) {
	db := open(t, tables+`
		INSERT INTO t (id, n, w) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
		INSERT INTO u (k, t_id) VALUES (1, 1), (2, 2), (3, 3), (4, NULL), (5, 7);`)
	const rule = "a key in a list is joined at the start"
	for list, want := range map[string]int{
		"SELECT id FROM t":                                1,
		"SELECT id FROM t LIMIT -1 OFFSET 0":              1,
		"SELECT id FROM t LIMIT 0":                        0,
		"SELECT id FROM t ORDER BY id LIMIT 1":            0,
		"SELECT id FROM t ORDER BY id LIMIT 2":            0,
		"SELECT id FROM t LIMIT -1 OFFSET 1":              0,
		"SELECT id FROM t WHERE n > 1 LIMIT -1 OFFSET 1":  0,
		"SELECT id FROM t ORDER BY id LIMIT -1 OFFSET 2":  0,
		"SELECT id FROM t ORDER BY id LIMIT 1 OFFSET 1":   0,
		"SELECT id FROM t WHERE n > 1 LIMIT 0":            0,
		"SELECT id FROM t ORDER BY id DESC LIMIT 1":       0,
		"SELECT id FROM t WHERE n > 0 LIMIT 100 OFFSET 3": 0,
	} {
		if got := db.check(t, "SELECT k FROM u WHERE t_id IN ("+list+")", rule); got != want {
			t.Errorf("%s: fired %d times, want %d", list, got, want)
		}
	}
}
