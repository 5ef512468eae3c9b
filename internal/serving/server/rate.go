package server

import (
	"math"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// buckets are token buckets by client. nil never says no.
type buckets struct {
	rate, burst float64

	mu    sync.Mutex
	of    map[string]*bucket
	swept time.Time
}

type bucket struct {
	tokens float64
	at     time.Time
}

// newBuckets returns buckets for that many requests per second and bursts of
// twice as many, or nil for 0.
func newBuckets(rate float64) *buckets {
	if rate == 0 {
		return nil
	}
	return &buckets{rate: rate, burst: max(2*rate, 1), of: map[string]*bucket{}}
}

// take takes a token, or returns how long to wait for one.
func (b *buckets) take(client string, now time.Time) time.Duration {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	const limit = 10_000 // clients to remember
	if len(b.of) >= limit && now.Sub(b.swept) >= time.Second {
		b.swept = now
		for name, one := range b.of {
			if now.Sub(one.at).Seconds()*b.rate >= b.burst {
				delete(b.of, name)
			}
		}
	}
	one := b.of[client]
	if one == nil {
		if len(b.of) >= limit {
			return time.Second
		}
		one = &bucket{tokens: b.burst, at: now}
		b.of[client] = one
	}
	one.tokens = min(b.burst, one.tokens+now.Sub(one.at).Seconds()*b.rate)
	one.at = now
	if one.tokens < 1 {
		const longest = time.Hour
		return time.Duration(math.Min((1-one.tokens)/b.rate*float64(time.Second), float64(longest)))
	}
	one.tokens--
	return 0
}

// address returns the address that a request comes from: an IPv4 address, or the
// /64 network of an IPv6 address, which is one customer's as a rule.
func address(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip := from.Addr().Unmap().WithZone("")
	if ip.Is6() {
		const network = 64
		prefix, _ := ip.Prefix(network) // an IPv6 address has that many bits
		return prefix.String()
	}
	return ip.String()
}
