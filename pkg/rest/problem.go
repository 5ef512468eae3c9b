package rest

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Problem is an error as a client sees it (RFC 9457). It never holds SQL,
// paths or messages of the database.
type Problem struct {
	Type     string         `json:"type"`
	Title    string         `json:"title"`
	Status   int            `json:"status"`
	Detail   string         `json:"detail,omitempty"`
	Instance string         `json:"instance,omitempty"`
	Request  string         `json:"request_id,omitempty"`
	Errors   []ParamProblem `json:"errors,omitempty"`
}

// RequestID is the header with the id under which a request is logged.
const RequestID = "X-Request-Id"

// WriteProblem answers a request with a problem; Type, Instance and Request
// are filled in.
func WriteProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	p.Type = "about:blank"
	p.Instance = r.URL.Path
	p.Request = w.Header().Get(RequestID)
	body, err := json.Marshal(p)
	if err != nil {
		body = []byte(`{"type":"about:blank","title":"The service failed","status":500}`)
	}
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	header.Del("Etag")
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // a client that is gone
}

// NotFound answers a request to a path that does not exist.
func NotFound(w http.ResponseWriter, r *http.Request) {
	WriteProblem(w, r, &Problem{Status: http.StatusNotFound, Title: "No such path", Detail: "There is nothing here."})
}

// NotAllowed answers a request with a method that is none of Methods.
func NotAllowed(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Allow", strings.Join(Methods, ", "))
	WriteProblem(w, r, &Problem{Status: http.StatusMethodNotAllowed, Title: "Wrong method", Detail: "Use " + strings.Join(Methods, " or ") + "."})
}
