package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/record"
)

// post sends a body, to this computer by its name.
func post(s *Server, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	return send(s, httptest.NewRequest(method, "http://localhost"+target, strings.NewReader(body)), headers...)
}

// TestSessions is a session of each kind from its beginning to its end, and what
// goes wrong.
func TestSessions(t *testing.T) {
	s := start(t, Options{Open: true, URL: "https://birds.example/", Episodes: episode.Limits{Episodes: 3}})
	for _, c := range []struct {
		method, target, body string
		status               int
		contains             string
	}{
		{"POST", "/v1/sessions", `{"db":"bird_club","sample_id":83,"id":"a","format":"mcp"}`, 201, `{"id":"a","variant":"slot","db":"bird_club","sample_id":83,"question":"How many species are vulnerable?"`},
		{"POST", "/v1/sessions", `{"db":"bird_club","sample_id":83,"id":"a"}`, 409, `is taken`},
		{"POST", "/v1/sessions", `{"db":"bird_club","sample_id":"x"}`, 404, `has no question with the id`},
		{"POST", "/v1/sessions", `{"db":"bird_clubs"}`, 404, `there is no database`},
		{"POST", "/v1/sessions", `{"db":"bird_club","id":"a b"}`, 400, `cannot be a session id`},
		{"POST", "/v1/sessions", `{"db":"bird_club","variant":"slow"}`, 404, `there is no variant`},
		{"POST", "/v1/sessions", `{"db":"bird_club","tables":["bird"]}`, 404, `there is no table`},
		{"POST", "/v1/sessions", `{"db":"bird_club","format":"xml"}`, 400, `openai`},
		{"POST", "/v1/sessions", `{"db":"bird_club","sample_id":83,"tables":["site"]}`, 400, `not both`},
		{"POST", "/v1/sessions", `{"db":`, 400, `The body is not the JSON`},
		{"POST", "/v1/sessions", `[]`, 400, `it is of the type array, and has to be an object`},
		{"POST", "/v1/sessions", `{"db":1}`, 400, `db cannot be of the type number`},
		{"POST", "/v1/sessions", `{"db":"` + strings.Repeat("x", 5<<20) + `"}`, 413, `4 MiB`},
		{"GET", "/v1/sessions/a?format=gemini", "", 200, `"mcp_url":"https://birds.example/mcp/s/a","calls_url":"https://birds.example/v1/sessions/a/calls","idle_seconds":900,`},
		{"GET", "/v1/sessions/a/calls", "", 405, `Use POST.`},
		{"POST", "/v1/sessions/a/calls", `{"name":"filter_data","arguments":{"data_source":"$starting_table_var$","key_name":"species_Red_List","condition":"equal_to","value":"VU"}}`, 200,
			`{"label":"FILTERED_DF_0","row_count":`},
		{"POST", "/v1/sessions/a/score", "", 200, `{"reward":0,"components":{"completed":0,"intent_precision":1,"intent_recall":0.5,`},
		{"POST", "/v1/sessions/a/calls", `{"name":"aggregate_data","arguments":"{\"data_source\":\"$FILTERED_DF_0$\",\"aggregation_type\":\"count\",\"key_name\":null}"}`, 200, `"value":`},
		{"POST", "/v1/sessions/a/calls", `{"name":"filter_data","arguments":{"data_source":"$FILTERED_DF_7$","key_name":"species_code","condition":"is_null"}}`, 200, `{"error":{"message":"filter_data: data_source: unknown label`},
		{"POST", "/v1/sessions/a/calls", `{"name":"filter_data","arguments":[1]}`, 200, `{"error":{"message":"filter_data: the arguments are no JSON object: `},
		{"POST", "/v1/sessions/a/score", "", 200, `"calls":4,"failed_calls":2`},
		{"DELETE", "/v1/sessions/a", "", 204, ""},
		{"POST", "/v1/sessions/a/calls", `{"name":"filter_data"}`, 404, `it was ended; open another one`},
		{"POST", "/v1/sessions", `{"variant":"rest","db":"bird_club","id":"r"}`, 201, `"tools":[{"`},
		{"POST", "/v1/sessions/r/score", "", 409, `no question`},
		{"POST", "/v1/sessions/r/calls", `{"name":"search_tools","arguments":{"query":"species"}}`, 200, `there is no tool \"search_tools\"`},
		{"POST", "/v1/sessions", `{"variant":"rest","db":"bird_club","tools":"some"}`, 400, `tools: use list or search`},
		{"DELETE", "/v1/sessions/r", "", 204, ""},
		{"GET", "/v1/tasks?variant=rest&db=bird_club&bare=true", "", 200, `{"task_id":"rest/bird_club/83","variant":"rest","db":"bird_club","sample_id":83,`},
		{"GET", "/v1/tasks?variant=sloth", "", 400, `variant: use one of slot, sel, rest`},
		{"GET", "/v1/tasks?turns=0", "", 400, `turns: `},
		{"POST", "/no_tool", "", 404, `"title":"No such path"`},
	} {
		w := post(s, c.method, c.target, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %s %.80s: %d %.500s, want %d %s", c.method, c.target, c.body, w.Code, w.Body, c.status, c.contains)
		}
	}
}

// TestNeMoGym runs the gold calls of a task as a resource server of NeMo Gym is
// asked to, by each way to name the session, and without one.
func TestNeMoGym(t *testing.T) {
	s := start(t, Options{Open: true})
	var task struct {
		ID     string          `json:"task_id"`
		Create json.RawMessage `json:"responses_create_params"`
	}
	line, _, _ := strings.Cut(post(s, "GET", "/v1/tasks?variant=sel&db=bird_club", "").Body.String(), "\n")
	if err := json.Unmarshal([]byte(line), &task); err != nil || !strings.Contains(line, `"responses_create_params":{"input":[{"role":"system","content":"Answer the question`) {
		t.Fatalf("%v: %.300s", err, line)
	}
	of, err := s.live.env.Task(t.Context(), record.SEL, "bird_club", "83")
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for _, c := range of.Gold().Listed {
		arguments, err := json.Marshal(c.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, fmt.Sprintf(`{"type":"function_call","name":%q,"arguments":%q}`, c.Name, arguments))
	}
	verify := fmt.Sprintf(`{"task_id":%q,"responses_create_params":{"input":[]},"response":{"output":[{"type":"message"},%s]}}`, task.ID, strings.Join(items, ","))
	for _, by := range []string{"cookie", "header", "response"} {
		var header []string
		if by != "response" {
			if by == "header" {
				header = []string{"X-NeMo-Gym-Session-Token: mine"}
			}
			w := post(s, "POST", "/seed_session", line, header...)
			if w.Code != http.StatusOK {
				t.Fatal(w.Body)
			}
			if by == "cookie" {
				header = []string{"Cookie: " + w.Result().Cookies()[0].String()}
			}
			for _, c := range of.Gold().Listed {
				arguments, err := json.Marshal(c.Arguments)
				if err != nil {
					t.Fatal(err)
				}
				w := post(s, "POST", "/"+c.Name, string(arguments), header...)
				if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"row_count"`) {
					t.Errorf("%s: %d %s", by, w.Code, w.Body)
				}
				if by == "cookie" { // an agent keeps the cookies of the latest answer only
					header = nil
					for _, cookie := range w.Result().Cookies() {
						header = append(header, "Cookie: "+cookie.Name+"="+cookie.Value)
					}
				}
			}
		}
		w := post(s, "POST", "/verify", verify, header...)
		if !strings.HasPrefix(w.Body.String(), `{"task_id":"sel/bird_club/83","responses_create_params":{"input":[]},"response":{`) ||
			!strings.Contains(w.Body.String(), `"reward":1,"reward_components":{"completed":1,`) {
			t.Errorf("%s: %d %s", by, w.Code, w.Body)
		}
		if n, _ := s.live.env.Usage(); n != 0 {
			t.Errorf("%s: %d sessions are open", by, n)
		}
	}
	if w := post(s, "POST", "/seed_session", `{"task_id":"sel"}`); w.Code != http.StatusBadRequest {
		t.Error(w.Body)
	}
}

// TestControl says who may have scores and gold: holders of a control key, clients
// of the control address, or, where there is neither and no API key, everybody on
// this computer.
func TestControl(t *testing.T) {
	for name, c := range map[string]struct {
		opts    Options
		headers []string
		status  int
	}{
		"closed":                   {Options{}, nil, 403},
		"open":                     {Options{Open: true}, nil, 200},
		"open, but another host":   {Options{Open: true}, []string{"Host: evil.example"}, 403},
		"no key":                   {Options{ControlKeys: []string{"k"}}, nil, 401},
		"an agent's key":           {Options{ControlKeys: []string{"k"}, APIKeys: []string{"a"}}, []string{"X-Api-Key: a"}, 401},
		"the key":                  {Options{ControlKeys: []string{"k"}, APIKeys: []string{"a"}}, []string{"X-Control-Key: k"}, 200},
		"the key as a bearer's":    {Options{ControlKeys: []string{"k"}}, []string{"Authorization: Bearer k"}, 200},
		"another host and the key": {Options{ControlKeys: []string{"k"}}, []string{"X-Control-Key: k", "Host: birds.example"}, 200},
	} {
		s := start(t, c.opts)
		for _, target := range []string{"GET /v1/tasks?bare=true", "POST /v1/sessions/mine/score", "POST /verify", "GET /explorer/data/dataset"} {
			opened := post(s, "POST", "/v1/sessions", `{"db":"bird_club","sample_id":83,"id":"mine"}`, "X-Api-Key: a")
			if opened.Code != http.StatusCreated && opened.Code != http.StatusConflict {
				t.Fatal(opened.Body)
			}
			method, path, _ := strings.Cut(target, " ")
			body := ""
			if path == "/verify" {
				body = `{"task_id":"slot/bird_club/83"}`
			}
			r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
			for _, h := range c.headers {
				name, text, _ := strings.Cut(h, ": ")
				if r.Header.Add(name, text); name == "Host" {
					r.Host = text
				}
			}
			w := httptest.NewRecorder()
			if s.Handler().ServeHTTP(w, r); w.Code != c.status {
				t.Errorf("%s: %s: %d %s", name, target, w.Code, w.Body)
			}
			for host, want := range map[string][2]int{"localhost": {200, 200}, "evil.example": {403, 200}} {
				for i, local := range []bool{true, false} {
					w := httptest.NewRecorder()
					s.ControlHandler(local).ServeHTTP(w, httptest.NewRequest(method, "http://"+host+path, strings.NewReader(body)))
					if w.Code != want[i] {
						t.Errorf("%s: %s at a control address, local %v, by the name %s: %d %s", name, target, local, host, w.Code, w.Body)
					}
				}
			}
		}
	}
}

// TestNothingTellsGold opens sessions of questions and fetches everything that an
// agent can, before and after its own calls: nowhere is the SQL, a gold call, or an
// answer that was not computed.
func TestNothingTellsGold(t *testing.T) {
	s := start(t, Options{ControlKeys: []string{"k"}})
	questions := s.opts.Dataset.Questions
	everywhere := map[string]string{}
	for _, path := range []string{"/", "/docs/", "/docs/documents.json", "/openapi.json", "/metrics", "/v1/tasks", "/explorer/data/dataset", "/explorer/main.js"} {
		everywhere[path] = post(s, "GET", path, "").Body.String()
	}
	for _, d := range s.api.Databases {
		everywhere[d.ID] = post(s, "GET", "/openapi/"+d.Segment+".json", "").Body.String()
	}
	for n := range 20 {
		q := &questions[n*len(questions)/20]
		variant := s.live.env.Variants()[n%3]
		task, err := s.live.env.Task(t.Context(), variant, q.DB, q.ID.String())
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprint("s", n)
		here := map[string]string{}
		about := fmt.Sprintf(`{"variant":%q,"db":%q,"sample_id":%s,"id":%q}`, variant, q.DB, q.ID, id)
		here["open"] = post(s, "POST", "/v1/sessions", about).Body.String()
		here["show"] = post(s, "GET", "/v1/sessions/"+id, "").Body.String()
		for _, target := range []string{"/mcp/s/" + id, "/mcp/" + variant + "/" + q.DB} {
			for _, method := range []string{"initialize", "tools/list", "server/discover"} {
				here[target+method] = post(s, "POST", target, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`, method),
					"Content-Type: application/json", "Accept: application/json, text/event-stream").Body.String()
			}
		}
		here["mistake"] = post(s, "POST", "/v1/sessions/"+id+"/calls", `{"name":"answer"}`).Body.String()
		score := post(s, "POST", "/v1/sessions/"+id+"/score", "")
		here["score"] = score.Body.String()
		here["verify"] = post(s, "POST", "/verify", fmt.Sprintf(`{"task_id":"%s/%s/%s"}`, variant, q.DB, q.ID)).Body.String()
		if score.Code != http.StatusUnauthorized {
			t.Errorf("a score without the key: %d", score.Code)
		}
		secret := secrets(t, q, task)
		for _, texts := range []map[string]string{here, everywhere} {
			for place, text := range texts {
				for what, words := range secret {
					if strings.Contains(text, words) {
						t.Errorf("%s/%s: %s shows %s: %s", q.DB, q.ID, place, what, words)
					}
				}
			}
		}
		if !strings.Contains(here["/mcp/s/"+id+"tools/list"], `"tools":[`) || !strings.Contains(here["open"], `"tools":[`) {
			t.Errorf("no tools are listed: %s", here["/mcp/s/"+id+"tools/list"])
		}
	}
}

// secrets are texts that an agent must not find: the SQL, the calls' arguments as
// JSON, and an answer that is not short.
func secrets(t *testing.T, q *bird.Question, task *episode.Task) map[string]string {
	t.Helper()
	out := map[string]string{"the SQL": q.SQL}
	quoted, err := json.Marshal(q.SQL)
	if err != nil {
		t.Fatal(err)
	}
	out["the SQL in JSON"] = strings.Trim(string(quoted), `"`)
	for i, c := range task.Gold().Listed {
		text, err := json.Marshal(c.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Arguments) > 0 {
			out[fmt.Sprint("call ", i)] = string(text)
			again, err := json.Marshal(string(text))
			if err != nil {
				t.Fatal(err)
			}
			out[fmt.Sprint("call as a text ", i)] = strings.Trim(string(again), `"`)
		}
	}
	const short = 20
	if answer := string(task.Gold().Answer); len(answer) > short {
		out["the answer"] = answer
	}
	return out
}

// TestDocumentHasSessions says that the OpenAPI document with sessions in it is one
// by the rules of the specification.
func TestDocumentHasSessions(t *testing.T) {
	s := start(t, Options{ControlKeys: []string{"k"}, APIKeys: []string{"a"}})
	doc, err := openapi3.NewLoader().LoadFromData(post(s, "GET", "/openapi.json", "", "X-Api-Key: a").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableSchemaFormatValidation()); err != nil {
		t.Error(err)
	}
	for path, method := range map[string]string{
		"/v1/sessions": "POST", "/v1/sessions/{id}": "DELETE", "/v1/sessions/{id}/calls": "POST", "/v1/sessions/{id}/score": "POST", "/v1/tasks": "GET",
	} {
		item := doc.Paths.Value(path)
		if item == nil || item.GetOperation(method) == nil {
			t.Errorf("%s %s is not documented", method, path)
		}
	}
}

// TestLogsCutSessions says that logs distinguish sessions, and cannot open one.
func TestLogsCutSessions(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/sessions": "/v1/sessions", "/v1/sessions/abcdefghijklmnop/calls": "/v1/sessions/abcdefgh…/calls",
		"/mcp/s/abcdefghijklmnop": "/mcp/s/abcdefgh…", "/mcp/s/abc": "/mcp/s/abc", "/v1/bird/a/b": "/v1/bird/a/b",
	} {
		if got := shown(httptest.NewRequest("GET", path, nil)); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}

// TestSessionMetrics says that the metrics count open sessions and what they keep.
func TestSessionMetrics(t *testing.T) {
	s := start(t, Options{})
	held := func() (sessions, bytes string) {
		for line := range strings.Lines(ask(s, "GET", "/metrics").Body.String()) {
			if n, ok := strings.CutPrefix(line, "birdcall_sessions "); ok {
				sessions = strings.TrimSpace(n)
			}
			if n, ok := strings.CutPrefix(line, "birdcall_session_bytes "); ok {
				bytes = strings.TrimSpace(n)
			}
		}
		return sessions, bytes
	}
	for _, c := range []struct {
		method, target, body string
		sessions             string
		empty                bool
	}{
		{"POST", "/v1/sessions", `{"db":"bird_club","sample_id":83,"id":"a"}`, "1", true},
		{"POST", "/v1/sessions/a/calls", `{"name":"sort_data","arguments":{"data_source":"$starting_table_var$","key_name":"species_code","ascending":true}}`, "1", false},
		{"DELETE", "/v1/sessions/a", "", "0", true},
	} {
		if w := post(s, c.method, c.target, c.body); w.Code >= 300 || strings.Contains(w.Body.String(), `"error"`) {
			t.Fatal(w.Body)
		}
		if sessions, bytes := held(); sessions != c.sessions || bytes == "" || (bytes == "0") != c.empty {
			t.Errorf("after %s %s: %s sessions, %s bytes", c.method, c.target, sessions, bytes)
		}
	}
}
