package randsql

import (
	"context"
	"testing"
)

// regressions are statements that went wrong once, each with its tables.
var regressions = []struct {
	name, script, query string
	ordered             bool
}{
	{
		name:   "ordinal",
		script: `CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (1, 1), (NULL, 3);`,
		query:  `SELECT a, (SELECT max(b) FROM t ORDER BY 1 LIMIT 1) FROM t`,
	},
	{
		name:   "ordinal2",
		script: `CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (1, 1), (NULL, 3);`,
		query:  `SELECT a, max((SELECT b FROM t ORDER BY 1 LIMIT 1)) FROM t GROUP BY a`,
	},
	{
		name:   "ordinal3",
		script: `CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (1, 1), (NULL, 3);`,
		query:  `SELECT a, (SELECT b FROM t ORDER BY 1 LIMIT 1) FROM t x WHERE EXISTS (SELECT x.a FROM t ORDER BY 1 LIMIT 1) UNION ALL SELECT a, a FROM t`,
	},
	{
		name:   "ordinal4",
		script: `CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (1, 1), (NULL, 3);`,
		query:  `SELECT a, (SELECT b FROM t WHERE t.b = x.b ORDER BY 1 LIMIT 1) FROM t x`,
	},
	{
		name:   "ordinal5",
		script: `CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (1, 1), (NULL, 3);`,
		query:  `SELECT a, max((SELECT b FROM t WHERE t.b = x.b ORDER BY 1 LIMIT 1)) FROM t x GROUP BY a`,
	},
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
			if o := s.try(ctx, c.query, c.ordered); o.failure != "" || o.refused != "" {
				t.Errorf("%s\n%s\nrefused: %q %s\n%s", c.script, c.query, o.refused, o.failure, o.trace())
			}
		})
	}
}
