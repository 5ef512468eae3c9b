package faultytest

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func ask(t *testing.T, s *Server, url string) (int, string) {
	t.Helper()
	res, err := (&http.Client{Transport: s.Transport}).Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return res.StatusCode, err.Error()
	}
	return res.StatusCode, string(body)
}

// TestAnswers has what the server says, over a network and in memory.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		path   string
		fault  Fault
		status int
		want   string
	}{
		{"/offset?offset=1&limit=2", None, 200, `{"data":[{"id":2,"name":"row 2"},{"id":3,"name":"row 3"}],"count":2,"total":5,"more":true,"next":3}`},
		{"/offset?offset=4&limit=2", None, 200, `{"data":[{"id":5,"name":"row 5"}],"count":1,"total":5,"more":false,"next":null}`},
		{"/offset?offset=9&limit=2", None, 200, `{"data":[],"count":0,"total":5,"more":false,"next":null}`},
		{"/page?page=2&size=2", None, 200, `{"data":[{"id":3,"name":"row 3"},{"id":4,"name":"row 4"}],"count":2,"total":5,"more":true,"next":3}`},
		{"/cursor?limit=1", None, 200, `{"data":[{"id":1,"name":"row 1"}],"count":1,"total":5,"more":true,"next":"row-1"}`},
		{"/cursor?cursor=row-4&limit=1", None, 200, `{"data":[{"id":5,"name":"row 5"}],"count":1,"total":5,"more":false,"next":null}`},
		{"/link?limit=1", None, 200, `{"data":[{"id":1,"name":"row 1"}],"count":1,"more":true,"next":"/link?after=1\u0026limit=1"}`},
		{"/rows/3", None, 200, `{"id":3,"name":"row 3"}`},
		{"/rows?id=2&id=9", None, 200, `{"data":[{"id":2,"name":"row 2"}],"count":1,"more":false,"next":null}`},
		{"/rows/9", None, 404, "404 page not found\n"},
		{"/rows/3", ServerError, 500, `{"error": "out of order"}`},
		{"/rows/3", Truncated, 200, "unexpected EOF"},
		{"/rows/3", RedirectHere, 200, `{"id":3,"name":"row 3"}`},
		{"/rows/3", RedirectAway, 200, `{"data": [], "total": 0, "more": false, "next": null}`},
		{"/cursor?cursor=row-2&limit=1", DuplicatePage, 200, `{"data":[{"id":2,"name":"row 2"}],"count":1,"total":5,"more":true,"next":"row-3"}`},
		{"/cursor?cursor=row-2&limit=1", MissingPage, 200, `{"data":[{"id":4,"name":"row 4"}],"count":1,"total":5,"more":true,"next":"row-4"}`},
		{"/offset?offset=2&limit=1", Looping, 200, `{"data":[{"id":1,"name":"row 1"}],"count":1,"total":5,"more":true,"next":0}`},
		{"/offset?limit=2", EmptyPage, 200, `{"data":[],"count":0,"total":5,"more":true,"next":2}`},
		{"/offset?limit=2", RowLost, 200, `{"data":[{"id":1,"name":"row 1"}],"count":2,"total":5,"more":true,"next":2}`},
		{"/offset?limit=1", WrongCount, 200, `{"data":[{"id":1,"name":"row 1"}],"count":2,"total":5,"more":true,"next":1}`},
		{"/offset?limit=1", LessTotal, 200, `{"data":[{"id":1,"name":"row 1"}],"count":1,"total":4,"more":true,"next":1}`},
		{"/offset?limit=5", MoreNowhere, 200, `{"data":[{"id":1,"name":"row 1"},{"id":2,"name":"row 2"},{"id":3,"name":"row 3"},{"id":4,"name":"row 4"},{"id":5,"name":"row 5"}],"count":5,"total":5,"more":true,"next":null}`},
		{"/offset?limit=4", ShortPage, 200, `{"data":[{"id":1,"name":"row 1"},{"id":2,"name":"row 2"}],"count":2,"total":5,"more":true,"next":2}`},
	} {
		t.Run(test.path+" "+string(test.fault), func(t *testing.T) {
			check := func(t *testing.T, s *Server) {
				s.Script(test.fault)
				if status, got := ask(t, s, s.URL+test.path); status != test.status || got != test.want {
					t.Errorf("got %d %s", status, got)
				}
				if s.Count(test.path) != 1 || s.MaxInFlight() != 1 || (len(s.Astray()) == 1) != (test.fault == RedirectAway) {
					t.Errorf("%d calls, %d astray", s.Count(test.path), len(s.Astray()))
				}
			}
			check(t, New(t, 5))
			synctest.Test(t, func(t *testing.T) { check(t, InMemory(t, 5)) })
		})
	}
}

// TestNoTime says that a Delay takes no time in memory.
func TestNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := InMemory(t, 5)
		s.Delay = time.Hour
		start := time.Now()
		if status, _ := ask(t, s, s.URL+"/whole"); status != 200 || time.Since(start) != time.Hour {
			t.Errorf("got %d after %s", status, time.Since(start))
		}
		if status, got := ask(t, s, "http://nobody.test/"); status != 0 || got != `Get "http://nobody.test/": dial nobody.test:80: no such server` {
			t.Errorf("got %d %s", status, got)
		}
	})
}
