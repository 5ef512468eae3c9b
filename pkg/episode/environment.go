package episode

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/birdcall/birdcall/internal/db/recent"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Options of New.
type Options struct {
	Dataset *bird.Dataset
	// Samples are folders that convert wrote of the dataset, one for each variant
	// at most. Questions of other variants are converted when they are asked for.
	Samples []string
	// Endpoints are those of the dataset, for REST. Without them there is none. Their
	// owner closes them, after the environment.
	Endpoints *rest.API
	// Index, if not nil, ranks the endpoints that are looked for, by the values that
	// are in the databases too. SetIndex gives one later.
	Index     *find.Index
	AsOf      time.Time // what stands for the clock; default bird.DefaultAsOf
	Immutable bool      // nobody writes to the databases while the environment is open
	Limits    Limits
	// Failed is called, if not nil, for every failure of the environment itself,
	// which agents do not see.
	Failed func(error)
}

// Environment has the tasks of a dataset and the episodes that are open. Make it
// with New.
type Environment struct {
	opts      Options
	limits    Limits
	tasks     *tasks
	databases *databases
	queries   *queries
	endpoints *rest.Client  // with the limits of sessions; nil without endpoints
	files     bool          // whether the databases are files, which the other variants need
	turns     chan struct{} // holds one element for each call that runs
	stop      chan struct{}
	stopped   sync.WaitGroup
	now       func() time.Time
	index     atomic.Pointer[find.Index]

	mu       sync.Mutex
	episodes map[string]*Episode
	ended    recent.Cache[string, string] // why those ended that did lately, by their ids
	bytes    int64                        // of the episodes' results
}

// New returns an environment. Databases are opened, and questions converted, when
// they are needed. Errors are those of reading the folders. Close must be called
// when done.
func New(o Options) (*Environment, error) {
	if o.Dataset == nil {
		return nil, errors.New("episode: no dataset is given")
	}
	if o.Endpoints == nil && !hasFiles(o.Dataset) {
		return nil, errors.New("episode: databases that are no files have endpoints only; give those, which rest.Open makes")
	}
	if o.AsOf.IsZero() {
		o.AsOf = bird.DefaultAsOf
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	limits := o.Limits.withDefaults(hasFiles(o.Dataset))
	e := &Environment{
		opts: o, limits: limits, files: hasFiles(o.Dataset), turns: make(chan struct{}, limits.AtATime), stop: make(chan struct{}),
		now: time.Now, episodes: map[string]*Episode{}, ended: recent.New[string, string](remembered),
	}
	e.databases, e.queries = newDatabases(o, limits.Columns), newQueries(o, limits)
	if o.Endpoints != nil {
		e.endpoints = rest.NewService(o.Endpoints, rest.ServiceOptions{AsOf: o.AsOf, MaxRows: limits.Rows}).Client()
	}
	var err error
	if e.tasks, err = newTasks(e, o); err != nil {
		return nil, err
	}
	e.index.Store(o.Index)
	e.stopped.Go(e.watch)
	return e, nil
}

// hasFiles reports whether all databases of a dataset are files.
func hasFiles(dataset *bird.Dataset) bool {
	return !slices.ContainsFunc(dataset.Databases, func(d *bird.Database) bool { return !d.HasFile() })
}

// Dataset returns the dataset that the tasks are of.
func (e *Environment) Dataset() *bird.Dataset { return e.opts.Dataset }

// Limits returns the limits with their defaults.
func (e *Environment) Limits() Limits { return e.limits }

// Close ends all episodes and closes the databases. No call may be running.
func (e *Environment) Close() error {
	close(e.stop)
	e.stopped.Wait()
	e.mu.Lock()
	var open []*Episode
	for _, one := range e.episodes {
		open = append(open, one)
	}
	e.mu.Unlock()
	for _, one := range open {
		one.end("the service has stopped")
	}
	return errors.Join(e.tasks.close(), e.queries.close(), e.databases.close())
}

// bound keeps no more of the databases than may be. What was kept for queries makes
// room first.
func (e *Environment) bound() {
	if err := e.queries.forget(e.limits.Columns - e.databases.bytes()); err != nil {
		e.opts.Failed(err)
	}
	e.databases.bound()
}

// watch ends episodes that are idle for too long, and closes databases that
// nothing uses any more.
func (e *Environment) watch() {
	tick := time.NewTicker(min(e.limits.Idle/4+time.Millisecond, 5*time.Second))
	defer tick.Stop()
	for {
		select {
		case <-e.stop:
			return
		case <-tick.C:
			e.expire()
			if err := e.databases.sweep(e.now()); err != nil {
				e.opts.Failed(err)
			}
		}
	}
}

// expire ends the episodes whose time is over.
func (e *Environment) expire() {
	late := e.now().Add(-e.limits.Idle)
	for _, one := range e.idle() {
		if one.since.Before(late) {
			one.episode.endIdle(fmt.Sprintf("nothing was called for %v", e.limits.Idle))
		}
	}
}

// turn waits until something else may run, and returns how to give the turn back.
// The error is the context's, or a *FailedError.
func (e *Environment) turn(ctx context.Context, what string) (func(), error) {
	return e.enter(ctx, e.turns, what)
}

// enter waits until there is room in a channel, and returns how to give the room back.
// The error is the context's, or a *FailedError.
func (e *Environment) enter(ctx context.Context, room chan struct{}, what string) (func(), error) {
	done := func() { <-room }
	select {
	case room <- struct{}{}:
		return done, nil
	default:
	}
	longest := waits * e.limits.Time
	wait := time.NewTimer(longest)
	defer wait.Stop()
	select {
	case room <- struct{}{}:
		return done, nil
	case <-wait.C:
		return nil, &FailedError{Failure: Busy, What: what, Reason: fmt.Sprintf("other calls kept the service busy for %v, and this was not run; try the same again", longest)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
