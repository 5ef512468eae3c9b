package fetch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/faultytest"
)

func repeat(f faultytest.Fault, n int) []faultytest.Fault {
	return slices.Repeat([]faultytest.Fault{f}, n)
}

// TestFaults has every fault that a call can have, with the calls that the server
// sees, how long it takes, and what is said when it does not pass.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name     string
		faults   []faultytest.Fault
		calls    int
		takes    time.Duration
		is       error // nil: the right answer
		status   int
		contains string
	}{
		{name: "none", calls: 1},
		{name: "429 once", faults: repeat(faultytest.RateLimited, 1), calls: 2, takes: time.Second},
		{name: "429 to the end", faults: repeat(faultytest.RateLimited, 9), calls: 5, takes: 4 * time.Second,
			is: ErrRate, status: 429, contains: `too many requests: {"error": "slow down"}; declare fewer calls per_second`},
		{name: "429 for a minute", faults: repeat(faultytest.RateLimitedMinute, 1), calls: 2, takes: time.Minute},
		{name: "429 for more than a minute", faults: repeat(faultytest.RateLimitedMore, 9), calls: 1,
			is: ErrRate, status: 429, contains: "the server asks to wait 1m1s; ask again then"},
		{name: "429 for an hour", faults: repeat(faultytest.RateLimitedLong, 9), calls: 1,
			is: ErrRate, status: 429, contains: "the server asks to wait 1h0m0s; ask again then"},
		{name: "503 with a date", faults: repeat(faultytest.Unavailable, 1), calls: 2, takes: 2 * time.Second},
		{name: "500 twice", faults: repeat(faultytest.ServerError, 2), calls: 3, takes: 300 * time.Millisecond},
		{name: "500 to the end", faults: repeat(faultytest.ServerError, 9), calls: 5, takes: 1500 * time.Millisecond,
			is: ErrServer, status: 500, contains: `status 500 Internal Server Error after 5 attempts: the server failed: {"error": "out of order"}`},
		{name: "408 once", faults: repeat(faultytest.RequestTimeout, 1), calls: 2, takes: 100 * time.Millisecond},
		{name: "408 to the end", faults: repeat(faultytest.RequestTimeout, 9), calls: 5, takes: 1500 * time.Millisecond, is: ErrNetwork, status: 408},
		{name: "slow once", faults: repeat(faultytest.Slow, 1), calls: 2, takes: 10100 * time.Millisecond},
		{name: "slow to the end", faults: repeat(faultytest.Slow, 9), calls: 5, takes: 51500 * time.Millisecond,
			is: ErrNetwork, contains: "after 5 attempts: no whole response: none within 10s; declare a longer timeout"},
		{name: "malformed once", faults: repeat(faultytest.Malformed, 1), calls: 2, takes: 100 * time.Millisecond},
		{name: "malformed to the end", faults: repeat(faultytest.Malformed, 9), calls: 5, takes: 1500 * time.Millisecond,
			is: ErrMalformed, status: 200, contains: "after 5 attempts: the response is not what it should be: unexpected end of JSON input"},
		{name: "truncated once", faults: repeat(faultytest.Truncated, 1), calls: 2, takes: 100 * time.Millisecond},
		{name: "truncated to the end", faults: repeat(faultytest.Truncated, 9), calls: 5, takes: 1500 * time.Millisecond,
			is: ErrNetwork, status: 200, contains: "no whole response: it ends too early"},
		{name: "reset once", faults: repeat(faultytest.Reset, 1), calls: 2, takes: 100 * time.Millisecond},
		{name: "reset to the end", faults: repeat(faultytest.Reset, 9), calls: 5, takes: 1500 * time.Millisecond,
			is: ErrNetwork, contains: "check that the server runs at this address"},
		{name: "HTML once", faults: repeat(faultytest.HTML, 1), calls: 2, takes: 100 * time.Millisecond},
		{name: "HTML to the end", faults: repeat(faultytest.HTML, 9), calls: 5, takes: 1500 * time.Millisecond,
			is: ErrNotJSON, status: 200, contains: "the response is not JSON: its Content-Type is text/html; charset=utf-8; check that server"},
		{name: "one after the other", calls: 5, takes: 1500 * time.Millisecond,
			faults: []faultytest.Fault{faultytest.ServerError, faultytest.Malformed, faultytest.Reset, faultytest.HTML}},
		{name: "too large", faults: repeat(faultytest.Large, 9), calls: 1,
			is: ErrTooLarge, status: 200, contains: "more than 65536 bytes; declare paging"},
		{name: "400", faults: repeat(faultytest.BadRequest, 1), calls: 1,
			is: ErrRefused, status: 400, contains: `the request was refused: {"error": "what is this?"}; check the parameters`},
		{name: "401", faults: repeat(faultytest.Unauthorized, 1), calls: 1,
			is: ErrRefused, status: 401, contains: `{"error": "(secret) is no token"}; check the auth of the API`},
		{name: "redirect here", faults: repeat(faultytest.RedirectHere, 1), calls: 2},
		{name: "redirect here five times", faults: repeat(faultytest.RedirectLoop, 5), calls: 6},
		{name: "redirect loop", faults: repeat(faultytest.RedirectLoop, 99), calls: 6,
			is: ErrRedirect, status: 302, contains: "redirect: more than 5, one after the other"},
		{name: "redirect away", faults: repeat(faultytest.RedirectAway, 1), calls: 1,
			is: ErrRedirect, status: 302, contains: "redirect: to another server, http://server2.test:80, where nothing was sent"},
		{name: "a redirect to what fails", calls: 4, takes: 100 * time.Millisecond,
			faults: []faultytest.Fault{faultytest.RedirectHere, faultytest.ServerError, faultytest.RedirectHere}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := faultytest.InMemory(t, 5)
				// A connection for each, because a transport sends a request again by itself
				// where a connection that was idle is gone.
				s.Transport.DisableKeepAlives = true
				s.Script(test.faults...)
				c := client(t, s, Options{MaxBody: 64 << 10})
				m := &meter{}
				start := time.Now()
				rows, err := get(t.Context(), c, m, "/whole")
				if took := time.Since(start); took != test.takes {
					t.Errorf("took %s, want %s", took, test.takes)
				}
				if n := len(s.Calls()); n != test.calls || m.begun != test.calls {
					t.Errorf("%d calls, %d begun, want %d", n, m.begun, test.calls)
				}
				for _, call := range s.Calls() {
					if call.Header.Get("Authorization") != token {
						t.Errorf("a call without the token: %v", call)
					}
				}
				if n := len(s.Astray()); n > 0 {
					t.Errorf("%d calls went to the other server", n)
				}
				if len(m.calls) != 1 || m.calls[0].Attempts != test.calls || m.calls[0].Rows != len(rows) || m.calls[0].Shared {
					t.Errorf("the meter counted %+v", m.calls)
				}
				if test.is == nil {
					if err != nil || !slices.Equal(rows, wantRows(5)) {
						t.Errorf("got %v, %v", rows, err)
					}
					if got := m.calls[0]; got.Status != 200 || got.Bytes == 0 || got.Rows != 5 || got.URL != s.URL+"/whole" {
						t.Errorf("the meter counted %+v", got)
					}
					return
				}
				var e *Error
				if !errors.As(err, &e) || !errors.Is(err, test.is) {
					t.Fatalf("got %v, want %v", err, test.is)
				}
				if e.Status != test.status || e.Attempts != test.calls || e.Operation != "list" || e.API != "birds" || m.calls[0].Status != test.status {
					t.Errorf("got %+v", e)
				}
				if text := err.Error(); !strings.Contains(text, test.contains) || strings.Contains(text, "mellon") || strings.Contains(text, "\n") {
					t.Errorf("got %s, want it to have %s", text, test.contains)
				}
			})
		})
	}
}

func ExampleError() {
	err := &Error{
		API: "birds", Operation: "listMuseums", Method: "GET", URL: "https://birds.example/museum?limit=1000&offset=2000",
		Status: 503, Attempts: 5, Err: reason(ErrServer, `{"error": "back soon"}`), Hint: hintServer,
	}
	fmt.Println(err)
	// Output:
	// birds listMuseums: GET https://birds.example/museum?limit=1000&offset=2000: status 503 Service Unavailable after 5 attempts: the server failed: {"error": "back soon"}; the server's own log may say why; ask again when it works
}
