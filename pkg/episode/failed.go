package episode

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Failure is the kind of a failure of the service, as a word for programs.
type Failure string

// The kinds of failures.
const (
	OutOfTime   Failure = "out_of_time"    // a call, or a query of it, took longer than it may
	Busy        Failure = "busy"           // other calls took all turns, connections or memory
	Unavailable Failure = "unavailable"    // a database or an API cannot be reached, or another program writes to it
	Limited     Failure = "limits"         // the question needs more than the limits of the service allow
	Left        Failure = "client_left"    // the client closed the connection before the call was answered
	Broken      Failure = "service_failed" // anything else
)

// FailedError says that the service failed, which is no mistake of the agent. The same
// request may do better later.
type FailedError struct {
	Failure Failure
	What    string // what failed: a tool's name, or such as "the score"
	Reason  string // why, and what to do, in words that an agent may see
	Err     error  // the same for those who run the service, or nil
}

// Error says what failed, why, and what to do.
func (e *FailedError) Error() string { return e.What + ": " + e.Reason }

// Unwrap returns Err.
func (e *FailedError) Unwrap() error { return e.Err }

// failure returns what an error of work that was begun is, nil for a mistake of the
// agent. ctx is that of the client, and bound the one that the work had.
func failure(ctx, bound context.Context, what, late string, err error) *FailedError {
	const again = "; try the same again"
	failed, refused, memory := (*FailedError)(nil), (*rest.Refused)(nil), (*memoryError)(nil)
	switch {
	case errors.As(err, &failed):
		return failed
	case ctx.Err() != nil:
		return &FailedError{Left, what, "the client left before the answer" + again, ctx.Err()}
	case bound.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		return &FailedError{OutOfTime, what, late, err}
	case errors.As(err, &refused) && refused.Problem.Status >= http.StatusInternalServerError:
		return &FailedError{failureOf(refused.Problem.Status), what, strings.ToLower(refused.Problem.Title[:1]) + refused.Problem.Title[1:] + again, err}
	case errors.As(err, &memory) && memory.all:
		return &FailedError{Busy, what, memory.Error(), err}
	case isRecoverable(err):
		return nil
	case errors.Is(err, engine.ErrBusy), errors.Is(err, engine.ErrMemory):
		return &FailedError{Busy, what, "other requests take all there is" + again, err}
	case errors.Is(err, engine.ErrWriting):
		return &FailedError{Unavailable, what, "another program is writing to the database" + again, err}
	case errors.Is(err, engine.ErrUnavailable), errors.Is(err, engine.ErrAPI):
		return &FailedError{Unavailable, what, "the database or an API does not answer" + again, err}
	}
	return &FailedError{Broken, what, "the service failed; try the same again later, and report it if it goes on", err}
}

// failureOf returns the kind of failure that an endpoint answers with a status.
func failureOf(status int) Failure {
	switch status {
	case http.StatusGatewayTimeout:
		return OutOfTime
	case http.StatusServiceUnavailable:
		return Busy
	case http.StatusBadGateway:
		return Unavailable
	}
	return Broken
}

// isRecoverable reports whether an error is for the agent, who can call otherwise.
func isRecoverable(err error) bool {
	var (
		wrong   *tools.ToolError
		refused *rest.Refused
	)
	if errors.As(err, &refused) {
		return refused.Problem.Status < http.StatusInternalServerError
	}
	return errors.As(err, &wrong) || isLimit(err)
}

// isLimit reports whether a call met a limit of size, which other calls may not.
func isLimit(err error) bool {
	var (
		limit   *tools.LimitError
		memory  *memoryError
		refused *rest.Refused
	)
	if errors.As(err, &refused) {
		return refused.Problem.Status == http.StatusUnprocessableEntity
	}
	return errors.As(err, &limit) || errors.As(err, &memory)
}

// lost is a call at which the service failed.
type lost struct {
	call tools.Call
	why  *FailedError
}

// lose notes that the service failed at a call.
func (e *Episode) lose(c tools.Call, why *FailedError) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !slices.ContainsFunc(e.lost, func(l lost) bool { return sameCall(l.call, c) }) {
		e.lost = append(e.lost, lost{c, why})
	}
}

// recover notes that a call was answered: that the service failed at it before does
// not matter any more.
func (e *Episode) recover(c tools.Call) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lost = slices.DeleteFunc(e.lost, func(l lost) bool { return sameCall(l.call, c) })
}

// sameCall reports whether two calls are of one tool with the same arguments, in
// whatever order. Labels do not count.
func sameCall(a, b tools.Call) bool {
	return a.Name == b.Name && len(a.Arguments) == len(b.Arguments) && !slices.ContainsFunc(a.Arguments, func(one tools.Argument) bool {
		other, ok := b.Arguments.Get(one.Name)
		return !ok || !reflect.DeepEqual(one.Value, other)
	})
}

// unscorable returns why a session without the right answer has no score, or nil if
// it has one: the service failed at a call that was not answered since, or the gold
// calls themselves need more than its limits allow.
func (e *Episode) unscorable() *FailedError {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.lost) > 0 {
		first := e.lost[0]
		return &FailedError{first.why.Failure, scoring, fmt.Sprintf("the service failed at a call (%s), which was not made again until it was answered; make it again, or leave the session out", first.why), first.why.Err}
	}
	gold := e.task.sample.Listed
	limited := slices.ContainsFunc(e.steps, func(s step) bool {
		return s.limited && slices.ContainsFunc(gold, func(c tools.Call) bool { return sameCall(c, s.call) })
	})
	if limited || len(gold) > e.env.limits.Calls {
		return &FailedError{Limited, scoring, "the gold calls need more than the limits of the service allow; raise them, or leave the question out", nil}
	}
	return nil
}

// scoring is what fails where a session cannot be scored.
const scoring = "the score"
