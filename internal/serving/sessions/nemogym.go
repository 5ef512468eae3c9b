package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Where a request of NeMo Gym names its session: the header, or the cookie that
// /seed_session sets.
const (
	tokenHeader   = "X-NeMo-Gym-Session-Token"
	sessionCookie = "birdcall_session"
)

// The fields of a row that are read.
const (
	fieldTask     = "task_id"
	fieldResponse = "response"
)

// seed opens the session of a task.
func (a *API) seed(c *gin.Context) {
	var row tools.Arguments
	if !a.read(c, &row) {
		return
	}
	a.warnOfSlips(c, row, fieldTask)
	name, _ := row.Get(fieldTask)
	task, ok := name.(string)
	if !ok {
		a.fail(c, &badTask{})
		return
	}
	e, err := a.begin(c.Request.Context(), task, c.GetHeader(tokenHeader))
	if err != nil {
		a.fail(c, err)
		return
	}
	setCookie(c, e.ID())
	a.answer(c, http.StatusOK, struct {
		Session string `json:"session_id"`
	}{e.ID()})
}

// setCookie has a client name its session from now on.
func setCookie(c *gin.Context, id string) {
	http.SetCookie(c.Writer, &http.Cookie{Name: sessionCookie, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// badTask says that a text names no task.
type badTask struct{}

func (*badTask) Error() string {
	return "task_id: give it as the task list has it: variant/database/sample_id."
}

// begin opens an episode of a task by its name in the task list. Errors are a *badTask
// and those of the environment.
func (a *API) begin(ctx context.Context, name, id string) (*episode.Episode, error) {
	variant, rest, _ := strings.Cut(name, "/")
	at := strings.LastIndex(rest, "/")
	if at < 0 {
		return nil, &badTask{}
	}
	task, err := a.env.Task(ctx, variant, rest[:at], rest[at+1:])
	if err != nil {
		return nil, err
	}
	return a.env.Open(ctx, task, id)
}

// named returns the id of the session that a request names, or "".
func named(r *http.Request) string {
	if id := r.Header.Get(tokenHeader); id != "" {
		return id
	}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		return cookie.Value
	}
	return ""
}

// Tool answers POST /{tool}: the path is a tool, and the body its arguments. It is
// no route, as it would hide which paths there are, but for requests that no route
// answers. It reports whether the request is one, which it is if it names a session.
func (a *API) Tool(c *gin.Context) bool {
	name, id := strings.TrimPrefix(c.Request.URL.Path, "/"), named(c.Request)
	if c.Request.Method != http.MethodPost || id == "" || strings.Contains(name, "/") {
		return false
	}
	a.tool(c, id, name)
	return true
}

func (a *API) tool(c *gin.Context, id, name string) {
	e, err := a.env.Episode(id)
	if err != nil {
		a.fail(c, err)
		return
	}
	setCookie(c, id) // with each answer: agents of NeMo Gym send the cookies of the latest one
	var text json.RawMessage
	if !a.read(c, &text) {
		return
	}
	seen, err := a.run(c.Request.Context(), e, tools.Call{Name: name}, text)
	if failed := (*episode.FailedError)(nil); errors.As(err, &failed) {
		// Agents of NeMo Gym look at no status, and show the model whatever comes.
		seen, err = observation.OfError(failed), nil
	}
	if err != nil {
		a.fail(c, err)
		return
	}
	a.answer(c, http.StatusOK, seen)
}

// verify scores the session of a request or, without one, the calls in the response
// of the model, which are run now. It answers with the request's own fields, the
// reward and its components or, where the service failed, with the class of the
// failure, for which NeMo Gym runs the row again.
func (a *API) verify(c *gin.Context) {
	var whole tools.Arguments // keeps the order
	if !a.read(c, &whole) {
		return
	}
	a.warnOfSlips(c, whole, fieldTask, fieldResponse)
	var body struct {
		Task     string `json:"task_id"`
		Response struct {
			Output []item `json:"output"`
		} `json:"response"`
	}
	text, err := jsontext.Marshal(whole, "")
	if err == nil {
		err = json.Unmarshal(text, &body)
	}
	if err != nil {
		bad(c, "The body is not as NeMo Gym sends it: "+err.Error())
		return
	}
	score, err := a.judge(c.Request.Context(), named(c.Request), body.Task, body.Response.Output)
	class := classOf(err)
	switch {
	case err == nil:
		whole = whole.Set("reward", score.Reward).Set("reward_components", score.Components)
	case class == "" || c.Request.Context().Err() != nil:
		a.fail(c, err)
		return
	default:
		a.opts.Failed(c.Request, err)
		whole = whole.Set("reward", 0.0).Set(failureClass, class).Set("failure_reason", err.Error())
		if class == string(episode.Limited) {
			whole = whole.Set("_ng_failure_terminal", true)
		}
	}
	a.answer(c, http.StatusOK, whole)
}

// failureClass is the field by which NeMo Gym distinguishes a row that was not measured from
// one with the reward 0.
const failureClass = "_ng_failure_class"

// classOf returns the class of a failure that is not the request's, "" of one that is.
func classOf(err error) string {
	var (
		failed *episode.FailedError
		ended  *episode.EndedError
		full   *episode.CapacityError
		named  *badTask
		none   *episode.NoTaskError
	)
	switch {
	case err == nil, errors.As(err, &named), errors.As(err, &none), errors.Is(err, episode.ErrNoGold):
		return ""
	case errors.As(err, &failed):
		return string(failed.Failure)
	case errors.As(err, &ended):
		return "session_ended"
	case errors.As(err, &full):
		return string(episode.Busy)
	}
	return string(episode.Broken)
}

// item is a part of what a model wrote.
type item struct {
	Type      string `json:"type"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// judge scores a session, or the calls of what a model wrote in one of their own, and
// ends it.
func (a *API) judge(ctx context.Context, session, task string, output []item) (*episode.Score, error) {
	if session != "" {
		e, err := a.env.Episode(session)
		if err != nil {
			return nil, err
		}
		defer e.End()
		return e.Score(ctx)
	}
	e, err := a.begin(ctx, task, "")
	if err != nil {
		return nil, err
	}
	defer e.End()
	for _, item := range output {
		if item.Type != "function_call" {
			continue
		}
		if _, err := a.run(ctx, e, tools.Call{Name: item.Name}, json.RawMessage(item.Arguments)); err != nil {
			return nil, err
		}
	}
	return e.Score(ctx)
}
