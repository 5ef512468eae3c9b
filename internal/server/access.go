package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

// keyHeader takes the API key; Authorization: Bearer does too.
const keyHeader = "X-Api-Key"

// authenticate asks for an API key if there are any.
func (s *Server) authenticate() gin.HandlerFunc {
	if len(s.opts.APIKeys) == 0 {
		return func(*gin.Context) {}
	}
	var hashes [][sha256.Size]byte
	for _, key := range s.opts.APIKeys {
		hashes = append(hashes, sha256.Sum256([]byte(key)))
	}
	return func(c *gin.Context) {
		given := sha256.Sum256([]byte(clientKey(c.Request)))
		found := 0
		for _, h := range hashes {
			found |= subtle.ConstantTimeCompare(given[:], h[:])
		}
		if found == 1 {
			return
		}
		c.Header("WWW-Authenticate", `Bearer realm="birdcall"`)
		rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusUnauthorized, Title: "No valid API key",
			Detail: "Send a key in the header " + keyHeader + "."})
		c.Abort()
	}
}

func clientKey(r *http.Request) string {
	if key := r.Header.Get(keyHeader); key != "" {
		return key
	}
	key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return key
}

// cors lets web pages of the given origins call the service
// (https://fetch.spec.whatwg.org, section 3.3).
func (s *Server) cors(c *gin.Context) {
	if len(s.opts.Origins) == 0 {
		return
	}
	origin := c.Request.Header.Get("Origin")
	all := slices.Contains(s.opts.Origins, "*")
	header := c.Writer.Header()
	header.Add("Vary", "Origin")
	if origin == "" || !all && !slices.Contains(s.opts.Origins, origin) {
		return
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Expose-Headers", "ETag, Retry-After, X-Request-Id, X-Truncated")
	if c.Request.Method == http.MethodOptions && c.Request.Header.Get("Access-Control-Request-Method") != "" {
		header.Set("Access-Control-Allow-Methods", strings.Join(rest.Methods, ", "))
		header.Set("Access-Control-Allow-Headers", "Authorization, If-None-Match, X-Api-Key, X-Request-Id")
		header.Set("Access-Control-Max-Age", "600")
		c.AbortWithStatus(http.StatusNoContent)
	}
}

// limitRate bounds the requests per second of one client: of an API key where
// keys are asked for, else of an address.
func (s *Server) limitRate() gin.HandlerFunc {
	if s.opts.Rate <= 0 {
		return func(*gin.Context) {}
	}
	b := &buckets{rate: s.opts.Rate, burst: max(2*s.opts.Rate, 1), of: map[string]*bucket{}}
	return func(c *gin.Context) {
		client, _, _ := net.SplitHostPort(c.Request.RemoteAddr)
		if len(s.opts.APIKeys) > 0 {
			client = clientKey(c.Request)
		}
		if wait := b.take(client, time.Now()); wait > 0 {
			refuse(c, http.StatusTooManyRequests, wait, "Too many requests", "Send fewer per second; try again after the time in Retry-After.")
		}
	}
}

// buckets are token buckets by client.
type buckets struct {
	rate, burst float64

	mu sync.Mutex
	of map[string]*bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

// take takes a token, or tells how long to wait for one.
func (b *buckets) take(client string, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	const most = 10_000 // clients to remember
	if len(b.of) >= most {
		for name, one := range b.of {
			if now.Sub(one.at).Seconds()*b.rate >= b.burst {
				delete(b.of, name)
			}
		}
	}
	one := b.of[client]
	if one == nil {
		if len(b.of) >= most {
			return time.Second
		}
		one = &bucket{tokens: b.burst, at: now}
		b.of[client] = one
	}
	one.tokens = min(b.burst, one.tokens+now.Sub(one.at).Seconds()*b.rate)
	one.at = now
	if one.tokens < 1 {
		return time.Duration((1 - one.tokens) / b.rate * float64(time.Second))
	}
	one.tokens--
	return 0
}
