package sessions

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/rest"
)

// fail answers with what an error is to a client.
func (a *API) fail(c *gin.Context, err error) {
	var (
		none  *episode.NoTaskError
		ended *episode.EndedError
		taken *episode.DuplicateIDError
		id    *episode.IDError
		named *badTask
		full  *episode.CapacityError
		lost  *episode.FailedError
	)
	switch {
	case errors.As(err, &none):
		problem(c, http.StatusNotFound, "No such task", err.Error())
	case errors.As(err, &ended):
		problem(c, http.StatusNotFound, "No such session", err.Error())
	case errors.As(err, &taken), errors.Is(err, episode.ErrNoGold):
		problem(c, http.StatusConflict, "Conflict", err.Error())
	case errors.As(err, &id), errors.As(err, &named):
		bad(c, err.Error())
	case errors.As(err, &full):
		c.Header("Retry-After", "1")
		problem(c, http.StatusServiceUnavailable, "Too busy", err.Error())
	case errors.As(err, &lost) && c.Request.Context().Err() == nil:
		if lost.Failure == episode.Broken {
			a.opts.Failed(c.Request, lost.Err)
		}
		if lost.Failure != episode.Limited { // which no second try mends
			c.Header("Retry-After", "1")
		}
		problem(c, http.StatusServiceUnavailable, titles[lost.Failure], err.Error())
	default:
		a.opts.Fail(c.Writer, c.Request, err)
	}
}

// titles of problems say what failed of the service.
var titles = map[episode.Failure]string{
	episode.OutOfTime: "Out of time", episode.Busy: "Too busy", episode.Unavailable: "No data now",
	episode.Limited: "Too large", episode.Left: "No answer", episode.Broken: "The service failed",
}

func bad(c *gin.Context, detail string) { problem(c, http.StatusBadRequest, "Bad request", detail) }

func problem(c *gin.Context, status int, title, detail string) {
	rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: status, Title: title, Detail: detail})
}
