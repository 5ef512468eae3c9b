package retry

import (
	"math"
	"net/http"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	for code, want := range map[int]bool{200: false, 301: false, 400: false, 404: false, 408: true, 409: false, 429: true, 500: true, 503: true} {
		if Status(code) != want {
			t.Errorf("%d: %v", code, !want)
		}
	}
}

func TestWait(t *testing.T) {
	const first, longest = 100 * time.Millisecond, 5 * time.Second
	for i, want := range []time.Duration{100, 200, 400, 800, 1600, 3200, 5000, 5000} {
		if got := Wait(first, longest, i+1); got != want*time.Millisecond {
			t.Errorf("after %d attempts: %s", i+1, got)
		}
	}
	if got := Wait(first, longest, math.MaxInt); got != longest {
		t.Errorf("got %s", got)
	}
	if got := Wait(longest, first, 1); got != first {
		t.Errorf("the first wait is %s, more than the longest", got)
	}
}

func TestAfter(t *testing.T) {
	now := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		after, date string
		want        time.Duration
	}{
		{"", "", 0},
		{"0", "", 0},
		{" 7 ", "", 7 * time.Second},
		{"0.5", "", 500 * time.Millisecond},
		{"-7", "", 0},
		{"NaN", "", 0},
		{"soon", "", 0},
		{"99999999999", "", math.MaxInt64},
		{"1e300", "", math.MaxInt64},
		{"Thu, 02 Jan 2025 03:04:15 GMT", "", 10 * time.Second},
		{"Thu, 02 Jan 2025 03:04:15 GMT", "Thu, 02 Jan 2025 03:03:55 GMT", 20 * time.Second},
		{"Thu, 02 Jan 2025 03:04:00 GMT", "", 0},
		{"Thursday, 02-Jan-25 03:05:05 GMT", "", time.Minute},
	} {
		h := http.Header{"Retry-After": {test.after}, "Date": {test.date}}
		if got := After(h, now); got != test.want {
			t.Errorf("%q at %q: %s, want %s", test.after, test.date, got, test.want)
		}
	}
}
