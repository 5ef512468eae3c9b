package rest

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
	"pgregory.net/rapid"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// echo returns a statement that gives its argument back.
func echo(t *testing.T) (*sqlite.Pool, *sqlite.Statement) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "echo.sqlite")
	file, err := sql.Open("sqlite", "file://"+(&url.URL{Path: path}).EscapedPath())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Exec("CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(context.Background(), sqlite.Location{Path: path}, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pool := db.NewPool(sqlite.PoolOptions{})
	t.Cleanup(func() { pool.Close(); _ = db.Close() })
	s, err := pool.Prepare(context.Background(), "SELECT ?1 AS x")
	if err != nil {
		t.Fatal(err)
	}
	return pool, s
}

// written returns a value as JSON and as CSV.
func written(t interface{ Fatal(...any) }, pool *sqlite.Pool, s *sqlite.Statement, v value.Value) (asJSON, asCSV string) {
	err := pool.Run(context.Background(), s, []value.Value{v}, func(r *sqlite.Row) bool {
		asJSON = string(appendRow(nil, r, []string{`{"x":`}))
		asCSV = string(appendCSV(nil, r, 1))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return asJSON, strings.TrimSuffix(asCSV, "\r\n")
}

func TestValuesAreWrittenExactly(t *testing.T) {
	pool, s := echo(t)
	for _, c := range []struct {
		v         value.Value
		json, csv string
	}{
		{value.NullValue(), `null`, ``},
		{value.Int(9007199254740993), `9007199254740993`, `9007199254740993`},
		{value.Int(-1 << 63), `-9223372036854775808`, `-9223372036854775808`},
		{value.Float(1), `1.0`, `1.0`},
		{value.Float(0.1), `0.1`, `0.1`},
		{value.Float(1e300), `1e+300`, `1e+300`},
		{value.Str(""), `""`, `""`},
		{value.Str("007"), `"007"`, `"007"`},
		{value.Str("a\"b\\c\n\x00é"), `"a\"b\\c\n\u0000é"`, "\"a\"\"b\\c\n\x00é\""},
		{value.Str("\xff"), `{"text":"ff"}`, "\"\xff\""},
		{value.Bytes("\x00\xab"), `{"blob":"00ab"}`, `x'00ab'`},
	} {
		asJSON, asCSV := written(t, pool, s, c.v)
		if asJSON != `{"x":`+c.json+`}` || asCSV != c.csv {
			t.Errorf("%v: %s and %s, want %s and %s", c.v, asJSON, asCSV, c.json, c.csv)
		}
	}
}

// Any value is read back from JSON as it was, bit by bit.
func TestValuesSurviveJSON(t *testing.T) {
	pool, s := echo(t)
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(
			rapid.Custom(func(t *rapid.T) value.Value { return value.Int(rapid.Int64().Draw(t, "integer")) }),
			rapid.Custom(func(t *rapid.T) value.Value { return value.Float(rapid.Float64().Draw(t, "real")) }),
			rapid.Custom(func(t *rapid.T) value.Value { return value.Str(rapid.String().Draw(t, "text")) }),
			rapid.Custom(func(t *rapid.T) value.Value {
				return value.Str(string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
			}),
			rapid.Custom(func(t *rapid.T) value.Value {
				return value.Bytes(string(rapid.SliceOf(rapid.Byte()).Draw(t, "blob")))
			}),
		).Draw(t, "value")
		text, _ := written(t, pool, s, v)
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is not JSON", text)
		}
		row, err := decodeRow([]byte(text))
		if err != nil || len(row) != 1 || row[0] != v {
			t.Fatalf("%v became %s, then %v %v", v, text, row, err)
		}
	})
}
