package server

import (
	"net/http"
	"strings"
	"testing"
)

// TestTables has tables behind the keys and rates, and in the metrics, of endpoints, and none
// where nobody asked for them.
func TestTables(t *testing.T) {
	const table = "/v1/tables/city_library/branch?limit=1"
	if w := ask(start(t, Options{}), "GET", table); w.Code != http.StatusNotFound {
		t.Errorf("without the option: %d", w.Code)
	}
	s := start(t, Options{Tables: true, APIKeys: []string{"first"}, MaxRows: 7})
	for _, c := range []struct {
		method, target, key string
		status              int
		contains            string
	}{
		{"GET", table, "", 401, "No valid API key"},
		{"GET", "/v1/tables/city_library", "", 401, "No valid API key"},
		{"GET", table, "first", 200, `"truncated":true,"next_offset":1`},
		{"HEAD", table, "first", 200, ""},
		{"GET", "/v1/tables/city_library", "first", 200, `{"tables":[{"name":`},
		{"GET", "/v1/tables/city_library/brunch", "first", 404, "branch"},
		{"GET", "/v1/tables/city_library/branch?limit=8", "first", 400, "give a number from 1 to 7"},
		{"POST", table, "first", 405, "Use GET or HEAD."},
		{"GET", "/openapi/city_library.json", "first", 200, `"operationId":"rows_of_branch"`},
		{"GET", "/openapi.json", "first", 200, `"/v1/tables/bird_club"`},
	} {
		w := ask(s, c.method, c.target, "X-Api-Key: "+c.key)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.contains) {
			t.Errorf("%s %s: %d %.300s, want %d with %s", c.method, c.target, w.Code, w.Body, c.status, c.contains)
		}
	}
	const counted = `birdcall_requests_total{database="city_library",status="2xx"} 3`
	if metrics := ask(s, "GET", "/metrics", "X-Api-Key: first").Body.String(); !strings.Contains(metrics, counted) {
		t.Errorf("no %s in the metrics", counted)
	}
	limited, last := start(t, Options{Tables: true, Rate: 1}), 0
	for range 3 {
		last = ask(limited, "GET", table).Code
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the third request at once: %d", last)
	}
}
