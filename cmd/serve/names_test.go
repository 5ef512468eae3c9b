package main

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestUnknownNames gives names that do not exist. Those of this service are refused
// with the name that is meant; a row of NeMo Gym, which is another's format, may have
// any fields, and slips are reported in the log.
func TestUnknownNames(t *testing.T) {
	s := programtest.Serve(t, "--db", "bird_club,city_library")
	const id = `"db":"bird_club","sample_id":83`
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/v1/sessions", `{"db":"bird_club","smaple_id":83}`, 400, `unknown field \"smaple_id\"; did you mean sample_id?`},
		{"POST", "/v1/sessions", `{` + id + `,"questions":1}`, 400, `unknown field \"questions\"; use one of variant, db, sample_id, tables, id, format, tools.`},
		{"POST", "/v1/sessions?fromat=openai", `{` + id + `}`, 400, `The parameter \"fromat\" is unknown`},
		{"POST", "/v1/sessions", ``, 400, `db: give the database`},
		{"POST", "/v1/sessions", `{}`, 400, `db: give the database`},
		{"POST", "/v1/sessions", `{` + id + `,"id":"s"}`, 201, `"id":"s"`},
		{"GET", "/v1/sessions/s?fromat=gemini", ``, 400, `The parameter \"fromat\" is unknown; did you mean format?`},
		{"POST", "/v1/sessions/s/calls", `{"name":"filter_data","argument":{}}`, 400, `unknown field \"argument\"; did you mean arguments?`},
		{"POST", "/v1/sessions/s/calls?wait=1", `{"name":"filter_data"}`, 400, `The parameter \"wait\" is unknown`},
		{"POST", "/v1/sessions/s/score", `{"rules":"paper"}`, 400, `unknown field \"rules\"`},
		{"POST", "/v1/sessions/s/score", `{}`, 200, `"reward":0`},
		{"DELETE", "/v1/sessions/s?force=1", ``, 400, `The parameter \"force\" is unknown`},
		{"GET", "/v1/tasks?difficulty=simple", ``, 400, `The parameter \"difficulty\" is unknown; use one of variant, db, bare, turns.`},
		{"GET", "/v1/tasks?limit=1", ``, 400, `The parameter \"limit\" is unknown`},
		{"GET", "/v1/tasks?vraiant=sel", ``, 400, `did you mean variant?`},
		{"GET", "/v1/tasks?bare=yes", ``, 400, `bare: use true or false.`},
		{"GET", "/v1/tasks?db=nope", ``, 404, `there is no database \"nope\"; there are `},
		{"GET", "/v1/tasks?bare=true&db=bird_club&db=city_librari", ``, 404, `did you mean city_library?`},
		{"GET", "/v1/tasks?bare=true&db=bird_club&db=city_library", ``, 200, `"task_id":"slot/city_library/`},
		{"POST", "/v1/query/bird_club", `{"collection_name":"site","filter":[]}`, 422, `filter`},
		{"POST", "/v1/query/bird_club?toolste=full", `{}`, 400, `did you mean toolset?`},
		{"POST", "/seed_session", `{"task_id":"slot/bird_club/83","agent_ref":{},"x":1}`, 200, `"session_id"`},
		{"POST", "/seed_session", `{"taskid":"slot/bird_club/83"}`, 400, `task_id: give it as the task list has it`},
		{"POST", "/verify", `{"task_id":"slot/bird_club/83","respnse":{"output":[]},"agent_ref":{}}`, 200, `"reward":0`},
	} {
		status, _, text := s.Do(t, c.method, c.path, c.body)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s %s %s: %d %.300s, want %d %s", c.method, c.path, c.body, status, text, c.status, c.want)
		}
	}
	s.Stop(t)
	log := s.Log()
	for what, n := range map[string]int{`field \"taskid\", which is ignored; did you mean task_id?`: 1, `field \"respnse\", which is ignored; did you mean response?`: 1, "agent_ref": 0} {
		if got := strings.Count(strings.ReplaceAll(log, `\\\"`, `\"`), what); got != n {
			t.Errorf("the log has %q %d times: %s", what, got, log)
		}
	}
}
