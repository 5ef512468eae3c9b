package episode

import (
	"cmp"
	"runtime"
	"time"
)

// Limits bound what episodes may use. A zero field means its default.
type Limits struct {
	Episodes int           // open at a time; default 1000
	Idle     time.Duration // after which an episode ends; default 15 min
	Calls    int           // of one episode; default 1000

	Rows  int           // of one result; default 5,000,000
	Bytes int           // of text that one call makes; default 64 MiB
	Time  time.Duration // for one call; default 10 s
	// AtATime is how many calls and conversions run at once; others wait, for three
	// times as long as one may take. Default the number of processors: more would take
	// each other's time. Where databases are no files it is four times as many.
	AtATime int

	Memory    int64 // bytes of the results of one episode, and of a starting table; default 256 MiB
	AllMemory int64 // bytes of the results of all episodes; default 1 GiB
	// Columns is how many bytes of the databases' columns, and of starting tables, are
	// kept between calls; default 1 GiB.
	Columns int64
}

// Longest returns how long a call may take with its wait for others.
func (l Limits) Longest() time.Duration { return (waits + 1) * l.Time }

// waits is for how many times its own time a call waits for others.
const waits = 3

// withDefaults returns the limits for databases that are files, or are elsewhere.
func (l Limits) withDefaults(files bool) Limits {
	turns := runtime.GOMAXPROCS(0)
	if !files {
		turns *= 4
	}
	return Limits{
		Episodes:  cmp.Or(l.Episodes, 1000),
		Idle:      cmp.Or(l.Idle, 15*time.Minute),
		Calls:     cmp.Or(l.Calls, 1000),
		Rows:      cmp.Or(l.Rows, 5_000_000),
		Bytes:     cmp.Or(l.Bytes, 64<<20),
		Time:      cmp.Or(l.Time, 10*time.Second),
		AtATime:   cmp.Or(l.AtATime, turns),
		Memory:    cmp.Or(l.Memory, 256<<20),
		AllMemory: cmp.Or(l.AllMemory, 1<<30),
		Columns:   cmp.Or(l.Columns, 1<<30),
	}
}
