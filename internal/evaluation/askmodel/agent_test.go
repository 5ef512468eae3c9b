package askmodel

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/evaluation/agent"
	"github.com/birdcall/birdcall/internal/evaluation/execute"
	"github.com/birdcall/birdcall/internal/testkit/apitest"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/pkg/evaluate"
)

const branches = "Which branches have loans of member 1?"

// action is a turn in words.
func actionOf(name, input string) string {
	return "Thought: I look.\nAction: " + name + "\nAction Input: " + input
}

// TestAgent lists whole episodes, in words and by the endpoint's own interface, with
// how they end.
func TestAgent(t *testing.T) {
	databases := agent.New(apitest.Start(t).Dataset(t), time.Minute)
	defer databases.Close()
	type turn struct{ name, input string }
	for _, c := range []struct {
		about  string
		turns  []turn
		loops  int
		rows   string
		steps  string // name, and whether it failed
		calls  int
		answer string
		seen   string // by the model, in the last request
	}{
		{
			"a whole episode", []turn{{"loan", `{"member_id": [1], "limit": 1}`}, {"query_database", `{"sql": "SELECT first_name FROM member WHERE member_id = 1"}`}, {"answer", `{"rows": [["Una", 5.0]]}`}}, 10,
			`[["Una",5.0]]`, "loan query_database answer", 1, "", `"branch_code\":\"001\"`,
		},
		{
			"the last turn that there is", []turn{{"branch", `{}`}, {"branch", `{}`}, {"branch", `{}`}}, 3,
			"", "branch branch branch", 9, "", "Harbour Street",
		},
		{
			"mistakes", []turn{{"loan", `{}`}, {"branch", `{"code": "001"`}, {"zoo", `{}`}, {"query_database", `{"sql": "SELECT * FROM loan"}`}, {"answer", `{"rows": 1}`}, {"answer", `{"rows": []}`}}, 10,
			"[]", "loan! ! zoo! query_database! answer! answer", 0, "", "the rows are no list",
		},
		{"no rows", []turn{{"", "It is 001."}}, 10, "", "", 0, "It is 001.", ""},
	} {
		for _, native := range []bool{false, true} {
			var entries []scripted.Entry
			for i, turn := range c.turns {
				e := scripted.Entry{Question: branches, Content: actionOf(turn.name, turn.input)}
				switch {
				case turn.name == "" && native:
					e.Content = turn.input
				case turn.name == "":
					e.Content = "Final Answer: " + turn.input
				case native:
					input, err := json.Marshal(turn.input)
					if err != nil {
						t.Fatal(err)
					}
					e.Content, e.ToolCalls = "", json.RawMessage(fmt.Sprintf(`[{"id":"c%d","type":"function","function":{"name":%q,"arguments":%s}}]`, i, turn.name, input))
				}
				entries = append(entries, e)
			}
			s := &scripted.Server{Script: scripted.New(entries...)}
			sample := sampleOf(1, branches, "filter_data")
			sample.DB = apitest.DB
			o := options(t, serve(t, s), []*evaluate.Sample{sample})
			o.Mode, o.Native, o.Loops, o.Sampling, o.Agents = evaluate.Agent, native, c.loops, DefaultSampling(evaluate.Agent, native), databases
			got := one(t, o)
			var steps []string
			for _, step := range got.Steps {
				name := ""
				if step.Call != nil {
					name = step.Call.Name
				}
				if step.Failed {
					name += "!"
				}
				steps = append(steps, name)
			}
			if string(got.Rows) != c.rows || strings.Join(steps, " ") != c.steps || got.APIs == nil || got.APIs.Calls != c.calls || got.Answer != c.answer || got.Mode != evaluate.Agent {
				t.Errorf("%s, native %v: rows %s, steps %q, asked %+v, answer %q", c.about, native, got.Rows, steps, got.APIs, got.Answer)
			}
			log := s.Log()
			last := string(log[len(log)-1].Body)
			if len(log) != len(c.turns) || !strings.Contains(last, c.seen) || !strings.Contains(last, "CREATE TABLE book (") || strings.Contains(last, "CREATE TABLE loan") || strings.Contains(last, "filter_data") {
				t.Errorf("%s, native %v: %d requests, the last one\n%s", c.about, native, len(log), last)
			}
		}
	}
}

// TestSchemaWithAPIs says what a model that writes SQL is shown.
func TestSchemaWithAPIs(t *testing.T) {
	databases := execute.Open(apitest.Start(t).Dataset(t), execute.Options{})
	defer databases.Close()
	got, err := SchemasOf(databases).Schema(t.Context(), &evaluate.Sample{DB: apitest.DB})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CREATE TABLE book (\n", "-- Table of the API library: Rows of branch\n", "-- It has rows only where a statement gives values to member_id: by =, IN or a join.\nCREATE TABLE loan (\n", "-- count_characters(string TEXT) returns INTEGER: "} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q does not stand once in\n%s", want, got)
		}
	}
	if strings.Count(got, "CREATE TABLE branch (") != 1 {
		t.Errorf("branch does not stand once in\n%s", got)
	}
}
