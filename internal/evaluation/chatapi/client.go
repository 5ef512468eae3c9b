package chatapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/federation/retry"
)

// Options are those of a client. What is 0 is the default.
type Options struct {
	BaseURL   string        // such as https://api.openai.com/v1; the path of completions is added
	Key       string        // "" for servers that ask for none
	Attempts  int           // most requests for one answer; 6
	Timeout   time.Duration // for one request; 5 minutes
	FirstWait time.Duration // before the second attempt, doubled with each; 1 second
	MaxWait   time.Duration // before any attempt, whatever the endpoint asks for; 1 minute
	MaxBody   int64         // bytes of an answer; 16 MiB
	Seed      uint64        // of the waits
	Flags     Flags         // that errors name; those of evaluate run
}

// Flags are the names of a program's flags that errors ask to mend.
type Flags struct{ Address, Key, Model, Timeout string }

// defaultFlags are those of evaluate run.
var defaultFlags = Flags{Address: "--base-url", Key: "--api-key-env", Model: "--model", Timeout: "--request-timeout"}

// The defaults.
const (
	DefaultAttempts  = 6
	DefaultTimeout   = 5 * time.Minute
	defaultFirstWait = time.Second
	defaultMaxWait   = time.Minute
	defaultMaxBody   = 16 << 20
)

// Client asks one endpoint. Several goroutines may use it at once.
type Client struct {
	opts  Options
	base  *url.URL
	key   string
	http  *http.Client
	sleep func(context.Context, time.Duration) error
}

// New returns a client. The error says what is wrong with the address or the key.
func New(opts Options) (*Client, error) {
	c := &Client{opts: opts, key: strings.TrimSpace(opts.Key), sleep: retry.Sleep}
	if c.opts.Flags == (Flags{}) {
		c.opts.Flags = defaultFlags
	}
	flags := c.opts.Flags
	base, err := url.Parse(opts.BaseURL)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return nil, fmt.Errorf("%s: it is no address of a server; write it as http://127.0.0.1:8000/v1", flags.Address)
	case base.User != nil:
		return nil, fmt.Errorf("%s: it has a name or password in it; put the key into the environment variable that %s names", flags.Address, flags.Key)
	case strings.ContainsFunc(c.key, func(r rune) bool { return r < ' ' || r > '~' }):
		return nil, fmt.Errorf("the key has characters that no header may have; set the environment variable that %s names again", flags.Key)
	}
	c.base = base
	c.opts.Attempts = or(opts.Attempts, DefaultAttempts)
	c.opts.Timeout = or(opts.Timeout, DefaultTimeout)
	c.opts.FirstWait = or(opts.FirstWait, defaultFirstWait)
	c.opts.MaxWait = or(opts.MaxWait, defaultMaxWait)
	c.opts.MaxBody = or(opts.MaxBody, defaultMaxBody)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64 // as many as ask at a time
	c.http = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return c, nil
}

func or[T int | int64 | time.Duration](v, other T) T {
	if v <= 0 {
		return other
	}
	return v
}

// Complete asks for one answer. Errors are ErrContextLength, ErrUnauthorized,
// ErrNotFound, the context's, or say what the endpoint answered last.
func (c *Client) Complete(ctx context.Context, r Request) (Answer, error) {
	body, err := r.encode()
	if err != nil {
		return Answer{}, fmt.Errorf("the request cannot be written: %w", err)
	}
	var out Answer
	attempts, err := c.post(ctx, c.base.JoinPath("chat", "completions"), body, func(data []byte, header http.Header) error {
		a, err := decode(data)
		if err != nil {
			return err
		}
		a.Simulated = header.Get(SimulatedHeader) != ""
		c.clean(&a)
		out = a
		return nil
	})
	out.Attempts = attempts
	return out, err
}

// post sends a request until it is answered with a body that read takes, or the retries are used up.
func (c *Client) post(ctx context.Context, to *url.URL, body []byte, read func([]byte, http.Header) error) (attempts int, err error) {
	for n := 1; ; n++ {
		got := c.send(ctx, to, body, read)
		switch {
		case got.err == nil:
			return n, nil
		case ctx.Err() != nil:
			return n, ctx.Err()
		case !got.again:
			return n, got.err
		case n == c.opts.Attempts:
			return n, fmt.Errorf("no answer after %d of %d attempts: %w", n, n, got.err)
		}
		wait := min(max(c.backoff(body, n), got.wait), c.opts.MaxWait)
		if err := c.sleep(ctx, wait); err != nil {
			return n, err
		}
	}
}

// attempt is what came of one request.
type attempt struct {
	err   error
	again bool          // whether the same request may fare better later
	wait  time.Duration // what the endpoint asks for
}

// send sends a request once.
func (c *Client) send(ctx context.Context, to *url.URL, body []byte, read func([]byte, http.Header) error) attempt {
	timed, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(timed, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return attempt{err: errors.New(c.opts.Flags.Address + ": it is no address that can be asked")}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return attempt{err: c.broken(timed, "no connection", err), again: true}
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, c.opts.MaxBody+1))
	switch {
	case res.StatusCode/100 != 2: // with what was read of the reason
		err, again := c.refusal(res, data)
		return attempt{err: err, again: again, wait: retry.After(res.Header, time.Now())}
	case err != nil:
		return attempt{err: c.broken(timed, "the answer is cut", err), again: true}
	case int64(len(data)) > c.opts.MaxBody:
		return attempt{err: fmt.Errorf("the answer has more than %d bytes", c.opts.MaxBody)}
	}
	err = read(data, res.Header)
	if said := (*wireError)(nil); errors.As(err, &said) && said.isTooLong() {
		return attempt{err: fmt.Errorf("%w (%s)", ErrContextLength, c.show(err.Error()))}
	} else if err != nil {
		return attempt{err: errors.New(c.show(err.Error())), again: true}
	}
	return attempt{}
}

// broken says why a request got no whole answer. The address is left out, which
// may have more in it than is to be shown.
func (c *Client) broken(timed context.Context, what string, err error) error {
	if errors.Is(timed.Err(), context.DeadlineExceeded) {
		within := fmt.Errorf("no answer within %s", c.opts.Timeout)
		if flag := c.opts.Flags.Timeout; flag != "" {
			within = fmt.Errorf("%w; see %s", within, flag)
		}
		return within
	}
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return errors.New(what + ": " + c.show(err.Error()))
}

// shortKey is the length of keys that are no secret, such as EMPTY, which
// servers of one's own ask for. Answers may have such a word.
const shortKey = 12

// clean takes the key out of an answer.
func (c *Client) clean(a *Answer) {
	if len(c.key) < shortKey {
		return
	}
	m := &a.Message
	texts := []*string{&a.Finish, &m.Content, &m.Reasoning}
	for i := range m.ToolCalls {
		t := &m.ToolCalls[i]
		texts = append(texts, &t.ID, &t.Function.Name, &t.Function.Arguments)
	}
	for _, t := range texts {
		*t = c.redact(*t)
	}
}
