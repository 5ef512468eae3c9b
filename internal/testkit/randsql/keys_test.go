package randsql

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/openapi"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// keyTypes are what the compared columns are declared as, by their tables' names.
var keyTypes = []struct{ table, declared string }{
	{"texts", "TEXT"}, {"nocase", "TEXT COLLATE NOCASE"}, {"rtrim", "VARCHAR(20) COLLATE RTRIM"}, {"integers", "INTEGER"},
	{"reals", "REAL"}, {"numerics", "NUMERIC"}, {"blobs", "BLOB"}, {"typeless", ""}, {"typeless_nocase", "COLLATE NOCASE"},
}

// keyLiterals are values at which the rules on types differ, as SQL writes them.
var keyLiterals = []string{
	"'007'", "7", "7.0", "'7'", "' 7'", "'7 '", "'7.0'", "'+7'", "7.5", "'7.5'", "-7", "0", "-0.0", "'-0'", "1", "1e300", "'1e300'", "'1.0e+300'",
	"9e999", "-9e999", "'9e999'", "9007199254740992", "9007199254740993", "9007199254740992.0", "'9007199254740993'",
	"9223372036854775807", "9223372036854775807.0", "'9223372036854775808'", "-9223372036854775808",
	"'abc'", "'ABC'", "'abc '", "'Abc  '", "''", "' '", "'a,b'", "'null'", "'true'", "'0x10'", "'x''37'''", "'é'", "'É'", "'$x'",
	"x'37'", "x'00FF'", "x''", "x'616263'", "CAST(x'610062' AS TEXT)", "CAST(x'FF61' AS TEXT)", "CAST(x'00' AS TEXT)", "NULL",
}

// keyColumns are those of the file's own table, which keys are joined with.
const keyColumns = "t TEXT, i INTEGER, r REAL, b BLOB, n NUMERIC, x, tn TEXT COLLATE NOCASE"

// keyModes are ways to declare a table of an API, with what has its name.
var keyModes = []struct {
	name, declared string
	lists          bool
}{
	{"list", "list: %s", true},
	{"long list", "list: %s, estimate: 1000000", true},
	{"short pages", "list: %s, estimate: 1000000, many: 2, page: {kind: offset, position: offset, limit: limit, size: 7, next: /next_offset, more: /truncated}", true},
	{"required", "list: %s, required: [c]", false},
	{"get", "get: {operation: %s, rows: /data}, only: [c]", false},
}

// TestKeysOverAPI compares columns of an API with literals and columns of each type:
// the answer is that of the file, or the statement is refused by the table's name. A
// table that can be listed is never refused.
func TestKeysOverAPI(t *testing.T) {
	path := keysFile(t)
	dataset := &bird.Dataset{Databases: []*bird.Database{{ID: "keys", Path: path}}}
	file := openKeys(t, dataset.Databases[0], nil)
	own, err := rest.Open(t.Context(), dataset, rest.Options{Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	server := httptest.NewServer(rest.NewService(own, rest.ServiceOptions{}).Handler())
	defer server.Close()
	document, err := own.Document(t.Context(), rest.DocumentOptions{}, "keys")
	if err != nil {
		t.Fatal(err)
	}
	src := rand.New(rand.NewPCG(7, 7))
	count := map[string]int{}
	total := statements(t, 600)
	var dbs []*sqlite.DB
	for _, mode := range keyModes {
		dbs = append(dbs, openKeys(t, dataset.Databases[0], declareKeys(t, server.URL, document, mode.declared)))
	}
	for n := range total {
		mode := keyModes[n%len(keyModes)]
		statement := keyStatement(src)
		want, err := file.Query(t.Context(), statement)
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		got, err := dbs[n%len(dbs)].Query(t.Context(), statement)
		var refused *vtab.KeyError
		switch {
		case err == nil && fmt.Sprint(got.Rows) == fmt.Sprint(want.Rows):
			count["equal"]++
		case err == nil:
			count["different"]++
			t.Errorf("%s: %s\ngot  %s\nwant %s", mode.name, statement, got.Rows, want.Rows)
		case mode.lists || !errors.As(err, &refused) && !errors.Is(err, sqlite.ErrNeedsKey):
			count["failed"]++
			t.Errorf("%s: %s: %v", mode.name, statement, err)
		default:
			count["refused"]++
		}
	}
	t.Log(count)
	if count["equal"] < total/2 {
		t.Errorf("%v: too few statements are answered", count)
	}
}

// keysFile creates a database whose tables have each literal in a column of their
// type, and one with the literals in columns of all types.
func keysFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "keys.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	script := "CREATE TABLE u(" + keyColumns + ");"
	for _, literal := range keyLiterals {
		script += fmt.Sprintf("INSERT INTO u VALUES (%[1]s, %[1]s, %[1]s, %[1]s, %[1]s, %[1]s, %[1]s);", literal)
	}
	for i, k := range keyTypes {
		columns := "id INTEGER PRIMARY KEY, c " + k.declared
		if i%2 == 1 {
			columns = "c " + k.declared + ", id INTEGER"
		}
		script += fmt.Sprintf("CREATE TABLE %s(%s);", k.table, columns)
		for id, literal := range keyLiterals {
			script += fmt.Sprintf("INSERT INTO %s(id, c) VALUES (%d, %s);", k.table, id, literal)
		}
	}
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	return path
}

// declareKeys declares all tables but u in one way.
func declareKeys(t *testing.T, server string, document []byte, table string) *apis.Database {
	folder := t.TempDir()
	declaration := fmt.Sprintf("apis: {keys: {openapi: keys.json, server: %q}}\ntables:\n", server)
	for _, k := range keyTypes {
		declaration += fmt.Sprintf("  %s: {%s}\n", k.table, fmt.Sprintf(table, "rows_of_"+k.table))
	}
	for name, text := range map[string]string{"keys.json": string(document), "apis.yaml": declaration} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	declared, err := openapi.Load(t.Context(), filepath.Join(folder, "apis.yaml"), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(declared.Close)
	return declared.Database("keys")
}

func openKeys(t *testing.T, info *bird.Database, apis *apis.Database) *sqlite.DB {
	db, err := vtab.Open(t.Context(), &bird.Database{ID: info.ID, Path: info.Path, APIs: apis}, sqlite.Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// keyStatement draws a statement that compares a column with literals or columns.
func keyStatement(src *rand.Rand) string {
	pick := func(of ...string) string { return of[src.IntN(len(of))] }
	literal := func() string {
		l := pick(keyLiterals...)
		switch src.IntN(8) {
		case 0:
			return "CAST(" + l + " AS " + pick("TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC") + ")"
		case 1:
			return "(SELECT " + l + ")"
		}
		return l
	}
	list := func() string {
		all := make([]string, 1+src.IntN(4))
		for i := range all {
			all[i] = literal()
		}
		return strings.Join(all, ", ")
	}
	column := func() string { return "u." + pick("t", "i", "r", "b", "n", "x", "tn") }
	some := func() string { return fmt.Sprintf("u.rowid %% %d = %d", 5, src.IntN(5)) }
	table := keyTypes[src.IntN(len(keyTypes))].table
	rows := "SELECT typeof(a.c), hex(a.c) FROM " + table + " AS a"
	switch src.IntN(12) {
	case 0, 1, 2:
		return rows + " WHERE a.c = " + literal() + " ORDER BY 1, 2"
	case 3:
		return rows + " WHERE " + literal() + " IS a.c ORDER BY 1, 2"
	case 4, 5:
		return rows + " WHERE a.c IN (" + list() + ") ORDER BY 1, 2"
	case 6:
		return rows + " WHERE a.c = " + literal() + " OR a.c = " + literal() + " ORDER BY 1, 2"
	case 7:
		return rows + " JOIN u ON a.c = " + column() + " WHERE " + some() + " ORDER BY 1, 2"
	case 8:
		return rows + " WHERE a.c IN (SELECT " + column() + " FROM u WHERE " + some() + ") ORDER BY 1, 2"
	case 9:
		return "SELECT u.rowid, (SELECT count(*) FROM " + table + " AS a WHERE a.c = " + column() + ") FROM u WHERE " + some() + " ORDER BY 1"
	case 10:
		return "SELECT u.rowid FROM u LEFT JOIN " + table + " AS a ON a.c = " + column() + " WHERE " + some() + " AND a.c IS NULL ORDER BY 1"
	}
	return rows + " WHERE a.c = " + literal() + " COLLATE " + pick("NOCASE", "RTRIM", "BINARY") + " ORDER BY 1, 2"
}
