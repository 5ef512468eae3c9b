package episode

import (
	"fmt"

	"github.com/birdcall/birdcall/pkg/tools"
)

// memoryError says that a result is larger than an episode, or all of them, may
// keep.
type memoryError struct {
	all   bool
	limit int64
}

func (e *memoryError) Error() string {
	if e.all {
		return fmt.Sprintf("the results of all sessions would take more than the %s that there are for them; filter first, or try again later", size(e.limit))
	}
	return fmt.Sprintf("the results of the session would take more than the %s that one may have; filter first, or open another session", size(e.limit))
}

// size writes a number of bytes.
func size(bytes int64) string {
	const kilo, mega = 1 << 10, 1 << 20
	if bytes < mega {
		return fmt.Sprintf("%d KB", bytes/kilo)
	}
	return fmt.Sprintf("%d MB", bytes/mega)
}

// hold counts what a result takes: a table, or the answer of an endpoint. The error is
// a *memoryError, and then nothing is counted.
func (e *Episode) hold(table *tools.Table, answer string) error {
	e.size.Add(table)
	e.answers += int64(len(answer))
	limits := e.env.limits
	err := (*memoryError)(nil)
	if e.held() > limits.Memory {
		err = &memoryError{limit: limits.Memory}
	} else {
		e.count(e.held())
		for e.env.isOver() {
			if !e.env.evict(e, "results of other sessions needed its memory") {
				err = &memoryError{all: true, limit: limits.AllMemory}
				break
			}
		}
	}
	if err == nil {
		return nil
	}
	e.size = tools.Footprint{}
	e.answers -= int64(len(answer))
	if e.session != nil {
		for _, label := range e.session.Labels() {
			kept, _ := e.session.Table(label)
			e.size.Add(kept)
		}
		for _, s := range e.steps {
			e.size.Add(s.table)
		}
	}
	e.count(e.held())
	return err
}

// held returns about how many bytes the results of the episode take.
func (e *Episode) held() int64 { return e.size.Bytes() + e.answers }

// isOver reports whether the results of all episodes take more than they may.
func (e *Environment) isOver() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.bytes > e.limits.AllMemory
}
