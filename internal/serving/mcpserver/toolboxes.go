package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/episode"
)

// mostToolboxes is how many toolboxes are kept, since a client needs one for each
// request.
const mostToolboxes = 64

// taskKey is the key of a task's toolbox. Episodes share their tasks.
type taskKey struct {
	task     *episode.Task
	sessions bool
}

// tablesKey is the key of the toolbox for tables of a database.
type tablesKey string

// toolbox returns the tools at a place. Errors are those of the environment.
func (s *Server) toolbox(ctx context.Context, p place) (*toolbox, error) {
	if p.episode == "" {
		return s.startingFrom(ctx, p)
	}
	e, err := s.env.Episode(p.episode)
	if err != nil {
		return nil, err
	}
	return s.boxOf(e.Task(), false), nil
}

// startingFrom returns the tools for tables of a place's database, for all of them
// if none is named.
func (s *Server) startingFrom(ctx context.Context, p place, tables ...string) (*toolbox, error) {
	key := tablesKey(strings.Join(append([]string{p.variant, p.db}, tables...), "\x00"))
	if b, ok := s.boxes.Get(key); ok {
		return b, nil
	}
	task, err := s.taskAt(ctx, p, tables)
	if err != nil {
		return nil, err
	}
	var all []string
	if p.sessions() {
		if all, err = s.env.TablesOf(ctx, p.db); err != nil {
			return nil, err
		}
	}
	b := s.boxes.Put(key, newToolbox(task, p.sessions(), all, s.opts.Listed))
	return s.boxes.Put(taskKey{b.task, b.sessions}, b), nil
}

// taskAt returns the task without a question whose tools a place has.
func (s *Server) taskAt(ctx context.Context, p place, tables []string) (*episode.Task, error) {
	if variant.Of(p.variant).Calls != variant.Queries {
		return s.env.Tables(ctx, p.variant, p.db, tables...)
	}
	list, err := s.env.QueryTools(ctx, p.db, string(query.Full), string(query.Unified))
	if err != nil {
		return nil, err
	}
	return &episode.Task{
		Variant: p.variant, DB: p.db, Tools: list,
		System: fmt.Sprintf("%s queries the tables of the database %s. Calls do not depend on each other.\n", query.ToolName, p.db),
	}, nil
}

// boxOf returns the toolbox of an episode's task.
func (s *Server) boxOf(task *episode.Task, sessions bool) *toolbox {
	key := taskKey{task, sessions}
	if b, ok := s.boxes.Get(key); ok {
		return b
	}
	return s.boxes.Put(key, newToolbox(task, sessions, nil, s.opts.Listed))
}
