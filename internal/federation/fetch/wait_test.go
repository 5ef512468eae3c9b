package fetch

import (
	"math"
	"net/http"
	"testing"
	"time"
)

func TestBackoff(t *testing.T) {
	want := []time.Duration{100, 200, 400, 800, 1600, 3200, 5000, 5000}
	for i, w := range want {
		if got := backoff(i + 1); got != w*time.Millisecond {
			t.Errorf("after %d attempts: %s", i+1, got)
		}
	}
	if got := backoff(math.MaxInt); got != longestWait {
		t.Errorf("got %s", got)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 7 ": 7 * time.Second, "-7": 0, "1.5": 0, "soon": 0,
		"99999999999":                      math.MaxInt64,
		"99999999999999999999":             math.MaxInt64,
		"Thu, 02 Jan 2025 03:04:15 GMT":    10 * time.Second,
		"Thu, 02 Jan 2025 03:04:00 GMT":    0,
		"Thursday, 02-Jan-25 03:05:05 GMT": time.Minute,
	} {
		h := http.Header{}
		h.Set("Retry-After", text)
		if got := retryAfter(h, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
