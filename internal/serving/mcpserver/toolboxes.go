package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/episode"
)

// maxToolboxes is how many toolboxes are kept, since a client needs one for each
// request.
const maxToolboxes = 64

// tablesKey is the key of the toolbox for tables of a database.
type tablesKey string

// toolbox returns the tools at an endpoint. Errors are those of the environment.
func (s *Server) toolbox(ctx context.Context, p endpoint) (*toolbox, error) {
	if p.episode == "" {
		return s.startingFrom(ctx, p)
	}
	e, err := s.env.Episode(p.episode)
	if err != nil {
		return nil, err
	}
	return s.boxOf(e.Task()), nil
}

// startingFrom returns the tools for tables of an endpoint's database, for all of them
// if none is named.
func (s *Server) startingFrom(ctx context.Context, p endpoint, tables ...string) (*toolbox, error) {
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
	return s.boxes.Put(key, newToolbox(task, p.sessions(), all, s.opts.Listed)), nil
}

// taskAt returns the task without a question whose tools an endpoint has.
func (s *Server) taskAt(ctx context.Context, p endpoint, tables []string) (*episode.Task, error) {
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

// boxOf returns the toolbox of an episode's task, which episodes share.
func (s *Server) boxOf(task *episode.Task) *toolbox {
	if b, ok := s.boxes.Get(task); ok {
		return b
	}
	return s.boxes.Put(task, newToolbox(task, false, nil, s.opts.Listed))
}
