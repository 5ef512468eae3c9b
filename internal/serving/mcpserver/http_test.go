package mcpserver

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
)

// jsonText is JSON as it is written.
type jsonText string

// MarshalJSON returns the text.
func (j jsonText) MarshalJSON() ([]byte, error) { return []byte(j), nil }

func asJSON(t testing.TB, v any) string {
	t.Helper()
	if j, ok := v.(jsonText); ok {
		return string(j)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answer is what the server answers to one request.
type answer struct {
	Status int    `json:"-"`
	Body   string `json:"-"`
	Result struct {
		ResultType        string
		IsError           bool
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		Instructions      string
		Tools             []struct{ Name string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (a *answer) text(t testing.TB) string {
	t.Helper()
	if len(a.Result.Content) != 1 || a.Result.Content[0].Type != "text" {
		t.Fatalf("%d: %s", a.Status, a.Body)
	}
	return a.Result.Content[0].Text
}

// post sends one request, as curl would. Requests of the new protocol say in each
// what a handshake said before.
func post(t testing.TB, url, version, method, params string, headers ...string) *answer {
	t.Helper()
	if version == newProtocol {
		meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`, version)
		if params = strings.TrimPrefix(params, "{"); params != "}" {
			meta += ","
		}
		params = "{" + meta + params
	}
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", version)
	if version == newProtocol {
		req.Header.Set("Mcp-Method", method)
		var named struct{ Name string }
		if json.Unmarshal([]byte(params), &named) == nil && named.Name != "" {
			req.Header.Set("Mcp-Name", named.Name)
		}
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
		if name == "Host" {
			req.Host = value
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := &answer{Status: resp.StatusCode, Body: string(body)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(body, a); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
	return a
}

// TestNumbersKeepTheirDigits sends and gets numbers that no float64 holds.
func TestNumbersKeepTheirDigits(t *testing.T) {
	env := embedded(t, episode.Limits{})
	url := serve(t, New(env, Options{})) + "/mcp/s/" + openTask(t, env, record.SLOT).ID()
	post(t, url, newProtocol, methodCall, `{"name":"transform_data","arguments":{"data_source":"$starting_table_var$","operation_type":"constant","operation_args":{"value":9007199254740993},"output_key":"n"}}`)
	got := post(t, url, newProtocol, methodCall, `{"name":"aggregate_data","arguments":{"data_source":"$TRANSFORMED_DF_0$","aggregation_type":"max","key_name":"n"}}`)
	if !strings.Contains(string(got.Result.StructuredContent), `"value":9007199254740993}`) || !strings.Contains(got.text(t), `"value":9007199254740993}`) {
		t.Errorf("%s", got.Body)
	}
}

// TestResultType looks for what results of the new protocol say, and no other ones.
func TestResultType(t *testing.T) {
	url := serve(t, New(embedded(t, episode.Limits{}), Options{})) + "/mcp/rest/city_library"
	for version, want := range map[string]string{oldProtocol: "", newProtocol: "complete"} {
		for method, params := range map[string]string{methodList: "{}", methodCall: `{"name":"branch_names_by_branch_code","arguments":{"branch_code":"007"}}`} {
			if got := post(t, url, version, method, params); got.Result.ResultType != want || got.Status != 200 {
				t.Errorf("%s %s: %d %s", version, method, got.Status, got.Body)
			}
		}
	}
}

// TestHosts asks under several names. Without TrustHost, a page cannot reach the
// service on this computer under its own name.
func TestHosts(t *testing.T) {
	env := embedded(t, episode.Limits{})
	near, behind := serve(t, New(env, Options{})), serve(t, New(env, Options{TrustHost: true, Origins: []string{"https://good.example"}}))
	open := serve(t, New(env, Options{Origins: []string{"*"}}))
	for _, c := range []struct {
		url, header string
		want        int
	}{
		{near, "Host: localhost", 200},
		{near, "Host: 127.0.0.1:1", 200},
		{near, "Host: evil.example", 403},
		{near, "Origin: https://evil.example", 403},
		{near, "Origin: https://good.example", 403},
		{near, "Sec-Fetch-Site: cross-site", 403},
		{behind, "Host: api.example", 200},
		{behind, "Origin: https://evil.example", 403},
		{behind, "Origin: https://good.example", 200},
		{open, "Origin: https://evil.example", 200},
		{open, "Host: evil.example", 403},
	} {
		for _, version := range []string{oldProtocol, newProtocol} {
			if got := post(t, c.url+"/mcp/rest/city_library", version, methodList, "{}", c.header); got.Status != c.want {
				t.Errorf("%s %s: %d %s", c.header, version, got.Status, got.Body)
			}
		}
	}
}

// TestNothingToListenTo asks for what would keep a connection open.
func TestNothingToListenTo(t *testing.T) {
	url := serve(t, New(embedded(t, episode.Limits{}), Options{})) + "/mcp/rest/city_library"
	got := post(t, url, newProtocol, methodListen, `{"notifications":{"toolsListChanged":true}}`)
	if got.Error == nil || got.Error.Code != -32601 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: %s", resp.Status)
	}
}

// TestFailure has the server fail, with a defect. The clients are shown the request's
// id, and those who run the service what happened.
func TestFailure(t *testing.T) {
	var log strings.Builder
	s := New(nil, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	got := post(t, serve(t, s)+"/mcp/s/x", newProtocol, methodCall, `{"name":"filter_data"}`, "X-Request-Id: abc")
	if got.Error == nil || got.Error.Code != -32603 || !strings.HasSuffix(got.Error.Message, "with the request id abc") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if !strings.Contains(log.String(), `id=abc method=tools/call panic="runtime error`) {
		t.Errorf("%s", log.String())
	}
}
