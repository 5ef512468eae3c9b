package sqlite

import (
	"context"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/pkg/value"
	"pgregory.net/rapid"
)

// anyValue draws values of every storage class, text with NUL bytes and bytes
// that are not UTF-8 among them.
func anyValue(t *rapid.T) value.Value {
	bytes := rapid.SliceOf(rapid.Byte())
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return value.Int(rapid.Int64().Draw(t, "integer"))
	case 1:
		return value.Float(rapid.Float64().Draw(t, "real"))
	case 2:
		return value.Str(rapid.String().Draw(t, "text"))
	case 3:
		return value.Str(string(bytes.Draw(t, "bytes")))
	case 4:
		return value.Bytes(string(bytes.Draw(t, "blob")))
	}
	return value.NullValue()
}

func TestBoundValuesComeBack(t *testing.T) {
	db := open(t, Location{Path: build(t, `CREATE TABLE t(x)`)}, Options{})
	rapid.Check(t, func(t *rapid.T) {
		want := anyValue(t)
		got, err := db.Query(context.Background(), "SELECT ?", want)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows[0][0] != want {
			t.Errorf("bound %#v, got back %#v", want, got.Rows[0][0])
		}
	})
}

func TestQuotedNamesAreNames(t *testing.T) {
	db := open(t, Location{Path: build(t, `CREATE TABLE t(x)`)}, Options{})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[^\x00]+`).Draw(t, "name")
		got, err := db.Query(context.Background(), "SELECT 1 AS "+Quote(name))
		if err != nil {
			t.Fatal(err)
		}
		if got.Columns[0] != name {
			t.Errorf("got the name %q, want %q", got.Columns[0], name)
		}
	})
}

func TestSeveralGoroutinesShareADatabase(t *testing.T) {
	db := open(t, Location{Path: build(t, `CREATE TABLE t(x DATE)`, `INSERT INTO t VALUES ('2012-08-23 00:00:00.0')`)}, Options{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				got, err := db.Query(context.Background(), "SELECT x FROM t")
				if err != nil || got.Rows[0][0] != value.Str("2012-08-23 00:00:00.0") {
					t.Errorf("got %v, %v", got, err)
					return
				}
				if _, err := db.Query(context.Background(), "DELETE FROM t"); err == nil {
					t.Error("a write is not refused")
					return
				}
			}
		})
	}
	group.Wait()
}
