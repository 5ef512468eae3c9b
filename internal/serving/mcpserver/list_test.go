package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// TestLists holds the tools that are listed at each kind of endpoint against files,
// and their schemas against JSON Schema's own.
func TestLists(t *testing.T) {
	env := embedded(t, episode.Limits{})
	url := serve(t, New(env, Options{}))
	for name, path := range map[string]string{
		"episode.slot":  "/mcp/s/" + openTask(t, env, record.SLOT).ID(),
		"episode.sel":   "/mcp/s/" + openTask(t, env, record.SEL).ID(),
		"episode.rest":  "/mcp/s/" + openTask(t, env, record.REST).ID(),
		"database.slot": "/mcp/slot/city_library",
		"database.sel":  "/mcp/sel/city_library",
		"query":         "/mcp/query/city_library",
	} {
		list, err := dial(t, url+path, newProtocol).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if list.NextCursor != "" || list.TTLMs == 0 || list.CacheScope != "private" {
			t.Errorf("%s: %q, %+v", name, list.NextCursor, list.Cacheable)
		}
		for _, tool := range list.Tools {
			compile(t, tool.InputSchema)
			compile(t, tool.OutputSchema)
			if !fits(tool.Name) {
				t.Errorf("%s: name %q", name, tool.Name)
			}
		}
		text, err := jsontext.Marshal(list.Tools, " ")
		if err != nil {
			t.Fatal(err)
		}
		golden.Equal(t, "testdata/list."+name+".json", string(text)+"\n")
	}
}

func compile(t testing.TB, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("test:schema", doc); err != nil {
		t.Fatal(err)
	}
	out, err := c.Compile("test:schema")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// TestListKnowsNothingOfCalls lists tools before and after calls.
func TestListKnowsNothingOfCalls(t *testing.T) {
	url := serve(t, New(embedded(t, episode.Limits{}), Options{})) + "/mcp/sel/bird_club"
	listed := func() string {
		list, err := dial(t, url, oldProtocol).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	before := listed()
	c := dial(t, url, newProtocol)
	call(t, c, toolOpen, obj{})
	call(t, c, toolSearch, obj{"query": "name of the bird"})
	if after := listed(); before != after {
		t.Errorf("%s\nbefore: %s", after, before)
	}
}

// TestSearchedSession has a session whose tools are searched although they are few.
func TestSearchedSession(t *testing.T) {
	env := embedded(t, episode.Limits{})
	task, err := env.Task(t.Context(), record.SLOT, "city_library", "1")
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.Open(t.Context(), task.Searched(spec.Anthropic), "")
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, serve(t, New(env, Options{}))+"/mcp/s/"+e.ID(), newProtocol)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 || list.Tools[0].Name != toolSearch || list.Tools[1].Name != toolCall {
		t.Fatalf("%v, %+v", err, list)
	}
	if text, isError := call(t, c, toolSearch, obj{"query": "filter rows"}); isError || !strings.Contains(text, `"name":"filter_data"`) {
		t.Error(text)
	}
	for _, name := range []string{"filter_data", toolCall} {
		args := obj{"data_source": "$starting_table_var$", "key_name": "branch_code", "condition": "equal_to", "value": "007"}
		if name == toolCall {
			args = obj{"name": "filter_data", "arguments": args}
		}
		if text, isError := call(t, c, name, args); isError || !strings.Contains(text, `"row_count":1`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
