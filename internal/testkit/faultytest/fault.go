package faultytest

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Fault is a way in which a call fails.
type Fault string

// The faults. What is said of pages holds for calls that ask for one.
const (
	None              Fault = ""
	RateLimited       Fault = "429 with Retry-After: 1"
	RateLimitedMinute Fault = "429 with Retry-After: 60"
	RateLimitedMore   Fault = "429 with Retry-After: 61"
	RateLimitedLong   Fault = "429 with Retry-After: 3600"
	RequestTimeout    Fault = "408"
	ServerError       Fault = "500"
	Unavailable       Fault = "503 with Retry-After as a date, 2 seconds later"
	Unauthorized      Fault = "401 with the request's own token in the message"
	BadRequest        Fault = "400"
	Slow              Fault = "slow" // it answers when the client has gone
	Malformed         Fault = "malformed"
	Truncated         Fault = "truncated" // fewer bytes than Content-Length says
	Reset             Fault = "connection reset"
	HTML              Fault = "HTML with 200"
	Large             Fault = "a body of 1 MiB more"
	Looping           Fault = "looping" // the next page is said to be this one; positions are ignored
	DuplicatePage     Fault = "duplicate page"
	MissingPage       Fault = "missing page"
	ShortPage         Fault = "short page" // half as many rows as were asked for
	WrongTotal        Fault = "a total of one row more"
	LessTotal         Fault = "a total of one row less"
	WrongCount        Fault = "a count of one row more"
	EmptyPage         Fault = "an empty page that says that there are more"
	RowLost           Fault = "a row less than count and next say"
	MoreNowhere       Fault = "more, and no next page"
	RedirectHere      Fault = "redirect to the same server"
	RedirectLoop      Fault = "redirect to the same address" // also of all calls after it
	RedirectAway      Fault = "redirect to another server"
	LinkAway          Fault = "the next page is on another server"
)

// respond has the response of a fault that is more than an odd page.
func (s *Server) respond(w http.ResponseWriter, r *http.Request, fault Fault, body []byte) {
	fail := func(status int, format string, args ...any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error": %q}`, fmt.Sprintf(format, args...))
	}
	switch fault {
	case RateLimited, RateLimitedMinute, RateLimitedMore, RateLimitedLong:
		_, seconds, _ := strings.Cut(string(fault), ": ")
		w.Header().Set("Retry-After", seconds)
		fail(http.StatusTooManyRequests, "slow down")
	case Unavailable:
		w.Header().Set("Retry-After", time.Now().Add(2*time.Second).UTC().Format(http.TimeFormat))
		fail(http.StatusServiceUnavailable, "back soon")
	case RequestTimeout:
		fail(http.StatusRequestTimeout, "too slow")
	case ServerError:
		fail(http.StatusInternalServerError, "out of order")
	case Unauthorized:
		fail(http.StatusUnauthorized, "%s is no token", r.Header.Get("Authorization")+r.URL.Query().Get("key"))
	case BadRequest:
		fail(http.StatusBadRequest, "what is this?")
	case Slow:
		<-r.Context().Done()
	case Malformed:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body[:len(body)/2])
	case Truncated:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		_, _ = w.Write(body[:len(body)/2])
	case Reset:
		panic(http.ErrAbortHandler)
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<h1>Welcome</h1>")
	case Large:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
		fmt.Fprint(w, strings.Repeat(" ", 1<<20))
	case RedirectHere:
		http.Redirect(w, r, "/elsewhere"+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	case RedirectLoop:
		http.Redirect(w, r, r.URL.RequestURI(), http.StatusFound)
	case RedirectAway:
		http.Redirect(w, r, s.Elsewhere+r.URL.RequestURI(), http.StatusFound)
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(body)
	}
}
