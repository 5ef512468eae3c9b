package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// What an Error is, for errors.Is.
var (
	ErrRate      = errors.New("too many requests")                       // 429 to the end
	ErrServer    = errors.New("the server failed")                       // 5xx to the end
	ErrRefused   = errors.New("the request was refused")                 // any other status that is no success
	ErrNetwork   = errors.New("no whole response")                       // none, or a part of it, or too late
	ErrRedirect  = errors.New("redirect")                                // to another server, or without end
	ErrNotJSON   = errors.New("the response is not JSON")                // by its header
	ErrMalformed = errors.New("the response is not what it should be")   // by what reads it: see Malformed
	ErrTooLarge  = errors.New("the response is too large")               // see Options.MaxBody
	ErrPaging    = errors.New("the pages do not make one whole listing") // a loop, or pages missing or repeated
)

// Error is a call that failed, or a listing whose pages do not fit together. Its
// text is one line, without secrets. The end of the caller's context is an Error
// too, that wraps the context's.
type Error struct {
	API, Operation string
	Method, URL    string
	Status         int    // of the last attempt; 0 if there was no response
	Attempts       int    // requests that were sent, also those for other callers of a shared call
	Err            error  // what went wrong, and which of the kinds above it is
	Hint           string // what would mend it; may be ""
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.API != "" {
		b.WriteString(e.API + " ")
	}
	fmt.Fprintf(&b, "%s: %s %s: ", e.Operation, e.Method, e.URL)
	if e.Status != 0 {
		b.WriteString("status " + fmt.Sprint(e.Status))
		if text := http.StatusText(e.Status); text != "" {
			b.WriteString(" " + text)
		}
		b.WriteString(" ")
	}
	switch e.Attempts {
	case 0:
		b.WriteString("before it was sent")
	case 1:
		b.WriteString("after 1 attempt")
	default:
		fmt.Fprintf(&b, "after %d attempts", e.Attempts)
	}
	b.WriteString(": " + e.Err.Error())
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// Malformed says of a response's body that it is not what it should be, for
// instance that it ends too early. Such a call is tried again.
func Malformed(err error) error { return malformedError{err} }

type malformedError struct{ err error }

func (e malformedError) Error() string   { return ErrMalformed.Error() + ": " + e.err.Error() }
func (e malformedError) Unwrap() []error { return []error{ErrMalformed, e.err} }

// cleaned is an error with a text without secrets.
type cleaned struct {
	text string
	err  error
}

func (e cleaned) Error() string { return e.text }
func (e cleaned) Unwrap() error { return e.err }

// reason is a kind of error with what the server or the network said of it.
func reason(kind error, said string) error {
	if said == "" {
		return kind
	}
	return fmt.Errorf("%w: %s", kind, said)
}

// The hints that are given in more than one place.
const (
	hintRate      = "declare fewer calls per_second, or fewer concurrent ones"
	hintServer    = "the server's own log may say why; ask again when it works"
	hintMalformed = "compare the response with the document of the API"
	hintNotJSON   = "check that server and path are those of the API rather than of a page for people"
	hintPaging    = "check how the paging is declared; if the data changed while they were read, ask again"
)

// hintOf says what would mend a refusal.
func hintOf(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "check the auth of the API, and the variable that it comes from"
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return "check the server and the path of the operation"
	case http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge, http.StatusRequestEntityTooLarge:
		return "declare fewer values for one call"
	}
	return "check the parameters that the declaration has the call send"
}

// ended is the error of a call whose caller has gone.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("the caller's time is over: %w", ctx.Err())
	}
	return ctx.Err()
}
