package mixed

import (
	"context"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// unchanged runs the questions of a database as they are, on the file and with the
// API next to it: Benchmark I.
func (o *Options) unchanged(ctx context.Context, d *side) ([]Outcome, error) {
	var all []Outcome
	for _, q := range d.questions {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		all = append(all, o.compare(ctx, d, q))
		o.progress()
	}
	return all, nil
}

// compare runs a question both ways.
func (o *Options) compare(ctx context.Context, d *side, q *bird.Question) Outcome {
	out := Outcome{ID: q.ID, DB: q.DB, of: q.ID}
	sql, _ := dialect.FixClock(q.SQL, o.AsOf)
	want, took, err := onFile(ctx, d.plain, sql, o.Timeout)
	if out.plain = took; err != nil {
		out.State, out.Reason = NoAnswer, reasonOf(err)
		return out
	}
	a := d.ask(ctx, sql, o.Timeout)
	out.measure(a)
	switch {
	case a.err != nil:
		out.fail(a.err, d)
		return out
	case o.Cache == CacheStatement && a.cost.Least > 0 && a.cost.Calls == 0:
		out.State, out.Reason = Failed, "no call"
		return out
	}
	out.Untouched = len(a.read) == 0 && d.mentions(q.SQL)
	within, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	if out.State, out.Detail = d.judge.compare(within, q.SQL, want, a.rows); out.State == Equal || out.State == OtherRight {
		out.record = &questionForm{
			ID: q.ID, DB: q.DB, Question: q.Text, Evidence: q.Evidence, SQL: q.SQL, Difficulty: q.Difficulty,
			APIs: d.behind.names(), Calls: a.made,
		}
	}
	return out
}

// onFile runs a statement without the API.
func onFile(ctx context.Context, db *sqlite.DB, sql string, timeout time.Duration) ([][]value.Value, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	start := time.Now()
	result, err := db.Query(ctx, sql)
	took := time.Since(start)
	if err != nil {
		return nil, took, err
	}
	return result.Rows, took, nil
}

// measure notes what an answer took.
func (o *Outcome) measure(a *answer) {
	o.took += a.took
	o.Cost.add(a.cost)
	o.Over = o.Over || a.err == nil && a.cost.Calls > maxCalls*a.cost.Least
}

// fail notes an error, without what is another text in each run.
func (o *Outcome) fail(err error, d *side) {
	o.State, o.Reason = Failed, reasonOf(err)
	o.Detail = strings.ReplaceAll(engine.Why(err).Error(), d.client.URL, "")
}

// mentions reports whether a statement names a table that is behind the API.
func (d *side) mentions(sql string) bool {
	for _, name := range d.names(sql) {
		if d.behind.has(name) {
			return true
		}
	}
	return false
}

// has reports whether the table is behind the API.
func (b APIPlacement) has(name string) bool {
	for _, t := range b.Tables {
		if spelling.Same(t.Name, name) {
			return true
		}
	}
	return false
}

func (b APIPlacement) names() []string {
	names := make([]string, len(b.Tables))
	for i, t := range b.Tables {
		names[i] = t.Name
	}
	return names
}
