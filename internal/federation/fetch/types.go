package fetch

import (
	"net/http"
	"net/url"
	"time"
)

// Options describe a server and how it may be called. A zero field means its
// default.
type Options struct {
	API        string            // its name, for errors
	Server     *url.URL          // what the paths of requests come after
	Header     http.Header       // goes along with each call to this server, and to no other, such as a token
	Query      url.Values        // the same as parameters of the URL
	Concurrent int               // calls at a time; default 8
	PerSecond  float64           // calls that begin in a second; 0 is no limit
	Timeout    time.Duration     // of one attempt; default 10 s
	Retries    int               // attempts after the first; default 4, none if negative
	MaxBody    int64             // bytes of one response; default 64 MiB
	Transport  http.RoundTripper // nil means one of the client's own
}

// Request is one call without its page. Query is encoded in the order that
// url.Values.Encode has.
type Request struct {
	Operation string // operationId, for errors and the log of calls
	Method    string // GET, or POST where that only reads
	Path      string // escaped, after the server's own
	Query     url.Values
	Header    http.Header
	Body      []byte // JSON, or nil
	// Missing says that 404 means that there is nothing: the response is read as
	// one without a body.
	Missing bool
}

// Response is an answer with a status of 200 to 299, or 404 where the request
// lets that be. Others may read the same one: nobody changes it.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // all of it
}

// Call is a call that was made. The URL has no secret in it.
type Call struct {
	API, Operation string
	Method, URL    string
	Status         int           // of the last attempt; 0 if there was no response
	Attempts       int           // requests that were sent
	Bytes          int64         // of the last response's body
	Rows           int           // that were read from it
	Shared         bool          // another statement's call was under way, and this one waited for it
	Time           time.Duration // from the first attempt to the last byte
}

// Meter counts the calls of a statement. Several goroutines use it at once.
type Meter interface {
	// Begin is called before each request that is sent: each attempt, and each
	// redirect. An error ends the call and is returned as it is.
	Begin() error
	// Made is called when a call has ended, also one that failed, if it sent a
	// request or got another's response. An error ends what the call is part of.
	Made(Call) error
}

// Kind says how the pages of a listing follow each other.
type Kind uint8

// The kinds of paging.
const (
	Whole  Kind = iota // one response has all rows
	Offset             // Position is the number of rows before the page
	Number             // Position is the number of the page
	Cursor             // Position is what the page before said
	Link               // the page before has the URL: in a Link header with rel="next" (RFC 8288), or in its body
)

// Paging says how to ask for the pages of a listing.
type Paging struct {
	Kind     Kind
	Position string // the parameter; "" for Whole and Link
	Limit    string // the parameter that asks for Size rows; "" if there is none
	Size     int    // rows of a page
	First    int    // Number: the first page's; else 0
	Body     bool   // the parameters are members of the JSON body rather than of the URL
}

// Page is what one response says of itself and of the pages after it.
type Page struct {
	Rows  int
	Next  string // Cursor: the next position, Link: its URL, Offset and Number: where given; "" if it names none
	Last  bool   // it says that no page comes after it
	More  bool   // it says that another comes after it; false if it does not say
	Count int    // rows that it says it has; -1 if it does not say
	Total int    // rows of all pages; -1 if it does not say
	Data  []byte // the part of the body that has the rows, to know a repeated page by; nil means all of it
}
