package sqlite

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
	"pgregory.net/rapid"
)

// TestProgram lists statements with arguments next to statements that may or may not
// be the same to SQLite's machine.
func TestProgram(t *testing.T) {
	db := open(t, Location{Path: build(t,
		"CREATE TABLE bird (id INTEGER PRIMARY KEY, name TEXT, family INTEGER, weight REAL, seen TEXT)",
		"CREATE TABLE family (id INTEGER, name TEXT)",
	)}, Options{Mode: Snapshot})
	p := db.NewPool(PoolOptions{})
	defer p.Close()
	const same, other, untold = "the same", "another", "untold"
	for _, c := range []struct {
		sql  string
		args []value.Value
		with string
		want string
	}{
		{"SELECT name FROM bird WHERE id = ?1", args(7), "SELECT name FROM bird WHERE id = 7", same},
		{"SELECT name FROM bird WHERE id = ?1", args(7), "SELECT name FROM bird AS b WHERE b.id = 7;", same},
		{"SELECT name FROM bird WHERE id = ?1", args(7), "SELECT name FROM bird WHERE id = 8", other},
		{"SELECT name FROM bird WHERE id = ?1", args("7"), "SELECT name FROM bird WHERE id = 7", other},
		{"SELECT name FROM bird WHERE id = ?1", args(nil), "SELECT name FROM bird WHERE id = NULL", same},
		{"SELECT name FROM bird WHERE family = ?1", args(1 << 40), "SELECT name FROM bird WHERE family = 1099511627776", untold},
		{"SELECT name FROM bird WHERE family = 1099511627776", nil, "SELECT name FROM bird WHERE family = 1099511627777", untold},
		{"SELECT name FROM bird WHERE family = ?1", args(-3), "SELECT name FROM bird WHERE family = -3", same},
		{"SELECT id FROM bird WHERE name = ?1", args("tit"), "SELECT id FROM bird WHERE name = 'tit'", same},
		{"SELECT id FROM bird WHERE name = ?1", args("tit"), "SELECT id FROM bird WHERE name = 'tit '", other},
		{"SELECT id FROM bird WHERE name = ?1", args("a 'tit'\nBlob 1"), "SELECT id FROM bird WHERE name = 'a ''tit''\nBlob 1'", same},
		{"SELECT id FROM bird WHERE name = ?1", args("tit"), "SELECT id FROM bird WHERE name = 'tit' COLLATE NOCASE", other},
		{"SELECT id FROM bird WHERE name = ?1", args("tit"), "SELECT id FROM bird WHERE name <> 'tit'", other},
		{"SELECT id FROM bird ORDER BY weight", nil, "SELECT id FROM bird ORDER BY weight DESC", other},
		{"SELECT id FROM bird LIMIT ?1", args(3), "SELECT id FROM bird LIMIT 3", same},
		{"SELECT id FROM bird LIMIT ?1", args(4), "SELECT id FROM bird LIMIT 3", other},
		{"SELECT upper(name) FROM bird", nil, "SELECT lower(name) FROM bird", other},
		{"SELECT strftime('%Y', seen) FROM bird", nil, "SELECT strftime('%m', seen) FROM bird", other},
		{"SELECT strftime(?1, seen) FROM bird", args("%Y"), "SELECT strftime('%Y', seen) FROM bird", same},
		{"SELECT max(family, id, ?1) FROM bird", args(2), "SELECT max(family, id, 2) FROM bird", same},
		{"SELECT max(id, 2) FROM bird", nil, "SELECT max(id, 2, 2) FROM bird", other},
		// SQLite makes an index for the join. It guards a parameter against NULL there,
		// and gives it the affinity of the column.
		{"SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = ?1", args("tits"), "SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = 'tits'", same},
		{"SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = ?1 AND b.seen = ?2", args("tits", "never"), "SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = 'tits' AND b.seen = 'never'", same},
		{"SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = ?1", args(nil), "SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = 'tits'", other},
		{"SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = ?1", args(5), "SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE f.name = '5'", other},
		{"SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE b.weight = ?1 AND f.name = 'tits'", args("5"), "SELECT b.name FROM bird b JOIN family f ON f.id = b.family WHERE b.weight = 5 AND f.name = 'tits'", other},
		// Both read as 0.1 with sixteen digits.
		{"SELECT id FROM bird WHERE weight > ?1", args(0.1), "SELECT id FROM bird WHERE weight > 0.1", untold},
		{"SELECT id FROM bird WHERE weight > 0.1", nil, "SELECT id FROM bird WHERE weight > 0.10000000000000001", untold},
		{"SELECT id FROM bird WHERE name = x'01'", nil, "SELECT id FROM bird WHERE name = x'01'", untold},
		{"SELECT random()", nil, "SELECT random()", untold},
		{"SELECT date('now')", nil, "SELECT date('now')", untold},
		{"SELECT date(?1)", args("NOW"), "SELECT date('NOW')", untold},
		{"SELECT current_timestamp", nil, "SELECT current_timestamp", untold},
		{"SELECT unixepoch('subsec')", nil, "SELECT unixepoch('subsec')", untold},
		{"SELECT julianday()", nil, "SELECT julianday()", untold},
		{"SELECT value FROM json_each('[1]')", nil, "SELECT value FROM json_each('[1]')", untold},
	} {
		got := program(t, p, c.sql, c.args...)
		verdict := other
		switch {
		case got == "":
			verdict = untold
		case got == program(t, p, c.with):
			verdict = same
		}
		if verdict != c.want {
			t.Errorf("%s %v, %s: %s, want %s\n%s", c.sql, c.args, c.with, verdict, c.want, got)
		}
	}
}

func args(list ...any) []value.Value {
	out := make([]value.Value, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case int:
			out[i] = value.Int(int64(v))
		case float64:
			out[i] = value.Float(v)
		case string:
			out[i] = value.Str(v)
		}
	}
	return out
}

type fataler interface {
	Helper()
	Fatal(...any)
}

func program(t fataler, p *Pool, sql string, args ...value.Value) string {
	t.Helper()
	s, err := p.Prepare(context.Background(), sql)
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Program(context.Background(), s, args)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestEqualProgramsGiveEqualRows runs random statements with arguments and with
// literals. Where the programs are equal, the rows are, in their order.
func TestEqualProgramsGiveEqualRows(t *testing.T) {
	db := open(t, Location{Path: build(t,
		"CREATE TABLE a (i INTEGER, t TEXT, n)", "CREATE TABLE b (i INTEGER PRIMARY KEY, t TEXT COLLATE NOCASE)", "CREATE INDEX b_t ON b (t)",
		`WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 99)
		 INSERT INTO a SELECT x % 7, CASE x % 5 WHEN 0 THEN NULL WHEN 1 THEN 'A' WHEN 2 THEN 'a' ELSE x % 3 END, CASE x % 3 WHEN 0 THEN x % 4 WHEN 1 THEN '' || x % 4 END FROM n`,
		"INSERT INTO b SELECT rowid, t FROM a",
	)}, Options{Mode: Snapshot})
	p := db.NewPool(PoolOptions{})
	defer p.Close()
	equal, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var values []value.Value
		var withArgs, withLiterals strings.Builder
		write := func(text string) {
			withArgs.WriteString(text)
			withLiterals.WriteString(text)
		}
		write(rapid.SampledFrom([]string{
			"SELECT a.i, a.t, a.n FROM a WHERE ", "SELECT DISTINCT b.t FROM a JOIN b ON a.i = b.i WHERE ", "SELECT a.t, count(*) FROM b JOIN a ON a.t = b.t WHERE ",
		}).Draw(t, "select"))
		conditions := rapid.SliceOfN(rapid.SampledFrom([]string{"a.i = ", "a.i < ", "a.t = ", "a.t LIKE ", "a.n >= ", "coalesce(a.t, a.n) <> "}), 1, 3).Draw(t, "conditions")
		for i, condition := range conditions {
			if i > 0 {
				write(rapid.SampledFrom([]string{" AND ", " OR "}).Draw(t, "word"))
			}
			write(condition)
			v := rapid.SampledFrom(args(0, 2, -1, 1<<33, "a", "A", "2", "%", nil)).Draw(t, "value")
			values = append(values, v)
			fmt.Fprintf(&withArgs, "?%d", len(values))
			switch v.Kind() {
			case value.Null:
				withLiterals.WriteString("NULL")
			case value.Integer:
				fmt.Fprint(&withLiterals, v.Int64())
			default:
				withLiterals.WriteString("'" + v.Raw() + "'")
			}
		}
		if strings.Contains(withArgs.String(), "count(") {
			write(" GROUP BY a.t")
		}
		write(rapid.SampledFrom([]string{"", " ORDER BY 1", " LIMIT 5"}).Draw(t, "end"))
		all++
		if program(t, p, withArgs.String(), values...) != program(t, p, withLiterals.String()) {
			return
		}
		equal++
		got, err := db.Query(context.Background(), withArgs.String(), values...)
		if err != nil {
			t.Fatal(err)
		}
		want, err := db.Query(context.Background(), withLiterals.String())
		if err != nil {
			t.Fatal(err)
		}
		if show(got.Rows) != show(want.Rows) {
			t.Errorf("%s %v: %s\nwant %s", withArgs.String(), values, show(got.Rows), show(want.Rows))
		}
	})
	if equal < all/2 {
		t.Errorf("%d of %d statements have the program that they have with literals", equal, all)
	}
}
