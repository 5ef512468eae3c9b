package rest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/db/opened"
	"github.com/birdcall/birdcall/internal/planner/ties"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/value"
)

// judge says whether SQL leaves an answer open, as the records of pkg/slot do:
// by their converter, which knows the plan of a statement.
type judge struct {
	opts    slot.Options
	timeout time.Duration // for one statement
	open    *opened.Databases[*slot.Database]
}

func newJudge(api *API, opts slot.Options, of ConverterOptions) *judge {
	opts.Unchecked = true
	return &judge{opts: opts, timeout: of.Timeout, open: opened.New(func(ctx context.Context, id string) (*slot.Database, error) {
		return slot.OpenWith(ctx, api.Database(id).info, slot.OpenOptions{MaxValue: of.MaxValue})
	})}
}

// load reads what planning needs of the data for those of a database's questions that
// look may plan: whose answer may be open, or has an order.
func (j *judge) load(ctx context.Context, id string, questions []*bird.Question) {
	questions = slices.DeleteFunc(slices.Clone(questions), func(q *bird.Question) bool {
		return !ties.MayBeOpen(q.SQL) && !strings.Contains(strings.ToUpper(q.SQL), "ORDER")
	})
	if len(questions) == 0 {
		return
	}
	if db, err := j.open.Get(ctx, id); err == nil { // else look meets what is the matter
		db.Load(ctx, questions)
	}
}

// look says in the facts of a question whether SQL leaves the answer open, and
// which rows of an ordered answer may change places. gold are the rows that its SQL
// gives. Where the form of the
// statement allows for it, its plan says, in its own time, so that what the
// SQL took does not decide. Where there is no plan, or it takes too long, the answer
// counts as open: nobody has shown that it is not.
func (j *judge) look(ctx context.Context, q *bird.Question, gold [][]value.Value, facts *record.Facts) {
	open := ties.MayBeOpen(q.SQL)
	if !open && (!facts.Gold.Ordered || len(facts.Gold.Rows) < 2) {
		return
	}
	own, cancel := ownTime(ctx, j.timeout)
	defer cancel()
	r, err := j.plan(own, q, gold)
	if err != nil {
		facts.TieDependent = open
		return
	}
	if len(r.Gold.Rows) == len(facts.Gold.Rows) {
		facts.Gold.Ties = r.Gold.Ties
	}
	// Without a tie the rows are the same, or another program has written meanwhile.
	facts.TieDependent = open && (r.TieDependent || !reflect.DeepEqual(r.Gold.Rows, facts.Gold.Rows))
}

// ownTime returns a context that has that long, whatever is left of ctx, but ends
// when ctx is cancelled. The function must be called when done.
func ownTime(ctx context.Context, timeout time.Duration) (context.Context, func()) {
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	return own, func() {
		stop()
		cancel()
	}
}

// plan returns the question's record of pkg/slot. A panic there, which is a defect,
// is not to cost the endpoint's sample.
func (j *judge) plan(ctx context.Context, q *bird.Question, gold [][]value.Value) (r *record.Slot, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("planning failed: %v", p)
		}
	}()
	db, err := j.open.Get(ctx, q.DB)
	if err != nil {
		return nil, err
	}
	return slot.NewConverter(db, j.opts).Convert(ctx, q, slot.WithGold(gold))
}

// release closes a database, and with it the columns that are kept.
func (j *judge) release(id string) error { return j.open.Release(id) }
