package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/rest"
)

// findPath is where questions are looked into.
const findPath = "/v1/find"

// FindOptions have GET /v1/find answered.
type FindOptions struct {
	// Index is the folder of the index: find.Options.Dir. Hidden and Embedder are those
	// of find.Options.
	Index    string
	Hidden   []string
	Embedder find.Embedder
}

// finder answers what a question is about.
type finder struct {
	index atomic.Pointer[find.Index] // nil until it is built
	api   *rest.API
	stop  context.CancelFunc // ends the building
	built sync.WaitGroup

	mu     sync.Mutex
	states map[string]*state // of the databases, by their ids
}

// state is what is known of whether a database is as it was when it was indexed.
type state struct {
	version string
	changed bool
	looked  time.Time
}

// openFinder returns the finder of the options, or nil without one. The index of files is
// there when it returns. That of a server, which is read anew with each start, is built
// meanwhile, and ready is called with it: the server may be slow, or unavailable.
func (s *Server) openFinder(ctx context.Context, ready func(*find.Index)) (*finder, error) {
	o := s.opts.Find
	if o == nil {
		return nil, nil
	}
	f := &finder{api: s.api, states: map[string]*state{}, stop: func() {}}
	if s.opts.Source == "" {
		x, err := s.buildIndex(ctx, f)
		if err == nil {
			f.index.Store(x)
			ready(x)
		}
		return f, err
	}
	if err := find.CheckHidden(ctx, s.opts.Dataset, s.findOptions()); err != nil {
		return nil, err
	}
	building, stop := context.WithCancel(context.WithoutCancel(ctx))
	f.stop = stop
	f.built.Go(func() {
		for pause := time.Second; ; pause = min(2*pause, time.Minute) {
			x, err := s.buildIndex(building, f)
			switch {
			case err == nil:
				f.index.Store(x)
				ready(x)
				return
			case building.Err() != nil:
				return
			}
			s.opts.Logger.Warn("the index of the databases cannot be built; it is tried again", "error", err)
			select {
			case <-building.Done():
				return
			case <-time.After(pause):
			}
		}
	})
	return f, nil
}

// close ends the building of the index.
func (f *finder) close() {
	if f != nil {
		f.stop()
		f.built.Wait()
	}
}

// buildIndex opens the index.
func (s *Server) buildIndex(ctx context.Context, f *finder) (*find.Index, error) {
	for _, db := range s.api.Databases {
		v, err := s.api.Version(ctx, db.ID)
		if err != nil {
			return nil, err
		}
		f.mu.Lock()
		f.states[db.ID] = &state{version: v}
		f.mu.Unlock()
	}
	tools, err := find.Endpoints(ctx, s.api)
	if err != nil {
		return nil, err
	}
	o := s.findOptions()
	o.Tools = tools
	return find.Open(ctx, s.opts.Dataset, o)
}

// findOptions returns the options of the index, without tools.
func (s *Server) findOptions() find.Options {
	o := s.opts.Find
	return find.Options{
		Hidden: o.Hidden, Source: s.opts.Source, AllowWriter: s.opts.AllowWriter, Dir: o.Index, Embedder: o.Embedder,
		Warn: func(text string) { s.opts.Logger.Warn("the index of the databases", "warning", text) },
	}
}

// found is an answer of /v1/find.
type found struct {
	*find.Result
	// Stale are the databases among those found that were written to since they were
	// indexed. What is said of their values may be out of date.
	Stale []string `json:"stale,omitempty"`
}

// find answers GET /v1/find.
func (s *Server) find(c *gin.Context) {
	q, problems := s.readQuery(c.Request.URL.RawQuery)
	if len(problems) > 0 {
		rest.WriteProblem(c.Writer, c.Request, &rest.Problem{
			Status: http.StatusBadRequest, Title: "Bad parameter", Errors: problems,
			Detail: fmt.Sprintf("%s: %s; %s.", problems[0].Parameter, problems[0].Reason, problems[0].Hint),
		})
		return
	}
	index := s.finder.index.Load()
	if index == nil {
		refuse(c, http.StatusServiceUnavailable, time.Second, "Not ready", "The values of the databases are being read; try again after the time in Retry-After.")
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.opts.Timeout)
	defer cancel()
	result, err := index.Find(ctx, q)
	var text []byte
	if err == nil {
		text, err = jsontext.Marshal(found{result, s.finder.stale(ctx, result)}, "")
	}
	if err != nil {
		if s.opts.Find.Embedder != nil { // nothing else fails but the time
			err = fmt.Errorf("%w: %w", engine.ErrAPI, err)
		}
		s.service.Fail(c.Writer, c.Request, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Content-Type", "application/json; charset=utf-8")
	s.service.Send(c.Writer, c.Request, append(text, '\n'))
}

// stale returns the databases of a result that are not known to be as they were.
func (f *finder) stale(ctx context.Context, r *find.Result) []string {
	var dbs []string
	for _, hits := range [][]find.Hit{r.Databases, r.Tables, r.Columns} {
		for _, h := range hits {
			dbs = append(dbs, h.DB)
		}
	}
	for _, h := range r.Values {
		dbs = append(dbs, h.DB)
	}
	slices.Sort(dbs)
	return slices.DeleteFunc(slices.Compact(dbs), func(db string) bool { return !f.hasChanged(ctx, db) })
}

// hasChanged looks at a database once in a while, as that is a query where it is on a
// server.
func (f *finder) hasChanged(ctx context.Context, db string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	one := f.states[db]
	if one == nil || one.changed || time.Since(one.looked) < freshness {
		return one != nil && one.changed
	}
	v, err := f.api.Version(ctx, db)
	if err != nil {
		return true // it is being written to, or unavailable
	}
	one.looked, one.changed = time.Now(), v != one.version
	return one.changed
}

// readQuery reads the parameters of a request, and what is wrong with them.
func (s *Server) readQuery(raw string) (q find.Query, problems []rest.ParamProblem) {
	wrong := func(name, reason, hint string) {
		const enough = 20
		if len(problems) < enough {
			problems = append(problems, rest.ParamProblem{Parameter: name, Reason: reason, Hint: hint})
		}
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		wrong("q", "the query has a broken escape", "write a percent sign as %25")
		return q, problems
	}
	names := []string{"q", "evidence", "db", "kinds", "k"}
	for name := range values {
		if !slices.Contains(names, name) {
			wrong(strings.ToValidUTF8(name[:min(len(name), 64)], "?"), "there is no such parameter", "use "+strings.Join(names, ", "))
		}
	}
	slices.SortFunc(problems, func(a, b rest.ParamProblem) int { return strings.Compare(a.Parameter, b.Parameter) })
	one := func(name string) string {
		if len(values[name]) > 1 {
			wrong(name, "it is given more than once", "give it once")
		}
		return values.Get(name)
	}
	q = find.Query{Text: one("q"), Evidence: one("evidence"), DB: one("db")}
	if strings.TrimSpace(q.Text) == "" {
		wrong("q", "it is missing", "give the question")
	}
	if n := len(q.Text) + len(q.Evidence); n > find.MaxText {
		wrong("q", fmt.Sprintf("it has %d bytes, with evidence", n), fmt.Sprintf("give at most %d", find.MaxText))
	}
	if q.DB != "" && s.api.Database(q.DB) == nil {
		wrong("db", "there is no such database", "the first hits without it name databases")
	}
	for _, list := range values["kinds"] {
		for k := range strings.SplitSeq(list, ",") {
			if !slices.Contains(find.Kinds(), find.Kind(k)) {
				wrong("kinds", "one is unknown", "use "+kinds()+", separated by commas")
				break
			}
			q.Kinds = append(q.Kinds, find.Kind(k))
		}
	}
	if text := one("k"); values.Has("k") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > find.MaxK {
			wrong("k", "it is out of range", fmt.Sprintf("give a number from 1 to %d", find.MaxK))
		}
		q.K = n
	}
	return q, problems
}

// kinds lists what can be looked for.
func kinds() string {
	var names []string
	for _, k := range find.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
