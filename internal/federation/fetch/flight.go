package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/federation/retry"
)

// flight is a call under way, of all who ask for the same. One of them holds the
// baton and drives it: that one's meter counts the attempts. Who goes passes the
// baton on, so that each caller can end for its own reasons. The requests
// themselves end when nobody is left.
type flight struct {
	c      *Client
	key    string
	target target
	ctx    context.Context
	cancel context.CancelFunc

	// Guarded by Client.mu.
	callers int
	last    *answer // the one that is to come, or the last

	// The rest is for who holds the baton. It is in the channel as long as the last
	// answer is to come and nobody drives.
	baton   chan struct{}
	at      target       // the request to send next: after a redirect another one
	hops    int          // redirects since the attempt began
	tries   int          // attempts, a redirect is none
	sent    int          // requests
	due     time.Time    // when the next may be sent
	running chan outcome // of the request under way, or nil
}

// answer is what came of a call. All but next is fixed when done is closed.
type answer struct {
	done  chan struct{}
	out   outcome
	url   *url.URL // that answered
	tries int
	sent  int
	next  *answer // where this one was malformed; guarded by Client.mu
}

func (a *answer) response() *Response {
	return &Response{Status: a.out.status, Header: a.out.header, Body: a.out.body}
}

// waiter is one caller of a flight.
type waiter struct {
	ctx   context.Context
	meter Meter
	sent  int // requests that its meter knows of

	// What it knows of the call, whoever drove.
	total, status int
	bytes         int64
	began, ended  time.Time
}

func (w *waiter) time() time.Duration { return max(0, w.ended.Sub(w.began)) }

func (w *waiter) note(out *outcome, total int) {
	w.status, w.bytes, w.total, w.ended = out.status, out.bytes, total, time.Now()
}

// key has all that makes requests equal.
func (t target) key() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s %q %t\n", t.Method, t.url, t.Operation, t.Missing)
	_ = t.Header.Write(&b) // in the order of the names; a Buffer takes everything
	b.WriteString("\n")
	b.Write(t.Body)
	return b.String()
}

// join returns the flight of a request and the answer to wait for.
func (c *Client) join(t target) (*flight, *answer) {
	key := t.key()
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.flights[key]
	if f == nil {
		f = &flight{c: c, key: key, target: t, at: t, baton: make(chan struct{}, 1)}
		f.ctx, f.cancel = context.WithCancel(context.Background())
		f.expect()
		c.flights[key] = f
	}
	f.callers++
	return f, f.last
}

// expect begins the wait for another answer. It needs Client.mu.
func (f *flight) expect() {
	a := &answer{done: make(chan struct{})}
	if f.last != nil {
		f.last.next = a
	}
	f.last = a
	f.baton <- struct{}{}
}

// leave is for each who has joined.
func (c *Client) leave(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.callers--; f.callers == 0 {
		f.cancel()
		c.land(f)
	}
}

// land has nobody join a flight any more. It needs Client.mu.
func (c *Client) land(f *flight) {
	if c.flights[f.key] == f {
		delete(c.flights, f.key)
	}
}

// after returns the answer that comes after a malformed one.
func (f *flight) after(a *answer) *answer {
	f.c.mu.Lock()
	defer f.c.mu.Unlock()
	if a.next == nil {
		f.expect()
		if f.c.flights[f.key] == nil {
			f.c.flights[f.key] = f
		}
	}
	return a.next
}

// read waits for an answer, reads it, and for another one as long as they are
// malformed. The answer that it returns is nil if the caller did not get any.
func (f *flight) read(w *waiter, a *answer, read func(*answer) (int, error)) (int, *answer, error) {
	w.began = time.Now()
	w.ended = w.began
	for got := (*answer)(nil); ; a = f.after(a) {
		if err := f.wait(w, a); err != nil {
			return 0, got, err
		}
		got = a
		w.note(&a.out, a.sent)
		if a.out.err != nil {
			return 0, a, f.c.failed(f.target, w, a.out.err, a.out.hint)
		}
		rows, err := read(a)
		if err == nil || !errors.Is(err, ErrMalformed) {
			return rows, a, err
		}
		if a.tries > f.c.opts.Retries {
			return 0, a, f.c.failed(f.target, w, cleaned{f.c.secrets.clean(err.Error()), err}, hintMalformed)
		}
	}
}

// wait waits for an answer, and drives the flight if nobody else does.
func (f *flight) wait(w *waiter, a *answer) error {
	select {
	case <-a.done:
		return nil
	case <-w.ctx.Done():
		return f.c.failed(f.target, w, ended(w.ctx), "")
	case <-f.baton:
	}
	driven := false
	defer func() {
		if !driven {
			f.baton <- struct{}{}
		}
	}()
	select {
	case <-a.done: // and the baton is for the answer after it
		return nil
	default:
	}
	err := f.drive(w, a)
	driven = err == nil
	return err
}

// drive sends requests until there is an answer. An error is the driver's own.
func (f *flight) drive(w *waiter, a *answer) error {
	for {
		if f.running == nil {
			if err := f.start(w); err != nil {
				return err
			}
		}
		var out outcome
		select {
		case out = <-f.running:
		case <-w.ctx.Done():
			return f.c.failed(f.target, w, ended(w.ctx), "")
		}
		f.running = nil
		w.note(&out, f.sent)
		if f.follow(&out) {
			continue
		}
		if wait, again := f.again(&out); again {
			f.due, f.hops, f.at = time.Now().Add(wait), 0, f.target
			continue
		}
		f.publish(a, out)
		return nil
	}
}

// start sends a request when it is time, there is room, and the meter lets it.
func (f *flight) start(w *waiter) error {
	c, ctx := f.c, w.ctx
	if retry.Sleep(ctx, time.Until(f.due)) != nil {
		return c.failed(f.target, w, ended(ctx), "")
	}
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return c.failed(f.target, w, ended(ctx), "")
	}
	err := c.inTime(ctx)
	if err != nil {
		err = c.failed(f.target, w, ended(ctx), "")
	} else {
		err = w.meter.Begin()
	}
	if err != nil {
		<-c.slots
		return err
	}
	if f.hops == 0 {
		f.tries++
	}
	if w.sent == 0 {
		w.began = time.Now()
	}
	f.sent++
	w.sent++
	w.total = f.sent
	running, at := make(chan outcome, 1), f.at
	f.running = running
	go func() {
		out := c.send(f.ctx, at)
		<-c.slots
		running <- out
	}()
	return nil
}

// inTime waits until the rate lets another request begin.
func (c *Client) inTime(ctx context.Context) error {
	if c.pace == nil {
		return ctx.Err()
	}
	turn := c.pace.Reserve()
	if err := retry.Sleep(ctx, turn.Delay()); err != nil {
		turn.Cancel()
		return err
	}
	return nil
}

// maxHops is how many redirects are followed one after the other.
const maxHops = 5

// follow reports whether an outcome is a redirect that is followed. One that is not
// becomes an error.
func (f *flight) follow(out *outcome) bool {
	if out.err != nil || out.status/100 != 3 {
		return false
	}
	to, err := f.at.url.Parse(out.header.Get("Location"))
	switch {
	case out.header.Get("Location") == "" || err != nil:
		out.err = reason(ErrRedirect, "it does not say to where")
	case !sameServer(to, f.at.url):
		server := f.c.secrets.clean(to.Scheme + "://" + strings.ToLower(to.Host))
		out.err = reason(ErrRedirect, "to another server, "+server+", where nothing was sent")
		out.hint = "if it is the right one, declare it as the server"
	case f.hops == maxHops:
		out.err = reason(ErrRedirect, fmt.Sprintf("more than %d, one after the other", maxHops))
		out.hint = "check the server and the path of the operation"
	default:
		to.User, to.Fragment, to.RawFragment = nil, "", ""
		r := *f.at.Request
		if out.status == http.StatusSeeOther {
			r.Method, r.Body = http.MethodGet, nil
		}
		f.at = target{&r, f.c.withParams(to)}
		f.hops++
		return true
	}
	return false
}

// The waits between attempts at a call.
const (
	firstWait   = 100 * time.Millisecond // before the second attempt, doubled with each
	longestWait = 5 * time.Second
	longestAsk  = time.Minute // that a server's Retry-After is followed
)

// backoff returns the wait after so many attempts.
func backoff(attempts int) time.Duration { return retry.Wait(firstWait, longestWait, attempts) }

// again reports whether another attempt may fare better, and after which wait.
func (f *flight) again(out *outcome) (time.Duration, bool) {
	switch {
	case !out.again || f.tries > f.c.opts.Retries:
		return 0, false
	case out.after > longestAsk:
		out.hint = "the server asks to wait " + out.after.Round(time.Second).String() + "; ask again then"
		return 0, false
	}
	return max(backoff(f.tries), out.after), true
}

// publish gives the answer to all who wait for it. The call is then no longer under
// way, so that nobody else gets it, and a failure is not remembered.
func (f *flight) publish(a *answer, out outcome) {
	a.out, a.url, a.tries, a.sent = out, f.at.url, f.tries, f.sent
	// In case that who reads it finds it malformed.
	f.due, f.hops, f.at = time.Now().Add(backoff(f.tries)), 0, f.target
	f.c.mu.Lock()
	f.c.land(f)
	f.c.mu.Unlock()
	close(a.done)
}

// sameServer reports whether URLs have the same scheme, host and port.
func sameServer(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}
