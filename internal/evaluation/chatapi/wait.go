package chatapi

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// backoff returns how long to wait after a failed attempt, counted from 1: twice
// as long each time, and between half of it and all of it, so that requests that
// failed together do not come back together. It depends on the seed and the
// request alone.
func (c *Client) backoff(body []byte, attempt int) time.Duration {
	d := c.opts.MaxWait
	if doublings := attempt - 1; doublings < 30 {
		d = min(d, c.opts.FirstWait<<doublings)
	}
	h := fnv.New64a()
	h.Write(body)
	random := rand.New(rand.NewPCG(c.opts.Seed, h.Sum64()+uint64(attempt)))
	return d/2 + time.Duration(random.Float64()*float64(d/2))
}

// retryAfter reads the header of that name: seconds, or the date when to come
// back (RFC 9110, section 10.2.3). A date is held against the server's own
// clock where the answer tells it. It is 0 where there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		const most = 24 * 60 * 60 // more does not fit into a Duration in the end
		return max(0, time.Duration(min(seconds, most)*float64(time.Second)))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
