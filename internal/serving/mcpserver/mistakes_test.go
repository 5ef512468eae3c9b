package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestMistakes makes mistakes at all kinds of endpoints. Each is a result that says
// what to do, and no error of the protocol.
func TestMistakes(t *testing.T) {
	env := embedded(t, episode.Limits{})
	url := serve(t, New(env, Options{}))
	ended := openTask(t, env, record.SLOT)
	ended.End()
	slot := "/mcp/s/" + openTask(t, env, record.SLOT).ID()
	sel := "/mcp/s/" + openTask(t, env, record.SEL).ID()
	other, err := env.Tables(t.Context(), record.SLOT, "bird_club")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := env.Open(t.Context(), other, "")
	if err != nil {
		t.Fatal(err)
	}
	hidden := strings.NewReplacer(ended.ID(), "ENDED", slot[len("/mcp/s/"):], "SLOT", sel[len("/mcp/s/"):], "SEL", elsewhere.ID(), "OTHER")
	var b strings.Builder
	for _, c := range []struct {
		place, tool string
		args        any
	}{
		{slot, "filter_dta", obj{}},
		{slot, "", nil},
		{slot, strings.Repeat("x", 500), nil},
		{slot, "filter_data", nil},
		{slot, "filter_data", []int{1}},
		{slot, "filter_data", jsonText(`{"a":1,"a":2}`)},
		{slot, "filter_data", obj{"data_source": "$x$", "key_name": "branch_code", "condition": "equal_to", "value": 1}},
		{slot, "filter_data", obj{"data_source": "$starting_table_var$", "key_name": "branch_code", "condition": "equals", "value": 1}},
		{slot, "filter_data", obj{"data_source": "$starting_table_var$", "key_name": "branch_code", "condition": "equal_to", "value": 1, "session": "x"}},
		{slot, toolSearch, obj{"query": "x"}}, // there are few tools
		{slot, toolOpen, obj{}},
		{sel, "select_data_equal", obj{}},
		{sel, toolSearch, nil},
		{sel, toolSearch, obj{"query": 1}},
		{sel, toolSearch, obj{"query": ""}},
		{sel, toolSearch, obj{"query": "branch", "limit": 3}},
		{sel, toolSearch, obj{"query": "zebra"}},
		{sel, toolCall, obj{}},
		{sel, toolCall, obj{"name": toolCall, "arguments": obj{"name": toolSearch}}},
		{sel, toolCall, obj{"name": "sort_data_ascending", "arguments": "{}"}},
		{sel, toolCall, obj{"name": "sort_data_ascending", "data_source": "$starting_table_var$"}},
		{sel, toolCall, obj{"name": "sort_data_ascending"}},
		{"/mcp/s/" + ended.ID(), "filter_data", nil},
		{"/mcp/s/none", "filter_data", nil},
		{"/mcp/slot/city_library", "filter_data", nil},
		{"/mcp/slot/city_library", "filter_data", obj{"session": 1}},
		{"/mcp/slot/city_library", "filter_data", obj{"session": ended.ID()}},
		{"/mcp/slot/city_library", "filter_data", obj{"session": elsewhere.ID()}},
		{"/mcp/slot/city_library", toolOpen, obj{"tables": "branch"}},
		{"/mcp/slot/city_library", toolOpen, obj{"tables": []any{"branch", 1}}},
		{"/mcp/slot/city_library", toolOpen, obj{"tables": []string{"branches"}}},
		{"/mcp/slot/city_library", toolOpen, obj{"table": []string{"branch"}}},
		{"/mcp/slot/city_library", toolClose, obj{}},
		{"/mcp/slot/city_library", toolClose, obj{"session": "none", "tables": 1}},
		{"/mcp/sel/city_library", toolCall, obj{"name": "sort_data_ascending", "arguments": obj{}}},
		{"/mcp/sel/city_library", toolCall, obj{"name": "sort_data_ascending", "arguments": obj{}, "session": "x"}},
		{"/mcp/rest/city_library", "branch_name_by_branch_code", obj{"branch_code": "007"}},
		{"/mcp/rest/city_library", "branch_names_by_branch_code", obj{"branch": "007"}},
		{"/mcp/rest/city_library", toolOpen, obj{}},
		{"/mcp/query/city_library", "query_branch", obj{}},
		{"/mcp/query/city_library", toolOpen, obj{}},
		{"/mcp/query/city_library", "query_database", nil},
		{"/mcp/query/city_library", "query_database", []int{1}},
		{"/mcp/query/city_library", "query_database", obj{"collection_name": "brnch"}},
		{"/mcp/query/city_library", "query_database", obj{"collection_name": "branch", "session": "x"}},
		{"/mcp/query/city_library", "query_database", obj{"collection_name": "branch", "search_query": "^ *"}},
		{"/mcp/slot/city", "filter_data", nil},
		{"/mcp/sql/city_library", "filter_data", nil},
	} {
		params := fmt.Sprintf(`{"name":%s,"arguments":%s}`, asJSON(t, c.tool), asJSON(t, c.args))
		answer := post(t, url+c.place, oldProtocol, methodCall, params)
		text := answer.text(t)
		if wrong := c.tool != toolSearch || !strings.Contains(text, "hint"); wrong && !answer.Result.IsError {
			t.Errorf("%s %s is no mistake: %s", c.place, params, text)
		}
		var said struct{ Error struct{ Message string } }
		if err := json.Unmarshal([]byte(text), &said); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s\n    %s\n", hidden.Replace(c.place), hidden.Replace(toolnames.Cut(params)), hidden.Replace(cmp.Or(said.Error.Message, text)))
	}
	golden.Equal(t, "testdata/mistakes.txt", b.String())
}

// TestWrongPlace connects to nonexistent endpoints.
func TestWrongPlace(t *testing.T) {
	url := serve(t, New(embedded(t, episode.Limits{}), Options{}))
	for path, want := range map[string]string{
		"/mcp/s/none":           `the session "none" is not open`,
		"/mcp/slot/city":        `there is no database "city"; there are city_library`,
		"/mcp/sql/city_library": `there is no variant "sql"; use one of slot, sel, rest`,
		"/mcp/slot":             "Not Found",
		"/mcp":                  "Not Found",
	} {
		for _, version := range []string{oldProtocol, newProtocol} {
			c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			_, err := c.Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: url + path, MaxRetries: -1}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %v, want %s", path, version, err, want)
			}
		}
	}
}

// TestAliasInMistakes mentions a tool under the name that the client called it by.
func TestAliasInMistakes(t *testing.T) {
	long := "get_" + strings.Repeat("very_", 10) + "long_names"
	b := newToolbox(&episode.Task{Tools: []spec.Tool{{Name: long}, {Name: "filter_data"}}}, false, nil, 40)
	alias := b.names[0]
	if alias == long || b.index[alias] != 0 || b.index["filter_data"] != 1 {
		t.Errorf("%q", b.names)
	}
	for _, c := range []struct{ tool, want string }{
		{long, alias + `: data_source: "get_` + strings.Repeat("very_", 10) + `long_names" is wrong`},
		{"another", `another: data_source: "get_` + strings.Repeat("very_", 10) + `long_names" is wrong`},
	} {
		o := observation.OfError(&tools.ToolError{Tool: c.tool, Argument: "data_source", Reason: fmt.Sprintf("%q is wrong", long)})
		if got := underAlias(o, long, alias).Err.Message; got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
	if o := (&observation.Observation{}); underAlias(o, long, alias) != o {
		t.Error("a result is another one")
	}
}
