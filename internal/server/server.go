package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

// Server is a service for one dataset. Make it with New.
type Server struct {
	opts      Options
	catalog   *rest.Catalog
	service   *rest.Service
	metrics   *metrics
	documents *documents
	engine    *gin.Engine
	ready     atomic.Bool
	requests  atomic.Uint64
	inFlight  atomic.Int64
}

// New opens the dataset's databases and makes their endpoints. Close must be
// called when done.
func New(ctx context.Context, opts Options) (*Server, error) {
	opts = opts.withDefaults()
	catalog, err := rest.Open(ctx, opts.Dataset, rest.Options{Connections: opts.Connections, Wait: opts.Wait, Timeout: opts.Timeout})
	if err != nil {
		return nil, err
	}
	for i := range opts.Dataset.Questions {
		q := &opts.Dataset.Questions[i]
		if _, err := catalog.Call(q); err != nil {
			opts.Logger.Warn("a question has no endpoint", "question", q.ID.String(), "database", q.DB, "error", err)
		}
	}
	s := &Server{opts: opts, catalog: catalog}
	s.service = rest.NewService(catalog, rest.ServiceOptions{
		MaxRows: opts.MaxRows, MaxBytes: opts.MaxBytes, AsOf: opts.AsOf, Clock: opts.Clock,
		Failed: func(r *http.Request, err error) {
			opts.Logger.Error("a request failed", "path", r.URL.Path, "error", err)
		},
	})
	s.metrics = newMetrics(catalog)
	s.documents = newDocuments(catalog, s.service, len(opts.APIKeys) > 0)
	s.engine = s.routes()
	s.ready.Store(true)
	return s, nil
}

// Endpoints returns how many endpoints there are.
func (s *Server) Endpoints() int {
	n := 0
	for _, d := range s.catalog.Databases {
		n += len(d.Endpoints)
	}
	return n
}

// Handler returns the whole service as an http.Handler.
func (s *Server) Handler() http.Handler { return s.engine }

// Close closes the databases. No request may be running.
func (s *Server) Close() error { return s.catalog.Close() }

// routes builds the router.
func (s *Server) routes() *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false
	g.Use(s.observe, s.cors, s.bound)
	g.NoRoute(rest.NotFound)
	g.NoMethod(rest.NotAllowed)
	g.Match(rest.Methods, "/", func(c *gin.Context) { c.Redirect(http.StatusFound, "/docs/") })
	g.Match(rest.Methods, "/healthz", func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	g.Match(rest.Methods, "/readyz", s.readiness)
	s.documents.register(g)
	guarded := g.Group("", s.authenticate(), s.limitRate())
	guarded.Match(rest.Methods, "/metrics", gin.WrapH(s.metrics.handler()))
	s.service.Register(guarded)
	return g
}

func (s *Server) readiness(c *gin.Context) {
	if s.ready.Load() {
		c.String(http.StatusOK, "ready\n")
		return
	}
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusServiceUnavailable, Title: "Not ready", Detail: "The service is about to stop."})
}

// NewHTTPServer returns an http.Server with all its timeouts for a handler
// that takes at most that long before it writes.
func NewHTTPServer(h http.Handler, longest time.Duration) *http.Server {
	const headerBytes = 256 << 10
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      longest + 30*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    headerBytes,
	}
}

// Serve answers requests on the listener until ctx ends. Then it takes no new
// ones, finishes those in flight within the grace period, and returns.
func (s *Server) Serve(ctx context.Context, listener net.Listener, grace time.Duration) error {
	server := NewHTTPServer(s.engine, s.opts.Wait+s.opts.Timeout)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.ready.Store(false)
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(stop); err != nil {
		return errors.Join(errors.New("requests in flight did not finish in time"), err, server.Close())
	}
	return nil
}
