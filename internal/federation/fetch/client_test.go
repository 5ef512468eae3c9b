package fetch

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/faultytest"
)

// TestConcurrent has the server count the calls under way.
func TestConcurrent(t *testing.T) {
	for _, test := range []struct{ opts, want int }{{0, 8}, {1, 1}, {3, 3}, {20, 20}} {
		synctest.Test(t, func(t *testing.T) {
			s := faultytest.InMemory(t, 40)
			s.Delay = 50 * time.Millisecond
			c := client(t, s, Options{Concurrent: test.opts})
			start := time.Now()
			var all sync.WaitGroup
			for id := range 40 {
				all.Go(func() {
					if _, err := get(t.Context(), c, &meter{}, fmt.Sprintf("/rows/%d", id+1)); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			rounds := (40 + test.want - 1) / test.want
			if took := time.Since(start); s.MaxInFlight() != test.want || took != time.Duration(rounds)*s.Delay {
				t.Errorf("%d calls at a time in %s, want %d", s.MaxInFlight(), took, test.want)
			}
		})
	}
}

// TestConcurrentRetries says that a call that waits to be tried again leaves room.
func TestConcurrentRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := faultytest.InMemory(t, 5)
		s.Script(faultytest.RateLimited)
		c := client(t, s, Options{Concurrent: 1})
		done := make(chan error)
		go func() {
			_, err := get(t.Context(), c, &meter{}, "/whole")
			done <- err
		}()
		synctest.Wait()
		start := time.Now()
		if _, err := get(t.Context(), c, &meter{}, "/rows"); err != nil || time.Since(start) != 0 {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
		if err := <-done; err != nil || time.Since(start) != time.Second {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
	})
}

// TestPerSecond says when calls begin, attempts among them.
func TestPerSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := faultytest.InMemory(t, 20)
		var began []time.Duration
		start := time.Now()
		s.Plan(func(n int, _ *http.Request) faultytest.Fault {
			began = append(began, time.Since(start))
			if n == 0 {
				return faultytest.ServerError
			}
			return faultytest.None
		})
		c := client(t, s, Options{PerSecond: 10})
		var all sync.WaitGroup
		for id := range 9 {
			all.Go(func() {
				if _, err := get(t.Context(), c, &meter{}, fmt.Sprintf("/rows/%d", id+1)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		var want []time.Duration
		for i := range 10 {
			want = append(want, time.Duration(i)*100*time.Millisecond)
		}
		if !slices.Equal(began, want) {
			t.Errorf("they began at %v, want %v", began, want)
		}
	})
}

// TestMissing says what 404 is: an error, or that there is nothing.
func TestMissing(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		read := 0
		ask := func(path string, missing bool) (*Response, error) {
			var got *Response
			err := c.Do(t.Context(), &meter{}, &Request{Operation: "get", Method: "GET", Path: path, Missing: missing}, func(r *Response) (int, error) {
				read++
				got = r
				return 0, nil
			})
			return got, err
		}
		if r, err := ask("/rows/9", true); err != nil || r.Status != 404 || r.Body != nil {
			t.Errorf("got %v, %v", r, err)
		}
		if r, err := ask("/rows/5", true); err != nil || r.Status != 200 || string(r.Body) != `{"id":5,"name":"row 5"}` {
			t.Errorf("got %v, %v", r, err)
		}
		_, err := ask("/rows/9", false)
		const want = "birds get: GET http://server1.test:80/rows/9: status 404 Not Found after 1 attempt: the request was refused: 404 page not found; check the server and the path of the operation"
		if !errors.Is(err, ErrRefused) || err.Error() != want {
			t.Errorf("got %v", err)
		}
		if read != 2 || len(s.Calls()) != 3 {
			t.Errorf("%d were read of %d", read, len(s.Calls()))
		}
	})
}

// TestReadError says that an error of the reader ends a call, and is its error.
func TestReadError(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		wrong := errors.New("no room for it")
		m := &meter{}
		err := c.Do(t.Context(), m, &Request{Method: "GET", Path: "/whole"}, func(*Response) (int, error) { return 3, wrong })
		if !errors.Is(err, wrong) || err.Error() != wrong.Error() || len(s.Calls()) != 1 || len(m.calls) != 1 || m.calls[0].Rows != 3 {
			t.Errorf("got %v after %d calls, %+v", err, len(s.Calls()), m.calls)
		}
		m = &meter{made: errBudget}
		if _, err = get(t.Context(), c, m, "/whole"); !errors.Is(err, errBudget) {
			t.Errorf("got %v", err)
		}
		m = &meter{budget: 1, begun: 1}
		if _, err = get(t.Context(), c, m, "/whole"); err == nil || err.Error() != errBudget.Error() || len(m.calls) != 0 || len(s.Calls()) != 2 {
			t.Errorf("got %v", err)
		}
	})
}

// TestNoRetries counts the calls by Options.Retries.
func TestNoRetries(t *testing.T) {
	for _, test := range []struct{ retries, calls int }{{-1, 1}, {0, 5}, {1, 2}, {7, 8}} {
		synctest.Test(t, func(t *testing.T) {
			s := faultytest.InMemory(t, 5)
			s.Script(repeat(faultytest.ServerError, 99)...)
			if _, err := get(t.Context(), client(t, s, Options{Retries: test.retries}), &meter{}, "/whole"); !errors.Is(err, ErrServer) || len(s.Calls()) != test.calls {
				t.Errorf("got %v after %d calls, want %d", err, len(s.Calls()), test.calls)
			}
		})
	}
}

// TestSecrets says that what goes along with each call is shown nowhere, and is sent
// to no other server.
func TestSecrets(t *testing.T) {
	words := []string{"mellon", "friend", "open sesame", "open+sesame", "swordfish", "xyzzy"}
	faults := []faultytest.Fault{
		faultytest.None, faultytest.Unauthorized, faultytest.BadRequest, faultytest.RateLimitedLong, faultytest.RedirectAway,
		faultytest.RedirectHere, faultytest.Large, faultytest.LinkAway,
	}
	again := []faultytest.Fault{faultytest.ServerError, faultytest.Reset, faultytest.HTML, faultytest.Malformed, faultytest.Slow, faultytest.Truncated, faultytest.RedirectLoop}
	for _, fault := range append(faults, again...) {
		t.Run(string(fault), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := faultytest.InMemory(t, 5)
				s.Transport.DisableKeepAlives = true
				here, err := url.Parse(s.URL)
				if err != nil {
					t.Fatal(err)
				}
				here.User, here.RawQuery = url.UserPassword("speak", "friend"), "v=xyzzy"
				c := New(Options{
					Server: here, Header: http.Header{"X-Key": {"Token mellon"}}, Query: url.Values{"key": {"open sesame"}, "k": {"swordfish"}},
					Transport: s.Transport, MaxBody: 64 << 10,
				})
				n := 1
				if slices.Contains(again, fault) {
					n = 99
				}
				s.Script(repeat(fault, n)...)
				m := &meter{}
				r, p := kind("link")
				r.Query = url.Values{"shown": {"yes"}}
				_, _, err = list(t.Context(), c, m, r, p, 0, helpful)
				if (err == nil) != (fault == faultytest.None || fault == faultytest.RedirectHere) {
					t.Errorf("got %v", err)
				}
				text := fmt.Sprintf("%v %+v", err, m.calls)
				for _, w := range words {
					if strings.Contains(text, w) {
						t.Errorf("%s is in %s", w, text)
					}
				}
				if !strings.Contains(text, "shown=yes") || strings.Contains(text, "key=") || strings.Contains(text, "@") {
					t.Errorf("got %s", text)
				}
				for _, call := range s.Calls() {
					query, _ := url.ParseQuery(call.Query)
					user, password, _ := (&http.Request{Header: call.Header}).BasicAuth()
					if query.Get("key") != "open sesame" || query.Get("k") != "swordfish" || query.Get("v") != "xyzzy" ||
						call.Header.Get("X-Key") != "Token mellon" || user != "speak" || password != "friend" || query.Get("shown") != "yes" {
						t.Errorf("a call without what should go along: %+v", call)
					}
				}
				if len(s.Astray()) > 0 {
					t.Errorf("the other server got %+v", s.Astray())
				}
			})
		})
	}
}

// TestURL says what is asked for.
func TestURL(t *testing.T) {
	for _, test := range []struct{ server, path, want string }{
		{"http://a.test", "/b", "http://a.test/b?q=1"},
		{"http://a.test/", "/b", "http://a.test/b?q=1"},
		{"http://a.test/v1", "/b/c%2Fd", "http://a.test/v1/b/c%2Fd?q=1"},
		{"http://a.test/v%201/", "b", "http://a.test/v%201/b?q=1"},
		{"http://a.test/v1", "", "http://a.test/v1?q=1"},
		{"http://a.test/v1#x", "/b", "http://a.test/v1/b?q=1"},
	} {
		server, err := url.Parse(test.server)
		if err != nil {
			t.Fatal(err)
		}
		m := &meter{}
		c := New(Options{Server: server, Transport: answers(`{}`)})
		err = c.Do(t.Context(), m, &Request{Method: "GET", Path: test.path, Query: url.Values{"q": {"1"}}}, func(*Response) (int, error) { return 0, nil })
		if err != nil || m.calls[0].URL != test.want {
			t.Errorf("%s + %s: %v, %v, want %s", test.server, test.path, m.calls, err, test.want)
		}
	}
	_, err := get(t.Context(), New(Options{Server: &url.URL{Scheme: "http", Host: "a.test"}}), &meter{}, "/%zz")
	if err == nil || err.Error() != `list: GET http://a.test: before it was sent: its path cannot be read: invalid URL escape "%zz"; escape what the path is made of` {
		t.Errorf("got %v", err)
	}
}

// TestContentType says which responses are taken for JSON.
func TestContentType(t *testing.T) {
	for kind, want := range map[string]bool{
		"": true, "application/json": true, "Application/JSON; charset=utf-8": true, "application/json;": true,
		"application/vnd.birds+json": true, "application/problem+json; x": true,
		"text/html": false, "text/plain": false, "application/xml": false, "application/jsonx": false, "json": false,
	} {
		h := http.Header{}
		if kind != "" {
			h.Set("Content-Type", kind)
		}
		if got := isJSON(h) == nil; got != want {
			t.Errorf("%q: %t", kind, got)
		}
	}
	if err := isJSON(http.Header{"Content-Encoding": {"br"}}); !errors.Is(err, ErrNotJSON) {
		t.Errorf("got %v", err)
	}
}

// TestNetwork has the faults again where there is a network.
func TestNetwork(t *testing.T) {
	s := faultytest.New(t, 5)
	s.Script(faultytest.Reset, faultytest.Truncated, faultytest.None, faultytest.RedirectAway)
	c := client(t, s, Options{})
	if rows, err := get(t.Context(), c, &meter{}, "/whole"); err != nil || !slices.Equal(rows, wantRows(5)) {
		t.Errorf("got %v, %v", rows, err)
	}
	if rows, err := get(t.Context(), c, &meter{}, "/whole"); !errors.Is(err, ErrRedirect) || len(rows) > 0 || len(s.Astray()) > 0 {
		t.Errorf("got %v, %v", rows, err)
	}
	s.Script(faultytest.Slow)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := get(ctx, c, &meter{}, "/whole"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestOwnTransport is about a client that brings its own, at a server that is not
// there and at one that compresses.
func TestOwnTransport(t *testing.T) {
	page, err := json.Marshal(faultytest.Page{Data: wantRows(1000)})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("asked for %s", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(page)
		_ = z.Close()
	}))
	defer s.Close()
	server, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		maxBody int64
		is      error
	}{{0, nil}, {int64(len(page)), nil}, {int64(len(page)) - 1, ErrTooLarge}} {
		c := New(Options{Server: server, MaxBody: test.maxBody, Retries: -1})
		m := &meter{}
		rows, err := get(t.Context(), c, m, "/")
		if !errors.Is(err, test.is) || test.is == nil && (len(rows) != 1000 || m.calls[0].Bytes != int64(len(page))) {
			t.Errorf("got %d rows, %v", len(rows), err)
		}
		c.Close()
	}
	s.Close()
	_, err = get(t.Context(), New(Options{Server: server, Retries: -1}), &meter{}, "/")
	if !errors.Is(err, ErrNetwork) || !strings.Contains(err.Error(), "after 1 attempt: no whole response: dial tcp") {
		t.Errorf("got %v", err)
	}
}

func TestPrintable(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{" a\r\n\tb\x00\x1b[31m c\xff ", "a b[31m c"},
		{strings.Repeat("é", 300), strings.Repeat("é", 200) + " ..."},
		{strings.Repeat("x", 200) + "\n ", strings.Repeat("x", 200)},
	} {
		if got := printable(test.text); got != test.want {
			t.Errorf("%q: %q", test.text, got)
		}
	}
}
