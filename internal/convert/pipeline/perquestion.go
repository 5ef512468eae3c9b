package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/pkg/bird"
)

// perQuestion is the method of variants that make a sample of each question.
type perQuestion struct {
	open func(ctx context.Context, opts Options) (maker, error)
	name func(opts Options) string // of the toolset
}

func (s perQuestion) toolset(opts Options) string { return s.name(opts) }

func (s perQuestion) maker(ctx context.Context, opts Options) (maker, error) {
	return s.open(ctx, opts)
}

func (s perQuestion) write(ctx context.Context, opts Options, out *outdir.Dir) (*Report, error) {
	return writeAll(ctx, opts, out, func(ctx context.Context, in database, info *bird.Database) ([]*outcome, error) {
		return convertAll(ctx, in, opts, opts.questions(info.ID))
	})
}

func (s perQuestion) examples(ctx context.Context, opts Options, questions []bird.ID) ([]*outcome, error) {
	m, err := s.open(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer m.close()
	var out []*outcome
	for _, id := range questions {
		at := slices.IndexFunc(opts.Dataset.Questions, func(q bird.Question) bool { return q.ID == id })
		o := &outcome{question: &opts.Dataset.Questions[at]}
		in, err := m.open(ctx, opts.Dataset.Database(o.question.DB))
		if err != nil {
			return nil, err
		}
		o.convert(ctx, in, opts)
		in.close()
		if o.status != "" {
			return nil, fmt.Errorf("example %s: %s: %s", id, o.status, o.reason)
		}
		out = append(out, o)
	}
	return out, nil
}
