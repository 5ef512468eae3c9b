package askmodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

const question = "How many robins are there?"

// twoCalls are two calls at once.
const twoCalls = `[{"id":"c1","type":"function","function":{"name":"filter_data","arguments":"{\"data_source\":\"$t$\",\"n\":1.0}"}},` +
	`{"id":"c2","type":"function","function":{"name":"aggregate_data","arguments":"{\"data_source\":\"$FILTERED_DF_0$\",\"aggregation_type\":\"count\"}"}}]`

// TestModes says where a prediction has the answer, and what is sent.
func TestModes(t *testing.T) {
	for _, c := range []struct {
		mode   evaluate.Mode
		native bool
		entry  scripted.Entry
		want   string   // the prediction but for its usage
		sent   []string // parts of the request
	}{
		{evaluate.Direct, false, scripted.Entry{Content: "[] <x>"},
			`{"db_id":"d","sample_id":1,"model":"a/model","mode":"direct","status":"answered","text":"[] <x>","finish_reason":"stop","simulated":true}`,
			[]string{`"temperature":0,"max_tokens":1500}`, `\"name\":\"filter_data\"`, "bicycle_repair"}},
		{evaluate.Direct, false, scripted.Entry{ToolCalls: json.RawMessage(twoCalls)},
			`{"db_id":"d","sample_id":1,"model":"a/model","mode":"direct","status":"answered","message":{"content":"","tool_calls":[` +
				`{"id":"c1","function":{"name":"filter_data","arguments":"{\"data_source\":\"$t$\",\"n\":1.0}"}},` +
				`{"id":"c2","function":{"name":"aggregate_data","arguments":"{\"data_source\":\"$FILTERED_DF_0$\",\"aggregation_type\":\"count\"}"}}]},"finish_reason":"tool_calls","simulated":true}`,
			nil},
		{evaluate.Direct, true, scripted.Entry{Content: "I do not know.", Reasoning: "Hm."},
			`{"db_id":"d","sample_id":1,"model":"a/model","mode":"direct","status":"answered","message":{"content":"I do not know.","reasoning_content":"Hm."},"finish_reason":"stop","simulated":true}`,
			[]string{`"role":"system"`, `"tools":[{"type":"function","function":{"name":"filter_data"`}},
		{evaluate.SQL, false, scripted.Entry{Content: "Here:\n```sql\nSELECT 1;\n```"},
			`{"db_id":"d","sample_id":1,"model":"a/model","mode":"sql","status":"answered","text":"Here:\n` + "```sql\\nSELECT 1;\\n```" + `","sql":"SELECT 1","finish_reason":"stop","simulated":true}`,
			[]string{"CREATE TABLE d (a INTEGER);"}},
		{evaluate.ReAct, false, scripted.Entry{Content: "Final Answer: 7"},
			`{"db_id":"d","sample_id":1,"model":"a/model","mode":"react","status":"answered","answer":"7","finish_reason":"stop","simulated":true}`,
			[]string{`"temperature":0,"top_p":0.1,"stop":["\nObservation"]}`, `out of filter_data, aggregate_data`}},
		{evaluate.ReAct, true, scripted.Entry{Content: "7"},
			`{"db_id":"d","sample_id":1,"model":"a/model","mode":"react","status":"answered","answer":"7","finish_reason":"stop","simulated":true}`,
			[]string{`"temperature":0,"top_p":0.1}`, "at most 10 turns", `"tools":[`}},
	} {
		c.entry.Question = question
		s := &scripted.Server{Script: scripted.New(c.entry)}
		o := options(t, serve(t, s), []*evaluate.Sample{sampleOf(1, question, "filter_data", "aggregate_data")})
		o.Mode, o.Native, o.Sampling = c.mode, c.native, DefaultSampling(c.mode, c.native)
		got := one(t, o)
		if got.Usage == nil || got.Usage.Requests != 1 || got.Usage.Attempts != 1 || got.Usage.PromptTokens == 0 {
			t.Errorf("%s, native %v: usage %+v", c.mode, c.native, got.Usage)
		}
		got.Usage = nil
		if text, err := jsontext.Marshal(got, ""); err != nil || string(text) != c.want {
			t.Errorf("%s, native %v: %v%s", c.mode, c.native, err, cmp.Diff(c.want, string(text)))
		}
		for _, part := range c.sent {
			if body := string(s.Log()[0].Body); !strings.Contains(body, part) {
				t.Errorf("%s, native %v: no %s in %s", c.mode, c.native, part, body)
			}
		}
	}
}

// TestFaults lists what comes of what endpoints do.
func TestFaults(t *testing.T) {
	again := func(f scripted.Fault) []scripted.Fault { return []scripted.Fault{f, f, f, f, f, f} }
	for _, c := range []struct {
		faults   []scripted.Fault
		attempts int
		status   evaluate.Status
		reason   string // a part of it
		finish   string
	}{
		{[]scripted.Fault{scripted.NullContent}, 1, evaluate.Answered, "", "tool_calls"},
		{[]scripted.Fault{scripted.BrokenArguments}, 1, evaluate.Answered, "", "tool_calls"},
		{[]scripted.Fault{scripted.NoUsage}, 1, evaluate.Answered, "", "tool_calls"},
		{[]scripted.Fault{scripted.NoIDs}, 1, evaluate.Answered, "", "tool_calls"},
		{[]scripted.Fault{scripted.Length}, 1, evaluate.Answered, "", "length"},
		{[]scripted.Fault{scripted.ContentFilter}, 1, evaluate.Answered, "", "content_filter"},
		{[]scripted.Fault{scripted.RateLimited, scripted.ServerError, scripted.Cut, scripted.NotJSON, scripted.NoChoices}, 6, evaluate.Answered, "", "tool_calls"},
		{again(scripted.RateLimited), 6, evaluate.Failed, "no answer after 6 of 6 attempts: 429 Too Many Requests", ""},
		{again(scripted.Cut), 6, evaluate.Failed, "no answer after 6 of 6 attempts: the answer is cut", ""},
		{[]scripted.Fault{scripted.BadRequest}, 1, evaluate.Failed, "400 Bad Request: this request is not understood", ""},
		{[]scripted.Fault{scripted.ContextLength}, 1, evaluate.NotRun, "the text is longer than the model reads", ""},
	} {
		s := &scripted.Server{
			Script: scripted.New(scripted.Entry{Question: question, Content: "two calls", ToolCalls: json.RawMessage(twoCalls)}),
			Plan:   scripted.Each(map[string][]scripted.Fault{question: c.faults}),
		}
		o := options(t, serve(t, s), []*evaluate.Sample{sampleOf(1, question, "filter_data")})
		o.Native = true
		o.Asker = clientWith(t, o, serve(t, s), 6)
		got := one(t, o)
		if got.Status != c.status || !strings.Contains(got.Reason, c.reason) || (got.Reason == "") != (c.reason == "") || got.Finish != c.finish {
			t.Errorf("%s: got %+v", c.faults, got)
		}
		if got.Usage.Attempts != c.attempts || len(s.Log()) != c.attempts || got.Status == evaluate.Answered && len(got.Message.ToolCalls) != 2 {
			t.Errorf("%s: %d attempts, %d served; want %d", c.faults, got.Usage.Attempts, len(s.Log()), c.attempts)
		}
		if (got.Usage.Unmeasured == 1) != (c.faults[0] == scripted.NoUsage) {
			t.Errorf("%s: %d requests without usage", c.faults, got.Usage.Unmeasured)
		}
	}
}

func clientWith(t *testing.T, o Options, url string, attempts int) Asker {
	t.Helper()
	c, err := chatapi.New(chatapi.Options{BaseURL: url, Key: secret, Attempts: attempts, FirstWait: 1, MaxWait: 1})
	if err != nil {
		t.Fatal(err, o.Name)
	}
	return c
}

const secret = "sk-0123456789abcdef"

// TestStops says that a run ends where no question can be answered, and that no
// file or error has the key.
func TestStops(t *testing.T) {
	for _, c := range []struct {
		fault scripted.Fault
		want  error
	}{{scripted.Unauthorized, chatapi.ErrUnauthorized}, {scripted.NotFound, chatapi.ErrNotFound}} {
		samples := questions(20)
		s := &scripted.Server{Script: answers(samples, false), Plan: scripted.Each(map[string][]scripted.Fault{samples[10].Question: {c.fault}})}
		o := options(t, serve(t, s), samples)
		o.Jobs, o.Asker = 1, clientWith(t, o, serve(t, s), 6)
		_, err := Run(t.Context(), o)
		if !errors.Is(err, c.want) || strings.Contains(fmt.Sprint(err), secret) || len(s.Log()) != 11 {
			t.Errorf("%s: got %v after %d requests", c.fault, err, len(s.Log()))
		}
		file := text(t, path(o, "_result.jsonl"))
		if n := strings.Count(file, "\n"); n != 10 || strings.Contains(file, secret) {
			t.Errorf("%s: %d answers are recorded", c.fault, n)
		}
		if _, err := Run(t.Context(), o); err != nil || len(s.Log()) != 11+10 {
			t.Errorf("%s: the next run: %v, %d requests", c.fault, err, len(s.Log()))
		}
	}
}

// TestTooManyTools says that lists that are too long are not sent.
func TestTooManyTools(t *testing.T) {
	s := &scripted.Server{Script: scripted.New(scripted.Entry{Question: question, Content: "[]"})}
	o := options(t, serve(t, s), []*evaluate.Sample{sampleOf(1, question, "a", "b", "c")})
	o.MaxTools, o.Native = 2, true
	got := one(t, o)
	if want := "it lists 3 tools, and --max-tools is 2; give --shortlist, or leave --native out"; got.Status != evaluate.NotRun || got.Reason != want || got.Usage != nil || len(s.Log()) > 0 {
		t.Errorf("got %+v, %d requests", got, len(s.Log()))
	}
	o.Native, o.Name = false, "in_text"
	if got := one(t, o); got.Status != evaluate.Answered {
		t.Errorf("in the text: got %+v", got)
	}
}

// TestReAct lists courses of ReAct, turn by turn.
func TestReAct(t *testing.T) {
	act := func(name, input string) string {
		return "Thought: I look.\nAction: " + name + "\nAction Input: " + input
	}
	form := strings.ReplaceAll(actionForm, `"`, `\"`)
	for _, c := range []struct {
		name   string
		turns  []string
		steps  []string // call, observation
		answer string
	}{
		{"two calls", []string{
			act("filter_data", `{"data_source": "$t$", "n": 1.0}`),
			act("aggregate_data", `{"data_source": "$FILTERED_DF_0$", "aggregation_type": "count"}`) + "\nObservation: 12",
			"Thought: I know.\nFinal Answer: 3 robins",
		}, []string{
			`{"name":"filter_data","arguments":{"data_source":"$t$","n":1.0},"label":"FILTERED_DF_0"} {"label":"FILTERED_DF_0"}`,
			`{"name":"aggregate_data","arguments":{"data_source":"$FILTERED_DF_0$","aggregation_type":"count"},"label":"COUNT"} {"label":"COUNT"}`,
		}, "3 robins"},
		{"a call that fails has no label of the count", []string{
			act("filter_data", `{}`), act("filter_data", "```json\n{\"data_source\": \"$t$\"}\n```"), "Final Answer: 1",
		}, []string{
			`{"name":"filter_data","arguments":{},"label":"FILTERED_DF_0"} {"error":{"message":"filter_data: data_source is missing"}}`,
			`{"name":"filter_data","arguments":{"data_source":"$t$"},"label":"FILTERED_DF_0"} {"label":"FILTERED_DF_0"}`,
		}, "1"},
		{"a label of the model's own", []string{act("**filter_data**", `{"data_source": "$t$", "label": "$mine$"}`), "**Final Answer:** 1"},
			[]string{`{"name":"filter_data","arguments":{"data_source":"$t$"},"label":"mine"} {"label":"mine"}`}, "1"},
		{"no tool of that name", []string{act("filter_dat", `{}`), "Final Answer: 1"},
			[]string{`{"name":"filter_dat","arguments":{},"label":""} {"error":{"message":"there is no tool \"filter_dat\"; use one of those listed, such as filter_data, aggregate_data"}}`}, "1"},
		{"what cannot be read", []string{"I think so.", "Action: filter_data", act("filter_data", `{"a": `), act("filter_data", `[1]`), "Final Answer: 1"},
			[]string{
				`null {"error":{"message":"there is no action; ` + form + `"}}`,
				`null {"error":{"message":"there is no Action Input; ` + form + `"}}`,
				`null {"error":{"message":"the arguments of the call are no JSON object (unexpected EOF); write one such as {\"argument\": \"value\"}"}}`,
				`null {"error":{"message":"the arguments of the call are no JSON object (arguments: not a JSON object but \"[1]\"; write {\"name\": value, ...}); write one such as {\"argument\": \"value\"}"}}`,
			}, "1"},
		{"thinking aloud", []string{"<think>Action: x\nObservation: 1</think>\nThought: y\nFinal Answer: 2\nof them"}, nil, "2\nof them"},
		{"out of budget", []string{act("filter_data", "")},
			slicesOf(10, `{"name":"filter_data","arguments":{},"label":"FILTERED_DF_0"} {"error":{"message":"filter_data: data_source is missing"}}`), ""},
	} {
		var entries []scripted.Entry
		for _, turn := range c.turns {
			entries = append(entries, scripted.Entry{Question: question, Content: turn})
		}
		s := &scripted.Server{Script: scripted.New(entries...)}
		o := options(t, serve(t, s), []*evaluate.Sample{sampleOf(1, question, "filter_data", "aggregate_data")})
		o.Mode, o.Sampling = evaluate.ReAct, DefaultSampling(evaluate.ReAct, false)
		got := one(t, o)
		if diff := cmp.Diff(c.steps, stepsOf(t, got)); diff != "" || got.Answer != c.answer {
			t.Errorf("%s: answer %q; %s", c.name, got.Answer, diff)
		}
		if want := min(len(c.steps)+1, 10); got.Usage.Requests != want || len(s.Log()) != want {
			t.Errorf("%s: %d requests, %d served, want %d", c.name, got.Usage.Requests, len(s.Log()), want)
		}
		if text(t, path(o, "_loops.jsonl")) != "" {
			t.Errorf("%s: the turns are left behind", c.name)
		}
	}
}

func slicesOf(n int, s string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// stepsOf returns each step's call and observation.
func stepsOf(t *testing.T, p evaluate.Prediction) []string {
	t.Helper()
	var out []string
	for _, s := range p.Steps {
		text, err := jsontext.Marshal(s.Call, "")
		if err != nil {
			t.Fatal(err)
		}
		if s.Failed != strings.HasPrefix(s.Observation, `{"error":`) {
			t.Errorf("failed is %v: %s", s.Failed, s.Observation)
		}
		out = append(out, string(text)+" "+s.Observation)
	}
	return out
}

// TestNativeReAct says that each of several calls is a step, and that the model
// is shown of each.
func TestNativeReAct(t *testing.T) {
	broken := strings.Replace(twoCalls, `count\"}"`, `"`, 1)
	s := &scripted.Server{
		Script: scripted.New(scripted.Entry{Question: question, Content: "I look.", ToolCalls: json.RawMessage(twoCalls)},
			scripted.Entry{Question: question, ToolCalls: json.RawMessage(broken)}, scripted.Entry{Question: question, Content: "Three."}),
		Plan: func(_ string, turn, attempt int) scripted.Fault {
			return map[int]scripted.Fault{0: scripted.NoIDs, 1: scripted.NullContent}[turn]
		},
	}
	o := options(t, serve(t, s), []*evaluate.Sample{sampleOf(1, question, "filter_data", "aggregate_data")})
	o.Mode, o.Native = evaluate.ReAct, true
	got := one(t, o)
	want := []string{
		`{"name":"filter_data","arguments":{"data_source":"$t$","n":1.0},"label":"FILTERED_DF_0"} {"label":"FILTERED_DF_0"}`,
		`{"name":"aggregate_data","arguments":{"data_source":"$FILTERED_DF_0$","aggregation_type":"count"},"label":"COUNT"} {"label":"COUNT"}`,
		`{"name":"filter_data","arguments":{"data_source":"$t$","n":1.0},"label":"FILTERED_DF_1"} {"label":"FILTERED_DF_1"}`,
		`null {"error":{"message":"the arguments of the call are no JSON object (unexpected EOF); write one such as {\"argument\": \"value\"}"}}`,
	}
	if diff := cmp.Diff(want, stepsOf(t, got)); diff != "" || got.Answer != "Three." || got.Steps[0].Text != "I look." || got.Steps[1].Text != "" {
		t.Errorf("answer %q; %s", got.Answer, diff)
	}
	last := string(s.Log()[2].Body)
	for _, part := range []string{
		`{"role":"tool","content":"{\"label\":\"COUNT\"}","tool_call_id":"call_2_1"}`,
		`"name":"aggregate_data","arguments":"{}"`, `"tool_call_id":"c2"`,
	} {
		if !strings.Contains(last, part) {
			t.Errorf("no %s in %s", part, last)
		}
	}
}

// TestContextInReAct says that a dialogue that grew too long is an answer, and one
// that is too long from the start is none.
func TestContextInReAct(t *testing.T) {
	for at, want := range []evaluate.Status{evaluate.NotRun, evaluate.Answered} {
		samples := questions(1)
		s := &scripted.Server{Script: answers(samples, true), Plan: func(_ string, turn, _ int) scripted.Fault {
			if turn == at {
				return scripted.ContextLength
			}
			return scripted.None
		}}
		o := options(t, serve(t, s), samples)
		o.Mode = evaluate.ReAct
		got := one(t, o)
		if got.Status != want || len(got.Steps) != at || got.Usage.Attempts != at+1 || (got.Finish == finishContext) != (at == 1) {
			t.Errorf("at turn %d: got %+v", at, got)
		}
	}
}

func TestStatement(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT 1;", "SELECT 1"},
		{"```sql\nSELECT 1\n;\n```", "SELECT 1"},
		{"```\nSELECT 1\n```", "SELECT 1"},
		{"```SELECT 1```", "SELECT 1"},
		{"```sql SELECT 1```", "SELECT 1"},
		{"First\n```sql\nSELECT 1\n```\nbetter\n```sqlite\nSELECT 2\n```\nDone.", "SELECT 2"},
		{"```sql\nSELECT 1 FROM", "SELECT 1 FROM"},
		{"<think>SELECT 0</think>\nselect 1", "select 1"},
		{"The statement is:\n\nWITH t(a) AS (SELECT 1)\nSELECT a FROM t", "WITH t(a) AS (SELECT 1)\nSELECT a FROM t"},
		{"With pleasure.\nSELECT ';' ;", "SELECT ';'"},
		{"I do not know.", "I do not know."},
		{"", ""},
	} {
		if got := statement(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzReadAction(f *testing.F) {
	f.Add("Thought: x\nAction: f\nAction Input: {\"a\": 1}")
	f.Add("Action: f\nAction Input: ```json\n{}\n```\nFinal Answer: 1")
	f.Fuzz(func(t *testing.T, text string) {
		a := readAction(text)
		if a.final && a.wrong != "" {
			t.Error("both the answer and wrong")
		}
		_ = statement(text)
	})
}

// TestSearchTools has tools that are found: in ReAct by the model, in words and
// beside them, and in Direct mode for the question. Searches are steps, and no calls
// towards the answer.
func TestSearchTools(t *testing.T) {
	const search = "Thought: I look.\nAction: search_tools\nAction Input: {\"query\": \"filter\"}"
	const call = "Action: filter_data\nAction Input: {\"data_source\": \"$t$\"}"
	native := func(name, arguments string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`[{"id":"c","type":"function","function":{"name":%q,"arguments":%q}}]`, name, arguments))
	}
	entry := func(content string, calls json.RawMessage) scripted.Entry {
		return scripted.Entry{Question: question, Content: content, ToolCalls: calls}
	}
	const listed = `"name":"filter_data"`
	for _, c := range []struct {
		name   string
		mode   evaluate.Mode
		native bool
		script []scripted.Entry
		seen   [][2]string // of each request: a part of it, and what it does not have
		steps  int
		calls  int
	}{
		{"react in words", evaluate.ReAct, false, []scripted.Entry{entry(search, nil), entry(call, nil), entry("Final Answer: 7", nil)},
			[][2]string{{"out of search_tools, any tool that it finds", "filter_data"}, {`\"name\":\"filter_data\"`, "sort_data"}, {`FILTERED_DF`, "sort_data"}}, 2, 1},
		{"react beside them", evaluate.ReAct, true,
			[]scripted.Entry{entry("", native("search_tools", `{"query":"filter"}`)), entry("", native("search_tools", `{}`)), entry("", native("filter_data", `{"data_source":"$t$"}`)), entry("7", nil)},
			[][2]string{{`"name":"search_tools"`, listed}, {listed, "sort_data"}, {`query: is missing`, "sort_data"}, {listed, "sort_data"}}, 3, 1},
		{"direct", evaluate.Direct, true, []scripted.Entry{entry("7", nil)}, [][2]string{{`"name":"filter_robins"`, listed}}, 0, 0},
	} {
		s := &scripted.Server{Script: scripted.New(c.script...)}
		o := options(t, serve(t, s), []*evaluate.Sample{sampleOf(1, question, "filter_data", "sort_data", "filter_robins")})
		o.Mode, o.Native, o.Search, o.Sampling = c.mode, c.native, true, DefaultSampling(c.mode, c.native)
		if c.mode == evaluate.ReAct {
			o.Samples = []*evaluate.Sample{sampleOf(1, question, "filter_data", "sort_data")}
		}
		got := one(t, o)
		calls, _ := got.ReadCalls()
		if len(got.Steps) != c.steps || len(calls) != c.calls || len(s.Log()) != len(c.seen) {
			t.Errorf("%s: %d steps, %d calls, %d requests: %+v", c.name, len(got.Steps), len(calls), len(s.Log()), got)
			continue
		}
		for i, part := range c.seen {
			if body := string(s.Log()[i].Body); !strings.Contains(body, part[0]) || strings.Contains(body, part[1]) {
				t.Errorf("%s: request %d has not %s, or has %s: %s", c.name, i, part[0], part[1], body)
			}
		}
	}
	o := options(t, "http://127.0.0.1:0", nil)
	o.Mode, o.Search = evaluate.SQL, true
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--search-tools is for --mode direct and react") {
		t.Errorf("%v", err)
	}
}
