package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/faultytest"
)

// TestShared has 50 callers ask for the same at once: one call, that one meter paid.
func TestShared(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults []faultytest.Fault
		calls  int
	}{
		{"well", nil, 1},
		{"500 twice", repeat(faultytest.ServerError, 2), 3},
		{"malformed for each of them", repeat(faultytest.Malformed, 2), 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
				s.Delay = time.Second
				s.Script(test.faults...)
				meters := make([]meter, 50)
				var all sync.WaitGroup
				for i := range meters {
					all.Go(func() {
						if rows, err := get(t.Context(), c, &meters[i], "/whole"); err != nil || !slices.Equal(rows, wantRows(5)) {
							t.Errorf("got %v, %v", rows, err)
						}
					})
				}
				all.Wait()
				if n := len(s.Calls()); n != test.calls {
					t.Errorf("%d calls, want %d", n, test.calls)
				}
				attempts := 0
				for i := range meters {
					m := &meters[i]
					if len(m.calls) != 1 || m.calls[0].Shared != (m.begun == 0) || m.calls[0].Attempts != m.begun || m.calls[0].Rows != 5 || m.calls[0].Status != 200 {
						t.Fatalf("a meter of %d counted %+v", m.begun, m.calls)
					}
					attempts += m.begun
				}
				if attempts != test.calls {
					t.Errorf("the meters paid for %d, want %d", attempts, test.calls)
				}
			})
		})
	}
}

// TestSharedFailure says that a failure is for all who wait, and is not remembered.
func TestSharedFailure(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		s.Script(repeat(faultytest.ServerError, 5)...)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				var e *Error
				if _, err := get(t.Context(), c, &meter{}, "/whole"); !errors.As(err, &e) || e.Attempts != 5 || e.Status != 500 {
					t.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		if rows, err := get(t.Context(), c, &meter{}, "/whole"); err != nil || len(rows) != 5 || len(s.Calls()) != 6 {
			t.Errorf("got %v, %v after %d calls", rows, err, len(s.Calls()))
		}
		if len(c.flights) != 0 {
			t.Errorf("%d calls are remembered", len(c.flights))
		}
	})
}

// TestNotShared says which requests are not equal.
func TestNotShared(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		s.Delay = time.Second
		requests := []Request{
			{Method: "GET", Path: "/whole"},
			{Method: "POST", Path: "/whole"},
			{Method: "GET", Path: "/rows"},
			{Method: "GET", Path: "/rows", Query: map[string][]string{"id": {"1", "2"}}},
			{Method: "GET", Path: "/rows", Query: map[string][]string{"id": {"2", "1"}}},
			{Method: "GET", Path: "/whole", Header: http.Header{"A": {"1"}}},
			{Method: "GET", Path: "/whole", Header: http.Header{"A": {"2"}}},
			{Method: "POST", Path: "/whole", Body: []byte("{}")},
		}
		var all sync.WaitGroup
		for i := range requests {
			all.Go(func() {
				if err := c.Do(t.Context(), &meter{}, &requests[i], func(*Response) (int, error) { return 0, nil }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(s.Calls()); n != len(requests) {
			t.Errorf("%d calls for %d requests", n, len(requests))
		}
	})
}

// TestSharedLeft has the one who made a call leave it: those who wait go on, and pay
// for what comes.
func TestSharedLeft(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults []faultytest.Fault
		at     time.Duration // when the first leaves
		begun  int           // of the second
		calls  int
	}{
		{"under way", nil, 500 * time.Millisecond, 0, 1},
		{"while it waits to try again", repeat(faultytest.RateLimited, 1), 1500 * time.Millisecond, 1, 2},
		{"in the second attempt", repeat(faultytest.ServerError, 1), 1500 * time.Millisecond, 0, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
				s.Delay = time.Second
				s.Script(test.faults...)
				ctx, cancel := context.WithTimeout(t.Context(), test.at)
				defer cancel()
				var first, second meter
				var all sync.WaitGroup
				start := time.Now()
				all.Go(func() {
					if _, err := get(ctx, c, &first, "/whole"); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != test.at {
						t.Errorf("got %v after %s", err, time.Since(start))
					}
				})
				synctest.Wait()
				all.Go(func() {
					if rows, err := get(t.Context(), c, &second, "/whole"); err != nil || len(rows) != 5 {
						t.Errorf("got %v, %v", rows, err)
					}
				})
				all.Wait()
				if len(s.Calls()) != test.calls || second.begun != test.begun || first.begun+second.begun != test.calls || len(first.calls) != 1 {
					t.Errorf("%d calls, begun by %d and %d, want %d by the second of %d", len(s.Calls()), first.begun, second.begun, test.begun, test.calls)
				}
				if got := second.calls[0]; got.Shared != (test.begun == 0) || got.Attempts != test.begun {
					t.Errorf("the second's meter counted %+v", got)
				}
			})
		})
	}
}

// TestSharedBudget has the one who made a call run out of budget: that is no error
// of another.
func TestSharedBudget(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		s.Delay = time.Second
		s.Script(faultytest.ServerError)
		poor, rich := meter{budget: 1}, meter{}
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := get(t.Context(), c, &poor, "/whole"); !errors.Is(err, errBudget) {
				t.Errorf("got %v", err)
			}
		})
		synctest.Wait()
		all.Go(func() {
			if rows, err := get(t.Context(), c, &rich, "/whole"); err != nil || len(rows) != 5 {
				t.Errorf("got %v, %v", rows, err)
			}
		})
		all.Wait()
		if poor.begun != 1 || rich.begun != 1 || len(s.Calls()) != 2 {
			t.Errorf("%d calls, begun by %d and %d", len(s.Calls()), poor.begun, rich.begun)
		}
	})
}

// TestAllLeft says that a call ends at the server when nobody waits for it.
func TestAllLeft(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		s.Script(faultytest.Slow)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, err := get(ctx, c, &meter{}, "/whole"); !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
			})
		}
		synctest.Wait()
		start := time.Now()
		cancel()
		all.Wait()
		synctest.Wait()
		if len(c.slots) != 0 || len(c.flights) != 0 || time.Since(start) != 0 {
			t.Errorf("%d calls are under way after %s", len(c.slots), time.Since(start))
		}
	})
}

// TestCancel ends a call wherever it is, at once.
func TestCancel(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault faultytest.Fault
		opts  Options
		at    time.Duration
		sent  int
	}{
		{name: "before", sent: 0},
		{name: "for its response", fault: faultytest.Slow, at: 50 * time.Millisecond, sent: 1},
		{name: "for another attempt", fault: faultytest.RateLimited, at: 500 * time.Millisecond, sent: 1},
		{name: "for its turn", opts: Options{PerSecond: 0.1}, at: 5 * time.Second, sent: 0},
		{name: "for room", opts: Options{Concurrent: 1}, fault: faultytest.Slow, at: 5 * time.Second, sent: 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := faultytest.InMemory(t, 5)
				c := client(t, s, test.opts)
				if test.opts.PerSecond > 0 {
					if _, err := get(t.Context(), c, &meter{}, "/rows"); err != nil {
						t.Fatal(err)
					}
				}
				s.Script(repeat(test.fault, 9)...)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.opts.Concurrent > 0 {
					go func() { _, _ = get(ctx, c, &meter{}, "/rows") }()
					synctest.Wait()
				}
				time.AfterFunc(test.at, cancel)
				if test.at == 0 {
					cancel()
				}
				start := time.Now()
				m := &meter{}
				_, err := get(ctx, c, m, "/whole")
				var e *Error
				if !errors.As(err, &e) || !errors.Is(err, context.Canceled) || e.Attempts != test.sent {
					t.Errorf("got %v", err)
				}
				if time.Since(start) != test.at || m.begun != test.sent || len(m.calls) != test.sent {
					t.Errorf("ended after %s with %d, %d calls", time.Since(start), m.begun, len(m.calls))
				}
			})
		})
	}
}

// TestManyCallers has callers who come and go at random, some with little budget and
// some that are never content. synctest fails if one of them is left waiting.
func TestManyCallers(t *testing.T) {
	faults := []faultytest.Fault{
		faultytest.None, faultytest.None, faultytest.ServerError, faultytest.RateLimited, faultytest.Malformed, faultytest.Reset,
		faultytest.Slow, faultytest.RedirectHere, faultytest.BadRequest,
	}
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			s := faultytest.InMemory(t, 5)
			s.Transport.DisableKeepAlives = true
			s.Delay = 20 * time.Millisecond
			s.Plan(func(int, *http.Request) faultytest.Fault { return faults[random.IntN(len(faults))] })
			c := client(t, s, Options{Concurrent: 3, Timeout: time.Second})
			const callers = 100
			meters := make([]meter, callers)
			var all sync.WaitGroup
			for i := range callers {
				draw := rand.New(rand.NewPCG(seed, uint64(i+2)))
				starts, stays := time.Duration(draw.IntN(200))*time.Millisecond, time.Duration(draw.IntN(3000))*time.Millisecond
				path, picky := []string{"/whole", "/rows/1", "/rows/2"}[draw.IntN(3)], draw.IntN(10) == 0
				meters[i].budget = draw.IntN(4)
				all.Go(func() {
					time.Sleep(starts)
					ctx, cancel := context.WithTimeout(t.Context(), stays)
					defer cancel()
					err := c.Do(ctx, &meters[i], &Request{Operation: "list", Method: "GET", Path: path}, func(r *Response) (int, error) {
						if picky || !json.Valid(r.Body) {
							return 0, Malformed(errors.New("not this one"))
						}
						return 1, nil
					})
					var e *Error
					if err != nil && !errors.As(err, &e) && !errors.Is(err, errBudget) || time.Since(start(ctx, stays)) > stays {
						t.Errorf("seed %d: got %v", seed, err)
					}
				})
			}
			all.Wait()
			synctest.Wait()
			if len(c.slots) != 0 || len(c.flights) != 0 || s.MaxInFlight() > 3 {
				t.Errorf("seed %d: %d calls under way, %d remembered, %d at a time", seed, len(c.slots), len(c.flights), s.MaxInFlight())
			}
			begun := 0
			for i := range meters {
				begun += meters[i].begun
				if n := len(meters[i].calls); n > 1 || n == 1 && meters[i].calls[0].Attempts != meters[i].begun {
					t.Errorf("seed %d: %d begun, %+v", seed, meters[i].begun, meters[i].calls)
				}
			}
			if begun < len(s.Calls()) {
				t.Errorf("seed %d: %d begun, %d came", seed, begun, len(s.Calls()))
			}
		})
	}
}

// start is when a context with a deadline began.
func start(ctx context.Context, stays time.Duration) time.Time {
	deadline, _ := ctx.Deadline()
	return deadline.Add(-stays)
}
