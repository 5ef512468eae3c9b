package pipeline

import (
	"testing"
	"time"
)

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
		r := convertPlain(t, time.Minute, schema, c.sql)
		if r.Totals.Verified != 1 || (r.Totals.TieDependent == 1) != c.tie {
			t.Errorf("%s: %+v, want it verified and tie-dependent %t; %+v", c.sql, r.Totals, c.tie, r.Failures)
		}
	}
}

// TestCollateIsNotDropped lists statements in which a COLLATE decides which
// values are equal, but no call can say so.
func TestCollateIsNotDropped(t *testing.T) {
	const schema = `
		CREATE TABLE p(name TEXT, nc TEXT COLLATE NOCASE, n INTEGER);
		INSERT INTO p VALUES ('Bob', 'Bob', 1), ('BOB', 'BOB', 2), ('al', 'al', 3), ('Al', 'Al', 4)`
	for _, c := range []struct{ sql, construct string }{
		{"SELECT name, count(*) FROM p GROUP BY name COLLATE NOCASE", "GROUP BY COLLATE"},
		{"SELECT name COLLATE NOCASE AS z, count(*) FROM p GROUP BY z", "GROUP BY COLLATE"},
		{"SELECT name COLLATE NOCASE, count(*) FROM p GROUP BY 1", "GROUP BY COLLATE"},
		{"SELECT nc FROM p GROUP BY nc COLLATE BINARY", "GROUP BY COLLATE"},
		{"SELECT DISTINCT name COLLATE NOCASE FROM p", "DISTINCT COLLATE"},
		{"SELECT DISTINCT nc COLLATE BINARY FROM p", "DISTINCT COLLATE"},
		{"SELECT DISTINCT max(name) COLLATE NOCASE FROM p GROUP BY n", "DISTINCT COLLATE"},
		{"SELECT name COLLATE NOCASE FROM p UNION SELECT name FROM p", "COLLATE in a subquery or compound"},
		{"SELECT name COLLATE NOCASE FROM p UNION ALL SELECT name FROM p ORDER BY 1", "COLLATE in a subquery or compound"},
		{"SELECT count(*) FROM (SELECT name COLLATE NOCASE AS z FROM p) WHERE z = 'BOB'", "COLLATE in a subquery or compound"},
		{"WITH w AS (SELECT max(name) COLLATE NOCASE AS z FROM p) SELECT count(*) FROM w WHERE z = 'BOB'", "COLLATE in a subquery or compound"},
		{"SELECT min(name COLLATE NOCASE) FROM p", "COLLATE in an aggregate"},
		{"SELECT count(DISTINCT name COLLATE NOCASE) FROM p", "COLLATE in an aggregate"},
		{"SELECT nullif(name COLLATE NOCASE, 'BOB') FROM p", "COLLATE in a function"},
		{"SELECT n FROM p WHERE name IN (SELECT name COLLATE NOCASE FROM p WHERE n > 1)", "COLLATE in a subquery or compound"},
		{"SELECT n FROM p WHERE nc IN (SELECT name COLLATE BINARY FROM p WHERE n > 1)", "COLLATE in a subquery or compound"},
		{"SELECT max(name COLLATE BINARY) > 'b' FROM p", "COLLATE within an expression"},
		{"SELECT n FROM p WHERE 'x' || (name COLLATE NOCASE) = 'xBOB'", "COLLATE within an expression"},
		{"SELECT n FROM p ORDER BY substr(name COLLATE NOCASE, 1)", "COLLATE within an expression"},
		{"SELECT n, rank() OVER (ORDER BY name COLLATE NOCASE) FROM p", "window function"},
	} {
		r := convertPlain(t, time.Minute, schema, c.sql)
		if len(r.Failures) != 1 || r.Failures[0].Status != Unsupported || r.Failures[0].Construct != c.construct {
			t.Errorf("%s: %+v, %+v, want the construct %q", c.sql, r.Totals, r.Failures, c.construct)
		}
	}
	for _, sql := range []string{
		"SELECT name COLLATE NOCASE FROM p ORDER BY 1, n",
		"SELECT name COLLATE NOCASE FROM p UNION ALL SELECT name FROM p",
		"SELECT sum(n COLLATE NOCASE), max(nc COLLATE NOCASE) IS NULL FROM p",
		"SELECT n FROM p WHERE name COLLATE NOCASE = 'BOB'",
		"SELECT n FROM p ORDER BY CASE WHEN name COLLATE NOCASE = 'bob' THEN 1 ELSE 0 END, n",
		"SELECT count(*) FROM p GROUP BY n % 2 HAVING sum(CASE name COLLATE NOCASE WHEN 'bob' THEN 1 END) > 0",
		"SELECT n FROM p WHERE EXISTS (SELECT name COLLATE NOCASE FROM p WHERE n > 1)",
		"SELECT n FROM p WHERE name = (SELECT name COLLATE NOCASE FROM p WHERE n = 2)",
		"SELECT count(*) FROM (SELECT DISTINCT nc COLLATE NOCASE AS z FROM p)",
	} {
		if r := convertPlain(t, time.Minute, schema, sql); r.Totals.Verified != 1 || r.Totals.TieDependent != 0 {
			t.Errorf("%s: %+v, %+v", sql, r.Totals, r.Failures)
		}
	}
}
