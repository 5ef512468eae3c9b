package template

import (
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	statements "github.com/birdcall/birdcall/internal/testkit/randsql/hostile"
	"github.com/birdcall/birdcall/pkg/value"
)

// letters is the table that hostile statements read.
var letters = &engine.Schema{Tables: []*engine.Table{
	{Name: "t", RowID: true, Columns: []engine.Column{
		{Name: "a", Type: "INTEGER", Affinity: value.AffinityInteger},
		{Name: "b", Type: "TEXT", Affinity: value.AffinityText},
		{Name: "c", Affinity: value.AffinityBlob},
	}},
}}

// TestHostileStatements makes templates of statements of every hostile shape, as
// large as they may be: each comes to an end.
func TestHostileStatements(t *testing.T) {
	templates := 0
	for _, shape := range statements.Shapes() {
		if tpl, err := New(engine.SQLite, shape.Of(dialect.MaxSize), letters); err == nil {
			templates++
			tpl.IsSingle()
		}
	}
	if templates < 20 {
		t.Errorf("only %d of the shapes are templates", templates)
	}
}

// TestTemplateBounds lists statements that cost too much to be looked at.
func TestTemplateBounds(t *testing.T) {
	for _, c := range []struct{ sql, says string }{
		{"SELECT '" + strings.Repeat("x", dialect.MaxSize) + "'", "65545 bytes"},
		{"SELECT a" + strings.Repeat(" + a", dialect.MaxHeight) + " FROM t", "more than 1000 operators deep"},
		{"SELECT 1 FROM t" + strings.Repeat(", t", dialect.MaxTables), "more than 64 tables"},
		{"SELECT a" + strings.Repeat(", a", dialect.MaxColumns) + " FROM t", "more result columns than SQLite gives"},
		{strings.Repeat("SELECT *,* FROM (", 40) + "SELECT * FROM t" + strings.Repeat(")", 40), "more result columns than SQLite gives"},
	} {
		if _, err := New(engine.SQLite, c.sql, letters); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60s...: %v, want it to say %q", c.sql, err, c.says)
		}
	}
}

// An alias may be called like a column that is not there, or like what it is
// made of. It stands for no other alias of its SELECT.
func TestAliasOfItself(t *testing.T) {
	for _, c := range []struct{ sql, params string }{
		{"SELECT nosuch AS nosuch FROM t WHERE nosuch = 1", "number = 1"},
		{"SELECT sum(nosuch) AS nosuch FROM t WHERE nosuch = 1", "number = 1"},
		{"SELECT x AS y, y AS x FROM t WHERE x = 1", "number = 1"},
		{"SELECT a AS a FROM t WHERE a = 1", "integer = 1"},
		{"SELECT a AS b, b AS a FROM t WHERE a = 1", "integer = 1"},
		{"SELECT max(a) AS most FROM t GROUP BY b HAVING most > 1", "integer > 1"},
	} {
		tpl, err := New(engine.SQLite, c.sql, letters)
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		if got := show(tpl.Params); got != c.params {
			t.Errorf("%s: parameters %s, want %s", c.sql, got, c.params)
		}
	}
}

// FuzzTemplate looks for statements that panic or do not end.
func FuzzTemplate(f *testing.F) {
	for _, shape := range statements.Shapes() {
		f.Add(shape.Of(300))
	}
	f.Fuzz(func(t *testing.T, sql string) {
		if tpl, err := New(engine.SQLite, sql, letters); err == nil {
			tpl.IsSingle()
			tpl.Limits()
		}
	})
}

func BenchmarkTemplate(b *testing.B) {
	for _, shape := range statements.Shapes() {
		for size := 8 << 10; size <= dialect.MaxSize; size *= 2 {
			sql := shape.Of(size)
			b.Run(fmt.Sprintf("%s/%dK", shape.Name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(sql)))
				for b.Loop() {
					_, _ = New(engine.SQLite, sql, letters)
				}
			})
		}
	}
}
