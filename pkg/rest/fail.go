package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// StatusClientLeft is the status in logs and metrics of a request whose client
// closed the connection before it was answered. It is never sent.
const StatusClientLeft = 499

// Fail answers a request for which a database could not be read, and calls
// ServiceOptions.Failed unless the request itself is at fault.
func (s *Service) Fail(w http.ResponseWriter, req *http.Request, err error) {
	header := w.Header()
	delete(header, "Etag")
	header["Cache-Control"] = noStore
	p := &Problem{Status: http.StatusInternalServerError, Title: "The service failed", Detail: "Try again later, and report the request id if it goes on."}
	switch {
	case req.Context().Err() != nil:
		w.WriteHeader(StatusClientLeft) // no answer would be read
		return
	case errors.Is(err, engine.ErrSchema):
		p = &Problem{Status: http.StatusServiceUnavailable, Title: "Other tables", Detail: "The tables of the database are no longer those that the endpoint was made for. The service must be started again."}
	case errors.Is(err, engine.ErrWriting):
		s.later(header)
		p = &Problem{Status: http.StatusServiceUnavailable, Title: "Data in the making", Detail: "Another program is writing to the database or replacing it. Try again after the time in Retry-After."}
	case errors.Is(err, engine.ErrUnavailable):
		s.later(header)
		p = &Problem{Status: http.StatusServiceUnavailable, Title: "No database", Detail: "The database server does not answer. Try again after the time in Retry-After."}
	case errors.Is(err, engine.ErrAPI) && !errors.Is(err, context.DeadlineExceeded):
		s.later(header)
		p = &Problem{Status: http.StatusBadGateway, Title: "An API failed", Detail: "An API whose data the query reads does not answer as it should. Try again after the time in Retry-After."}
	case errors.Is(err, engine.ErrBusy), errors.Is(err, errMemory), errors.Is(err, engine.ErrMemory):
		s.later(header)
		p = &Problem{Status: http.StatusServiceUnavailable, Title: "Too busy", Detail: "Other requests take all there is. Try again after the time in Retry-After."}
	case errors.Is(err, context.DeadlineExceeded):
		p = &Problem{Status: http.StatusGatewayTimeout, Title: "Out of time", Detail: "The query takes longer than is allowed. Ask for less."}
	case errors.Is(err, engine.ErrTooLarge):
		p = &Problem{Status: http.StatusUnprocessableEntity, Title: "Too large", Detail: "A value of the answer is larger than is allowed. Ask for less."}
	case errors.Is(err, engine.ErrComputation):
		p = &Problem{Status: http.StatusUnprocessableEntity, Title: "Not computable", Detail: "With these values the query cannot be computed, for example because a number gets too large. Use other values."}
		if s.api.source != nil {
			p.Detail = "With these values the query cannot be computed, for example because a text is no date, or no value of the column's type. Use other values."
		}
	}
	if p.Status >= 500 && s.opts.Failed != nil {
		s.opts.Failed(req, err)
	}
	WriteProblem(w, req, p)
}

// isPassing reports whether a failure says nothing about the request, so that
// another attempt may not meet it.
func isPassing(err error) bool {
	return errors.Is(err, engine.ErrWriting) || errors.Is(err, engine.ErrUnavailable)
}

// later asks a client to come again.
func (s *Service) later(header http.Header) {
	header.Set("Retry-After", strconv.Itoa(int(max(s.opts.Retry.Seconds(), 1))))
}
