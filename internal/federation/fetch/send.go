package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/birdcall/birdcall/internal/federation/retry"
)

// outcome is what came of one request: a response, a redirect, or an error.
type outcome struct {
	status int
	header http.Header
	body   []byte
	bytes  int64
	err    error
	hint   string
	again  bool          // another attempt may fare better
	after  time.Duration // that the server asks to wait
}

const (
	shownBody = 200      // characters of a body that an error shows
	readBody  = 64 << 10 // bytes of a body that is read for it, and for the connection to be used again
)

// send sends one request.
func (c *Client) send(ctx context.Context, t target) outcome {
	timed, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	var body io.Reader
	if t.Body != nil {
		body = bytes.NewReader(t.Body)
	}
	req, err := http.NewRequestWithContext(timed, t.Method, "/", body)
	if err != nil {
		return outcome{err: err, hint: "check the method of the operation"}
	}
	req.URL = t.url
	req.Header.Set("Accept", "application/json")
	if t.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range []http.Header{t.Header, c.opts.Header} {
		for name, values := range h {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	// The transport rather than a client, which would follow redirects.
	res, err := c.opts.Transport.RoundTrip(req)
	if err != nil {
		return c.broken(timed, outcome{}, err)
	}
	defer res.Body.Close()
	out := outcome{status: res.StatusCode, header: res.Header}
	switch {
	case res.StatusCode/100 == 2:
		c.receive(timed, res, &out)
	case res.StatusCode == http.StatusNotFound && t.Missing:
		_, _ = io.CopyN(io.Discard, res.Body, readBody)
	case res.StatusCode/100 == 3: // for the flight to follow
	default:
		c.refused(res, &out)
	}
	return out
}

// receive reads the body of a response that is a success.
func (c *Client) receive(timed context.Context, res *http.Response, out *outcome) {
	if err := isJSON(res.Header); err != nil {
		out.err, out.hint, out.again = err, hintNotJSON, true
		return
	}
	tooLarge := func() {
		out.err = reason(ErrTooLarge, fmt.Sprintf("it has more than %d bytes", c.opts.MaxBody))
		out.hint = "declare paging, or smaller pages"
	}
	if res.ContentLength > c.opts.MaxBody {
		tooLarge()
		return
	}
	var body bytes.Buffer
	body.Grow(int(min(max(res.ContentLength, 0), 1<<20)) + bytes.MinRead)
	_, err := body.ReadFrom(io.LimitReader(res.Body, c.opts.MaxBody+1))
	out.bytes = int64(body.Len())
	switch {
	case out.bytes > c.opts.MaxBody:
		tooLarge()
	case err != nil:
		*out = c.broken(timed, *out, err)
	default:
		out.body = body.Bytes()
	}
}

// isJSON returns an error for a response that by its header is something else.
func isJSON(h http.Header) error {
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return reason(ErrNotJSON, "its Content-Encoding is "+printable(coding))
	}
	text := h.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(text)
	if text == "" || kind == "application/json" || strings.HasSuffix(kind, "+json") && (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) {
		return nil
	}
	return reason(ErrNotJSON, "its Content-Type is "+printable(text))
}

// refused says why the server gave no answer.
func (c *Client) refused(res *http.Response, out *outcome) {
	body, _ := io.ReadAll(io.LimitReader(res.Body, readBody))
	said := printable(c.secrets.clean(string(body)))
	out.bytes = int64(len(body))
	out.after, out.again = retry.After(res.Header, time.Now()), retry.Status(out.status)
	switch {
	case out.status == http.StatusTooManyRequests:
		out.err, out.hint = reason(ErrRate, said), hintRate
	case out.status == http.StatusRequestTimeout:
		out.err, out.hint = reason(ErrNetwork, said), hintServer
	case out.status >= 500:
		out.err, out.hint = reason(ErrServer, said), hintServer
	default:
		out.err, out.hint = reason(ErrRefused, said), hintOf(out.status)
	}
}

// broken says why there is no response, or only a part of it.
func (c *Client) broken(timed context.Context, out outcome, err error) outcome {
	out.again = true
	if errors.Is(timed.Err(), context.DeadlineExceeded) {
		out.err = reason(ErrNetwork, fmt.Sprintf("none within %s", c.opts.Timeout))
		out.hint = "declare a longer timeout, or smaller pages"
		return out
	}
	said := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		said = "it ends too early"
	}
	out.err = reason(ErrNetwork, printable(c.secrets.clean(said)))
	out.hint = "check that the server runs at this address, and what is between"
	return out
}

// printable is the beginning of a text that a server wrote, as one line.
func printable(text string) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range text {
		switch {
		case r == unicode.ReplacementChar || !unicode.IsPrint(r) && !unicode.IsSpace(r):
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case n >= shownBody:
			return b.String() + " ..."
		case space:
			b.WriteByte(' ')
			n, space = n+1, false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
