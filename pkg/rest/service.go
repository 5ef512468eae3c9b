package rest

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/bird"
)

// ServiceOptions adjust NewService. A zero field means its default.
type ServiceOptions struct {
	MaxRows  int           // of one answer; default DefaultMaxRows
	MaxBytes int           // of one answer before compression; default DefaultMaxBytes
	AsOf     time.Time     // what stands for the clock; default bird.DefaultAsOf
	Clock    bool          // take the real clock instead
	Retry    time.Duration // what an overloaded service asks clients to wait; default 1 s
	// Memory bounds the bytes of all answers that are being made or sent at a
	// time, but for the first 64 KiB of each; default: no bound.
	Memory int64
	// Held is called, if not nil, with the number of these bytes whenever it
	// changes. Several goroutines may call it at once.
	Held func(bytes int64)
	// Failed is called, if not nil, for every failure of the service itself, with
	// the error that the client does not see.
	Failed func(*http.Request, error)
}

// Service answers requests to the endpoints of an API.
type Service struct {
	api      *API
	opts     ServiceOptions
	version  uint64 // of data that do not change and the options, for ETag
	memory   memory
	work     sync.Pool
	zip      sync.Pool
	zipping  chan struct{}    // holds one element for each compressor at work
	verified *verifiedAnswers // of a converter; nil for a service
}

// form distinguishes answers of this version of the program from those of others, which
// write the same rows differently.
const form = "2 "

// NewService returns a service for the endpoints of an API.
func NewService(api *API, opts ServiceOptions) *Service {
	s := &Service{api: api, opts: ServiceOptions{
		MaxRows:  cmp.Or(opts.MaxRows, DefaultMaxRows),
		MaxBytes: cmp.Or(opts.MaxBytes, DefaultMaxBytes),
		AsOf:     opts.AsOf,
		Clock:    opts.Clock,
		Retry:    cmp.Or(opts.Retry, time.Second),
		Failed:   opts.Failed,
	}}
	s.memory.maxBytes, s.memory.changed = opts.Memory, opts.Held
	s.zipping = make(chan struct{}, runtime.GOMAXPROCS(0))
	if s.opts.AsOf.IsZero() {
		s.opts.AsOf = bird.DefaultAsOf
	}
	h := fnv.New64a()
	for _, d := range api.Databases {
		fmt.Fprintf(h, "%s %s\n", d.ID, d.db.Fingerprint())
	}
	fmt.Fprint(h, form, s.opts.MaxRows, s.opts.MaxBytes, s.opts.AsOf)
	s.version = h.Sum64()
	s.work.New = func() any { return &request{} }
	s.zip.New = func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
		return w
	}
	return s
}

// MaxRows returns the greatest number of rows of an answer.
func (s *Service) MaxRows() int { return s.opts.MaxRows }

// Methods are those that are answered. HEAD gets what GET does, but for the body
// (RFC 9110, section 9.3.2), which net/http leaves out.
var Methods = []string{http.MethodGet, http.MethodHead}

// route is an endpoint with the parts that all its answers have.
type route struct {
	*Endpoint
	db     *Database
	keys   []string // before each value of a JSON object
	header string   // of CSV
}

func newRoute(d *Database, e *Endpoint) *route {
	return &route{Endpoint: e, db: d, keys: rowKeys(e.Columns), header: csvHeader(e.Columns)}
}

// routes returns a route for every endpoint of questions.
func (s *Service) routes() []*route {
	var all []*route
	for _, d := range s.api.Databases {
		for _, e := range d.Endpoints {
			all = append(all, newRoute(d, e))
		}
	}
	return all
}

// Register adds the endpoints to a router of gin, or to a group of it. A group's
// prefix comes before the paths of the endpoints; DocumentOptions.Server says it to
// clients.
func (s *Service) Register(r gin.IRoutes) {
	for _, to := range s.routes() {
		r.Match(Methods, to.Path, func(c *gin.Context) { s.serve(c.Writer, c.Request, to) })
	}
	s.registerTables(r)
}

// Handler returns the endpoints as an http.Handler. Other paths are answered
// with 404, other methods with 405.
func (s *Service) Handler() http.Handler {
	routes := map[string]http.HandlerFunc{}
	for _, to := range s.routes() {
		routes[to.Path] = func(w http.ResponseWriter, req *http.Request) { s.serve(w, req, to) }
	}
	tables := map[string]*tableRoutes{}
	for _, to := range s.tableRoutes() {
		routes[to.path] = func(w http.ResponseWriter, req *http.Request) { s.serveList(w, req, to) }
		tables[to.path] = to
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		handler := routes[req.URL.Path]
		if handler == nil {
			if to, name := tableOf(tables, s.api.tablesPrefix, req.URL.Path); to != nil {
				handler = func(w http.ResponseWriter, req *http.Request) { s.serveTable(w, req, to, name) }
			}
		}
		switch {
		case handler == nil:
			NotFound(w, req)
		case !slices.Contains(Methods, req.Method):
			NotAllowed(w, req)
		default:
			handler(w, req)
		}
	})
}

// vary says what an answer depends on besides its path.
func vary(header http.Header) {
	if len(header["Vary"]) == 0 {
		header["Vary"] = varies
	} else {
		header.Add("Vary", varies[0])
	}
}

// serve answers one request to an endpoint.
func (s *Service) serve(w http.ResponseWriter, req *http.Request, to *route) {
	as, ok := negotiate(req.Header["Accept"])
	if !ok {
		WriteProblem(w, req, &Problem{Status: http.StatusNotAcceptable, Title: "No such format",
			Detail: "Ask for one of " + strings.Join(mediaTypes[:], ", ") + " in the Accept header."})
		return
	}
	header := w.Header()
	vary(header)
	r := s.work.Get().(*request)
	defer s.done(r)
	r.parse(to.Endpoint, req.URL.RawQuery, s.opts.MaxRows)
	if len(r.problems) > 0 {
		WriteProblem(w, req, &Problem{Status: http.StatusBadRequest, Title: "Bad parameter",
			Detail: r.problems[0].Parameter + ": " + r.problems[0].Reason + "; " + r.problems[0].Hint + ".", Errors: r.problems})
		return
	}
	now := s.opts.AsOf
	if s.opts.Clock {
		now = time.Now()
	}
	isTagged := !s.opts.Clock || !to.clock
	// A view may read the clock, so that its data change on their own.
	isLive := to.db.db.IsLive() || to.table != nil && to.table.info.View
	switch {
	case !isTagged:
		header["Cache-Control"] = noStore
	case !isLive && isKnown(w, req, s.tag(req.URL.Path, req.URL.RawQuery, as)):
		return
	}
	r.bind(to.Endpoint, now)
	cut, err := s.answer(req.Context(), to, r, as)
	switch {
	case err != nil:
		s.Fail(w, req, err)
		return
	case isTagged && isLive && isKnown(w, req, quote(xxhash.Sum64(r.body)^uint64(as))):
		return
	}
	if cut != "" {
		header.Set("X-Truncated", cut)
	}
	header["Content-Type"] = contentTypeHeaders[as]
	s.finish(w, req, r)
}

// done keeps a request's buffers for later ones, unless they are large.
func (s *Service) done(r *request) {
	r.body, r.packed, r.answer = kept(r.body), kept(r.packed), answer{}
	s.memory.hold(&r.share, 0)
	s.work.Put(r)
}

var (
	varies             = []string{"Accept, Accept-Encoding"}
	noStore            = []string{"no-store"}
	contentTypeHeaders = [...][]string{{contentTypes[asJSON]}, {contentTypes[asNDJSON]}, {contentTypes[asCSV]}}
)
