package ties_test

import "testing"

// TestEqualValues lists statements that show one of several values that are
// equal but not the same: texts under a collation, and 1 and 1.0. Which one is
// open where the data have them and the answer shows them.
func TestEqualValues(t *testing.T) {
	const schema = `
		CREATE TABLE p(name TEXT, nc TEXT COLLATE NOCASE, rt TEXT COLLATE RTRIM, x, n INTEGER);
		INSERT INTO p VALUES
			('Bob', 'Bob', 'a ',  1,   1), ('BOB', 'BOB', 'a',  1.0, 2), ('al', 'al', 'b', 2,   3),
			('bob', 'bob', 'a  ', 1.0, 4), ('Al',  'Al',  'c',  2.0, 5), (NULL, NULL, NULL, NULL, 6);
		CREATE INDEX by_nc ON p(nc DESC, n DESC)`
	convert := open(t, schema)
	for _, c := range []struct {
		sql string
		tie bool
	}{
		// Grouping keys.
		{"SELECT nc, count(*) FROM p GROUP BY nc", true},
		{"SELECT rt, count(*) FROM p GROUP BY rt", true},
		{"SELECT x, count(*) FROM p GROUP BY x", true},
		{"SELECT name, count(*) FROM p GROUP BY name", false},
		{"SELECT name COLLATE NOCASE FROM p GROUP BY name", false},
		{"SELECT nc COLLATE NOCASE, count(*) FROM p GROUP BY nc COLLATE NOCASE", true},
		{"SELECT nc FROM p GROUP BY nc ORDER BY nc DESC", true},
		{"SELECT nc, max(n) FROM p GROUP BY nc", true},
		{"SELECT nc || '!' FROM p GROUP BY nc", true},
		{"SELECT typeof(x) FROM p GROUP BY x", true},
		{"SELECT 'v' || lower(nc) FROM p GROUP BY lower(nc)", false},
		{"SELECT x COLLATE RTRIM AS z, count(*) FROM p GROUP BY z", true},
		{"SELECT x, count(*) FROM p GROUP BY x COLLATE RTRIM", true},
		{"SELECT name, count(*) FROM p GROUP BY rt", true},
		// A column that no group is made by, and the first row of a subquery.
		{"SELECT x FROM p WHERE n <= 2 GROUP BY n > 0", true},
		{"SELECT nc FROM p WHERE n <= 2 GROUP BY n > 0", true},
		{"SELECT n > 0, x FROM p WHERE n = 4 GROUP BY n > 0", false},
		{"SELECT (SELECT x FROM p WHERE n <= 2)", true},
		{"SELECT (SELECT x FROM p WHERE n = 2)", false},
		// What the answer does not show leaves nothing open.
		{"SELECT count(*) FROM p GROUP BY nc", false},
		{"SELECT upper(nc) FROM p GROUP BY nc", false},
		{"SELECT count(*) FROM p GROUP BY nc HAVING nc > 'b'", false},
		{"SELECT nc, n FROM p GROUP BY nc, n", false},
		{"SELECT nc FROM p WHERE n IN (1, 3) GROUP BY nc", false},
		{"SELECT n FROM p WHERE nc = (SELECT max(nc) FROM p) ORDER BY n", false},
		// DISTINCT.
		{"SELECT DISTINCT nc FROM p", true},
		{"SELECT DISTINCT x FROM p ORDER BY x DESC", true},
		{"SELECT DISTINCT nc, x FROM p", true},
		{"SELECT DISTINCT nc, n FROM p", false},
		{"SELECT DISTINCT nc FROM p ORDER BY n % 2", true},
		{"SELECT count(*) FROM (SELECT DISTINCT nc FROM p)", false},
		{"SELECT count(DISTINCT nc) FROM p", false},
		{"SELECT group_concat(DISTINCT nc) FROM p WHERE n < 3", true},
		{"SELECT sum(DISTINCT x) FROM p", true},
		// Set operations.
		{"SELECT nc FROM p UNION SELECT nc FROM p WHERE n > 2", true},
		{"SELECT nc FROM p WHERE n > 1 INTERSECT SELECT nc FROM p WHERE n < 2", true},
		{"SELECT nc FROM p EXCEPT SELECT 'x'", true},
		{"SELECT nc FROM p EXCEPT SELECT 'BOB' EXCEPT SELECT 'al'", false},
		{"SELECT x FROM p UNION SELECT 1.0", true},
		{"SELECT 1.0 UNION SELECT 1", true},
		{"SELECT nc FROM p UNION ALL SELECT nc FROM p", false},
		{"SELECT name FROM p UNION SELECT nc FROM p", false}, // by the first one's collation
		// Extremes.
		{"SELECT min(nc), max(nc) FROM p", true},
		{"SELECT max(x) FROM p", true},
		{"SELECT max(name) FROM p", false},
		{"SELECT n % 2, max(nc) FROM p GROUP BY n % 2", true},
		{"SELECT n, max(nc) FROM p GROUP BY n", false},
		{"SELECT max(nc) FROM p WHERE n IN (1, 3)", false},
		// A bare column of * is as open as one that is named.
		{"SELECT * FROM p WHERE n < 4 GROUP BY x", true},
	} {
		r, err := convert(c.sql)
		if err != nil || r.TieDependent != c.tie {
			t.Errorf("%s: %+v, %v, want it verified and tie-dependent %t", c.sql, r, err, c.tie)
		}
	}
}
