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
		name:   "a",
		script: `CREATE TABLE p(o REAL); INSERT INTO p VALUES (9007199254740993);`,
		query:  `SELECT count(*) FROM p WHERE 9007199254740993 = o`,
	},
	{
		name:   "b",
		script: `CREATE TABLE p(o REAL); INSERT INTO p VALUES (9007199254740993);`,
		query:  `SELECT count(*) FROM p WHERE o = 9007199254740993`,
	},
	{
		name:   "c",
		script: `CREATE TABLE p(o REAL); INSERT INTO p VALUES (9007199254740993);`,
		query:  `SELECT 9007199254740993 = o, o = 9007199254740993, o < 9007199254740993 FROM p`,
	},
	{
		name:   "d",
		script: `CREATE TABLE p(c TEXT PRIMARY KEY, o REAL); INSERT INTO p VALUES (1, 9007199254740993);`,
		query:  `SELECT a.c FROM p a JOIN p b ON a.c=b.c JOIN p c ON b.c=c.c AND 9007199254740993 = b.o`,
	},
	{
		name:   "e",
		script: `CREATE TABLE p(c TEXT PRIMARY KEY, o REAL); INSERT INTO p VALUES (1, 9007199254740993);`,
		query:  `SELECT a.c FROM p a JOIN p b ON a.c=b.c JOIN p c ON b.c=c.c AND b.o=9007199254740993`,
	},
	{
		name:   "f",
		script: `CREATE TABLE p(c TEXT PRIMARY KEY, o REAL); INSERT INTO p VALUES (1, 9007199254740993);`,
		query:  `SELECT a.c FROM p a JOIN p b ON a.c=b.c WHERE b.o=9007199254740993`,
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
			if o := s.try(ctx, query{sql: c.query, total: c.ordered}); o.failure != "" || o.refused != "" {
				t.Errorf("%s\n%s\nrefused: %q %s\n%s", c.script, c.query, o.refused, o.failure, o.trace())
			}
		})
	}
}
