package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
)

// The protocol before and since it has no handshake.
const (
	oldProtocol = "2025-11-25"
	newProtocol = "2026-07-28"
)

// embedded returns an environment of the embedded sample.
func embedded(t testing.TB, limits episode.Limits) *episode.Environment {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	return environment(t, episode.Options{Dataset: dataset, Immutable: true, Limits: limits})
}

// environment completes the options by endpoints.
func environment(t testing.TB, o episode.Options) *episode.Environment {
	t.Helper()
	api, err := rest.Open(context.Background(), o.Dataset, rest.Options{Immutable: true, Timeout: o.Limits.Time, Value: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	o.Endpoints = api
	o.Failed = func(err error) { t.Error(err) }
	env, err := episode.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(env.Close(), api.Close()); err != nil {
			t.Error(err)
		}
	})
	return env
}

// openTask begins an episode of a question about the city library, "What is the name
// of the branch with the code 007?".
func openTask(t testing.TB, env *episode.Environment, variant string) *episode.Episode {
	t.Helper()
	task, err := env.Task(context.Background(), variant, "city_library", "1")
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.Open(context.Background(), task, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// serve returns the URL of a server's handler.
func serve(t testing.TB, s *Server) string {
	t.Helper()
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	return h.URL
}

// dial connects the SDK's client over HTTP.
func dial(t testing.TB, url, version string) *mcp.ClientSession {
	t.Helper()
	return connect(t, &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, version)
}

func connect(t testing.TB, over mcp.Transport, version string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), over, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// textOf returns the one text of a result, which its structured content is too.
func textOf(t testing.TB, r *mcp.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("%d contents", len(r.Content))
	}
	text := r.Content[0].(*mcp.TextContent).Text
	var same any
	if err := json.Unmarshal([]byte(text), &same); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(same, r.StructuredContent); diff != "" {
		t.Errorf("the structured content is another one (-text +structured):\n%s", diff)
	}
	return text
}

func call(t testing.TB, c *mcp.ClientSession, name string, args any) (string, bool) {
	t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return textOf(t, r), r.IsError
}

// obj is an object in JSON.
type obj = map[string]any

// TestTransports has the SDK's client list and call tools in both eras over each
// transport: all lists and answers are the same.
func TestTransports(t *testing.T) {
	env := embedded(t, episode.Limits{})
	s := New(env, Options{Version: "v1"})
	url := serve(t, s)
	for _, variant := range []string{record.SLOT, record.SEL, record.REST} {
		var first string
		for _, version := range []string{oldProtocol, newProtocol} {
			for _, how := range []string{"http", "memory", "stdio"} {
				var c *mcp.ClientSession
				switch how {
				case "http":
					c = dial(t, url+"/mcp/"+variant+"/city_library", version)
				case "memory":
					client, server := mcp.NewInMemoryTransports()
					if _, err := s.mcp.Connect(endpoint{variant: variant, db: "city_library"}.in(t.Context()), server, nil); err != nil {
						t.Fatal(err)
					}
					c = connect(t, client, version)
				case "stdio":
					c = stdio(t, s, Tools{Variant: variant, DB: "city_library"}, version)
				}
				got := conversation(t, c, variant)
				if first == "" {
					first = got
				}
				if diff := cmp.Diff(first, got); diff != "" {
					t.Errorf("%s, %s, %s differs (-first +this):\n%s", variant, how, version, diff)
				}
			}
		}
		golden.Equal(t, "testdata/conversation."+variant+".txt", first)
	}
}

// stdio connects a client to Server.Stdio over pipes.
func stdio(t testing.TB, s *Server, of Tools, version string) *mcp.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Stdio(context.Background(), of, in, out) }()
	c := connect(t, &mcp.IOTransport{Reader: fromServer, Writer: toServer}, version)
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), <-ended); err != nil {
			t.Errorf("stdio: %v", err)
		}
	})
	return c
}

// TestStdioWithoutTools says that what has no tools, and a session that has no room, are
// errors, and are not served.
func TestStdioWithoutTools(t *testing.T) {
	for _, test := range []struct {
		of       Tools
		sessions int
	}{
		{Tools{Variant: "slot", DB: "no such database"}, 0},
		{Tools{Variant: "no such variant", DB: "city_library"}, 0},
		{Tools{Variant: "slot", DB: "city_library", ID: "no such question"}, 0},
		{Tools{Variant: "slot", DB: "city_library", ID: "1"}, -1},
		{Tools{}, 0},
	} {
		s := New(embedded(t, episode.Limits{Episodes: test.sessions}), Options{Version: "v1"})
		var out strings.Builder
		if err := s.Stdio(t.Context(), test.of, strings.NewReader(""), &out); err == nil || out.Len() > 0 {
			t.Errorf("%+v: %v, %q", test.of, err, out.String())
		}
	}
}

// conversation is what a client sees that lists the tools and calls some of them,
// without the handles of sessions.
func conversation(t testing.TB, c *mcp.ClientSession, variant string) string {
	t.Helper()
	var b strings.Builder
	session := ""
	say := func(name string, args obj) {
		t.Helper()
		if session != "" {
			args["session"] = session
		}
		text, isError := call(t, c, name, args)
		if name == toolOpen {
			session = between(text, `"session":"`, `"`)
		}
		if isError {
			name += " (error)"
		}
		if session != "" {
			text = strings.ReplaceAll(text, session, "SESSION")
		}
		b.WriteString("\n== " + name + "\n" + text + "\n")
	}
	init := c.InitializeResult()
	if init.ServerInfo == nil || init.ServerInfo.Name != "birdcall" || init.ServerInfo.Version != "v1" {
		t.Errorf("the server is %+v", init.ServerInfo)
	}
	if can := asJSON(t, init.Capabilities); can != `{"tools":{}}` {
		t.Errorf("the capabilities are %s", can)
	}
	b.WriteString("== instructions\n" + init.Instructions)
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b.WriteString("\n== tools\n")
	for _, tool := range list.Tools {
		b.WriteString(tool.Name + "\n")
	}
	if variant == record.REST {
		say(toolSearch, obj{"query": "price"})
		say("branch_names_by_branch_code", obj{"branch_code": "007"})
		say(toolCall, obj{"name": "branch_names_by_branch_code", "arguments": obj{"branch_code": "007"}})
		say("branch_names_by_branch_code", obj{})
		say("branch_name_by_branch_code", obj{})
		return b.String()
	}
	say(toolOpen, obj{"tables": []string{"branch"}})
	if variant == record.SEL {
		say("select_data_equal_to", obj{"data_source": "$branch$", "key_name": "branch_code", "value": "007"})
		say("get_branch_names", obj{"data_source": "$FILTERED_DF_0$"})
		say("get_author_names", obj{"data_source": "$FILTERED_DF_0$"})
	} else {
		say("filter_data", obj{"data_source": "$branch$", "key_name": "branch_code", "value": "007", "condition": "equal_to"})
		say("retrieve_data", obj{"data_source": "$FILTERED_DF_0$", "key_name": "branch_name"})
		say("retrieve_data", obj{"data_source": "$FILTERED_DF_0$", "key_name": "branch_nam"})
	}
	say(toolClose, obj{})
	say(toolClose, obj{})
	return b.String()
}

// between returns what is between two marks in a text.
func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}
