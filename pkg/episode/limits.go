package episode

import (
	"cmp"
	"runtime"
	"time"
)

// Limits bound what episodes may use. A zero field means its default: see
// DefaultLimits.
type Limits struct {
	Episodes int           // open at a time
	Idle     time.Duration // after which an episode ends
	Calls    int           // of one episode

	Rows  int           // of one result
	Bytes int           // of text that one call makes
	Time  time.Duration // for one call
	// AtATime is how many calls and conversions run at once; others wait, for three
	// times as long as one may take. Default the number of processors: more would take
	// each other's time. Where databases are no files it is four times as many.
	AtATime int

	Memory    int64 // bytes of the results of one episode, and of a starting table
	AllMemory int64 // bytes of the results of all episodes
	// Columns is how many bytes of the databases' columns, and of starting tables, are
	// kept between calls.
	Columns int64
}

// Longest returns how long a call may take with its wait for others.
func (l Limits) Longest() time.Duration { return (waits + 1) * l.Time }

// waits is for how many times its own time a call waits for others.
const waits = 3

// DefaultLimits returns the defaults but that of AtATime, which depends on the
// databases.
func DefaultLimits() Limits {
	return Limits{
		Episodes: 1000, Idle: 15 * time.Minute, Calls: 1000,
		Rows: 5_000_000, Bytes: 64 << 20, Time: 10 * time.Second,
		Memory: 256 << 20, AllMemory: 1 << 30, Columns: 1 << 30,
	}
}

// withDefaults returns the limits for databases that are files, or are elsewhere.
func (l Limits) withDefaults(files bool) Limits {
	turns := runtime.GOMAXPROCS(0)
	if !files {
		turns *= 4
	}
	d := DefaultLimits()
	return Limits{
		Episodes:  cmp.Or(l.Episodes, d.Episodes),
		Idle:      cmp.Or(l.Idle, d.Idle),
		Calls:     cmp.Or(l.Calls, d.Calls),
		Rows:      cmp.Or(l.Rows, d.Rows),
		Bytes:     cmp.Or(l.Bytes, d.Bytes),
		Time:      cmp.Or(l.Time, d.Time),
		AtATime:   cmp.Or(l.AtATime, turns),
		Memory:    cmp.Or(l.Memory, d.Memory),
		AllMemory: cmp.Or(l.AllMemory, d.AllMemory),
		Columns:   cmp.Or(l.Columns, d.Columns),
	}
}
