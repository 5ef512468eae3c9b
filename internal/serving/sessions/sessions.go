package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/evaluation/calltext"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Options of New.
type Options struct {
	// URL is how clients reach the service, for the addresses in answers; "" takes
	// the Host of each request.
	URL string
	// Fail answers a request that failed for a reason of the service's own.
	Fail func(w http.ResponseWriter, r *http.Request, err error)
	// Send sends the answer of a query, or fails where there is no room for it now.
	Send func(w http.ResponseWriter, r *http.Request, body []byte) error
	// MaxRows and MaxBytes bound the answer of a query.
	MaxRows, MaxBytes int
	// Failed is called with such a failure where the answer does not say so.
	Failed func(r *http.Request, err error)
	// Warn is called with what is probably a mistake in a request that is answered.
	Warn func(r *http.Request, text string)
}

// API answers the requests. Make it with New.
type API struct {
	env  *episode.Environment
	opts Options
}

// New returns the interface of an environment's episodes.
func New(env *episode.Environment, o Options) *API { return &API{env: env, opts: o} }

// Agent adds the routes that an agent may reach.
func (a *API) Agent(g gin.IRoutes) {
	g.POST("/v1/sessions", a.open)
	g.GET("/v1/sessions/:id", a.show)
	g.DELETE("/v1/sessions/:id", a.end)
	g.POST("/v1/sessions/:id/calls", a.call)
	g.POST("/seed_session", a.seed)
	g.POST("/v1/query/:db", a.query)
	g.GET("/v1/query/:db", a.describeQuery)
}

// Control adds the routes that show gold.
func (a *API) Control(g gin.IRoutes) {
	g.POST("/v1/sessions/:id/score", a.score)
	g.GET("/v1/tasks", a.tasks)
	g.POST("/verify", a.verify)
}

// subject is what a session is to be about.
type subject struct {
	Variant string   `json:"variant"`
	DB      string   `json:"db"`
	Sample  *bird.ID `json:"sample_id"`
	Tables  []string `json:"tables"`
	ID      string   `json:"id"`
	Format  string   `json:"format"`
	Listing string   `json:"tools"`
}

// The ways in which a session has its tools.
const (
	listAll      = "list"
	listBySearch = "search"
)

// session describes a session in answers.
type session struct {
	ID             string                 `json:"id"`
	Variant        string                 `json:"variant"`
	DB             string                 `json:"db"`
	Sample         *bird.ID               `json:"sample_id,omitempty"`
	Question       string                 `json:"question,omitempty"`
	Evidence       string                 `json:"evidence,omitempty"`
	Now            string                 `json:"now,omitempty"`
	System         string                 `json:"system,omitempty"`
	StartingTables []record.StartingTable `json:"starting_tables,omitempty"`
	MCP            string                 `json:"mcp_url"`
	Calls          string                 `json:"calls_url"`
	IdleSeconds    int                    `json:"idle_seconds"`
	Tools          []any                  `json:"tools"`
}

// open begins a session.
func (a *API) open(c *gin.Context) {
	var about subject
	if !onlyTakes(c) || !a.readOwn(c, &about) {
		return
	}
	if about.DB == "" {
		bad(c, `db: give the database, such as {"db": "`+a.env.Dataset().Databases[0].ID+`"}.`)
		return
	}
	if about.Variant == "" {
		about.Variant = a.defaultVariant()
	}
	format, ok := a.format(c, about.Format)
	if !ok {
		return
	}
	if about.Listing != "" && about.Listing != listAll && about.Listing != listBySearch {
		bad(c, fmt.Sprintf("tools: use %s or %s.", listAll, listBySearch))
		return
	}
	var task *episode.Task
	var err error
	switch {
	case about.Sample != nil && len(about.Tables) > 0:
		bad(c, "Give sample_id or tables, not both: the tables of a sample are its own.")
		return
	case about.Sample != nil:
		task, err = a.env.Task(c.Request.Context(), about.Variant, about.DB, about.Sample.String())
	default:
		task, err = a.env.Tables(c.Request.Context(), about.Variant, about.DB, about.Tables...)
	}
	if err != nil {
		a.fail(c, err)
		return
	}
	if about.Listing == listBySearch {
		task = task.Searched(format)
	}
	e, err := a.env.Open(c.Request.Context(), task, about.ID)
	if err != nil {
		a.fail(c, err)
		return
	}
	c.Header("Location", "/v1/sessions/"+e.ID())
	a.answerWith(c, http.StatusCreated, e, format)
}

// defaultVariant is the variant of requests that name none.
func (a *API) defaultVariant() string { return a.env.Variants()[0] }

// show answers with an open session again.
func (a *API) show(c *gin.Context) {
	if !onlyTakes(c, paramFormat) {
		return
	}
	format, ok := a.format(c, c.Query(paramFormat))
	if !ok {
		return
	}
	e, ok := a.session(c)
	if !ok {
		return
	}
	if own := e.Task().Search; own != "" && c.Query(paramFormat) == "" {
		format = own
	}
	a.answerWith(c, http.StatusOK, e, format)
}

// answerWith answers with a session.
func (a *API) answerWith(c *gin.Context, status int, e *episode.Episode, format spec.Format) {
	t := e.Task()
	list, err := t.Listed(format)
	if err != nil {
		a.fail(c, err)
		return
	}
	base := a.base(c.Request)
	out := session{
		ID: e.ID(), Variant: t.Variant, DB: t.DB, Question: t.Question, Evidence: t.Evidence, Now: t.Now, System: t.System,
		StartingTables: t.StartingTables(), Tools: list, IdleSeconds: int(a.env.Limits().Idle.Seconds()),
		MCP: base + "/mcp/s/" + e.ID(), Calls: base + "/v1/sessions/" + e.ID() + "/calls",
	}
	if t.Question != "" {
		out.Sample = &t.ID
	}
	a.answer(c, status, out)
}

// base returns how the client reaches the service.
func (a *API) base(r *http.Request) string {
	if a.opts.URL != "" {
		return strings.TrimSuffix(a.opts.URL, "/")
	}
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil {
		u.Scheme = "https"
	}
	return u.String()
}

// end ends a session.
func (a *API) end(c *gin.Context) {
	if !onlyTakes(c) {
		return
	}
	if e, ok := a.session(c); ok {
		e.End()
		c.Status(http.StatusNoContent)
	}
}

// call runs one call of a session.
func (a *API) call(c *gin.Context) {
	if !onlyTakes(c) {
		return
	}
	e, ok := a.session(c)
	if !ok {
		return
	}
	var body struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Label     string          `json:"label"`
	}
	if !a.readOwn(c, &body) {
		return
	}
	seen, err := a.run(c.Request.Context(), e, tools.Call{Name: body.Name, Label: body.Label}, body.Arguments)
	if err != nil {
		a.fail(c, err)
		return
	}
	a.answer(c, http.StatusOK, seen)
}

// run runs a call with arguments that are yet to be read. The model that wrote them
// can mend them.
func (a *API) run(ctx context.Context, e *episode.Episode, call tools.Call, text json.RawMessage) (seen *observation.Observation, err error) {
	if call.Arguments, err = argumentsOf(text); err != nil {
		return e.Refuse(ctx, call.Name, &tools.ToolError{Tool: call.Name, Reason: "the arguments are no JSON object: " + err.Error(), Hint: `write {"name": value, ...}`})
	}
	return e.Call(ctx, call)
}

// argumentsOf reads arguments: an object, or a text that has one, as OpenAI's
// interface gives it.
func argumentsOf(text json.RawMessage) (tools.Arguments, error) {
	var inner string
	if json.Unmarshal(text, &inner) == nil {
		return calltext.ParseArguments(inner)
	}
	return calltext.ParseArguments(string(text))
}

// score scores a session.
func (a *API) score(c *gin.Context) {
	if !onlyTakes(c) || !a.readOwn(c, &struct{}{}) {
		return
	}
	e, ok := a.session(c)
	if !ok {
		return
	}
	score, err := e.Score(c.Request.Context())
	if err != nil {
		a.fail(c, err)
		return
	}
	a.answer(c, http.StatusOK, score)
}

// session returns the open session that the path names, or answers that there is
// none.
func (a *API) session(c *gin.Context) (*episode.Episode, bool) {
	e, err := a.env.Episode(c.Param("id"))
	if err != nil {
		a.fail(c, err)
	}
	return e, err == nil
}

// format returns the format of tools that a client asks for, or answers that there
// is none of the name.
func (a *API) format(c *gin.Context, name string) (spec.Format, bool) {
	if name == "" {
		return spec.OpenAI, true
	}
	format, err := spec.Parse(name)
	if err != nil {
		bad(c, err.Error())
	}
	return format, err == nil
}

// answer writes JSON.
func (a *API) answer(c *gin.Context, status int, v any) {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		a.fail(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Data(status, "application/json; charset=utf-8", append(text, '\n'))
}
