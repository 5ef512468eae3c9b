package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/internal/serving/mcpserver"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Server is a service for one dataset. Make it with New.
type Server struct {
	opts      Options
	api       *rest.API
	service   *rest.Service
	backend   *backend // nil where the databases are files
	metrics   *metrics
	documents *documents
	engine    *gin.Engine
	finder    *finder // nil without Options.Find
	live      *live
	keys      apiKeys
	control   apiKeys
	rate      *buckets // of keys or, without them, addresses
	wrong     *buckets // of the addresses of requests without a right key
	releaser  *memoryReleaser
	connected *peak
	ready     atomic.Bool
	requests  atomic.Uint64
	inFlight  atomic.Int64
	open      atomic.Int64 // connections of clients
	refused   atomic.Int64 // the same
}

// New opens the dataset's databases and makes their endpoints. Close must be
// called when done.
func New(ctx context.Context, opts Options) (*Server, error) {
	opts = opts.withDefaults()
	keys, err := newKeys(opts.APIKeys)
	control, controlErr := newKeys(opts.ControlKeys)
	if controlErr != nil {
		controlErr = fmt.Errorf("%w: %w", ErrControl, controlErr)
	}
	if err := errors.Join(controlErr, err, opts.check()); err != nil {
		return nil, err
	}
	api, err := openAPI(ctx, &opts)
	if err != nil {
		return nil, err
	}
	for i := range opts.Dataset.Questions {
		q := &opts.Dataset.Questions[i]
		if _, err := api.Call(q); err != nil {
			opts.Logger.Warn("a question has no endpoint", "question", q.ID.String(), "database", q.DB, "error", err)
		}
	}
	s := &Server{opts: opts, api: api, keys: keys, control: control, rate: newBuckets(opts.Rate), wrong: newBuckets(opts.Rate), releaser: newMemoryReleaser()}
	const manyConnections, manyBytes = 128, 32 << 20
	s.connected = s.releaser.watch(manyConnections)
	s.service = rest.NewService(api, rest.ServiceOptions{
		MaxRows: opts.MaxRows, MaxBytes: opts.MaxBytes, AsOf: opts.AsOf, Clock: opts.Clock,
		Memory: opts.AnswerMemory, Held: s.releaser.watch(manyBytes).is, Failed: s.failed,
	})
	if s.live, err = s.newLive(); err != nil {
		return nil, errors.Join(err, api.Close())
	}
	if s.finder, err = s.openFinder(ctx, s.live.env.SetIndex); err != nil {
		return nil, errors.Join(err, s.live.env.Close(), api.Close())
	}
	if s.backend, err = newBackend(opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if s.backend != nil {
		// What compiled the parser of Postgres' statements takes a quarter of a
		// gigabyte, and the service, which only runs them, nothing of that.
		s.releaser.later(releaseAfter, s.releaser.free)
	}
	s.metrics = newMetrics(api, &s.open, &s.refused, s.live.env.Usage)
	s.documents = newDocuments(api, s.service, len(keys) > 0, opts.Rate > 0, s.describeLive)
	if s.documents.functions, err = s.describeFunctions(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.engine = s.routes(s.admit, s.admitControl, opts.Open || len(control) > 0)
	s.ready.Store(true)
	return s, nil
}

// failed logs what a client must not see.
func (s *Server) failed(r *http.Request, err error) {
	s.opts.Logger.Error("a request failed", "id", r.Header.Get(rest.RequestID), "path", shown(r), "error", err)
}

// warned logs what is probably a mistake in a request.
func (s *Server) warned(r *http.Request, text string) {
	s.opts.Logger.Warn(text, "id", r.Header.Get(rest.RequestID), "path", shown(r))
}

// Endpoints returns how many endpoints there are.
func (s *Server) Endpoints() int {
	n := 0
	for _, d := range s.api.Databases {
		n += len(d.Endpoints)
	}
	return n
}

// Handler returns the whole service as an http.Handler.
func (s *Server) Handler() http.Handler { return s.engine }

// Close ends all sessions and closes the databases. No request may be running.
func (s *Server) Close() error {
	s.finder.close()
	s.backend.close()
	return errors.Join(s.live.env.Close(), s.api.Close())
}

// Stdio serves one client of the Model Context Protocol over its input and output,
// until the input or ctx ends.
func (s *Server) Stdio(ctx context.Context, t mcpserver.Tools, in io.Reader, out io.Writer) error {
	return s.live.mcp.Stdio(ctx, t, in, out)
}

// ControlHandler returns the service for those who may know gold: no key is asked
// for. Only they may reach its address. If that is a local one, requests have to
// name this computer as their host.
func (s *Server) ControlHandler(local bool) http.Handler {
	admit := func(c *gin.Context) {
		switch {
		case !local:
		case !IsLoopback(c.Request.Host):
			forbid(c, foreignHost)
		case !s.isOwnOrigin(c.Request):
			forbid(c, foreignOrigin)
		}
	}
	return s.routes(admit, admit, true)
}

// AdminHandler returns health and metrics alone, for those who run the service.
func (s *Server) AdminHandler() http.Handler {
	g := s.router(gin.WrapF(rest.NotFound))
	s.health(g)
	g.Match(rest.Methods, "/metrics", gin.WrapH(s.metrics.handler()))
	return g
}

// router returns a router without routes; missing answers for other paths.
func (s *Server) router(missing ...gin.HandlerFunc) *gin.Engine {
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.HandleMethodNotAllowed = true
	g.RedirectTrailingSlash = false
	g.Use(s.observe, s.guardLocal, s.cors)
	g.NoRoute(missing...)
	g.NoMethod(append(missing[:len(missing)-1:len(missing)-1], notAllowed)...)
	return g
}

// health adds the health checks. No limit applies to them, so that a busy
// service does not look unhealthy.
func (s *Server) health(g *gin.Engine) {
	g.Match(rest.Methods, "/healthz", func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	g.Match(rest.Methods, "/readyz", s.readiness)
}

// routes builds the router. admit lets clients pass, and control those who may know
// gold, whom the explorer is for. Where there are keys, only requests with one get 404 for a path that does
// not exist.
func (s *Server) routes(admit, control gin.HandlerFunc, explorer bool) *gin.Engine {
	g := s.router(admit, s.live.missing)
	s.health(g)
	if !s.opts.Admin {
		g.Match(rest.Methods, "/metrics", admit, gin.WrapH(s.metrics.handler()))
	}
	bound := g.Group("", s.bound)
	s.documents.register(bound, s.admitReader, s.admitVisitor, !explorer)
	s.service.Register(bound.Group("", admit))
	if s.opts.Functions {
		bound.Match(rest.Methods, scalars.Path+":name", admit, gin.WrapH(scalars.Handler()))
	}
	if s.finder != nil {
		bound.Match(rest.Methods, findPath, admit, s.find)
	}
	s.live.register(bound, admit, control, explorer)
	return g
}

// notAllowed answers a request whose path has other methods, which gin names.
func notAllowed(c *gin.Context) {
	methods := c.Writer.Header().Get("Allow")
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusMethodNotAllowed, Title: "Wrong method", Detail: "Use " + strings.ReplaceAll(methods, ", ", " or ") + "."})
}

func (s *Server) readiness(c *gin.Context) {
	detail := "The service is about to stop."
	if s.ready.Load() {
		if s.backend == nil || s.backend.check(c.Request.Context()) == nil {
			c.String(http.StatusOK, "ready\n")
			return
		}
		detail = "The server of the databases does not answer."
	}
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusServiceUnavailable, Title: "Not ready", Detail: detail})
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

// Listeners are where requests come from.
type Listeners struct {
	Main    net.Listener // for Handler
	Admin   net.Listener // for AdminHandler, or nil
	Control net.Listener // for ControlHandler, or nil
}

// Serve answers requests on the listeners until ctx ends. Then it takes no new
// ones, finishes those in flight within the grace period, and returns. The
// admin listener answers until the main one is done.
func (s *Server) Serve(ctx context.Context, on Listeners, grace time.Duration) error {
	failed := make(chan error, 3)
	main := s.start(on.Main, s.engine, s.opts.MaxConnections, func(open int64) {
		s.open.Store(open)
		s.connected.is(open)
	}, failed)
	servers := []*http.Server{main}
	const few = 64
	if on.Control != nil {
		servers = append(servers, s.start(on.Control, s.ControlHandler(IsLoopback(on.Control.Addr().String())), s.opts.MaxConnections, func(int64) {}, failed))
	}
	if on.Admin != nil {
		servers = append(servers, s.start(on.Admin, s.AdminHandler(), few, func(int64) {}, failed))
	}
	select {
	case err := <-failed:
		for _, server := range servers {
			err = errors.Join(err, server.Close())
		}
		return err
	case <-ctx.Done():
	}
	s.ready.Store(false)
	s.api.Stop()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	var errs []error
	for _, server := range servers {
		if err := server.Shutdown(stop); err != nil {
			errs = append(errs, errors.New("requests in flight did not finish in time"), err, server.Close())
		}
	}
	return errors.Join(errs...)
}

// start serves a listener. What ends it before its time goes to failed.
func (s *Server) start(l net.Listener, h http.Handler, limit int, changed func(int64), failed chan<- error) *http.Server {
	server := NewHTTPServer(h, max(s.opts.Wait+s.opts.Timeout, s.live.env.Limits().Longest()))
	server.IdleTimeout = s.opts.IdleTimeout
	bounded := newConnections(l, limit, &s.refused, changed)
	server.ConnState = bounded.state
	go func() { failed <- server.Serve(bounded) }()
	return server
}
