package server

import (
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"
)

// guardLocal protects a service without keys from web pages, which the browser of a
// person on this computer lets send requests to it. Of those that arrive on a loopback
// address, it refuses with 403
//
//   - one whose Host is no name of this computer: a page can have its own name
//     resolve to this address (DNS rebinding), unless Options.AnyHost is set;
//   - one with the Origin of another page, unless Options.Origins has it.
//
// Health checks are answered in any case.
func (s *Server) guardLocal(c *gin.Context) {
	if len(s.keys) > 0 || !arrivedOnLoopback(c.Request) || isHealth(c.Request.URL.Path) {
		return
	}
	switch r := c.Request; {
	case !s.opts.AnyHost && !IsLoopback(r.Host):
		forbid(c, foreignHost+" Behind a proxy on this computer, start the service with --any-host, or with --api-keys.")
	case !s.isOwnOrigin(r):
		forbid(c, foreignOrigin)
	}
}

const (
	foreignHost   = "Ask this address by a name of this computer, such as localhost."
	foreignOrigin = "Pages of other origins may not call this service. Start it with --origins to let one do so."
)

// arrivedOnLoopback reports whether a request came over a loopback address of this
// computer.
func arrivedOnLoopback(r *http.Request) bool {
	switch local := r.Context().Value(http.LocalAddrContextKey).(type) {
	case *net.TCPAddr: // without a text of it for each request
		return local.IP.IsLoopback()
	case net.Addr:
		return IsLoopback(local.String())
	}
	return false
}

// isHealth reports whether a path is that of a health check.
func isHealth(path string) bool { return path == "/healthz" || path == "/readyz" }

// isOwnOrigin reports whether a request is of no page, of one of the service's own, or
// of one that may call it (https://fetch.spec.whatwg.org, section 3.1).
func (s *Server) isOwnOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || slices.Contains(s.opts.Origins, "*") || slices.Contains(s.opts.Origins, origin) {
		return true
	}
	page, err := url.Parse(origin)
	return err == nil && page.Host != "" && page.Host == r.Host
}
