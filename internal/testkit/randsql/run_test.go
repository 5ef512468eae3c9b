package randsql

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/db/columns"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/planner/emit"
	"github.com/birdcall/birdcall/internal/planner/plan"
	"github.com/birdcall/birdcall/internal/planner/rewrite"
	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// asOf is the instant of 'now'.
var asOf = time.Date(2020, time.March, 1, 12, 30, 0, 0, time.UTC)

// limits are the errors of SQLite that a drawn statement may meet.
var limits = []string{"integer overflow", "nested too deep", "JSON cannot hold BLOB values", "malformed JSON", "BY term out of range"}

// limitOf returns the one of limits that an error is, or "".
func limitOf(err error) string {
	for _, limit := range limits {
		if strings.Contains(err.Error(), limit) {
			return limit
		}
	}
	return ""
}

// subject is a database that statements are tried on.
type subject struct {
	schema  *sqlite.Schema
	db      *sqlite.DB
	reverse *sqlite.DB // the same rows in another order, or nil
	store   *columns.Store

	collated bool // columns of its tables have collations
}

// newSubject builds the database in a folder. The second script may be "".
func newSubject(ctx context.Context, dir, script, reverse string) (*subject, error) {
	s := &subject{collated: strings.Contains(script, "COLLATE")}
	var err error
	if s.db, err = build(ctx, filepath.Join(dir, "db.sqlite"), script); err != nil {
		return nil, err
	}
	if reverse != "" {
		if s.reverse, err = build(ctx, filepath.Join(dir, "reverse.sqlite"), reverse); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	if s.schema, err = sqltree.Schema(ctx, s.db); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.store = columns.New(s.db, s.schema)
	return s, nil
}

// build makes a database file of a script, in the place of an earlier one.
func build(ctx context.Context, path, script string) (*sqlite.DB, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(off)&_pragma=synchronous(off)")
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, "BEGIN;"+script+"COMMIT;")
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, fmt.Errorf("%w in %s", err, script)
	}
	return sqlite.Open(ctx, sqlite.Location{Path: path}, sqlite.Options{})
}

func (s *subject) close() error {
	err := s.db.Close()
	if s.reverse != nil {
		err = errors.Join(err, s.reverse.Close())
	}
	return err
}

// outcome is what became of a statement.
type outcome struct {
	skipped string // why SQLite gives no answer to compare with, or ""
	refused string // the construct that planning stopped at, or ""
	failure string // what is wrong with it, or ""
	class   string // what kind of failure it is
	paper   bool   // the paper's tools say it, too

	plan *plan.Plan
	seq  *emit.Sequence
}

func (o *outcome) fail(class, format string, args ...any) {
	o.class, o.failure = class, fmt.Sprintf(format, args...)
}

// try runs a statement by its calls and compares the answer with SQLite's. It
// does so with both sets of tools where the paper's can say it.
func (s *subject) try(ctx context.Context, q query) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o.fail(fmt.Sprint("panic: ", p), "panic: %v\n%s", p, debug.Stack())
		}
	}()
	fixed, _ := dialect.FixClock(q.sql, asOf)
	want, err := s.db.Query(ctx, fixed)
	if err != nil {
		o.fail("SQLite: "+errors.Unwrap(err).Error(), "%v", err)
		if limit := limitOf(err); limit != "" {
			o = outcome{skipped: limit}
		}
		return o
	}
	collated := s.collated || strings.Contains(q.sql, "COLLATE")
	options := verify.Options{Ordered: q.total, Loose: q.loose, Ties: ties(want.Rows, collated)}
	if s.reverse != nil {
		again, err := s.reverse.Query(ctx, fixed)
		if err != nil || !verify.Compare(want.Rows, again.Rows, options).Equal {
			o.skipped = "several answers"
			return o
		}
	}
	tree, err := sqltree.Read(q.sql, s.schema)
	if err == nil {
		o.plan, err = plan.Build(tree, s.schema, plan.Options{AsOf: asOf})
	}
	if err != nil {
		if o.skipped = limitOf(err); o.skipped != "" {
			return o
		}
		if o.refused = construct(err); o.refused == "" || !refusals[o.refused] {
			o.fail("refused "+o.refused, "%v", err)
		}
		return o
	}
	rewrite.Apply(o.plan, s.schema)
	for _, toolset := range []slot.Toolset{slot.Full, slot.Paper} {
		o.seq, err = emit.Emit(o.plan, s.schema, toolset == slot.Paper)
		if toolset == slot.Paper && construct(err) != "" {
			return o // the paper's tools say less
		}
		if err != nil {
			o.fail("emit", "%s tools: %v", toolset, err)
			return o
		}
		if toolset == slot.Full {
			o.checkKeys()
		}
		o.compare(ctx, s, want.Rows, options, q.loose && collated)
		if o.failure != "" || o.skipped != "" {
			return o
		}
		o.paper = toolset == slot.Paper
	}
	return o
}

// checkKeys holds the keys that calls derive to be short, and none of a starting
// table's.
func (o *outcome) checkKeys() {
	real := map[string]bool{}
	for id, s := range o.plan.Steps {
		if _, ok := s.(*plan.Start); ok {
			for _, key := range o.seq.Keys[id] {
				real[key] = true
			}
		}
	}
	for _, c := range o.seq.Calls {
		v, given := c.Arguments.Get(toolname.ArgOutputKey)
		if key, _ := v.(string); given && (real[key] || len(key) > 40 && c.Name == toolname.Transform) {
			o.fail("key", "%s derives %s", c.Label, key)
		}
	}
}

// compare runs the sequence and compares its answer with SQLite's, case and
// spaces at the end aside where a set operator may show any of equal texts.
func (o *outcome) compare(ctx context.Context, s *subject, want [][]value.Value, options verify.Options, alike bool) {
	got, err := o.seq.Run(ctx, tools.NewSession(s.store, tools.Options{Now: asOf}))
	if err != nil {
		if o.skipped = limitOf(err); o.skipped != "" {
			return // SQLite did not need the value
		}
		class := "call"
		if e := (*tools.ToolError)(nil); errors.As(err, &e) {
			class += " " + e.Tool + " " + e.Argument
		}
		o.fail(class, "%v", err)
		return
	}
	if alike {
		want, got = folded(want), folded(got)
	}
	if v := verify.Compare(want, got, options); !v.Equal {
		o.fail("answer", "%s\nSQLite: %s\ncalls:  %s", v.Reason, printed(want), printed(got))
	}
}

// folded are rows whose texts have no capital letters and no spaces at the end,
// so that those which are equal under a collation are the same.
func folded(rows [][]value.Value) [][]value.Value {
	out := make([][]value.Value, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		for c, v := range row {
			if v.Kind() == value.Text {
				out[i][c] = value.Str(strings.ToLower(strings.TrimRight(v.Raw(), " ")))
			}
		}
	}
	return out
}

// ties numbers rows that are in order of all their columns. Rows that differ
// by 1 and 1.0 have one number, and where columns may have collations also those
// that differ by case and spaces at the end.
func ties(rows [][]value.Value, collated bool) []int {
	if collated {
		rows = folded(rows)
	}
	out := make([]int, len(rows))
	for i := 1; i < len(rows); i++ {
		out[i] = out[i-1]
		for c, v := range rows[i] {
			if value.Compare(v, rows[i-1][c], value.Binary) != 0 {
				out[i]++
				break
			}
		}
	}
	return out
}

// trace is what was made of a statement, for people.
func (o *outcome) trace() string {
	var b strings.Builder
	if o.plan != nil {
		b.WriteString(o.plan.String())
	}
	if o.seq != nil {
		for _, s := range o.seq.Starts {
			b.WriteString(asJSON(s))
		}
		for _, c := range o.seq.Calls {
			b.WriteString(asJSON(c))
		}
	}
	return b.String()
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error() + "\n"
	}
	return string(b) + "\n"
}

// construct names the construct of a refusal; "" is no refusal.
func construct(err error) string {
	var u *plan.Unsupported
	if errors.As(err, &u) {
		return u.Construct
	}
	return dialect.Construct(err)
}

// printed writes rows with their storage classes.
func printed(rows [][]value.Value) string {
	var out []string
	for _, r := range rows {
		var cells []string
		for _, v := range r {
			cells = append(cells, fmt.Sprintf("%s %q", v.Kind(), value.AsText(v)))
		}
		out = append(out, "("+strings.Join(cells, ", ")+")")
	}
	return strings.Join(out, " ")
}
