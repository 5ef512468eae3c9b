package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Data returns the handler of the page's data, under /explorer/data/.
func (x *Explorer) Data() http.Handler {
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request) (any, error){
		"GET /explorer/data/dataset":     x.dataset,
		"GET /explorer/data/questions":   x.questionList,
		"GET /explorer/data/question":    x.question,
		"GET /explorer/data/sample":      x.sample,
		"POST /explorer/data/run":        x.run,
		"POST /explorer/data/table":      x.table,
		"GET /explorer/data/tools":       x.tools,
		"GET /explorer/data/endpoints":   x.endpoints,
		"GET /explorer/data/coverage":    x.coverage,
		"GET /explorer/data/converted":   x.converted,
		"GET /explorer/data/evaluations": x.evaluations,
		"GET /explorer/data/evaluation":  x.evaluation,
		"GET /explorer/data/outcome":     x.outcome,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v, err := answer(r)
			if err != nil {
				x.fail(w, r, err)
				return
			}
			x.write(w, r, v)
		})
	}
	mux.HandleFunc("/", rest.NotFound)
	return mux
}

func (x *Explorer) write(w http.ResponseWriter, r *http.Request, v any) {
	text, err := jsontext.Marshal(v, "")
	if err != nil {
		x.fail(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	_, _ = w.Write(append(text, '\n')) // a client that is gone
}

// wrong is a request that asks for what is not there, or badly.
type wrong struct {
	status        int
	title, detail string
}

func (e *wrong) Error() string { return e.title + ": " + e.detail }

func missing(what, detail string) error {
	return &wrong{http.StatusNotFound, "No such " + what, detail}
}

// fail answers a request with what is wrong. What is the service's own failure is
// reported to Options.Failed and not to the client.
func (x *Explorer) fail(w http.ResponseWriter, r *http.Request, err error) {
	var bad *wrong
	var noTask *episode.NoTaskError
	var full *episode.CapacityError
	var failed *episode.FailedError
	var ended *episode.EndedError
	var atFault *tools.ToolError
	switch {
	case errors.As(err, &bad):
	case errors.As(err, &noTask):
		bad = &wrong{http.StatusNotFound, "No such sample", reason(noTask)}
	case errors.As(err, &full), errors.As(err, &ended), errors.As(err, &failed) && failed.Failure != episode.Broken:
		w.Header().Set("Retry-After", "5")
		bad = &wrong{http.StatusServiceUnavailable, "Too much at a time", "Other work took the place of this; try again."}
	case errors.As(err, &atFault):
		bad = &wrong{http.StatusUnprocessableEntity, "There is no such table", atFault.Error()}
	case errors.Is(err, context.DeadlineExceeded):
		bad = &wrong{http.StatusGatewayTimeout, "Too slow", "The calls were not finished within " + runTime.String() + "."}
	case errors.Is(err, context.Canceled) && r.Context().Err() != nil:
		bad = &wrong{rest.StatusClientLeft, "The client left", ""}
	default:
		if x.opts.Failed != nil {
			x.opts.Failed(r, err)
		}
		bad = &wrong{http.StatusInternalServerError, "The service failed", "Its log says why."}
	}
	rest.WriteProblem(w, r, &rest.Problem{Status: bad.status, Title: bad.title, Detail: bad.detail})
}

// maxBody is how many bytes a request may have.
const maxBody = 1 << 20

// read reads the JSON of a request. Its type must be JSON's, which another
// site's page cannot send without asking first.
func read(r *http.Request, into any) error {
	if r.Header.Get("Content-Type") != "application/json" {
		return &wrong{http.StatusUnsupportedMediaType, "No JSON", "Send application/json."}
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return &wrong{http.StatusBadRequest, "The request cannot be read", "Send it again."}
	}
	if len(text) > maxBody {
		return &wrong{http.StatusRequestEntityTooLarge, "The request is too large", "Send fewer or shorter calls."}
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &wrong{http.StatusBadRequest, "The request is not as it should be", err.Error() + "."}
	}
	return nil
}
