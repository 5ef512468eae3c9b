package explorer

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// ask sends a request as the page does. A body makes it a POST.
func ask(h http.Handler, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/explorer/data/"+target, nil)
	if body != "" {
		r = httptest.NewRequest(http.MethodPost, "/explorer/data/"+target, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("X-Control-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const (
	// of is a question whose calls are a filter and a retrieval.
	of    = `"variant":"slot","db":"city_library","id":"2"`
	calls = `"calls":[{"name":"filter_data","label":"FILTERED_DF_0","arguments":{"data_source":"$starting_table_var$","key_name":"book_Pages_total","value":500,"condition":"greater_than"}},` +
		`{"name":"retrieve_data","label":"SELECT_COL_0","arguments":{"data_source":"$FILTERED_DF_0$","key_name":"book_title"}}]`
)

// Each answer is a golden file: what the page is made of.
func TestData(t *testing.T) {
	h := whole(t)
	for _, c := range []struct{ name, target, body string }{
		{"dataset", "dataset", ""},
		{"question", "question?db=city_library&id=4", ""},
		{"sample-slot", "sample?variant=slot&db=city_library&id=2", ""},
		{"sample-sel", "sample?variant=sel&db=city_library&id=2", ""},
		{"sample-rest", "sample?variant=rest&db=city_library&id=1", ""},
		{"sample-missing", "sample?variant=slot&db=city_library&id=900", ""},
		{"sample-not-converted", "sample?variant=sel&db=city_library&id=900", ""},
		{"run", "run", "{" + of + "," + calls + "}"},
		{"run-mistakes", "run", "{" + of + "," + strings.Replace(calls, "book_Pages_total", "book_pages", 1) + "}"},
		{"run-other", "run", "{" + of + "," + strings.Replace(calls, "500", "600", 1) + "}"},
		{"run-digits", "run", "{" + of + "," + strings.Replace(calls, "500", "9223372036854775807", 1) + "}"},
		{"run-rest", "run", `{"variant":"rest","db":"city_library","id":"1","calls":[{"name":"branch_names_by_branch_code","arguments":{"branch_code":"007"}}]}`},
		{"table-start", "table", "{" + of + `,"label":"starting_table_var","offset":1,"rows":2,"calls":[]}`},
		{"table-result", "table", "{" + of + `,"label":"SELECT_COL_0","offset":0,"rows":3,` + calls + "}"},
		{"coverage", "coverage", ""},
		{"converted", "converted?variant=slot&db=city_library&from=40", ""},
		{"evaluations", "evaluations", ""},
		{"outcome", "outcome?model=none&name=slot_direct_exact&db=city_library&id=2", ""},
	} {
		w := ask(h, c.target, c.body)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", c.name, w.Code, w.Body)
			continue
		}
		var text bytes.Buffer
		if err := json.Indent(&text, w.Body.Bytes(), "", "  "); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		golden.Equal(t, filepath.Join("testdata", c.name+".json"), text.String())
	}
}

// Long answers are looked at in parts.
func TestLongData(t *testing.T) {
	h := whole(t)
	for _, c := range []struct{ target, contains string }{
		{"questions?db=city_library", `{"id":"900","question":"Count to three.","difficulty":"simple","constructs":[`},
		{"questions?db=city_library", `"without":["slot"]`},
		{"endpoints?db=city_library", `"params":[{"name":"branch_code","description":"Three digit code of the branch. leading zeros belong to the code.","type":"string","required":true}`},
		{"endpoints?db=city_library", `"examples":[{"id":"1","question":"What is the name of the branch with the code 007?","query":"branch_code=007"}]`},
		{"tools?variant=slot&db=city_library&id=2&format=openai", `"text":"{\n  \"type\": \"function\",\n  \"function\": {\n    \"name\": \"filter_data\",`},
		{"tools?variant=slot&db=city_library&id=2&format=mcp", `"system":"Answer the question about the database city_library`},
		{"tools?variant=rest&db=city_library&id=1&format=gemini", `"counter":"words, numbers and marks"`},
		{"tools?variant=sel&db=city_library&id=2&format=openai-strict", `"name":"select_data_greater_than"`},
		{"evaluation?model=none&name=slot_direct_exact", `"samples":[{"db":"city_library","id":"1","question":`},
		{"evaluation?model=none&name=slot_direct_exact", `"classes":["instruction_alignment_failure",`},
	} {
		if w := ask(h, c.target, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s: status %d, %.2000s; want %s", c.target, w.Code, w.Body, c.contains)
		}
	}
}

func TestDataErrors(t *testing.T) {
	h := whole(t)
	for _, c := range []struct {
		target, body string
		status       int
		contains     string
	}{
		{"nothing", "", 404, "No such path"},
		{"run", "", 404, "No such path"},
		{"questions?db=nowhere", "", 404, "no questions on nowhere"},
		{"question?db=city_library&id=901", "", 404, "no question 901 on city_library"},
		{"endpoints?db=nowhere", "", 404, "no endpoints for nowhere"},
		{"tools?variant=slot&db=city_library&id=2&format=xml", "", 404, "function, openai"},
		{"tools?variant=slot&db=city_library&id=900&format=mcp", "", 404, "no question 900"},
		{"converted?variant=slot&db=city_library&from=x", "", 400, "such as 0"},
		{"converted?variant=slot&db=nowhere", "", 404, "no questions on nowhere"},
		{"evaluation?model=none&name=x", "", 404, "no such model"},
		{"outcome?model=none&name=slot_direct_exact&db=city_library&id=900", "", 404, "has kept no sample"},
		{"run", "{", 400, "not as it should be"},
		{"run", `{"variant":"slot","db":"city_library","id":"900","calls":[]}`, 404, "have no question 900"},
		{"run", `{"variant":"none","db":"city_library","id":"2","calls":[]}`, 404, "there is no variant"},
		{"run", `{"calls":"` + strings.Repeat("x", maxBody) + `"}`, 413, "fewer or shorter calls"},
		{"table", "{" + of + `,"label":"NONE","calls":[]}`, 422, `there is no result \"NONE\"`},
	} {
		w := ask(h, c.target, c.body)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %.80s: status %d, %s; want %d, %s", c.target, c.body, w.Code, w.Body, c.status, c.contains)
		}
	}
}

// Another site's page may send a form without asking, but no JSON.
func TestDataWantsJSON(t *testing.T) {
	h := whole(t)
	r := httptest.NewRequest(http.MethodPost, "/explorer/data/run", strings.NewReader("{"+of+","+calls+"}"))
	r.Header.Set("Content-Type", "text/plain")
	r.Header.Set("X-Control-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("status %d, want %d", w.Code, http.StatusUnsupportedMediaType)
	}
}

// Without folders, the questions are there and are converted when asked for.
func TestDataWithoutFolders(t *testing.T) {
	h := serve(t, Options{})
	for _, c := range []struct{ target, contains string }{
		{"dataset", `"evaluation":false`},
		{"coverage", `"variants":[],"databases":[{"name":"city_library","questions":45,"verified":[]}]`},
		{"converted?variant=slot&db=city_library&from=44", `{"next":45,"total":45,"results":[{"id":"900","reason":"question 900 of city_library has no sample of variant slot: `},
		{"sample?variant=slot&db=city_library&id=2", `"name":"retrieve_data"`},
		{"evaluations", "[]"},
	} {
		if w := ask(h, c.target, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s: status %d, %s; want %s", c.target, w.Code, w.Body, c.contains)
		}
	}
}
