package sessions

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/jsontext"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Where a request of NeMo Gym names its session: the header, or the cookie that
// /seed_session sets.
const (
	tokenHeader   = "X-NeMo-Gym-Session-Token"
	sessionCookie = "birdcall_session"
)

// seeded names the task of a row of the task list.
type seeded struct {
	Task string `json:"task_id"`
}

// seed opens the session of a task.
func (a *API) seed(c *gin.Context) {
	var body seeded
	if !a.read(c, &body) {
		return
	}
	e, ok := a.begin(c, body.Task, c.GetHeader(tokenHeader))
	if !ok {
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

// begin opens an episode of a task by its name in the task list, or answers why
// there is none.
func (a *API) begin(c *gin.Context, name, id string) (*episode.Episode, bool) {
	variant, rest, _ := strings.Cut(name, "/")
	at := strings.LastIndex(rest, "/")
	if at < 0 {
		bad(c, "task_id: give it as the task list has it: variant/database/sample_id.")
		return nil, false
	}
	task, err := a.env.Task(c.Request.Context(), variant, rest[:at], rest[at+1:])
	if err != nil {
		a.fail(c, err)
		return nil, false
	}
	e, err := a.env.Open(c.Request.Context(), task, id)
	if err != nil {
		a.fail(c, err)
	}
	return e, err == nil
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
	seen, err := a.run(c, e, tools.Call{Name: name}, text)
	if err != nil {
		a.fail(c, err)
		return
	}
	a.answer(c, http.StatusOK, seen)
}

// verify scores the session of a request or, without one, the calls in the response
// of the model, which are run now. It answers with the request's own fields, the
// reward and its components.
func (a *API) verify(c *gin.Context) {
	var whole tools.Arguments // keeps the order
	if !a.read(c, &whole) {
		return
	}
	var body struct {
		seeded
		Response struct {
			Output []struct {
				Type      string `json:"type"`
				Name      string `json:"name"`
				Arguments string `json:"arguments"`
			} `json:"output"`
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
	var e *episode.Episode
	if id := named(c.Request); id != "" {
		if e, err = a.env.Episode(id); err != nil {
			a.fail(c, err)
			return
		}
	} else {
		var ok bool
		if e, ok = a.begin(c, body.Task, ""); !ok {
			return
		}
		for _, item := range body.Response.Output {
			if item.Type != "function_call" {
				continue
			}
			if _, err := a.run(c, e, tools.Call{Name: item.Name}, json.RawMessage(item.Arguments)); err != nil {
				e.End()
				a.fail(c, err)
				return
			}
		}
	}
	defer e.End()
	score, err := e.Score(c.Request.Context())
	if err != nil {
		a.fail(c, err)
		return
	}
	a.answer(c, http.StatusOK, whole.Set("reward", score.Reward).Set("reward_components", score.Components))
}
