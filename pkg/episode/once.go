package episode

import (
	"context"
	"errors"

	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Once runs one call of a task of REST, as Episode.Call does, but without an
// episode: calls of endpoints do not depend on each other.
func (e *Environment) Once(ctx context.Context, t *Task, c tools.Call) (*observation.Observation, error) {
	if t.sample.Start != nil {
		return nil, errors.New("episode: calls of tools on tables are those of an episode; open one")
	}
	one := &Episode{env: e, task: t, busy: make(chan struct{}, 1), used: e.now(), labels: toolnames.NewLabeler(t.sample)}
	return one.Call(ctx, c)
}
