package pipeline

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/birdcall/birdcall/internal/artifact/outdir"
	"github.com/birdcall/birdcall/internal/convert/shard"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Merge writes what Run writes, byte for byte, of what the shards in folders have
// found. No question is worked on again: tools are listed, names chosen and
// records written for all of them together. Errors are those of shard.Open, and
// of files.
func Merge(ctx context.Context, opts Options, folders []string) (*Report, error) {
	opts.data = newData(opts)
	defer opts.data.close()
	shards, err := shard.Open(folders, opts.conversion())
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(ctx, opts, shards)
	if err != nil {
		return nil, err
	}
	return publish(ctx, opts.Folder(), func(out *outdir.Dir) (*Report, error) {
		return writeAll(ctx, opts, out, func(ctx context.Context, in database, info *bird.Database) ([]*outcome, error) {
			questions := opts.questions(info.ID)
			outcomes := make([]*outcome, len(questions))
			for _, p := range parts[info.ID] {
				if err := p.read(ctx, in, opts, questions[p.From:p.To], outcomes[p.From:p.To]); err != nil {
					return nil, err
				}
			}
			return outcomes, in.unchanged()
		})
	})
}

// part is a part of a database and the shard that has worked on it.
type part struct {
	shard.Written
	by *shard.Shard
}

// partsOf returns the parts of each database, and refuses those that were made
// of another state of it.
func partsOf(ctx context.Context, opts Options, shards []*shard.Shard) (map[string][]part, error) {
	now := map[string]shard.Written{}
	for _, db := range opts.Dataset.Databases {
		w := shard.Written{}
		var err error
		if w.Tables, err = opts.tables(ctx, db); err != nil {
			return nil, err
		}
		opts.data.start(ctx, db)
		if w.Database, err = opts.data.of(db); err != nil {
			return nil, err
		}
		now[db.ID] = w
	}
	out := map[string][]part{}
	for i, parts := range shard.Divide(opts.Dataset, len(shards)) {
		s := shards[i]
		if err := s.Check(parts); err != nil {
			return nil, err
		}
		if err := s.CheckFiles(ctx); err != nil {
			return nil, err
		}
		for _, w := range s.Parts {
			if w.Tables != now[w.DB].Tables || !w.Database.Equal(now[w.DB].Database) {
				return nil, fmt.Errorf("%s is %w: the database %s was another when the shard was made; convert the shard again", s.Path, shard.ErrForeign, w.DB)
			}
			out[w.DB] = append(out[w.DB], part{w, s})
		}
	}
	return out, nil
}

// read fills in what became of the part's questions.
func (p part) read(ctx context.Context, in database, opts Options, questions []*bird.Question, outcomes []*outcome) error {
	in.addNeeds(p.Needs)
	f, err := os.Open(filepath.Join(p.by.Path, filepath.Base(p.File)))
	if err != nil {
		return p.by.Damaged(err)
	}
	defer f.Close()
	lines := json.NewDecoder(bufio.NewReader(f))
	for i, q := range questions {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := &shardOutcome{}
		if err := lines.Decode(k); err != nil {
			return p.damaged(err)
		}
		if outcomes[i], err = k.restore(in, q); err != nil {
			return p.damaged(err)
		}
		if s := outcomes[i].sample; s != nil && opts.Writing.Messages && s.observed == nil {
			if err := in.observe(ctx, s); err != nil {
				return p.damaged(err)
			}
		}
		if opts.Progress != nil {
			opts.Progress()
		}
	}
	if _, err := lines.Token(); !errors.Is(err, io.EOF) {
		return p.damaged(errors.New("there are more questions than the part has"))
	}
	return nil
}

func (p part) damaged(why error) error { return p.by.Damaged(fmt.Errorf("%s: %w", p.File, why)) }
