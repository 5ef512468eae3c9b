package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/spec"
)

// TestSearchTools has a session whose tools are found in each format: the list, a
// search, and calls of what was found and of what was not.
func TestSearchTools(t *testing.T) {
	s := start(t, Options{Open: true})
	for _, format := range spec.Formats() {
		open := func() string {
			return post(s, "POST", "/v1/sessions", fmt.Sprintf(`{"variant":"rest","db":"city_library","sample_id":1,"id":%q,"format":%q,"tools":"search"}`, format, format)).Body.String()
		}
		var opened struct {
			Tools []json.RawMessage `json:"tools"`
		}
		if text := open(); json.Unmarshal([]byte(text), &opened) != nil || !strings.Contains(text, "search_tools") {
			t.Fatalf("%s: %.300s", format, text)
		}
		isAnthropic := format == string(spec.Anthropic)
		if len(opened.Tools) > 1 != isAnthropic || isAnthropic && !strings.Contains(string(opened.Tools[1]), `"defer_loading":true`) ||
			strings.Contains(string(opened.Tools[0]), "defer_loading") {
			t.Errorf("%s: %d tools are listed: %.300s", format, len(opened.Tools), opened.Tools)
		}
		again := post(s, "GET", "/v1/sessions/"+format, "").Body.String()
		var same struct {
			Tools []json.RawMessage `json:"tools"`
		}
		if json.Unmarshal([]byte(again), &same) != nil || fmt.Sprintf("%s", same.Tools) != fmt.Sprintf("%s", opened.Tools) {
			t.Errorf("%s: shown again as %.300s", format, again)
		}
		call := func(name, arguments, want string) string {
			t.Helper()
			w := post(s, "POST", "/v1/sessions/"+format+"/calls", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments))
			if got := w.Body.String(); w.Code != 200 || !strings.Contains(got, want) {
				t.Errorf("%s: %s %s: %d %.500s, want %s", format, name, arguments, w.Code, got, want)
			}
			return w.Body.String()
		}
		want := `"tool_count":44`
		if isAnthropic {
			want = `{"type":"tool_reference","tool_name":"branch_names_by_branch_code"}`
		}
		found := call("search_tools", `{"query":"name of a branch by its code"}`, want)
		if !strings.Contains(found, `"branch_names_by_branch_code"`) {
			t.Errorf("%s: found %s", format, found)
		}
		call("search_tools", `{"query":"zzz"}`, spec.NothingFound)
		call("search_tools", `{}`, `"message":"search_tools: query: is missing; write {\"query\": \"...\"}"`)
		call("search_tools", `{"query":"`+strings.Repeat("x", 4001)+`"}`, `in 4000 bytes at most`)
		call("branch_names_by_branch_code", `{"branch_code":"007"}`, `"data":[{"name":"Märchenhaus"}]`)
		call("branch_name_by_branch_code", `{"branch_code":"007"}`, `find one with search_tools`)
		score := post(s, "POST", "/v1/sessions/"+format+"/score", "").Body.String()
		if !strings.Contains(score, `"reward":1`) || !strings.Contains(score, `"intent_precision":1,"intent_recall":1,`) || !strings.Contains(score, `"calls":4,"failed_calls":3`) {
			t.Errorf("%s: scored %s", format, score)
		}
	}
}
