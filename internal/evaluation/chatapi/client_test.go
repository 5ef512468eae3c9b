package chatapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/convert/chat"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

const (
	question = "How many robins are there?"
	secret   = "sk-0123456789abcdef"
)

// call is an answer's call of a tool.
func call(id, name, arguments string) evaluate.ToolCall {
	c := evaluate.ToolCall{ID: id}
	c.Function.Name, c.Function.Arguments = name, arguments
	return c
}

// scriptedClient returns a client of a scripted server whose waits are recorded
// and not waited for.
func scriptedClient(t *testing.T, faults ...scripted.Fault) (*Client, *scripted.Server, *[]time.Duration) {
	t.Helper()
	s := &scripted.Server{
		Script: scripted.New(scripted.Entry{Question: question, Content: "two calls", Reasoning: "I count.",
			ToolCalls: json.RawMessage(`[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","type":"function","function":{"name":"g","arguments":"{\"b\":2}"}}]`)}),
		Plan: scripted.Each(map[string][]scripted.Fault{question: faults}),
	}
	c, waits := testClient(t, s, Options{})
	return c, s, waits
}

func testClient(t *testing.T, h http.Handler, opts Options) (*Client, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	opts.BaseURL, opts.Key = server.URL+"/v1", secret
	c, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	waits := &[]time.Duration{}
	c.sleep = func(ctx context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return ctx.Err()
	}
	return c, waits
}

func ask(t *testing.T, c *Client) (Answer, error) {
	t.Helper()
	return c.Complete(t.Context(), Request{Model: "m", Messages: []chat.Message{{Role: chat.User, Content: question}}})
}

// TestAnswers lists what endpoints leave out of an answer or write otherwise.
func TestAnswers(t *testing.T) {
	calls := []evaluate.ToolCall{call("c1", "f", `{"a":1}`), call("c2", "g", `{"b":2}`)}
	whole := evaluate.Message{Content: "two calls", Reasoning: "I count.", ToolCalls: calls}
	with := func(change func(*evaluate.Message)) evaluate.Message {
		m := whole
		change(&m)
		return m
	}
	for _, c := range []struct {
		fault      scripted.Fault
		want       evaluate.Message
		finish     string
		unmeasured bool
	}{
		{scripted.None, whole, "tool_calls", false},
		{scripted.NullContent, with(func(m *evaluate.Message) { m.Content = "" }), "tool_calls", false},
		{scripted.NoUsage, whole, "tool_calls", true},
		{scripted.NoIDs, with(func(m *evaluate.Message) {
			m.ToolCalls = []evaluate.ToolCall{call("", "f", `{"a":1}`), call("", "g", `{"b":2}`)}
		}), "tool_calls", false},
		{scripted.BrokenArguments, with(func(m *evaluate.Message) {
			m.ToolCalls = []evaluate.ToolCall{call("c1", "f", `{"a`), call("c2", "g", `{"b`)}
		}), "tool_calls", false},
		{scripted.Length, with(func(m *evaluate.Message) { m.Content = "two " }), "length", false},
		{scripted.ContentFilter, whole, "content_filter", false},
	} {
		client, server, _ := scriptedClient(t, c.fault)
		got, err := ask(t, client)
		if err != nil {
			t.Errorf("%s: %v", c.fault, err)
			continue
		}
		if diff := cmp.Diff(c.want, got.Message); diff != "" {
			t.Errorf("%s: %s", c.fault, diff)
		}
		if got.Finish != c.finish || got.Measured == c.unmeasured || got.Measured != (got.PromptTokens > 0) || !got.Simulated {
			t.Errorf("%s: got %+v", c.fault, got)
		}
		if got.Attempts != 1 || len(server.Log()) != 1 {
			t.Errorf("%s: %d attempts, %d served", c.fault, got.Attempts, len(server.Log()))
		}
	}
}

// TestBodies lists answers in the words of other servers.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       evaluate.Message
	}{
		{"parts", `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, evaluate.Message{Content: "ab"}},
		{"nothing but a message", `{"choices":[{"message":{}}]}`, evaluate.Message{}},
		{"nulls", `{"choices":[{"finish_reason":null,"message":{"content":null,"tool_calls":null,"reasoning_content":null}}],"usage":null}`, evaluate.Message{}},
		{"reasoning", `{"choices":[{"message":{"content":"a","reasoning":"b"}}]}`, evaluate.Message{Content: "a", Reasoning: "b"}},
		{"arguments as an object", `{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"n": 1.0}}}]}}]}`,
			evaluate.Message{ToolCalls: []evaluate.ToolCall{call("", "f", `{"n": 1.0}`)}}},
		{"ids as numbers", `{"choices":[{"message":{"tool_calls":[{"id":7,"function":{"name":"f","arguments":null}}]}}]}`,
			evaluate.Message{ToolCalls: []evaluate.ToolCall{call("7", "f", "")}}},
		{"the key", `{"choices":[{"message":{"content":"Bearer ` + secret + `"}}]}`, evaluate.Message{Content: "Bearer [key]"}},
	} {
		client, _ := testClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, c.body) }), Options{})
		got, err := ask(t, client)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, got.Message); diff != "" || got.Measured || got.Simulated {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// TestFaults lists what endpoints fail with: how often they are asked, and what
// the error says in the end.
func TestFaults(t *testing.T) {
	six := func(f scripted.Fault) []scripted.Fault { return []scripted.Fault{f, f, f, f, f, f} }
	for _, c := range []struct {
		faults   []scripted.Fault
		attempts int
		is       error
		says     string // "" for an answer
	}{
		{[]scripted.Fault{scripted.RateLimited, scripted.ServerError, scripted.Cut, scripted.NotJSON, scripted.NoChoices}, 6, nil, ""},
		{six(scripted.RateLimited), 6, nil, "no answer after 6 of 6 attempts: 429 Too Many Requests: too many requests"},
		{six(scripted.ServerError), 6, nil, "no answer after 6 of 6 attempts: 500 Internal Server Error: something went wrong"},
		{six(scripted.Cut), 6, nil, "no answer after 6 of 6 attempts: the answer is cut: unexpected EOF"},
		{six(scripted.NotJSON), 6, nil, "no answer after 6 of 6 attempts: the answer cannot be read: invalid character '<' looking for beginning of value"},
		{six(scripted.NoChoices), 6, nil, "no answer after 6 of 6 attempts: the answer has no choices"},
		{[]scripted.Fault{scripted.BadRequest}, 1, nil, "400 Bad Request: this request is not understood"},
		{[]scripted.Fault{scripted.ContextLength}, 1, ErrContextLength, "the text is longer than the model reads (400 Bad Request: This model's"},
		{[]scripted.Fault{scripted.Unauthorized}, 1, ErrUnauthorized, "(401 Unauthorized: Incorrect API key provided: Bearer [key])"},
		{[]scripted.Fault{scripted.NotFound}, 1, ErrNotFound, "(404 Not Found: the model does not exist)"},
		{[]scripted.Fault{scripted.ServerError, scripted.ContextLength}, 2, ErrContextLength, "the text is longer"},
	} {
		client, server, waits := scriptedClient(t, c.faults...)
		got, err := ask(t, client)
		if got.Attempts != c.attempts || len(server.Log()) != c.attempts || len(*waits) != c.attempts-1 {
			t.Errorf("%s: %d attempts, %d served, waited %v; want %d", c.faults, got.Attempts, len(server.Log()), *waits, c.attempts)
		}
		switch {
		case c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: got %v, want %q", c.faults, err, c.says)
		case c.is != nil && !errors.Is(err, c.is):
			t.Errorf("%s: %v is not %v", c.faults, err, c.is)
		case err != nil && strings.Contains(err.Error(), secret):
			t.Errorf("%s: the error has the key", c.faults)
		}
	}
}

// TestRefusals lists errors of other servers.
func TestRefusals(t *testing.T) {
	long := strings.Repeat("x", 290)
	for _, c := range []struct {
		status int
		body   string
		is     error
		says   string
	}{
		{400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However","code":400}`, ErrContextLength, ""},
		{400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, ErrContextLength, ""},
		{413, `prompt is too long: 210000 tokens > 200000 maximum`, ErrContextLength, ""},
		{422, `{"detail":[{"msg":"field required"}]}`, nil, `422 Unprocessable Entity: [{"msg":"field required"}]`},
		{200, `{"error":{"message":"context_length_exceeded","code":400}}`, ErrContextLength, ""},
		{200, `{"error":"overloaded"}`, nil, "no answer after 2 of 2 attempts: overloaded"},
		{403, `no entry for Bearer ` + secret, ErrUnauthorized, "no entry for Bearer [key]"},
		{503, long + secret, nil, long + "[key]"},
		{503, "two\n\tlines\xff", nil, "503 Service Unavailable: two lines?"},
		{302, "", nil, "the endpoint redirects elsewhere"},
	} {
		client, _ := testClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}), Options{Attempts: 2})
		_, err := ask(t, client)
		if err == nil || !strings.Contains(err.Error(), c.says) || c.is != nil && !errors.Is(err, c.is) || strings.Contains(err.Error(), "sk-") {
			t.Errorf("%d %s: got %v", c.status, c.body, err)
		}
	}
}

// TestRedirect says that no other host gets the key or the question.
func TestRedirect(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	client, server, _ := scriptedClient(t, scripted.Redirect)
	server.Elsewhere = other.URL + "/v1/chat/completions?key=" + secret
	got, err := ask(t, client)
	want := "307 Temporary Redirect: the endpoint redirects to " + other.URL + ", which is not followed; give the right --base-url"
	if err == nil || err.Error() != want || got.Attempts != 1 || asked {
		t.Errorf("got %v, asked %v", err, asked)
	}
}

// TestWaits says that waits grow, that Retry-After is heeded up to the bound, and
// that the same seed waits the same.
func TestWaits(t *testing.T) {
	wait := func(seed uint64, f scripted.Fault, most time.Duration) []time.Duration {
		client, _, waits := scriptedClient(t, f, f, f, f, f, f)
		client.opts.Seed, client.opts.FirstWait, client.opts.MaxWait = seed, 100*time.Millisecond, most
		if _, err := ask(t, client); err == nil {
			t.Error("an answer")
		}
		return *waits
	}
	first := wait(1, scripted.ServerError, time.Second)
	for i, d := range first {
		full := min(100*time.Millisecond<<i, time.Second)
		if d < full/2 || d > full {
			t.Errorf("wait %d is %s", i, d)
		}
	}
	if diff := cmp.Diff(first, wait(1, scripted.ServerError, time.Second)); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(first, wait(2, scripted.ServerError, time.Second)) {
		t.Error("another seed waits the same")
	}
	second, short := time.Second, 300*time.Millisecond
	if got := wait(1, scripted.RateLimited, time.Minute)[0]; got != second {
		t.Errorf("after Retry-After: 1 it waits %s", got)
	}
	if got := wait(1, scripted.RateLimited, short)[0]; got != short {
		t.Errorf("with a bound of %s it waits %s", short, got)
	}
}

// TestSlow says that a request that takes too long is sent again.
func TestSlow(t *testing.T) {
	client, server, _ := scriptedClient(t, scripted.Slow, scripted.Slow, scripted.Slow)
	client.opts.Timeout, client.opts.Attempts = 50*time.Millisecond, 2
	got, err := ask(t, client)
	if want := "no answer after 2 of 2 attempts: no answer within 50ms; see --request-timeout"; err == nil || err.Error() != want || got.Attempts != 2 || len(server.Log()) != 2 {
		t.Errorf("got %v, %d attempts, %d served", err, got.Attempts, len(server.Log()))
	}
}

// TestCancel says that a canceled context ends a request, and the waits.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client, server, _ := scriptedClient(t, scripted.Slow)
	server.Each = func(scripted.Request) { cancel() }
	request := Request{Model: "m", Messages: []chat.Message{{Role: chat.User, Content: question}}}
	if got, err := client.Complete(ctx, request); !errors.Is(err, context.Canceled) || got.Attempts != 1 {
		t.Errorf("got %v, %d attempts", err, got.Attempts)
	}
	client, _, _ = scriptedClient(t, scripted.RateLimited)
	client.sleep = func(context.Context, time.Duration) error { return context.Canceled }
	if got, err := client.Complete(t.Context(), request); !errors.Is(err, context.Canceled) || got.Attempts != 1 {
		t.Errorf("while waiting: got %v, %d attempts", err, got.Attempts)
	}
}

// TestLarge says that an answer that is too large is refused.
func TestLarge(t *testing.T) {
	client, server, _ := scriptedClient(t)
	client.opts.MaxBody = 100
	if _, err := ask(t, client); err == nil || err.Error() != "the answer has more than 100 bytes" || len(server.Log()) != 1 {
		t.Errorf("got %v, %d served", err, len(server.Log()))
	}
}

// TestNoServer says that a refused connection is tried again.
func TestNoServer(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	client, err := New(Options{BaseURL: server.URL, Attempts: 3, FirstWait: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ask(t, client); err == nil || !strings.HasPrefix(err.Error(), "no answer after 3 of 3 attempts: no connection: dial tcp") || got.Attempts != 3 {
		t.Errorf("got %v, %d attempts", err, got.Attempts)
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct{ url, key, says string }{
		{"http://127.0.0.1:8000/v1", "", ""},
		{"https://api.openai.com/v1/", " key\n", ""},
		{"api.openai.com", "", "--base-url: it is no address"},
		{"", "", "--base-url: it is no address"},
		{"ftp://127.0.0.1", "", "--base-url: it is no address"},
		{"http://me:" + secret + "@127.0.0.1", "", "--base-url: it has a name or password"},
		{"http://127.0.0.1:" + secret, "", "--base-url: it is no address"},
		{"http://127.0.0.1", secret + "\nX: y", "the key has characters"},
	} {
		_, err := New(Options{BaseURL: c.url, Key: c.key})
		if err == nil && c.says != "" || err != nil && (c.says == "" || !strings.HasPrefix(err.Error(), c.says) || strings.Contains(err.Error(), secret)) {
			t.Errorf("%s: got %v, want %q", c.url, err, c.says)
		}
	}
}

// TestRequest says how a request is written.
func TestRequest(t *testing.T) {
	zero, tenth := 0.0, 0.1
	client, server, _ := scriptedClient(t)
	for _, c := range []struct {
		sampling Sampling
		want     string
	}{
		{Sampling{}, ""},
		{Sampling{Temperature: &zero, TopP: &tenth, MaxTokens: 1500, Stop: []string{"\nObservation"}}, `,"temperature":0,"top_p":0.1,"max_tokens":1500,"stop":["\nObservation"]`},
		{Sampling{MaxTokens: 1500, TokensField: MaxCompletionTokens}, `,"max_completion_tokens":1500`},
	} {
		if _, err := client.Complete(t.Context(), Request{Model: "m", Messages: []chat.Message{{Role: chat.User, Content: question}}, Sampling: c.sampling}); err != nil {
			t.Fatal(err)
		}
		log := server.Log()
		want := `{"model":"m","messages":[{"role":"user","content":"` + question + `"}]` + c.want + `}`
		if got := string(log[len(log)-1].Body); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"content":[{"text":"a"}],"tool_calls":[{"id":1,"function":{"arguments":{}}}]}}],"usage":{"prompt_tokens":1}}`))
	f.Add([]byte(`{"error":"x"}`))
	f.Fuzz(func(_ *testing.T, body []byte) {
		_, _ = decode(body) // without a panic
		_ = messageOf(body)
	})
}
