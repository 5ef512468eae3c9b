package agent_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/evaluation/agent"
	"github.com/birdcall/birdcall/internal/testkit/apitest"
	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/tools"
)

var sample = &evaluate.Sample{DB: apitest.DB}

func open(t *testing.T, timeout time.Duration) *agent.Agent {
	t.Helper()
	databases := agent.New(apitest.Start(t).Dataset(t), timeout)
	t.Cleanup(func() {
		if err := databases.Close(); err != nil {
			t.Error(err)
		}
	})
	a, err := databases.Open(t.Context(), sample)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// call runs a call whose arguments are JSON and returns what a model is shown.
func call(t *testing.T, a *agent.Agent, name, arguments string) (string, error) {
	t.Helper()
	c := tools.Call{Name: name}
	if err := json.Unmarshal([]byte(arguments), &c.Arguments); err != nil {
		t.Fatal(err)
	}
	r := a.Call(t.Context(), c)
	if r.Err != nil {
		return "", r.Err
	}
	return r.Show(t.Context())
}

// TestTools holds the tools and the schema against files.
func TestTools(t *testing.T) {
	a := open(t, time.Minute)
	text, err := jsontext.Marshal(a.Tools(), "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, filepath.Join("testdata", "tools.json"), string(text)+"\n")
	if s := a.Schema(); !strings.Contains(s, "CREATE TABLE book (") || strings.Contains(s, "CREATE TABLE loan") || strings.Contains(s, "CREATE TABLE branch") {
		t.Errorf("the schema is\n%s", s)
	}
}

// TestCalls lists calls with what a model is shown, and the calls of APIs that there
// were until then.
func TestCalls(t *testing.T) {
	a := open(t, time.Minute)
	for _, c := range []struct {
		name, arguments string
		want            string // shown, or a part of the error
		calls           int
	}{
		{agent.Query, `{"sql": "SELECT count(*) AS n, 5.0 AS n, x'00ff' FROM book"}`, `{"row_count":1,"shown":1,"truncated":false,"data":[{"n":70,"n_2":5.0,"x'00ff'":{"blob":"00ff"}}]}`, 0},
		{agent.Query, `{"sql": "SELECT 1 FROM book WHERE 0"}`, `{"row_count":0,"shown":0,"truncated":false,"data":[]}`, 0},
		{agent.Query, `{"sql": "SELECT count(*) FROM branch"}`, "branch is a table of the API library", 0},
		{agent.Query, `{"sql": "SELECT count(*) FROM main.loan"}`, "loan", 0},
		{agent.Query, `{"sql": "SELECT count(*) FROM loan"}`, "loan is a table of the API library", 0},
		{agent.Query, `{"sql": "SELECT count_characters(title) FROM book"}`, "count_characters is a function of the API words", 0},
		{agent.Query, `{"sql": "DELETE FROM book"}`, "query_database: prepare the statement: not a SELECT statement", 0},
		{agent.Query, `{"sql": 1}`, "sql is a text", 0},
		{agent.Query, `{"query": "SELECT 1"}`, `there is no argument "query"`, 0},
		{agent.Query, `{}`, "the argument sql is missing", 0},
		{"branch", `{"limit": 2}`, `"next_offset":2,`, 1},
		{"branch", `{"limit": 2, "offset": 6}`, `{"row_count":1,"shown":1,"truncated":false,`, 4},
		{"branch", `{"code": "001"}`, `"name":"Harbour Street"`, 5},
		{"branch", `{"code": "nowhere"}`, `{"row_count":0,`, 6},
		{"branch", `{"limit": 0}`, "limit: give a whole number of 1 or more", 6},
		{"branch", `{"offset": 0.5}`, "offset: give a whole number of 0 or more", 6},
		{"branch", `{"code": []}`, "code: give 1 to", 6},
		{"branch", `{"code": {"a": 1}}`, "code: give a text or a number", 6},
		{"branch", `{"kode": "1"}`, `there is no argument "kode"`, 6},
		{"loan", `{}`, "the argument member_id is missing", 6},
		{"loan", `{"member_id": 1, "limit": 1}`, `{"row_count":1,"shown":1,"truncated":true,"next_offset":1,`, 7},
		{"count_characters", `{"string": "Löwe"}`, `{"row_count":1,"shown":1,"truncated":false,"data":[{"count_characters":4}]}`, 8},
		{"count_characters", `{"string": null}`, "the argument string is missing", 8},
		{"nothing", `{}`, `there is no tool "nothing"`, 8},
	} {
		got, err := call(t, a, c.name, c.arguments)
		if err != nil {
			got = err.Error()
		}
		if asked := a.Asked(); !strings.Contains(got, c.want) || asked.Calls != c.calls || asked.Requests != c.calls {
			t.Errorf("%s %s: got %s, %+v; want %s, %d calls", c.name, c.arguments, got, asked, c.want, c.calls)
		}
	}
}

// TestRows lists answers, and those that are none.
func TestRows(t *testing.T) {
	for _, c := range []struct{ arguments, want string }{
		{`{"rows": [["a", 1, 1.0, 9007199254740993, null, true]]}`, `[["a",1,1.0,9007199254740993,null,true]]`},
		{`{"rows": []}`, `[]`},
		{`{}`, "rows is missing"},
		{`{"rows": "Harbour Street"}`, "the rows are no list"},
		{`{"rows": ["a"]}`, "row 0 is no list"},
		{`{"rows": [[{"a": 1}]]}`, "row 0 has no value in column 0"},
	} {
		x := tools.Call{Name: agent.Answer}
		if err := json.Unmarshal([]byte(c.arguments), &x.Arguments); err != nil {
			t.Fatal(err)
		}
		got, err := agent.Rows(x)
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.Contains(string(got), c.want) {
			t.Errorf("%s: got %s, want %s", c.arguments, got, c.want)
		}
	}
}

// TestTime says that a call ends.
func TestTime(t *testing.T) {
	if _, err := call(t, open(t, time.Nanosecond), "branch", "{}"); err == nil || !strings.Contains(err.Error(), "branch: it takes longer than 1ns") {
		t.Error(err)
	}
}

// TestNoDatabase says which database is missing.
func TestNoDatabase(t *testing.T) {
	d := agent.New(apitest.Start(t).Dataset(t), time.Minute)
	defer d.Close()
	if _, err := d.Open(t.Context(), &evaluate.Sample{DB: "zoo"}); err == nil || errors.Unwrap(err) != nil || !strings.Contains(err.Error(), `no database "zoo"`) {
		t.Error(err)
	}
}
