package randsql

import (
	"context"
	"testing"
)

// regressions are statements whose calls once gave another answer than SQLite,
// each with its tables.
var regressions = []struct{ name, script, query string }{
	{"a text among numbers that is called as a column",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT a * 't_b', a + 'a', b - 't_a', (a + b) / 't_a' FROM t`},
	{"unary plus takes the affinity away",
		`CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('1'), ('x');`,
		`SELECT +a, a = 1, +a = 1 FROM t`},
	{"window frame up to the current row",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT a, b, count(*) OVER (ORDER BY b ROWS UNBOUNDED PRECEDING) FROM t`},
	{"window frame ahead of the row",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT b, max(b) OVER (ORDER BY b ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) FROM t`},
	{"constant before a subquery's value",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT a FROM t WHERE a IN (SELECT replace('2', 'x', max(b)) FROM t)`},
	{"ordinal in a correlated subquery",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT a, (SELECT b FROM t WHERE t.b = x.b ORDER BY 1 LIMIT 1) FROM t x`},
	{"grouping by a constant, no rows",
		`CREATE TABLE t(a);`,
		`SELECT 'x', count(*) FROM t GROUP BY 'x'`},
	{"grouping by a constant",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT 'x', count(*) FROM t GROUP BY 'x'`},
	{"left side of = has the collation, new table first",
		`CREATE TABLE t(b TEXT); INSERT INTO t VALUES ('abc'); CREATE TABLE u(b TEXT COLLATE NOCASE); INSERT INTO u VALUES ('Abc');`,
		`SELECT u.b FROM u JOIN t ON t.b = u.b`},
	{"left side of = has the collation, old table first",
		`CREATE TABLE t(b TEXT); INSERT INTO t VALUES ('abc'); CREATE TABLE u(b TEXT COLLATE NOCASE); INSERT INTO u VALUES ('Abc');`,
		`SELECT u.b FROM u JOIN t ON u.b = t.b`},
	{"left side of = has the collation, both ways",
		`CREATE TABLE t(b TEXT); INSERT INTO t VALUES ('abc'); CREATE TABLE u(b TEXT COLLATE NOCASE); INSERT INTO u VALUES ('Abc');`,
		`SELECT u.b FROM t JOIN u ON u.b = t.b JOIN t AS x ON x.b = t.b`},
	{"left side of = has the collation, left join",
		`CREATE TABLE t(b TEXT); INSERT INTO t VALUES ('abc'); CREATE TABLE u(b TEXT COLLATE NOCASE); INSERT INTO u VALUES ('Abc');`,
		`SELECT * FROM u LEFT JOIN t ON u.b = t.b`},
	{"left side of = has the collation, subquery",
		`CREATE TABLE t(b TEXT); INSERT INTO t VALUES ('abc'); CREATE TABLE u(b TEXT COLLATE NOCASE); INSERT INTO u VALUES ('Abc');`,
		`SELECT * FROM u JOIN (SELECT b FROM t) AS d ON u.b = d.b`},
	{"OR of three in HAVING",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT a, count(*) FROM t GROUP BY a HAVING a IS NOT TRUE OR a = 1 OR count(*) > 5`},
	{"arms of different affinities, top",
		`CREATE TABLE t(i INTEGER); INSERT INTO t VALUES (8); CREATE TABLE u(r REAL); INSERT INTO u VALUES (8);`,
		`SELECT i FROM t UNION ALL SELECT r FROM u`},
	{"integer beyond 2^53 against a real",
		`CREATE TABLE t(r REAL); INSERT INTO t VALUES (9007199254740993);`,
		`SELECT count(*) FROM t WHERE r = 9007199254740993`},
	{"literal beside grouping by number",
		`CREATE TABLE t(r REAL); INSERT INTO t VALUES (0.12), (0.12);`,
		`SELECT round(r, 1), count(*) + 1 FROM t GROUP BY 1`},
	{"a LIMIT beyond all rows",
		`CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2), (3);`,
		`SELECT a FROM t ORDER BY a LIMIT 9223372036854775807 OFFSET 1`},
	{"a LIMIT that is a REAL",
		`CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2), (3);`,
		`SELECT a FROM t ORDER BY a LIMIT 2.0 OFFSET 0x1`},
	{"an OFFSET beyond all rows",
		`CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2), (3);`,
		`SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 4294967297`},
	{"rows of window functions that are REAL or many",
		`CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2), (3);`,
		`SELECT a, lag(a, 2.0) OVER w, lead(a, 0) OVER w, ntile(4294967297) OVER w, nth_value(a, 4294967297) OVER w FROM t WINDOW w AS (ORDER BY a)`},
	{"a subquery's column has the collation BINARY",
		`CREATE TABLE t(a TEXT COLLATE NOCASE); INSERT INTO t VALUES ('a'), ('NA');`,
		`SELECT d.x FROM (SELECT 'b' AS x FROM t LIMIT 1) AS d UNION SELECT a FROM t ORDER BY 1`},
	{"correlated IN a list with NULL",
		`CREATE TABLE t(v, o); INSERT INTO t VALUES (NULL, 1), (5, 1), (6, 1), (6, 2), (NULL, 3); CREATE TABLE u(y, b); INSERT INTO u VALUES (1, 5), (1, NULL), (2, 5);`,
		`SELECT v, o FROM t WHERE v IN (SELECT b FROM u WHERE y = t.o)`},
	{"IS DISTINCT FROM TRUE asks for truth",
		`CREATE TABLE t(a INTEGER, b); INSERT INTO t VALUES (1, 2), (1, 1), (2, NULL), (NULL, 3);`,
		`SELECT a IS DISTINCT FROM TRUE, a IS NOT DISTINCT FROM FALSE, 4 IS DISTINCT FROM TRUE FROM t`},
	{"IS takes what binds tighter",
		`CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (NULL), (1), (0);`,
		`SELECT 1 IS NOT NULL % a, a IS NULL < a, a IS TRUE + 1, a IS NOT NULL AND a FROM t`},
	{"rows of a view stay together",
		`CREATE TABLE t(c TEXT PRIMARY KEY, b); INSERT INTO t VALUES ('k9', 'x'), (NULL, NULL); CREATE VIEW v AS SELECT c, b FROM t WHERE c IS NOT 2;`,
		`SELECT * FROM v`},
	{"the first arm's collation before a later COLLATE",
		`CREATE TABLE t(a TEXT COLLATE RTRIM, b TEXT COLLATE NOCASE); INSERT INTO t VALUES ('a ', 'a'), ('a', NULL);`,
		`SELECT count(*) FROM (SELECT a FROM t UNION SELECT b COLLATE BINARY FROM t)`},
	{"the order of a compound, by the first arm's collation",
		`CREATE TABLE t(a TEXT COLLATE NOCASE, b TEXT); INSERT INTO t VALUES ('b', 'A'), ('a', 'C');`,
		`SELECT a FROM t UNION ALL SELECT b COLLATE BINARY FROM t ORDER BY 1 DESC`},
	{"a COLLATE within a condition reaches out",
		`CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('A');`,
		`SELECT count(*) FROM (SELECT iif(a COLLATE NOCASE = a, a, a) FROM t UNION SELECT 'a' FROM t)`},
	{"a column that a compound's first arm has twice, by a collation",
		`CREATE TABLE t(a TEXT COLLATE NOCASE); INSERT INTO t VALUES ('a'), ('A');`,
		`SELECT count(*), count(b) FROM (SELECT a || '' AS a, +a AS b, +a AS c FROM t UNION SELECT a COLLATE NOCASE, a COLLATE BINARY, a FROM t)`},
	{"a cast to no type",
		`CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('1'), ('x');`,
		`SELECT CAST(a AS ), CAST(a AS '') = a, CAST(a AS "b c" 'd'(1, -2)) FROM t`},
	{"integers beyond 2^53 in a subquery, against a real",
		`CREATE TABLE t(r REAL, i INTEGER); INSERT INTO t VALUES (9007199254740993, 9007199254740993);`,
		`SELECT r IN (VALUES (1), (9007199254740993)), i + 0 IN (SELECT r FROM t), r IN (SELECT i FROM t), r IN (1, 9007199254740993), 9007199254740993 IN (SELECT max(r) FROM t) FROM t`},
}

func TestRegressions(t *testing.T) {
	ctx := context.Background()
	for _, c := range regressions {
		t.Run(c.name, func(t *testing.T) {
			s, err := newSubject(ctx, t.TempDir(), c.script, "")
			if err != nil {
				t.Fatal(err)
			}
			defer s.close()
			if o := s.try(ctx, query{sql: c.query}); o.failure != "" || o.refused != "" {
				t.Errorf("%s\n%s\n%s %s\n%s", c.script, c.query, o.refused, o.failure, o.trace())
			}
		})
	}
}
