package server

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Options of New. A zero field means its default.
type Options struct {
	Dataset *bird.Dataset
	Version string       // of the program, as MCP says it
	Logger  *slog.Logger // default: none
	Access  func(Access) // called for every answered request; default: Logger

	// Immutable says that nobody writes to the databases while the service runs.
	Immutable bool
	// Source is the URL of a Postgres server that has the databases, instead of
	// their files, so that there are endpoints only. It and AllowWriter are those of
	// rest.Options; what is not safe about it is logged.
	Source      string
	AllowWriter bool
	Tables      bool // each table and view has an endpoint too
	Functions   bool // the functions of package scalars are answered too
	// Find has GET /v1/find answered, and sessions rank endpoints by it; nil for
	// neither.
	Find *FindOptions

	Timeout     time.Duration // for one query; default 5 s
	Wait        time.Duration // for a free connection, and for other programs' locks; default 1 s
	Connections int           // to each database; default 4
	InFlight    int           // requests at a time; default 512
	MaxRows     int           // of one answer; default 10,000
	MaxBytes    int           // of one answer; default 16 MiB
	MaxValue    int           // bytes of one value or stored row; default 1 MiB
	// AnswerMemory bounds the bytes of all answers that are being made or sent,
	// but for the first 64 KiB of each; default 256 MiB, at least twice MaxBytes.
	AnswerMemory int64
	// MaxConnections bounds the open connections; default 1024.
	MaxConnections int
	IdleTimeout    time.Duration // of a connection between two requests; default 75 s

	AsOf  time.Time // what stands for the clock; default bird.DefaultAsOf
	Clock bool      // take the real clock instead

	APIKeys []string // any of them opens the service; none: open to all
	// PublicDocs opens the OpenAPI documents, without values of the data, and the
	// page to all where there are keys.
	PublicDocs bool
	Origins    []string // of web pages that may call the service; "*" for all
	// Rate is how many requests per second a client may send, with bursts of
	// twice as many; 0: no limit. A client is a key or, without keys, an address.
	// Requests without a right key count for their address.
	Rate float64

	// Samples are folders that convert wrote of the dataset: sessions take their
	// tool lists and gold from there. Questions of other variants are converted
	// when a session asks for them.
	Samples  []string
	Episodes episode.Limits
	// URL is how clients reach the service, for the addresses in its answers; "" takes
	// the Host of each request.
	URL string
	// AnyHost has a service without keys answer on a loopback address to requests for
	// any host, as a proxy on this computer sends them, and the MCP endpoints also with
	// keys.
	AnyHost bool

	// ControlKeys open what an agent must not reach: gold, scores and the explorer.
	// Without them that is closed, unless Open or a control listener opens it.
	ControlKeys []string
	// Open opens it to all who ask this computer by a loopback name.
	Open       bool
	Evaluation string // folder of a report of evaluate, for the explorer; "" for none

	// Admin says that metrics are not for the clients: Handler has none, and
	// AdminHandler has.
	Admin bool
}

// The reasons why New refuses Options, besides ErrKeys.
var (
	ErrRate      = errors.New("the rate is no number of requests per second")
	ErrMemory    = errors.New("the memory for answers is too small")
	ErrFunctions = errors.New("a database has the name of the functions' document")
)

// check looks for options that no service can have.
func (o Options) check() error {
	if math.IsNaN(o.Rate) || math.IsInf(o.Rate, 0) || o.Rate < 0 {
		return fmt.Errorf("%w: %v; give a number such as 5 or 0.5, or 0 for no limit", ErrRate, o.Rate)
	}
	// A buffer that grows is larger than what is in it.
	if o.AnswerMemory < 2*int64(o.MaxBytes) {
		return fmt.Errorf("%w: %d bytes; give at least %d, twice the bytes of one answer, or make these fewer", ErrMemory, o.AnswerMemory, 2*int64(o.MaxBytes))
	}
	return nil
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, 5*time.Second)
	o.Wait = cmp.Or(o.Wait, time.Second)
	o.InFlight = cmp.Or(o.InFlight, 512)
	o.MaxBytes = cmp.Or(o.MaxBytes, rest.DefaultMaxBytes)
	o.AnswerMemory = cmp.Or(o.AnswerMemory, max(256<<20, 2*int64(o.MaxBytes)))
	o.MaxConnections = cmp.Or(o.MaxConnections, 1024)
	o.IdleTimeout = cmp.Or(o.IdleTimeout, 75*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Access == nil {
		o.Access = logAccess(o.Logger)
	}
	return o
}
