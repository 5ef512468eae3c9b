package server

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/birdcall/birdcall/pkg/bird"
)

// Options of New. A zero field means its default.
type Options struct {
	Dataset *bird.Dataset
	Logger  *slog.Logger // default: none
	Access  func(Access) // is told of every answered request; default: Logger

	Timeout     time.Duration // for one query; default 5 s
	Wait        time.Duration // for a free connection; default 1 s
	Connections int           // to each database; default 4
	InFlight    int           // requests at a time; default 512
	MaxRows     int           // of one answer; default 10,000
	MaxBytes    int           // of one answer; default 16 MiB
	AsOf        time.Time     // what stands for the clock; default rest.DefaultAsOf
	Clock       bool          // take the real clock instead

	APIKeys []string // any of them opens the endpoints and the metrics; none: open to all
	Origins []string // of web pages that may call the service; "*" for all
	Rate    float64  // requests per second of one client, with bursts of twice as many; 0: no limit
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, 5*time.Second)
	o.Wait = cmp.Or(o.Wait, time.Second)
	o.InFlight = cmp.Or(o.InFlight, 512)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Access == nil {
		o.Access = logAccess(o.Logger)
	}
	return o
}
