package openapi

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// TestPaging lists parameters and members of an answer, besides its rows, with what
// is made of them as pages.
func TestPaging(t *testing.T) {
	const ints, texts = `"schema": {"type": "integer"}`, `"schema": {"type": "string"}`
	param := func(name, schema string) string { return fmt.Sprintf(`{"name": %q, "in": "query", %s}`, name, schema) }
	const exactly = `, "x-sql-type": "INTEGER"`
	for _, c := range []struct {
		name, params, members, column, page string
		kind                                fetch.Kind
		position                            string
		pages                               pagePointers
		wrong                               string
	}{
		{name: "nothing", kind: fetch.Whole},
		{name: "a number of rows", params: param("offset", ints) + "," + param("limit", ints), kind: fetch.Offset, position: "offset"},
		{name: "more", params: param("offset", ints) + "," + param("limit", ints), members: `"has_more": {"type": "boolean"}`,
			kind: fetch.Offset, position: "offset", pages: pagePointers{more: []string{"has_more"}}},
		{name: "more, besides what is declared", params: param("offset", ints) + "," + param("limit", ints), members: `"has_more": {"type": "boolean"}`,
			page: "{kind: offset, position: offset}", kind: fetch.Offset, position: "offset", pages: pagePointers{more: []string{"has_more"}}},
		{name: "more of a listing that has no pages", members: `"has_more": {"type": "boolean"}`, page: "none", kind: fetch.Whole, pages: pagePointers{more: []string{"has_more"}}},
		{name: "a count of all rows", params: param("offset", ints) + "," + param("limit", ints), members: `"count": {"type": "integer"}`, kind: fetch.Offset, position: "offset"},
		{name: "a count that is declared", params: param("offset", ints) + "," + param("limit", ints), members: `"count": {"type": "integer"}`,
			page: "{kind: offset, position: offset, count: /count}", kind: fetch.Offset, position: "offset", pages: pagePointers{count: []string{"count"}}},
		{name: "an offset that is a text", params: param("offset", texts) + "," + param("pageSize", ints), members: `"offset": {"type": "string"}`,
			kind: fetch.Cursor, position: "offset", pages: pagePointers{next: []string{"offset"}}},
		{name: "an offset that is a text, and no next", params: param("offset", texts) + "," + param("limit", ints), wrong: "say how"},
		{name: "serve's own", params: param("offset", ints) + "," + param("limit", ints), column: exactly,
			members: `"count": {"type": "integer"}, "truncated": {"type": "boolean"}, "next_offset": {"type": "integer"}`,
			kind:    fetch.Offset, position: "offset", pages: pagePointers{next: []string{"next_offset"}, more: []string{"truncated"}, count: []string{"count"}}},
		{name: "serve's own, declared", params: param("offset", ints) + "," + param("limit", ints), column: exactly,
			members: `"count": {"type": "integer"}, "truncated": {"type": "boolean"}, "next_offset": {"type": "integer"}`,
			page:    "{kind: offset, position: offset, limit: limit, size: 5, next: /next_offset}",
			kind:    fetch.Offset, position: "offset", pages: pagePointers{next: []string{"next_offset"}, more: []string{"truncated"}, count: []string{"count"}}},
	} {
		members := c.members
		if members != "" {
			members += ", "
		}
		document := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": {"/rows": {"get": {"operationId": "rows", "parameters": [%s],
			"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object", "properties": {%s
			"data": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"%s}}}}}}}}}}}}}}`, c.params, members, c.column)
		table := "{list: rows}"
		if c.page != "" {
			table = "{list: rows, page: " + c.page + "}"
		}
		if c.wrong != "" {
			folder := t.TempDir()
			write(t, filepath.Join(folder, "openapi.json"), document)
			write(t, filepath.Join(folder, "apis.yaml"), "apis: {a: {openapi: openapi.json, server: 'http://127.0.0.1:1'}}\ntables: {t: "+table+"}\n")
			if _, err := Load(t.Context(), filepath.Join(folder, "apis.yaml"), os.LookupEnv); err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
			}
			continue
		}
		list := sourceOf(loadDocument(t, document, "http://127.0.0.1:1", table)).list
		if list.paging.Kind != c.kind || list.paging.Position != c.position || fmt.Sprint(list.pages) != fmt.Sprint(c.pages) {
			t.Errorf("%s: %+v %+q, want kind %d, position %s, %+q", c.name, list.paging, list.pages, c.kind, c.position, c.pages)
		}
	}
}

// TestUnknownFieldsOfDocuments loads a table of a document with fields that OpenAPI does
// not have: documents are others' format, and such fields are ignored.
func TestUnknownFieldsOfDocuments(t *testing.T) {
	const document = `{"openapi": "3.1.0", "titel": "x", "info": {"title": "", "version": "", "colour": "red"}, "paths": {"/rows": {"get": {"operationId": "rows", "parametres": [],
		"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "array", "itms": 1, "items": {"type": "object",
		"properties": {"id": {"type": "integer", "formt": "int64"}}}}}}}}}}}}`
	if table := loadDocument(t, document, "http://127.0.0.1:1", "{list: rows}"); len(table.Columns) != 1 {
		t.Errorf("%+v", table)
	}
}
