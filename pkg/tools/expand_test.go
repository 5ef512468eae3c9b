package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// documents adds the table d of JSON texts.
func documents(t *testing.T) *oracle {
	o := newOracle(t)
	o.add("d", []string{"id INTEGER", "doc TEXT", "path TEXT"},
		[]any{1, `{"a":[1,2.5,"x",null,true,{"b":[]}],"c":"7"}`, "$.a"},
		[]any{2, `[10, "ten", [1,[2]]]`, "$[2]"},
		[]any{3, `5`, "$"},
		[]any{4, nil, "$.a"},
		[]any{5, `{"a":{"k":"v"}}`, nil},
		[]any{6, `{a:'five'}`, "$.none"},
		[]any{7, `[]`, "$"})
	return o
}

// TestJSONOperations compares the operations on JSON with SQLite.
func TestJSONOperations(t *testing.T) {
	o := documents(t)
	for _, test := range []struct{ operation, args, sql string }{
		{"json_extract", `"path": "$.a"`, "json_extract(doc, '$.a')"},
		{"json_extract", `"path": {"key_name": "t_path"}`, "json_extract(doc, path)"},
		{"json_extract", `"path": ["$.a", "$[1]"]`, "json_extract(doc, '$.a', '$[1]')"},
		{"json_query", `"path": "$.a"`, "doc -> '$.a'"},
		{"json_query", `"path": 1`, "doc -> 1"},
		{"json_value", `"path": "c"`, "doc ->> 'c'"},
		{"json_value", `"path": -1`, "doc ->> -1"},
		{"call", `"function": "json_type"`, "json_type(doc)"},
		{"call", `"function": "json_array", "arguments": [1, {"key_name": "t_id"}], "position": 1, "json": [1]`, "json_array(1, json(doc), id)"},
		{"call", `"function": "json_array"`, "json_array(json(doc) || '')"},
	} {
		o.checkPipeline(t, start("t=d"), "SELECT "+test.sql+" FROM d",
			`transform_data("data_source": "$s", "key_name": "t_doc", "operation_type": "call", "operation_args": {"function": "json"}, "output_key": "t_doc") -> a`,
			fmt.Sprintf(`transform_data("data_source": "$a$", "key_name": "t_doc", "operation_type": "%s", "operation_args": {%s}, "output_key": "out") -> a`, test.operation, test.args),
			`retrieve_data("data_source": "$a$", "key_name": "out")`)
	}
}

// TestExpandJSON compares it with joins of json_each and json_tree.
func TestExpandJSON(t *testing.T) {
	o := documents(t)
	elements := `["t_id", "json_key", "json_value", "json_type", "json_atom", "json_id", "json_parent", "json_fullkey", "json_path"]`
	columns := "key, value, type, atom, e.id, parent, fullkey, e.path"
	for _, recursive := range []bool{false, true} {
		table := "json_each"
		if recursive {
			table = "json_tree"
		}
		for _, test := range []struct{ args, sql string }{
			{`"value": {"key_name": "t_doc"}`, "d.doc"},
			{`"value": {"key_name": "t_doc"}, "path": "$.a"`, "d.doc, '$.a'"},
			{`"value": {"key_name": "t_doc"}, "path": {"key_name": "t_path"}`, "d.doc, d.path"},
			{`"value": "[1,[2,3]]"`, "'[1,[2,3]]'"},
			{`"value": null`, "NULL"},
		} {
			o.checkPipeline(t, start("t=d"), fmt.Sprintf("SELECT d.id, %s FROM d, %s(%s) e ORDER BY d.rowid, e.id", columns, table, test.sql),
				fmt.Sprintf(`expand_json("data_source": "$s", %s, "recursive": %t) -> a`, test.args, recursive),
				`retrieve_data("data_source": "$a$", "key_name": `+elements+`)`)
		}
		o.checkPipeline(t, start("t=d"), fmt.Sprintf("SELECT * FROM %s('{\"a\":[1]}')", table),
			fmt.Sprintf(`expand_json("value": "{\"a\":[1]}", "recursive": %t)`, recursive))
	}
	// The elements of a group are those of the row that it shows.
	o.checkPipeline(t, start("t=d"), "SELECT d.id, value FROM d, json_each(d.doc) WHERE d.id < 3",
		`filter_data("data_source": "$s", "key_name": "t_id", "condition": "less_than", "value": 3) -> a`,
		`group_data_by("data_source": "$a$", "key_name": "t_id") -> a`,
		`expand_json("data_source": "$a$", "value": {"key_name": "t_doc"}) -> a`,
		`retrieve_data("data_source": "$a$", "key_name": ["t_id", "json_value"])`)
	// Twice, with new keys.
	o.checkPipeline(t, start("t=d"), "SELECT a.key, b.key, b.value = 2, b.value = '2' FROM d, json_each(d.doc, '$[2]') a, json_each(a.value) b WHERE d.id = 2",
		`filter_data("data_source": "$s", "key_name": "t_id", "condition": "equal_to", "value": 2) -> a`,
		`expand_json("data_source": "$a$", "value": {"key_name": "t_doc"}, "path": "$[2]") -> a`,
		`expand_json("data_source": "$a$", "value": {"key_name": "json_value"}) -> a`,
		`transform_data("data_source": "$a$", "key_name": "json_value_1", "operation_type": "equal_to", "operation_args": {"value": 2}, "output_key": "n") -> a`,
		`transform_data("data_source": "$a$", "key_name": "json_value_1", "operation_type": "equal_to", "operation_args": {"value": "2"}, "output_key": "s") -> a`,
		`retrieve_data("data_source": "$a$", "key_name": ["json_key", "json_key_1", "n", "s"])`)
}

func TestExpandErrors(t *testing.T) {
	o := newOracle(t)
	o.add("d", []string{"doc TEXT"}, []any{"[1,2,3]"}, []any{"[1"})
	session := func(rows, bytes int) *Session {
		s := NewSession(o.memory, Options{MaxRows: rows, MaxBytes: bytes})
		if _, err := s.Init(context.Background(), start("t=d")); err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, test := range []struct{ step, want string }{
		{`expand_json("data_source": "$s", "value": {"key_name": "t_doc"})`, "malformed JSON; filter out"},
		{`expand_json("value": {"key_name": "t_doc"})`, "unknown key"},
		{`expand_json("value": "[1]", "path": "x")`, "bad JSON path"},
		{`expand_json("data_source": "$s")`, "value: is missing"},
		{`expand_json("data_source": "$s", "value": [1])`, "a list where one value"},
		{`transform_data("data_source": "$s", "key_name": "t_doc", "operation_type": "json_query", "operation_args": {"path": "$"})`, "malformed JSON"},
		{`transform_data("data_source": "$s", "key_name": "t_doc", "operation_type": "call", "operation_args": {"function": "json_array", "json": [1]})`, "1 is no place among 1"},
		{`transform_data("data_source": "$s", "key_name": "t_doc", "operation_type": "call", "operation_args": {"function": "json_array", "json": "x"})`, "no list of whole numbers"},
	} {
		_, err := session(0, 0).Run(context.Background(), step(t, test.step))
		if wrong := (*ToolError)(nil); !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.step, err, test.want)
		}
	}
	for _, s := range []*Session{session(2, 0), session(0, 20)} {
		_, err := s.Run(context.Background(), step(t, `expand_json("value": "[1,2,3]")`))
		if limit := (*LimitError)(nil); !errors.As(err, &limit) {
			t.Errorf("no limit: %v", err)
		}
	}
	if d := cmp.Diff("json_key_1", ElementKeys([]string{"json_key"})[0]); d != "" {
		t.Error(d)
	}
}
