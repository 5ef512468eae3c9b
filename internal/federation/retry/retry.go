// Package retry says when an HTTP request that failed is sent again: after which
// statuses, and how long to wait. The clients of APIs and of models follow it.
package retry

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Status reports whether a request that was answered with this status may succeed
// later.
func Status(code int) bool {
	return code == http.StatusRequestTimeout || code == http.StatusTooManyRequests || code >= 500
}

// Wait returns how long to wait after so many attempts: first, doubled with each, and
// at most longest.
func Wait(first, longest time.Duration, attempts int) time.Duration {
	wait := first
	for range attempts - 1 {
		if wait >= longest/2 {
			return longest
		}
		wait *= 2
	}
	return min(wait, longest)
}

// After returns the wait that a server asks for with Retry-After: seconds, or the date
// when it is over (RFC 9110, section 10.2.3), which is compared with the server's own
// clock where the response has its Date. It is 0 if there is none, or none that can be
// read.
func After(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		switch wait := seconds * float64(time.Second); {
		case !(wait > 0): // NaN, too
			return 0
		case wait >= math.MaxInt64:
			return math.MaxInt64
		default:
			return time.Duration(wait)
		}
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return max(0, at.Sub(now))
}

// Sleep waits, or returns the context's error if it ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
