package server

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

// process distinguishes the request ids of one run of the program from another's.
var process = strconv.FormatUint(rand.Uint64(), 36) + "-"

// observe gives a request its id, logs and counts it, and turns a panic into
// an answer.
func (s *Server) observe(c *gin.Context) {
	start := time.Now()
	id := requestID(c.Request.Header[rest.RequestID])
	if id == "" {
		id = process + strconv.FormatUint(s.requests.Add(1), 36)
	}
	c.Writer.Header()[rest.RequestID] = []string{id}
	c.Request.Header[rest.RequestID] = []string{id} // for Server.failed
	defer func() {
		p := recover()
		if err, _ := p.(error); errors.Is(err, http.ErrAbortHandler) {
			defer panic(p) // an answer that is cut on purpose
		} else if p != nil {
			s.opts.Logger.Error("a request panicked", "id", id, "path", shown(c.Request), "panic", p)
			if c.Writer.Written() {
				panic(http.ErrAbortHandler) // cut the answer rather than end it as if it were whole
			}
			rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusInternalServerError, Title: "The service failed",
				Detail: "Try again later, and report the request id if it goes on."})
		}
		s.finish(c, id, start)
	}()
	c.Next()
}

// finish counts and logs an answered request.
func (s *Server) finish(c *gin.Context, id string, start time.Time) {
	end := time.Now()
	took := end.Sub(start)
	status := c.Writer.Status()
	if isCut(c) {
		status = rest.StatusClientLeft
	}
	s.metrics.observe(c.Request.URL.Path, status, took)
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	}
	s.opts.Access(Access{
		At: end, Level: level, ID: id, Method: c.Request.Method, Path: shown(c.Request), Client: c.Request.RemoteAddr,
		Status: status, Bytes: max(c.Writer.Size(), 0), Took: took,
	})
}

// isCut reports whether less of an answer could be written than it has, as its
// client left or was too slow to take it.
func isCut(c *gin.Context) bool {
	length := c.Writer.Header()["Content-Length"]
	if len(length) != 1 || !c.Writer.Written() || c.Request.Method == http.MethodHead {
		return false
	}
	n, err := strconv.Atoi(length[0])
	return err == nil && c.Writer.Size() < n
}

// requestID returns the id that a client gave if it is fit for a log, else "".
func requestID(header []string) string {
	const longest = 64
	if len(header) != 1 || len(header[0]) > longest {
		return ""
	}
	for _, c := range []byte(header[0]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' && c != '.' {
			return ""
		}
	}
	return header[0]
}

// bound refuses requests beyond the number that may be in flight.
func (s *Server) bound(c *gin.Context) {
	defer s.inFlight.Add(-1)
	if s.inFlight.Add(1) > int64(s.opts.InFlight) {
		refuse(c, http.StatusServiceUnavailable, time.Second, "Too busy", "Too many requests are in flight. Try again after the time in Retry-After.")
		return
	}
	c.Next()
}

// refuse answers with a problem and the time to wait, and ends the request.
func refuse(c *gin.Context, status int, wait time.Duration, title, detail string) {
	c.Header("Retry-After", strconv.Itoa(max(1, int((wait+time.Second-1)/time.Second))))
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: status, Title: title, Detail: detail})
	c.Abort()
}
