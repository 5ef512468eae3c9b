package sqlite

import (
	"context"
	"errors"
	"testing"
)

func TestFullTextTablesAreRead(t *testing.T) {
	db := open(t, Location{Path: build(t,
		"CREATE VIRTUAL TABLE notes USING fts5(title, body)",
		"INSERT INTO notes VALUES ('One', 'the quick fox'), ('Two', 'the lazy dog'), ('Three', 'quick quick')",
	)}, Options{})
	for sql, want := range map[string]string{
		"SELECT title FROM notes WHERE notes MATCH 'quick' ORDER BY rowid":               "t\"One\"\nt\"Three\"",
		"SELECT title FROM notes('lazy')":                                                `t"Two"`,
		"SELECT highlight(notes, 1, '<', '>') FROM notes WHERE notes MATCH 'fox'":        `t"the quick <fox>"`,
		"SELECT title FROM notes WHERE notes MATCH 'quick' ORDER BY bm25(notes) LIMIT 1": `t"Three"`,
	} {
		if got := ask(t, db, sql); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
	forbidden := "SELECT * FROM notes WHERE notes MATCH 'a' AND load_extension('x')"
	if _, err := db.Query(context.Background(), forbidden); !errors.Is(err, ErrForbidden) {
		t.Errorf("%s: %v", forbidden, err)
	}
	schema, err := db.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if c := schema.Table("notes").Column("notes"); c == nil || !c.Hidden {
		t.Errorf("the table's hidden column is %+v", c)
	}
}
