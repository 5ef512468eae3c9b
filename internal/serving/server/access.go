package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

// keyHeader takes the API key; Authorization: Bearer does too.
const keyHeader = "X-Api-Key"

// ErrKeys says that the API keys given are no keys. It never has a key's text.
var ErrKeys = errors.New("bad API keys")

// ErrControl says that it is the control keys that are none.
var ErrControl = errors.New("control")

// apiKeys are the hashes of the keys that open the service.
type apiKeys [][sha256.Size]byte

// newKeys checks and hashes keys. Space around them does not count: no header
// could give it.
func newKeys(texts []string) (apiKeys, error) {
	var keys apiKeys
	for i, text := range texts {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil, fmt.Errorf("%w: key %d of %d is empty; leave it out", ErrKeys, i+1, len(texts))
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return nil, fmt.Errorf("%w: key %d of %d has a control character, which no header can hold; choose another", ErrKeys, i+1, len(texts))
		}
		keys = append(keys, sha256.Sum256([]byte(text)))
	}
	return keys, nil
}

// find returns the number of a key, or -1. How long it takes says nothing of
// the keys.
func (k apiKeys) find(text string) int {
	given := sha256.Sum256([]byte(text))
	found := -1
	for i := range k {
		found = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(given[:], k[i][:]), i, found)
	}
	return found
}

// clientKey returns the key that a request gives, or "".
func clientKey(r *http.Request) string {
	if key := strings.TrimSpace(r.Header.Get(keyHeader)); key != "" {
		return key
	}
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

// admit lets a request pass if it has a key, where keys are asked for, and if
// its client does not ask too often: a client is a key or, without keys, an
// address.
func (s *Server) admit(c *gin.Context) {
	if len(s.keys) == 0 {
		s.takeAddress(c, s.rate)
		return
	}
	if s.hasControl(c.Request) {
		return // the explorer calls endpoints too
	}
	c.Header("Cache-Control", "private") // until the answer says more
	key := s.keys.find(clientKey(c.Request))
	if key < 0 {
		s.reject(c, "API key", keyHeader)
		return
	}
	s.take(c, s.rate, strconv.Itoa(key))
}

// reject refuses a request without a valid key. Such requests count for their
// address, in a bucket apart, so that they do not use up that of valid keys.
func (s *Server) reject(c *gin.Context, what, header string) {
	if !s.takeAddress(c, s.wrong) {
		return
	}
	c.Header("WWW-Authenticate", `Bearer realm="birdcall"`)
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusUnauthorized, Title: "No valid " + what,
		Detail: "Send a key in the header " + header + "."})
	c.Abort()
}

// takeAddress is take of the request's address, which is only looked for where there is
// a bound.
func (s *Server) takeAddress(c *gin.Context, b *buckets) bool {
	return b == nil || s.take(c, b, address(c.Request))
}

// take counts a request of a client and refuses it if there are too many.
func (s *Server) take(c *gin.Context, b *buckets, client string) bool {
	wait := b.take(client, time.Now())
	if wait > 0 {
		refuse(c, http.StatusTooManyRequests, wait, "Too many requests", "Send fewer per second; try again after the time in Retry-After.")
	}
	return wait <= 0
}

// withoutData is set on a request for documents by a client without a key.
const withoutData = "withoutData"

// admitReader lets readers of the documents pass. With public documents these
// need no key, and get them without data.
func (s *Server) admitReader(c *gin.Context) {
	if len(s.keys) == 0 || !s.opts.PublicDocs || clientKey(c.Request) != "" {
		s.admit(c)
		return
	}
	c.Set(withoutData, true)
	s.takeAddress(c, s.rate)
}

// admitVisitor is admitReader for the files of the page, which are a handful
// for each visit and count for nothing where they are open to all.
func (s *Server) admitVisitor(c *gin.Context) {
	if len(s.keys) > 0 && !s.opts.PublicDocs {
		s.admit(c)
	}
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
		header.Set("Access-Control-Allow-Methods", strings.Join(rest.Methods, ", ")+", POST, DELETE")
		header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, X-Api-Key, X-Control-Key, X-Request-Id")
		header.Set("Access-Control-Max-Age", "600")
		c.AbortWithStatus(http.StatusNoContent)
	}
}
