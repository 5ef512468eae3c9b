package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/pkg/episode"
)

// TestQuery calls the tool that queries a database by each version of the protocol.
// Results have the form that the list says, and calls need no session.
func TestQuery(t *testing.T) {
	env := embedded(t, episode.Limits{})
	url := serve(t, New(env, Options{})) + "/mcp/query/city_library"
	for _, version := range []string{oldProtocol, newProtocol} {
		client := dial(t, url, version)
		list, err := client.ListTools(context.Background(), nil)
		if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "query_database" {
			t.Fatalf("%+v %v", list, err)
		}
		form := compile(t, list.Tools[0].OutputSchema)
		for _, c := range []struct{ args, want string }{
			{`{"collection_name":"branch","filters":[{"property_name":"code","operator":"=","value":"007"}],"properties":["name"]}`,
				`{"objects":[{"name":"Märchenhaus"}],"count":1,"truncated":false}`},
			{`{"collection_name":"book","aggregations":[{"property_name":"price","metrics":"MAX"}]}`,
				`{"values":[{"property_name":"price","metrics":"MAX","value":30.0}],"truncated":false}`},
			{`{"collection_name":"book","aggregations":[{"metrics":"COUNT"}],"groupby_properties":["language"],"limit":1}`,
				`{"groups":[{"group":{"language":`},
			{`{"collection_name":"book","search_query":"lighthouse","limit":1,"offset":null}`, `{"objects":[{"`},
			{`{"collection_name":"book"}`, `"count":70,"truncated":true}`},
		} {
			r, err := client.CallTool(context.Background(), &mcp.CallToolParams{Name: "query_database", Arguments: jsonText(c.args)})
			if err != nil {
				t.Fatal(err)
			}
			var v any
			text := textOf(t, r)
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
			if r.IsError || !strings.Contains(text, c.want) || len(text) > 3000 {
				t.Errorf("%s: %s, want %s", c.args, text, c.want)
			}
			if err := form.Validate(v); err != nil {
				t.Errorf("%s: %v", c.args, err)
			}
		}
	}
	if n, _ := env.Usage(); n != 0 {
		t.Errorf("%d sessions are open", n)
	}
}

// TestQueryLimits checks that a call beyond the limits is a mistake, which says what
// to do.
func TestQueryLimits(t *testing.T) {
	for want, limits := range map[string]episode.Limits{
		"more than 10 rows":     {Rows: 10},
		"more than 10 bytes":    {Bytes: 10},
		"takes longer than 1ns": {Time: time.Nanosecond},
	} {
		url := serve(t, New(embedded(t, limits), Options{})) + "/mcp/query/city_library"
		text, wrong := call(t, dial(t, url, newProtocol), "query_database", obj{"collection_name": "book"})
		if !wrong || !strings.Contains(text, want) {
			t.Errorf("%s, want %s", text, want)
		}
	}
}
