package mixed

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/value"
)

// subject is a database with its questions. Several goroutines may use it at once.
type subject struct {
	info      *bird.Database
	served    *rest.Database
	questions []*bird.Question
	tables    []Table
	plain     *sqlite.DB // the file alone
	schema    *sqlite.Schema
	judge     *judge
	rows      map[string]int // of tables
}

// openSubject opens a database of the service.
func (o *Options) openSubject(ctx context.Context, s *Service, info *bird.Database, questions []*bird.Question) (*subject, error) {
	at := sqlite.Location{Path: info.Path, FS: info.FS, Name: info.Name}
	db, err := sqlite.Open(ctx, at, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	x := &subject{info: info, served: s.api.Database(info.ID), questions: questions, plain: db, judge: &judge{db: db, asOf: o.AsOf}, rows: map[string]int{}}
	if x.schema, err = sqltree.Schema(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, t := range x.schema.Tables {
		one, err := look(ctx, db, t)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: reading %s: %w", info.ID, t.Name, err), db.Close())
		}
		x.tables = append(x.tables, one)
		x.rows[t.Name] = one.Rows
	}
	return x, nil
}

// look counts the rows of a table, and those of them that have a NULL in the key.
func look(ctx context.Context, db *sqlite.DB, t *sqlite.Table) (Table, error) {
	out := Table{Name: t.Name, View: t.View}
	sql := "SELECT count(*)"
	if t.RowID && t.IntegerPrimaryKey == "" {
		out.Key = t.Key()
	}
	for _, name := range out.Key {
		sql += ", count(" + sqlite.Quote(name) + ")"
	}
	err := db.Each(ctx, sql+" FROM "+sqlite.Quote(t.Name), func(row []value.Value) error {
		out.Rows = int(row[0].Int64())
		for _, known := range row[1:] {
			if known.Int64() < row[0].Int64() {
				out.Key = nil
			}
		}
		return nil
	})
	return out, err
}

// moved returns the database with the tables that are behind the API at a share.
// Views are so as soon as a table is, since one in the file cannot read such a
// table.
func (x *subject) moved(share int, seed uint64) APIPlacement {
	n := 0
	for _, t := range x.tables {
		if !t.View {
			n++
		}
	}
	draw, any, i := Moved(x.info.ID, n, share, seed), false, 0
	for _, m := range draw {
		any = any || m
	}
	out := APIPlacement{ID: x.info.ID, Segment: x.served.Segment}
	for _, t := range x.tables {
		isMoved := any
		if !t.View {
			isMoved = draw[i]
			i++
		}
		if isMoved {
			out.Tables = append(out.Tables, t)
		}
	}
	return out
}

// names returns the tables of the database that a statement reads, or nil if that
// cannot be known.
func (x *subject) names(sql string) []string {
	q, err := sqltree.Read(sql, x.schema)
	if err != nil {
		return nil
	}
	var names []string
	q.WalkAll(func(q *sqltree.Query) {
		for _, arm := range q.Arms {
			for _, src := range arm.Sources {
				if src.Table != nil {
					names = append(names, src.Table.Name)
				}
			}
		}
	}, func(sqltree.Expr) {})
	return names
}
