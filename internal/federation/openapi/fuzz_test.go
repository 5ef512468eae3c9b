package openapi

import (
	"context"
	"strings"
	"testing"
)

// FuzzLoad reads any text as a declaration: there is an error that says where, or
// tables and functions that can be used.
func FuzzLoad(f *testing.F) {
	const small = "apis: {b: {openapi: tiny.yaml, server: \"${ORCHARD_URL}\"}}\n"
	f.Add(small + "tables:\n  t: &t\n    list: same\n    columns: {a: {path: /id, type: REAL, collation: nocase}}\n    only: [a]\n    key: a\ndatabases: {d: {tables: {u: {<<: *t}}}}\n")
	f.Add(small + "tables: {t: {list: signs, page: {kind: cursor, next: /meta/left, size: 5}, rows: /rows, estimate: 7, cache: 5m}}\n")
	f.Add(small + "functions: {f: {operation: arrays, args: [], result: /a/0/id, many: {max: 5, rows: /a, key: [/id]}, type: TEXT}}\nlimits: {calls: 5}\n")
	f.Add("apis: &a {b: {openapi: tiny.yaml}}\ntables: *a\nfunctions: {<<: *a}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "http") {
			return // a document could be asked for
		}
		d, err := load(context.Background(), "testdata/x.yaml", []byte(text), environment)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "testdata/x.yaml:") {
				t.Errorf("the error does not say where: %v", err)
			}
			return
		}
		defer d.Close()
		for _, id := range append(d.Databases(), "") {
			for _, table := range d.Database(id).Tables {
				for _, i := range table.Required {
					if i >= len(table.Columns) {
						t.Errorf("%s requires column %d of %d", table.Name, i, len(table.Columns))
					}
				}
				for i := range table.Columns {
					for _, v := range probes {
						table.Accepts(i, v)
					}
				}
			}
		}
	})
}

// FuzzDocument reads any text as an OpenAPI document.
func FuzzDocument(f *testing.F) {
	f.Add(read(f, "testdata/tiny.yaml"))
	f.Add(oneColumn(`{"type": ["integer", "null"], "enum": [1, null]}`, `"schema": {"type": "array", "items": {"type": "integer"}}`))
	f.Add(`{"openapi":"3.1.0","info":{"title":"","version":""},"paths":{"/a":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},
		"components":{"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/A"},{"anyOf":[{"$ref":"#/components/schemas/A"},true]}],"properties":{"a":{"$ref":"#/components/schemas/A"}}}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := readDocument([]byte(text))
		if err != nil {
			return
		}
		for _, name := range d.names {
			l := &loader{reader: &reader{file: "x.yaml"}, services: map[string]*service{"a": {name: "a", document: d}}, names: []string{"a"}}
			at := place{1, 1}
			l.buildTable(named[tableForm]{name: at1("t"), form: tableForm{at: at, list: plain{at1(name)}}})
			l.buildFunction(named[functionForm]{name: at1("f"), form: functionForm{at: at, operation: plain{at1(name)}}})
		}
	})
}

func at1(s string) text { return text{s, place{1, 1}} }
