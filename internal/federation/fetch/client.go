package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The defaults of Options.
const (
	DefaultConcurrent = 8
	DefaultTimeout    = 10 * time.Second
	DefaultRetries    = 4
	DefaultMaxBody    = 64 << 20
)

// Client calls one server. Several goroutines may use it at once.
type Client struct {
	opts    Options
	server  *url.URL   // without user and parameters
	params  url.Values // that go along with each call, those of the server's URL too
	secrets *secrets
	own     *http.Transport // nil if the caller has given one
	slots   chan struct{}   // one for each call under way
	pace    *rate.Limiter   // nil if there is no limit

	maxPages int // of a listing

	mu      sync.Mutex
	flights map[string]*flight // calls that have no answer yet
}

// New returns a client.
func New(o Options) *Client {
	c := &Client{server: &url.URL{}, params: url.Values{}, flights: map[string]*flight{}, maxPages: maxPages}
	o.Concurrent = or(o.Concurrent, DefaultConcurrent)
	o.Timeout = or(o.Timeout, DefaultTimeout)
	o.MaxBody = or(o.MaxBody, DefaultMaxBody)
	if o.Retries == 0 {
		o.Retries = DefaultRetries
	}
	o.Retries = max(o.Retries, 0)
	o.Header = o.Header.Clone()
	if o.Header == nil {
		o.Header = http.Header{}
	}
	var user *url.Userinfo
	if o.Server != nil {
		*c.server = *o.Server
		user, c.params = o.Server.User, o.Server.Query()
		c.server.User, c.server.RawQuery, c.server.Fragment, c.server.RawFragment = nil, "", "", ""
	}
	for name, values := range o.Query {
		c.params[name] = values
	}
	c.secrets = newSecrets(o.Header, c.params, user)
	if user != nil && o.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		r := http.Request{Header: o.Header}
		r.SetBasicAuth(user.Username(), password)
	}
	if o.Transport == nil {
		c.own = http.DefaultTransport.(*http.Transport).Clone()
		c.own.MaxIdleConnsPerHost = o.Concurrent
		o.Transport = c.own
	}
	if o.PerSecond > 0 {
		// One at a time: with a burst, the first second would have twice as many.
		c.pace = rate.NewLimiter(rate.Limit(o.PerSecond), 1)
	}
	c.slots = make(chan struct{}, o.Concurrent)
	c.opts = o
	return c
}

func or[T int | int64 | time.Duration](v, other T) T {
	if v <= 0 {
		return other
	}
	return v
}

// Close closes the connections that no call uses. Nothing may be asked afterwards.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Do makes a call and has read read its response, which it must not change: a call
// that is under way is not made a second time for another caller, and the response
// is for both. An error of read ends the call and is returned as it is, unless it is
// of Malformed: then the call is made again, and read is called with the next
// response. All other errors are of type *Error, or the meter's own.
func (c *Client) Do(ctx context.Context, m Meter, r *Request, read func(*Response) (rows int, err error)) error {
	t, err := c.target(r)
	if err != nil {
		return err
	}
	_, err = c.do(ctx, m, t, func(a *answer) (int, error) { return read(a.response()) })
	return err
}

// target is a request with its whole URL.
type target struct {
	*Request
	url *url.URL
}

func (c *Client) target(r *Request) (target, error) {
	u := *c.server
	raw := strings.TrimSuffix(u.EscapedPath(), "/") + "/" + strings.TrimPrefix(r.Path, "/")
	if r.Path == "" {
		raw = u.EscapedPath()
	}
	path, err := url.PathUnescape(raw)
	if err != nil {
		return target{}, &Error{API: c.opts.API, Operation: r.Operation, Method: r.Method, URL: c.secrets.shown(&u),
			Err: errors.New("its path cannot be read: " + c.secrets.clean(err.Error())), Hint: "escape what the path is made of"}
	}
	u.Path, u.RawPath = path, raw
	u.RawQuery = r.Query.Encode()
	return target{r, c.withParams(&u)}, nil
}

// withParams adds the parameters that go along with each call.
func (c *Client) withParams(u *url.URL) *url.URL {
	full := *u
	if len(c.params) == 0 {
		return &full
	}
	query := full.Query()
	for name, values := range c.params {
		query[name] = values
	}
	full.RawQuery = query.Encode()
	return &full
}

// do is Do for a request whose URL is known. The answer is that which was read.
func (c *Client) do(ctx context.Context, m Meter, t target, read func(*answer) (int, error)) (*answer, error) {
	w := &waiter{ctx: ctx, meter: m}
	if ctx.Err() != nil {
		return nil, c.failed(t, w, ended(ctx), "")
	}
	f, a := c.join(t)
	defer c.leave(f)
	rows, a, err := f.read(w, a, read)
	if w.sent == 0 && a == nil {
		return nil, err // nothing was sent for this caller
	}
	call := Call{
		API: c.opts.API, Operation: t.Operation, Method: t.Method, URL: c.secrets.shown(t.url),
		Status: w.status, Attempts: w.sent, Bytes: w.bytes, Rows: rows,
		Shared: w.sent == 0, Time: w.time(),
	}
	if made := m.Made(call); err == nil {
		err = made
	}
	return a, err
}

// failed is an error of a call as one caller sees it.
func (c *Client) failed(t target, w *waiter, err error, hint string) *Error {
	return &Error{
		API: c.opts.API, Operation: t.Operation, Method: t.Method, URL: c.secrets.shown(t.url),
		Status: w.status, Attempts: w.total, Err: err, Hint: hint,
	}
}
