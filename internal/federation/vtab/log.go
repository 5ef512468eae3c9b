package vtab

import (
	"context"
	"sync"

	"github.com/birdcall/birdcall/internal/federation/apis"
)

// Log keeps what statements asked of APIs. Several goroutines may use it at once.
type Log struct {
	mu     sync.Mutex
	calls  []apis.Call
	rounds int
}

type logKey struct{}

// WithLog returns a context whose statements are logged.
func WithLog(ctx context.Context, l *Log) context.Context {
	return context.WithValue(ctx, logKey{}, l)
}

func logOf(ctx context.Context) *Log {
	l, _ := ctx.Value(logKey{}).(*Log)
	return l
}

// note adds what a statement asked for.
func (l *Log) note(r *reading) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, r.meter.Calls()...)
	l.rounds += r.rounds
}

// Calls returns the calls that were made, and how many rounds it took to make them.
func (l *Log) Calls() (calls []apis.Call, rounds int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]apis.Call(nil), l.calls...), l.rounds
}

// Asked is what was asked of APIs.
type Asked struct {
	Calls, Requests int
	Bytes           int64
}

// Asked returns what the calls come to.
func (l *Log) Asked() Asked {
	calls, _ := l.Calls()
	return Sum(calls)
}

// Sum returns what calls come to. One that waited for an equal call of another
// statement counts as its own request, which it would have been alone.
func Sum(calls []apis.Call) Asked {
	a := Asked{Calls: len(calls)}
	for _, c := range calls {
		a.Requests += c.Attempts
		if c.Shared {
			a.Requests++
		}
		a.Bytes += c.Bytes
	}
	return a
}
