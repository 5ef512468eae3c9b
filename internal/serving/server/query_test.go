package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/pkg/episode"
)

// TestQuery asks for the tool that queries a database and calls it, rightly and
// wrongly.
func TestQuery(t *testing.T) {
	s := start(t, Options{})
	for _, c := range []struct {
		method, target, body string
		status               int
		contains             string
	}{
		{"GET", "/v1/query/city_library", "", 200, `{"db":"city_library","toolset":"full","tool":"unified","tools":[{"type":"function","function":{"name":"query_database"`},
		{"GET", "/v1/query/city_library?toolset=paper&format=anthropic", "", 200, `"groupby_property"`},
		{"GET", "/v1/query/city_library?tool=per-collection&format=mcp", "", 200, `{"name":"query_branch"`},
		{"GET", "/v1/query/city_library?tool=rationale", "", 200, `"required":["tool_rationale","collection_name"]`},
		{"GET", "/v1/query/city_library?tool=structured", "", 200, `"use_tools"`},
		{"GET", "/v1/query/city_library?tool=one", "", 400, `tool: use one of unified, rationale, per-collection, structured.`},
		{"GET", "/v1/query/city_library?format=xml", "", 400, `openai`},
		{"GET", "/v1/query/city_library?set=full", "", 400, `use one of toolset, tool, format`},
		{"GET", "/v1/query/city", "", 404, `there is no database \"city\"; there are city_library,`},
		{"PUT", "/v1/query/city_library", "{}", 405, `Use `},
		{"GET", "/v1/query/city_library/more", "", 404, `No such path`},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","filters":[{"property_name":"code","operator":"=","value":"007"}],"properties":["name"]}`, 200,
			`{"objects":[{"name":"Märchenhaus"}],"count":1,"truncated":false}` + "\n"},
		{"POST", "/v1/query/city_library", `{"collection_name":"BOOK","aggregations":[{"metrics":"COUNT"}],"groupby_properties":["language"],"order_by":[{"metrics":"COUNT","direction":"descending"}],"limit":1}`, 200,
			`{"groups":[{"group":{"language":"en"},"values":[{"metrics":"COUNT","value":37}]}],"count":1,"truncated":false}`},
		{"POST", "/v1/query/city_library?toolset=paper", `{"collection_name":"book","text_property_filter":{"property_name":"language","operator":"=","value":"en"},"integer_property_aggregation":{"property_name":"price","metrics":"MAX"}}`, 200,
			`{"values":[{"property_name":"price","metrics":"MAX","value":30.0}],"truncated":false}`},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","search_query":"märchenhaus","properties":["name"]}`, 200, `[{"name":"Märchenhaus"}]`},
		{"POST", "/v1/query/city_library?toolset=full&toolset=paper", `{}`, 400, `toolset: give it once.`},
		{"POST", "/v1/query/city_library?toolset=all", `{}`, 400, `toolset: use one of full, paper.`},
		{"POST", "/v1/query/city_library?limit=1", `{}`, 400, `The parameter \"limit\" is unknown; use one of toolset.`},
		{"POST", "/v1/query/library", `{"collection_name":"branch"}`, 404, `"title":"No such database"`},
		{"POST", "/v1/query/city_library", ``, 422, `"errors":[{"parameter":"collection_name","reason":"is missing","hint":"name the collection to query"}]`},
		{"POST", "/v1/query/city_library", `{"collection_name":"brunch"}`, 422, `"title":"Wrong query","status":422,"detail":"query_database: collection_name: unknown collection \"brunch\"; use one of branch, `},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","properties":["nam"]}`, 422, `"reason":"branch has no property \"nam\"","hint":"use one of `},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","groupby_property":"name"}`, 422, `"groupby_property"`},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","search_query":"* ^"}`, 422, `has no words in`},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","search_query":"` + strings.Repeat("x", 10_000) + `"}`, 200, `{"objects":[],"count":0,"truncated":false}`},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","search_query":"` + strings.Repeat("x ", 10_000) + `"}`, 422, `give at most 100 words and 65536 bytes`},
		{"POST", "/v1/query/city_library", `{"collection_name":"branch","search_query":"` + strings.Repeat("x", 5<<20) + `"}`, 413, `4 MiB`},
		{"POST", "/v1/query/city_library", `{"collection_name":`, 400, `The body is not the JSON`},
		{"POST", "/v1/query/city_library", `{"limit":1,"limit":2}`, 400, `occurs twice`},
		{"POST", "/v1/query/city_library", `[1]`, 400, `not a JSON object`},
		{"POST", "/v1/query/city_library", `null`, 422, `is missing`},
		{"POST", "/v1/query/city_library", `{"collection_name":1}`, 422, `give a text`},
		{"POST", "/v1/query/city_library", strings.Repeat("[", 100_000), 400, `The body is not the JSON`},
	} {
		w := post(s, c.method, c.target, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %s %.80s: %d %.700s, want %d %s", c.method, c.target, c.body, w.Code, w.Body, c.status, c.contains)
		}
	}
}

// TestQueryHostile gives texts of every bad shape in each place of a call: they are
// answered or refused, and never an error of the service.
func TestQueryHostile(t *testing.T) {
	s := start(t, Options{})
	texts := []string{
		"NEAR(", "col:", "*", "^", `"`, "AND OR NOT", "", " ", "🙂", "\x00", "'; DROP TABLE branch; --", "$1 ?1 :a @b", "%_\\", "{\"a\":1}", "\u202e", strings.Repeat("(", 5000),
	}
	for _, text := range texts {
		word, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{
			`{"collection_name":X}`,
			`{"collection_name":"branch","search_query":X}`,
			`{"collection_name":"branch","properties":[X]}`,
			`{"collection_name":"branch","filters":[{"property_name":X,"operator":"=","value":"a"}]}`,
			`{"collection_name":"branch","filters":[{"property_name":"name","operator":X,"value":"a"}]}`,
			`{"collection_name":"branch","filters":[{"property_name":"name","operator":"=","value":X}]}`,
			`{"collection_name":"branch","filters":[{"property_name":"name","operator":"LIKE","value":X}]}`,
			`{"collection_name":"branch","aggregations":[{"property_name":"name","metrics":X}]}`,
			`{"collection_name":"branch","groupby_properties":[X]}`,
			`{"collection_name":"branch",X:X}`,
		} {
			body := strings.ReplaceAll(form, "X", string(word))
			w := post(s, "POST", "/v1/query/city_library", body)
			if w.Code != http.StatusOK && w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusBadRequest || !json.Valid(w.Body.Bytes()) {
				t.Errorf("%.200s: %d %.300s", body, w.Code, w.Body)
			}
		}
	}
	if w := post(s, "POST", "/v1/query/city_library", `{"collection_name":"branch","aggregations":[{"metrics":"COUNT"}]}`); w.Code != http.StatusOK {
		t.Error(w.Body)
	}
}

// TestQueryBounds checks what bounds the answers and the requests.
func TestQueryBounds(t *testing.T) {
	const books = `{"collection_name":"book","properties":["title"]}`
	for name, c := range map[string]struct {
		opts     Options
		headers  []string
		status   int
		contains string
	}{
		"rows":         {Options{MaxRows: 1}, nil, 200, `}],"count":70,"truncated":true}`},
		"bytes":        {Options{MaxBytes: 100}, nil, 200, `"truncated":true}`},
		"result rows":  {Options{Episodes: episode.Limits{Rows: 10}}, nil, 422, `query_database: the result has more than 10 rows`},
		"result bytes": {Options{Episodes: episode.Limits{Bytes: 10}}, nil, 422, `more than 10 bytes`},
		"time":         {Options{Episodes: episode.Limits{Time: time.Nanosecond}}, nil, 504, `takes longer than 1ns`},
		"no key":       {Options{APIKeys: []string{"secret"}}, nil, 401, `No valid API key`},
		"a key":        {Options{APIKeys: []string{"secret"}}, []string{"X-Api-Key: secret"}, 200, `"count":70`},
	} {
		s := start(t, c.opts)
		w := post(s, "POST", "/v1/query/city_library", books, c.headers...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s: %d %.300s, want %d %s", name, w.Code, w.Body, c.status, c.contains)
		}
	}
	s := start(t, Options{Rate: 1})
	var last *httptest.ResponseRecorder
	for range 5 {
		last = post(s, "POST", "/v1/query/city_library", books)
	}
	if last.Code != http.StatusTooManyRequests {
		t.Errorf("the fifth request at once: %d", last.Code)
	}
}

// TestQueryDocument checks that the OpenAPI document is right and has the routes.
func TestQueryDocument(t *testing.T) {
	s := start(t, Options{})
	doc, err := openapi3.NewLoader().LoadFromData(post(s, "GET", "/openapi.json", "").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	path := doc.Paths.Find("/v1/query/{db}")
	if path == nil || path.Get == nil || path.Post == nil {
		t.Fatalf("%+v", path)
	}
	schema := path.Post.RequestBody.Value.Content["application/json"].Schema.Value
	for _, args := range []string{
		`{"collection_name":"book","filters":[{"property_name":"a","operator":"=","value":1}],"limit":2}`,
		`{"collection_name":"book","groupby_property":"a"}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(args), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.VisitJSON(v); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	answer := path.Post.Responses.Status(http.StatusOK).Value.Content["application/json"].Schema.Value
	for _, body := range []string{
		`{"collection_name":"book"}`, `{"collection_name":"book","groupby_properties":["language"]}`, `{"collection_name":"book","aggregations":[{"metrics":"COUNT"}]}`,
	} {
		var v any
		if err := json.Unmarshal(post(s, "POST", "/v1/query/city_library", body).Body.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if err := answer.VisitJSON(v); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}
