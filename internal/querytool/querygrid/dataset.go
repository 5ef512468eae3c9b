package querygrid

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/querytool/oracle"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Set is the grid of a dataset.
type Set struct {
	// Questions have ids such as grid-city_library-0017, which do not depend on the
	// other databases, the SQL of package querysql, and the complexity of the query as
	// their difficulty.
	Questions  []bird.Question
	Items      map[bird.ID]Item        // by the ids of questions
	Impossible map[string][]Impossible // by the ids of databases
}

// Dataset makes the queries of all databases of a dataset, in their order.
func Dataset(ctx context.Context, d *bird.Dataset, o Options) (*Set, error) {
	s := &Set{Items: map[bird.ID]Item{}, Impossible: map[string][]Impossible{}}
	for _, info := range d.Databases {
		if err := s.add(ctx, info, d.Split, o); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress()
		}
	}
	return s, nil
}

// add makes the queries of a database.
func (s *Set) add(ctx context.Context, info *bird.Database, split string, o Options) (err error) {
	db, err := query.Open(ctx, info)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	text, err := oracle.Open(ctx, info, db.Collections(), 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, text.Close()) }()
	items, impossible, err := Grid(ctx, db, info, o)
	if err != nil {
		return err
	}
	for i, item := range items {
		sql, err := text.SQL(item.Query)
		if err != nil {
			return err
		}
		q := bird.Question{
			ID: bird.Text(fmt.Sprintf("grid-%s-%04d", info.ID, i)), DB: info.ID, Text: item.Question, SQL: sql, Split: split, File: "grid", Record: i,
			Difficulty: string(query.ComponentsOf(item.Query, db.Collections()).Complexity()),
		}
		s.Questions = append(s.Questions, q)
		s.Items[q.ID] = item
	}
	if len(impossible) > 0 {
		s.Impossible[info.ID] = impossible
	}
	return db.Unchanged()
}
