package mixed

import (
	"context"
	"errors"
	"fmt"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/internal/planner/ties"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// The states that questions of Benchmark II have besides.
const (
	NoRows State = "no rows"
	Idle   State = "same answer as before" // the condition leaves nothing out
	Differ State = "the forms differ"      // and nothing shows that one of them is wrong
)

// perQuestion is how many new questions are made of one at most.
const perQuestion = 3

// augmenting is what new questions of a database are made and run with.
type augmenting struct {
	*Options
	*side
	source *Database
	here   *sqlite.DB // the file and the functions, without the API
}

// augmented makes new questions of those of a database and runs them in both forms:
// Benchmark II. It counts for which reasons nothing was added to a question.
func (o *Options) augmented(ctx context.Context, d *side, seed uint64) (all []Outcome, refusals map[string]int, err error) {
	a := &augmenting{Options: o, side: d}
	if a.source, err = Open(ctx, d.info); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, a.source.Close()) }()
	at := sqlite.Location{Path: d.info.Path, FS: d.info.FS, Name: d.info.Name}
	if a.here, err = sqlite.Open(ctx, at, sqlite.Options{External: local{scalars.Functions()}}); err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, a.here.Close()) }()
	refusals = map[string]int{}
	for _, q := range d.questions {
		list, refused, err := Augment(ctx, a.source, q, seed, perQuestion)
		if err != nil {
			return nil, nil, err
		}
		if len(list) == 0 && len(refused) > 0 {
			refusals[refused[len(refused)-1].Reason]++
		}
		for i := range list {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			out := a.both(ctx, q, &list[i])
			out.ID = bird.Text(fmt.Sprintf("%s-%d", q.ID, i+1))
			if out.record != nil {
				out.record.ID = out.ID
			}
			all = append(all, out)
		}
		o.progress()
	}
	return all, refusals, nil
}

// both runs a new question in both forms, and holds them against each other and
// against what the functions give here.
func (a *augmenting) both(ctx context.Context, q *bird.Question, n *Augmented) Outcome {
	out := Outcome{DB: q.DB, of: q.ID}
	function, _ := dialect.FixClock(n.FunctionSQL, a.AsOf)
	join, _ := dialect.FixClock(n.JoinSQL, a.AsOf)
	want, took, err := onFile(ctx, a.here, function, a.Timeout)
	if out.plain = took; err != nil {
		out.State, out.Reason = NoAnswer, reasonOf(err)
		return out
	}
	called := a.ask(ctx, function, a.Timeout)
	out.measure(called)
	if called.err != nil {
		out.fail(called.err, a.side)
		return out
	}
	if out.State, out.Detail = same(n.FunctionSQL, want, called.rows); out.State != Equal {
		return out
	}
	joined := a.ask(ctx, join, a.Timeout)
	out.measure(joined)
	if joined.err != nil {
		out.fail(joined.err, a.side)
		return out
	}
	out.State, out.Detail = same(n.FunctionSQL, called.rows, joined.rows)
	switch {
	case out.State != Equal:
		return out
	case len(want) == 0:
		out.State = NoRows
	case n.Kind == AddedCondition:
		sql, _ := dialect.FixClock(q.SQL, a.AsOf)
		before, _, err := onFile(ctx, a.plain, sql, a.Timeout)
		if err != nil {
			out.State, out.Reason = NoAnswer, reasonOf(err)
		} else if verify.Compare(before, want, verify.Options{}).Equal {
			out.State = Idle
		}
	}
	if out.State == Equal {
		out.record = &questionForm{
			DB: q.DB, Question: n.Question, Evidence: n.Evidence, SQL: n.FunctionSQL, SQLJoin: n.JoinSQL, Difficulty: q.Difficulty,
			Kind: string(n.Kind), Column: n.Column, Functions: n.Functions, APIs: a.behind.names(), Calls: called.made,
		}
	}
	return out
}

// same compares two answers of a statement.
func same(sql string, want, got [][]value.Value) (State, string) {
	tree, err := sqltree.Parse(sql)
	v := verify.Compare(want, got, verify.Options{Ordered: err == nil && len(tree.OrderBy) > 0})
	switch {
	case v.Equal:
		return Equal, ""
	case ties.MayBeOpen(sql) || verify.Compare(want, got, verify.Options{}).Equal:
		return Differ, v.Reason
	}
	return Mismatch, v.Reason
}
