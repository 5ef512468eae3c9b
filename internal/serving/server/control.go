package server

import (
	"net"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

// controlHeader takes the control key; Authorization: Bearer does too.
const controlHeader = "X-Control-Key"

// hasControl reports whether a request has a control key.
func (s *Server) hasControl(r *http.Request) bool {
	return len(s.control) > 0 && (s.control.find(r.Header.Get(controlHeader)) >= 0 || s.control.find(clientKey(r)) >= 0)
}

// admitControl lets requests pass that may know gold: those with a control key or,
// where the service is open, those that name this computer as their host, which a
// page from elsewhere cannot do (DNS rebinding).
func (s *Server) admitControl(c *gin.Context) {
	c.Header("Cache-Control", "private")
	switch {
	case s.hasControl(c.Request):
	case s.opts.Open && IsLoopback(c.Request.Host):
	case len(s.control) > 0:
		s.reject(c, "control key", controlHeader)
	default:
		forbid(c, "Scores, gold and the explorer are not for clients of this address. Start the service with a control key or a control address.")
	}
}

// forbid refuses a request, whatever key it has.
func forbid(c *gin.Context, detail string) {
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusForbidden, Title: "Closed", Detail: detail})
	c.Abort()
}

// IsLoopback reports whether a host, with or without a port, is this computer.
func IsLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || host == "[::1]" || ip != nil && ip.IsLoopback()
}
