package episode

import (
	"context"
	"crypto/rand"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Episode is one run of a task. Make it with Environment.Open.
type Episode struct {
	env  *Environment
	id   string
	task *Task

	// busy holds an element while something works on what follows it.
	busy    chan struct{}
	db      *database      // nil for REST, and after the end
	session *tools.Session // made with the first call
	labels  *toolnames.Labeler
	steps   []step
	// searches is how many calls have found tools.
	searches int
	size     tools.Footprint
	answers  int64 // bytes of those of endpoints that are kept

	mu      sync.Mutex // taken after that of the environment
	lost    []lost     // at which the service failed, and which it did not answer since
	why     string     // the episode has ended; "" while it is open
	working int        // calls that run or wait
	used    time.Time
	bytes   int64 // as the environment has counted them
}

// ids are those that an episode may have, which are in paths as they are.
var ids = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Open begins an episode of a task. It has an unguessable id if none is given.
// Where as many are open as may be, the one that has been idle for longest ends.
// Errors are *IDError, *DuplicateIDError, *CapacityError, and those of opening the database.
func (e *Environment) Open(ctx context.Context, t *Task, id string) (*Episode, error) {
	if id == "" {
		id = strings.ToLower(rand.Text())
	}
	if !ids.MatchString(id) {
		return nil, &IDError{id}
	}
	one := &Episode{
		env: e, id: id, task: t, busy: make(chan struct{}, 1), used: e.now(),
		labels: toolnames.NewLabeler(t.sample),
	}
	if t.sample.Start != nil {
		var err error
		if one.db, err = e.databases.use(ctx, t.DB); err != nil {
			return nil, err
		}
	}
	if err := e.add(one); err != nil {
		one.release()
		return nil, err
	}
	return one, nil
}

// add counts an episode as open, and makes room for it.
func (e *Environment) add(one *Episode) error {
	for {
		e.mu.Lock()
		if e.episodes[one.id] != nil {
			e.mu.Unlock()
			return &DuplicateIDError{one.id}
		}
		open := len(e.episodes)
		if open < e.limits.Episodes {
			e.episodes[one.id] = one
			e.ended.Remove(one.id)
			e.mu.Unlock()
			return nil
		}
		e.mu.Unlock()
		if !e.evict(nil, "newer sessions needed its place") {
			return &CapacityError{open}
		}
	}
}

// Episode returns the open episode of that id, or an *EndedError.
func (e *Environment) Episode(id string) (*Episode, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if one := e.episodes[id]; one != nil {
		return one, nil
	}
	return nil, &EndedError{ID: id, Why: e.why(id)}
}

// Usage returns how many episodes are open, and how many bytes their results take.
func (e *Environment) Usage() (episodes int, bytes int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.episodes), e.bytes
}

// since is an idle episode and when it was used last.
type since struct {
	episode *Episode
	since   time.Time
}

// idle returns the episodes in which nothing works, the longest idle first.
func (e *Environment) idle() []since {
	e.mu.Lock()
	var out []since
	for _, one := range e.episodes {
		one.mu.Lock()
		if one.working == 0 {
			out = append(out, since{one, one.used})
		}
		one.mu.Unlock()
	}
	e.mu.Unlock()
	slices.SortFunc(out, func(a, b since) int {
		if c := a.since.Compare(b.since); c != 0 {
			return c
		}
		return strings.Compare(a.episode.id, b.episode.id)
	})
	return out
}

// evict ends the episode that has been idle for longest, but not keep, and reports
// whether there was one.
func (e *Environment) evict(keep *Episode, why string) bool {
	for _, one := range e.idle() {
		if one.episode != keep && one.episode.endIdle(why) {
			return true
		}
	}
	return false
}

// ID returns the episode's id.
func (e *Episode) ID() string { return e.id }

// Task returns what the episode is about.
func (e *Episode) Task() *Task { return e.task }

// End ends the episode and forgets its results. Calls that run come to their end.
func (e *Episode) End() { e.end("it was ended") }

func (e *Episode) end(why string) {
	e.mu.Lock()
	if e.why != "" {
		e.mu.Unlock()
		return
	}
	e.why = why
	working := e.working
	e.mu.Unlock()
	e.leave(why)
	if working == 0 {
		e.release()
	}
}

// endIdle ends the episode if nothing works in it, and reports whether it did.
func (e *Episode) endIdle(why string) bool {
	e.mu.Lock()
	if e.why != "" || e.working > 0 {
		e.mu.Unlock()
		return false
	}
	e.why = why
	e.mu.Unlock()
	e.leave(why)
	e.release()
	return true
}

// leave takes the episode out of the environment's list.
func (e *Episode) leave(why string) {
	e.env.mu.Lock()
	defer e.env.mu.Unlock()
	if e.env.episodes[e.id] == e {
		delete(e.env.episodes, e.id)
		e.env.ended.Put(e.id, why)
	}
}

// begin counts work on the episode, which does not end while there is any. The
// error is an *EndedError.
func (e *Episode) begin() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.why != "" {
		return &EndedError{ID: e.id, Why: e.why}
	}
	e.working++
	return nil
}

// done ends a piece of work, and with the last one an episode that was ended
// meanwhile.
func (e *Episode) done() {
	e.mu.Lock()
	e.working--
	e.used = e.env.now()
	last := e.working == 0 && e.why != ""
	e.mu.Unlock()
	if last {
		e.release()
	}
}

// work waits until nothing else works on the episode's results, and returns how to
// end the work. Errors are an *EndedError and the context's.
func (e *Episode) work(ctx context.Context) (end func(), err error) {
	if err := e.begin(); err != nil {
		return nil, err
	}
	select {
	case e.busy <- struct{}{}:
		return func() {
			<-e.busy
			e.done()
		}, nil
	case <-ctx.Done():
		e.done()
		return nil, ctx.Err()
	}
}

// release gives back what an ended episode had. Nothing works on it any more.
func (e *Episode) release() {
	e.session, e.steps, e.size, e.answers = nil, nil, tools.Footprint{}, 0
	if e.db != nil {
		e.env.databases.release(e.db, e.env.now())
		e.db = nil
	}
	e.count(0)
}

// count reports to the environment how many bytes the episode's results take now.
func (e *Episode) count(bytes int64) {
	e.env.mu.Lock()
	defer e.env.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.env.bytes += bytes - e.bytes
	e.bytes = bytes
}

// converter returns what makes sessions of the database.
func (e *Episode) converter() *slot.Converter {
	limits := e.env.limits
	return slot.NewConverter(e.db.Database, slot.Options{AsOf: e.env.opts.AsOf, MaxRows: limits.Rows, MaxBytes: limits.Bytes})
}

// remembered is how many episodes that ended are remembered, to say why they did.
const remembered = 10_000

// why says why an episode is not open.
func (e *Environment) why(id string) string {
	if why, ok := e.ended.Get(id); ok {
		return why
	}
	return "there is none of that id, or it ended long ago"
}
