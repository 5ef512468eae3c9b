package episode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// step is a call that was made.
type step struct {
	call    tools.Call   // as the agent wrote it, with the label of its result
	table   *tools.Table // of SLOT and SEL
	rows    int          // of REST, as columns
	cols    int
	answer  string // of REST, in JSON, if the score needs its rows
	failed  bool
	limited bool // whether it met a limit of size
}

// Call runs one call under the name that the task lists its tool by, and returns
// what an agent is shown of the result. The result is kept under the call's label,
// which no other table may have, or, without one, under the first that the tool's rule
// gives and no other has. A call that fails changes nothing, and its label is given to
// the next one.
//
// A mistake that an agent can mend is an observation with Err. The error is an
// *EndedError, the context's, or a *FailedError: the service failed, and the same call
// may be made again. Until it was answered, the episode cannot be scored unless its
// answer is right.
func (e *Episode) Call(ctx context.Context, c tools.Call) (*observation.Observation, error) {
	end, err := e.work(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if made := len(e.steps) + e.searches + len(e.lost); made >= e.env.limits.Calls {
		return observation.OfError(fmt.Errorf("the session has had %d calls, which is all that one may have; give your answer", made)), nil
	}
	if e.task.Search != "" && c.Name == spec.SearchName {
		return e.find(ctx, c)
	}
	if wrong := toolnames.Unlisted(e.task.sample, c.Name); wrong != nil {
		if e.task.Search != "" {
			wrong = fmt.Errorf("there is no tool %q; find one with %s", c.Name, spec.SearchName)
		}
		return e.mistake(c, wrong), nil
	}
	seen, err := e.bounded(ctx, c)
	if err == nil {
		e.recover(c)
		return seen, nil
	}
	var failed *FailedError
	if !errors.As(err, &failed) {
		return e.mistake(c, err), nil
	}
	e.lose(c, failed)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case failed.Failure != OutOfTime && failed.Err != nil:
		e.env.opts.Failed(fmt.Errorf("session of %s: %s: %w", e.task.DB, c.Name, failed.Err))
	}
	return nil, failed
}

// bounded runs a call in its turn and within its time, and keeps the result. The
// error is a *FailedError, or what the agent can mend.
func (e *Episode) bounded(ctx context.Context, c tools.Call) (*observation.Observation, error) {
	limit := e.env.limits.Time
	bound, cancel := ctx, context.CancelFunc(func() {})
	turn, err := e.env.turn(ctx, c.Name)
	if err == nil {
		defer turn()
		bound, cancel = context.WithTimeout(ctx, limit)
		var seen *observation.Observation
		if seen, err = e.run(bound, c); err == nil {
			cancel()
			return seen, nil
		}
	}
	defer cancel()
	late := fmt.Sprintf("takes longer than %v; make the same call again, or ask for less, such as with a filter first or a join on a key", limit)
	if failed := failure(ctx, bound, c.Name, late, err); failed != nil {
		return nil, failed
	}
	return nil, err
}

// Refuse counts a call that cannot be read as a mistake, and returns what the agent is
// shown of it. Errors are those of Call.
func (e *Episode) Refuse(ctx context.Context, name string, wrong error) (*observation.Observation, error) {
	end, err := e.work(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	return e.mistake(tools.Call{Name: name}, wrong), nil
}

// mistake keeps a failed call and returns what the agent is shown of it, in the
// names of its tool list.
func (e *Episode) mistake(c tools.Call, err error) *observation.Observation {
	e.steps = append(e.steps, step{call: c, failed: true, limited: isLimit(err)})
	return toolnames.Mistake(e.task.sample, c.Name, err)
}

// run runs a call and keeps its result. A panic, which is a defect, ends the call
// and not the service.
func (e *Episode) run(ctx context.Context, c tools.Call) (seen *observation.Observation, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	c = e.labels.TakeLabel(c)
	seen, err = e.try(ctx, c)
	if wrong := (*tools.ToolError)(nil); errors.As(err, &wrong) {
		if relaxed := e.relax(c); !reflect.DeepEqual(c, relaxed) {
			if again, relaxedErr := e.try(ctx, relaxed); relaxedErr == nil {
				return again, nil
			}
		}
	}
	return seen, err
}

// try runs a call as it is written.
func (e *Episode) try(ctx context.Context, c tools.Call) (*observation.Observation, error) {
	real := e.task.sample.Reveal(c)
	if variant.Of(e.task.Variant).Calls == variant.Endpoints {
		return e.ask(ctx, c, real)
	}
	if err := e.start(ctx); err != nil {
		return nil, err
	}
	taken := func(label string) bool {
		_, ok := e.session.Table(label)
		return ok
	}
	switch {
	case real.Label == "":
		real.Label = e.labels.Next(real, taken)
		c.Label = real.Label
	case taken(real.Label):
		return nil, &tools.ToolError{
			Tool: real.Name, Argument: "label", Reason: fmt.Sprintf("%q is the label of another table", toolnames.Cut(real.Label)),
			Hint: fmt.Sprintf("choose another one, or leave it out for %q", e.labels.Next(real, taken)),
		}
	}
	trial := e.session.Fork()
	table, err := e.task.sample.Session(trial).Run(ctx, real)
	if err != nil {
		return nil, err
	}
	seen, err := observation.OfTable(ctx, real, table)
	if err != nil {
		return nil, err
	}
	if err := e.hold(table, ""); err != nil {
		return nil, err
	}
	e.session = trial
	e.labels.Keep(real)
	e.steps = append(e.steps, step{call: c, table: table})
	e.env.bound()
	return seen, nil
}

// relax drops the nulls that stand for arguments left out, which some models write
// also where no strict mode asks for them.
func (e *Episode) relax(c tools.Call) tools.Call {
	i := slices.IndexFunc(e.task.Tools, func(t spec.Tool) bool { return t.Name == c.Name })
	if relaxed, err := spec.Relax(c, e.task.Tools[i]); err == nil { // the tool is listed
		return relaxed
	}
	return c
}

// ask runs a call of REST.
func (e *Episode) ask(ctx context.Context, c, real tools.Call) (*observation.Observation, error) {
	rows, text, err := e.env.endpoints.Ask(ctx, e.task.DB, real)
	if err != nil {
		return nil, err
	}
	done := step{call: c, rows: len(rows), limited: len(rows) >= e.env.limits.Rows || len(text) > rest.DefaultMaxBytes}
	if len(rows) > 0 {
		done.cols = len(rows[0])
	}
	seen, err := observation.OfAnswer(real, text)
	if err != nil {
		return nil, err
	}
	// A score looks at no other rows than those of answers as long as the right one.
	if e.task.gold {
		want, err := e.task.sample.AnswerRows()
		if err != nil {
			return nil, err
		}
		if want == len(rows) {
			done.answer = text
		}
	}
	if err := e.hold(nil, done.answer); err != nil {
		return nil, err
	}
	e.steps = append(e.steps, done)
	return seen, nil
}

// start makes the starting tables, with the first call.
func (e *Episode) start(ctx context.Context) error {
	if e.session != nil {
		return nil
	}
	session := e.converter().NewSession()
	for _, start := range e.task.sample.Start.Starts() {
		err := e.startTable(ctx, session, start)
		if isLimit(err) { // no call can mend that
			return &FailedError{Limited, "the starting table", err.Error() + "; the limits of the service are too small for it", err}
		}
		if err != nil {
			return err
		}
	}
	e.session = session
	return nil
}

// startTable puts a starting table into a session. Episodes of one question share
// theirs, as tables do not change: a join of large ones takes time.
func (e *Episode) startTable(ctx context.Context, session *tools.Session, start tools.Start) error {
	name, err := jsontext.Marshal(start, "")
	if err != nil {
		return err
	}
	if table, ok := e.db.start(string(name)); ok {
		return session.Put(cmp.Or(start.Label, tools.StartLabel), table)
	}
	table, err := session.Init(ctx, start)
	if err != nil {
		return err
	}
	var size tools.Footprint
	size.Add(table)
	if limit := e.env.limits.Memory; size.Bytes() > limit {
		return &memoryError{limit: limit}
	}
	e.db.keep(string(name), table, size.Bytes())
	return nil
}
