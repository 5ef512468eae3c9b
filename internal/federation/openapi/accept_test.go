package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// oneColumn is a document of a table with a column c and a parameter of that name.
func oneColumn(column, parameter string) string {
	return `{"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/rows": {"get": {"operationId": "rows",
		"parameters": [{"name": "c", "in": "query", ` + parameter + `}],
		"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "object",
			"properties": {"id": {"type": "integer"}, "c": ` + column + `}}}}}}}}}}}`
}

// loadDocument declares a table of a document, whose API is at a URL.
func loadDocument(t testing.TB, document, url, table string) *apis.Table {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "openapi.json"), document)
	write(t, filepath.Join(folder, "apis.yaml"), fmt.Sprintf("apis: {a: {openapi: openapi.json, server: %q, retries: 0}}\ntables: {t: %s}\n", url, table))
	d, err := Load(context.Background(), filepath.Join(folder, "apis.yaml"), environment)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d.Database("").Tables[0]
}

// probes are values that a column may be compared with.
var probes = []value.Value{
	value.NullValue(), value.Int(5), value.Int(0), value.Int(1), value.Int(-7), value.Int(math.MaxInt64), value.Float(5), value.Float(5.5), value.Float(1e300),
	value.Float(math.Inf(1)), value.Str("5"), value.Str("05"), value.Str("5.0"), value.Str(" 5"), value.Str("abc"), value.Str("true"), value.Str(""), value.Str("a,b"),
	value.Str("a\x00b"), value.Str("\xff"), value.Str("1e999"), value.Str("0x10"), value.Bytes("5"),
}

// TestAccepts lists columns with the values that their API can be asked for, as they
// are sent.
func TestAccepts(t *testing.T) {
	const any, text, list = `"schema": {}`, `"schema": {"type": "string"}`, `"style": "form", "explode": false, "schema": {"type": "array", "items": {"type": "string"}}`
	for _, c := range []struct{ column, parameter, declared, want string }{
		{`{"type": "integer"}`, `"schema": {"type": "integer"}`, "", `5=5 0=0 1=1 -7=-7 9223372036854775807=9223372036854775807 5.0=5 '5'=5 '05'=5 '5.0'=5 ' 5'=5`},
		{`{"type": "integer"}`, text, "", `5=5 0=0 1=1 -7=-7 9223372036854775807=9223372036854775807 5.0=5 5.5=5.5 1.0e+300=1.0e+300 '5'=5 '05'=5 '5.0'=5 ' 5'=5`},
		{`{"type": "integer"}`, `"schema": {"type": "integer", "minimum": 1, "maximum": 5}`, "", `5=5 1=1 5.0=5 '5'=5 '05'=5 '5.0'=5 ' 5'=5`},
		{`{"type": "number"}`, `"schema": {"type": "number"}`, "", `5=5 0=0 1=1 -7=-7 9223372036854775807=9223372036854775807 5.0=5 5.5=5.5 1.0e+300=1e+300 '5'=5 '05'=5 '5.0'=5 ' 5'=5`},
		{`{"type": "boolean"}`, `"schema": {"type": "boolean"}`, "", `0=false 1=true`},
		{`{"type": "boolean"}`, `"schema": {"type": "integer", "enum": [0, 1]}`, "", `0=0 1=1`},
		{`{"type": "string"}`, text, "", `'5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
		{`{"type": "string"}`, any, "", `'5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
		{`{"type": "string"}`, list, "", `'5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= '1e999'=1e999 '0x10'=0x10`},
		{`{"type": "string"}`, `"schema": {"type": "string", "minLength": 2, "maxLength": 3}`, "", `'05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'a,b'=a,b`},
		{`{"type": "string"}`, `"schema": {"type": "string", "enum": ["abc", "x"]}`, "", `'abc'=abc`},
		{`{"type": "string"}`, `"schema": {"type": "integer"}`, "", `'5'=5`},
		{`{"type": "string"}`, text, "c: {path: /c, type: DATE}", `'abc'=abc 'true'=true ''= 'a,b'=a,b '0x10'=0x10`},
		{`{"type": ["integer", "string"]}`, text, "", `'abc'=abc 'true'=true ''= 'a,b'=a,b '0x10'=0x10`},
		{`{"type": ["integer", "string"]}`, `"schema": {"type": ["integer", "string"]}`, "", ``},
		{`{}`, text, "", `'abc'=abc 'true'=true ''= 'a,b'=a,b '0x10'=0x10`},
		{`{}`, any, "", ``},
		{`{}`, text, "c: {path: /c, type: TEXT}", `'5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
		{`{"type": "integer"}`, text, "c: {path: /c, type: TEXT}", `5=5 0=0 1=1 -7=-7 9223372036854775807=9223372036854775807 5.0=5 5.5=5.5 1.0e+300=1.0e+300 '5'=5 '05'=5 '5.0'=5 ' 5'=5`},
		{`{"type": "integer", "x-sql-type": "INTEGER"}`, text, "", `5=5 0=0 1=1 -7=-7 9223372036854775807=9223372036854775807 5.0=5.0 5.5=5.5 1.0e+300=1e+300 '5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
		{`{"type": "string", "x-sql-type": "TEXT"}`, text, "", `'5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
		{`{"type": "number", "x-sql-type": ""}`, text, "", `5=5 0=0 1=1 -7=-7 9223372036854775807=9223372036854775807 5.0=5.0 5.5=5.5 1.0e+300=1e+300 '5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
		{`{"x-sql-type": ""}`, text, "", `'5'=5 '05'=05 '5.0'=5.0 ' 5'= 5 'abc'=abc 'true'=true ''= 'a,b'=a,b '1e999'=1e999 '0x10'=0x10`},
	} {
		declared := ""
		if c.declared != "" {
			declared = ", columns: {" + c.declared + "}"
		}
		made := loadDocument(t, oneColumn(c.column, c.parameter), "http://127.0.0.1:1", "{list: rows"+declared+"}")
		var got []string
		for _, v := range probes {
			s, ok := sent{}, false
			if f := sourceOf(made).list.filters[1]; f != nil {
				s, ok = made.TableSource.(*table).send(f, 1, v)
			}
			if ok != made.Accepts(1, v) {
				t.Errorf("Accepts is not what is sent for %s", show(v))
			}
			if ok {
				literal := value.AsText(v)
				if v.Kind() == value.Text {
					literal = "'" + literal + "'"
				}
				got = append(got, literal+"="+s.text)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s with %s %s: got\n%s, want\n%s", c.column, c.parameter, c.declared, text, c.want)
		}
	}
}

// TestAcceptsRandomly asks an API that compares JSON's values, and that refuses what
// its parameter does not allow. What is accepted brings all rows that are equal by
// SQLite's rules, with whatever affinity the other side has, and what equals nothing
// has none.
func TestAcceptsRandomly(t *testing.T) {
	stored := []string{`5`, `5.0`, `5.5`, `0`, `1`, `-7`, `1e300`, `9223372036854775807`, `"5"`, `"05"`, `"5.0"`, `" 5"`, `"abc"`, `"ABC"`, `"true"`, `""`, `"a,b"`, `"0x10"`, `true`, `false`, `null`, `"1e999"`, `9223372036854775808`, `1e999`, `"Inf"`}
	kindOf := func(text string) string {
		switch {
		case text[0] == '"':
			return "string"
		case text == "true" || text == "false":
			return "boolean"
		case text == "null":
			return "null"
		case strings.ContainsAny(text, ".e"):
			return "number"
		}
		return "integer"
	}
	names := []string{"integer", "number", "string", "boolean"}
	r := rand.New(rand.NewPCG(3, 4))
	accepted, never, found := 0, 0, 0
	for range 150 {
		var column, parameter []string
		for _, name := range names {
			if r.IntN(3) == 0 {
				column = append(column, name)
			}
			if r.IntN(2) == 0 {
				parameter = append(parameter, name)
			}
		}
		if len(column) == 0 {
			column = names[r.IntN(4):][:1]
		}
		if len(parameter) == 0 {
			parameter = column
		}
		var rows []string
		for _, text := range stored {
			kind := kindOf(text)
			for _, allowed := range append(column, "null") {
				if kind == allowed || kind == "integer" && allowed == "number" || text == "5.0" && allowed == "integer" {
					rows = append(rows, fmt.Sprintf(`{"id":%d,"c":%s}`, len(rows), text))
					break
				}
			}
		}
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			asked, filtered := req.URL.Query()["c"]
			var answer []string
			for _, row := range rows {
				var v struct{ C json.RawMessage }
				if err := json.Unmarshal([]byte(row), &v); err != nil {
					t.Error(err)
				}
				if !filtered || sameJSON(string(v.C), asked[0], parameter) {
					answer = append(answer, row)
				}
			}
			_, _ = io.WriteString(w, "["+strings.Join(answer, ",")+"]")
		}))
		types, _ := json.Marshal(column)
		allowed, _ := json.Marshal(parameter)
		declared := []string{"", ", columns: {c: {path: /c, type: TEXT}}", ", columns: {c: {path: /c, type: NUMERIC}}", ", columns: {c: {path: /c, type: \"\"}}", ", columns: {c: {path: /c, type: REAL}}"}[r.IntN(5)]
		table := loadDocument(t, oneColumn(`{"type": `+string(types)+`}`, `"schema": {"type": `+string(allowed)+`}`), api.URL, "{list: rows"+declared+"}")
		all := selectAll(t, table, nil)
		for _, v := range append(probes, value.Str("Inf"), value.Str("-inf "), value.Float(1<<63)) {
			got := map[int64]bool{}
			switch {
			case table.NeverEquals(1, v):
				never++
			case table.Accepts(1, v):
				accepted++
				for _, row := range selectAll(t, table, []apis.Condition{{Column: 1, Values: []value.Value{v}}}) {
					got[row[0].Int64()] = true
				}
			default:
				continue
			}
			own := value.AffinityOf(table.Columns[1].Type)
			for _, row := range all {
				for other := value.AffinityNone; other <= value.AffinityReal; other++ {
					if other != value.AffinityNone && other.Apply(v) != v {
						continue // a column of that affinity cannot have the value
					}
					x, y := value.Coerce(row[1], v, own, other)
					if row[1].IsNull() || value.Compare(x, y, value.Binary) != 0 {
						continue
					}
					found++
					if !got[row[0].Int64()] {
						t.Fatalf("%s column of %v with a parameter of %v: %s equals %s against %s, and is not found", table.Columns[1].Type, column, parameter, show(row[1]), show(v), other)
					}
				}
			}
		}
		api.Close()
	}
	if accepted < 500 || never < 500 || found < 1000 {
		t.Errorf("only %d values were accepted, %d never equal, and %d rows equal", accepted, never, found)
	}
}

// sameJSON reports whether a value of JSON is what a parameter asks for: numbers by
// their value, all others by their text.
func sameJSON(stored, asked string, allowed []string) bool {
	if stored[0] == '"' {
		var text string
		_ = json.Unmarshal([]byte(stored), &text)
		return text == asked
	}
	if x, err := strconv.ParseFloat(stored, 64); err == nil {
		y, err := strconv.ParseFloat(asked, 64)
		return err == nil && x == y
	}
	return stored == asked || stored == "true" && asked == "1" || stored == "false" && asked == "0" && len(allowed) > 0
}

func selectAll(t testing.TB, table *apis.Table, conditions []apis.Condition) (rows [][]value.Value) {
	t.Helper()
	whole, err := table.Select(context.Background(), apis.NewMeter(apis.Limits{}), conditions, 0, func(row []value.Value) error {
		rows = append(rows, row)
		return nil
	})
	if err != nil || !whole {
		t.Fatalf("%s: %t %v", table.Name, whole, err)
	}
	return rows
}
