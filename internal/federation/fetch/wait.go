package fetch

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	firstWait   = 100 * time.Millisecond // before the second attempt, doubled with each
	longestWait = 5 * time.Second
	longestAsk  = time.Minute // that a server's Retry-After is followed
)

// backoff is the wait after so many attempts.
func backoff(attempts int) time.Duration {
	wait := firstWait
	for range attempts - 1 {
		if wait *= 2; wait >= longestWait {
			return longestWait
		}
	}
	return wait
}

// retryAfter is the wait that a server asks for: as seconds, or as the time when it
// is over (RFC 9110, 10.2.3). It is 0 where the server does not say, or not in a way
// that can be read.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const longest = time.Duration(1<<63 - 1)
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text != "" && strings.Trim(text, "0123456789") == "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds > int64(longest/time.Second) {
			return longest
		}
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// sleep waits, unless the context ends before.
func sleep(ctx context.Context, d time.Duration) error {
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
