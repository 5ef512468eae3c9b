package vtab

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// External is the tables and functions of APIs that the statements on a database
// may use. It implements sqlite.External.
type External struct {
	limits    apis.Limits
	tables    []*table
	functions []*function
	described []*sqlite.Table
	defined   []sqlite.Function
	started   time.Time
	fixed     bool // the data of all that is declared are
}

var _ sqlite.External = (*External)(nil)

// table is a table of an API and what is kept of it beyond a statement.
type table struct {
	*apis.Table
	filters []int // by column: how many values a call can have; 0 where it has none
	keys    []keyer

	mu     sync.Mutex
	kept   *listing
	keptAt time.Time
	seen   int // rows of the last listing; 0 before there was one
	forget func(since time.Time) bool
	known  map[string][][]value.Value // rows by the columns and values that they were asked for by
	rows   int                        // in known
	since  time.Time                  // of the oldest in known
}

// function is a function of an API and what is kept of it beyond a statement.
type function struct {
	*apis.Function
	mu     sync.Mutex
	forget func(since time.Time) bool
	known  map[string]value.Value
	since  time.Time
}

// What is kept of a table or a function beyond a statement, besides a whole listing,
// has a bound; then it is dropped and asked for again.
const (
	maxKeptRows   = 1_000_000
	maxKeptValues = 1_000_000
)

// New returns what statements may use of db. With fixed, whatever was read stays as
// it was, so that all statements see one state; else it stays for as long as the
// declaration says.
func New(db *apis.Database, fixed bool) *External {
	x := &External{limits: db.Limits, started: time.Now(), fixed: true}
	for _, t := range db.Tables {
		x.fixed = x.fixed && t.Keep.Forever
		x.tables = append(x.tables, newTable(t, fixed))
		x.described = append(x.described, describe(t))
	}
	for _, f := range db.Functions {
		x.fixed = x.fixed && f.Keep.Forever
		x.functions = append(x.functions, &function{Function: f, forget: forgets(f.Keep, fixed), known: map[string]value.Value{}})
		x.defined = append(x.defined, sqlite.Function{Name: f.Name, Args: len(f.Args)})
	}
	return x
}

func newTable(t *apis.Table, fixed bool) *table {
	one := &table{Table: t, filters: make([]int, len(t.Columns)), forget: forgets(t.Keep, fixed), known: map[string][][]value.Value{}}
	for _, f := range t.Filters {
		one.filters[f.Column] = max(1, f.Many)
	}
	for _, c := range t.Columns {
		one.keys = append(one.keys, newKeyer(c))
	}
	return one
}

// forgets returns whether what was read at a time is not to be used any more.
func forgets(keep apis.Keep, fixed bool) func(time.Time) bool {
	switch {
	case fixed || keep.Forever:
		return func(time.Time) bool { return false }
	case keep.For > 0:
		return func(t time.Time) bool { return time.Since(t) > keep.For }
	}
	return nil
}

// describe describes a table as the schema of a database does.
func describe(t *apis.Table) *sqlite.Table {
	one := &sqlite.Table{Name: t.Name, Comment: t.Description, API: t.API}
	for _, c := range t.Columns {
		one.Columns = append(one.Columns, engine.Column{
			Name: c.Name, Type: c.Type, Affinity: value.AffinityOf(c.Type), Collation: c.Collation, NotNull: c.NotNull, Comment: c.Description,
		})
	}
	for i, at := range t.Key {
		one.Columns[at].PrimaryKey = i + 1
	}
	if t.RowID >= 0 {
		one.RowID, one.IntegerPrimaryKey = true, t.Columns[t.RowID].Name
	}
	for _, at := range t.Required {
		one.Required = append(one.Required, t.Columns[at].Name)
	}
	return one
}

// Tables implements sqlite.External.
func (x *External) Tables() []*sqlite.Table { return x.described }

// Functions implements sqlite.External.
func (x *External) Functions() []sqlite.Function { return x.defined }

// Kinds implements sqlite.External.
func (x *External) Kinds(table, column int) []value.Kind {
	return x.tables[table].Columns[column].Kinds
}

// Values implements sqlite.External.
func (x *External) Values(table, column int) []value.Value {
	return x.tables[table].Columns[column].Enum
}

// leastVersion is for how long tools that read whole columns keep what an API has
// said, where the declaration keeps it for a statement only.
const leastVersion = time.Minute

// Version implements sqlite.External. Unless all data are fixed, it changes as often
// as the shortest time for which something is kept.
func (x *External) Version() (string, bool) {
	if x.fixed {
		return "", true
	}
	shortest := time.Duration(math.MaxInt64)
	note := func(k apis.Keep) {
		if !k.Forever {
			shortest = min(shortest, max(k.For, leastVersion))
		}
	}
	for _, t := range x.tables {
		note(t.Keep)
	}
	for _, f := range x.functions {
		note(f.Keep)
	}
	return strconv.FormatInt(int64(time.Since(x.started)/shortest), 10), false
}

// guess is how many rows a table is taken to have that nobody says anything of.
const guess = 10_000

// estimate returns about how many rows the table has, and whether that is more than
// a guess.
func (t *table) estimate() (rows int, known bool) {
	if t.Rows > 0 {
		return t.Rows, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen > 0 {
		return t.seen, true
	}
	return guess, false
}

// pages returns how many calls a listing takes.
func (t *table) pages(rows int) int {
	if t.PageSize == 0 {
		return 1
	}
	return max(1, (rows+t.PageSize-1)/t.PageSize)
}

// costOfPage is what a page of a listing costs, to SQLite. It takes a table of the
// file for one of a million rows, and must not think that a listing is less than a
// key for each of them: keys are fetched in batches, and where a listing is less, it
// is made instead.
const costOfPage = 1e9

// fewRows is how many rows a value of one column is taken to have.
const fewRows = 25

// Plan implements sqlite.External. Rows by a key are cheap, and a listing is expensive
// unless it is known to be one page.
func (x *External) Plan(at int, equal []int) sqlite.Plan {
	t := x.tables[at]
	has := func(column int) bool { return slices.Contains(equal, column) }
	hasAll := func(columns []int) bool { return !slices.ContainsFunc(columns, func(c int) bool { return !has(c) }) }
	if !hasAll(t.Required) && (len(t.Instead) == 0 || !hasAll(t.Instead)) {
		return sqlite.Plan{}
	}
	rows, known := t.estimate()
	plan := sqlite.Plan{Possible: true, Cost: 1000 + 10*float64(rows), Rows: int64(rows)}
	if pages := t.pages(rows); !known || pages > 1 {
		plan.Cost = costOfPage * float64(pages)
	}
	switch {
	case len(t.Key) > 0 && hasAll(t.Key):
		plan.Cost, plan.Rows = 2, 1
	case len(equal) > 0:
		// The more columns, the fewer rows: a join that has a constant and its key
		// must not be made by the constant alone.
		plan.Rows = max(1, min(int64(rows), fewRows)/int64(math.Pow(5, float64(len(equal)-1))))
		plan.Cost = 2 + float64(plan.Rows)/10
	}
	return plan
}

// Describe implements sqlite.External.
func (x *External) Describe(at int, equal []int, first bool) string {
	t := x.tables[at]
	rows, known := t.estimate()
	listing := "a listing of unknown length"
	switch {
	case !t.Lists:
		listing = ""
	case t.PageSize == 0:
		listing = "1 call"
	case known:
		listing = count(t.pages(rows), "call")
	}
	var by []string
	maxKeys := 1
	for _, c := range equal {
		if t.filters[c] > 0 {
			by = append(by, t.Columns[c].Name)
			maxKeys = max(maxKeys, t.filters[c])
		}
	}
	switch {
	case len(by) == 0 && first:
		return t.Name + ", its first rows"
	case len(by) == 0:
		return fmt.Sprintf("%s, all rows: %s", t.Name, listing)
	}
	text := fmt.Sprintf("%s by %s: a call for each key", t.Name, strings.Join(by, ", "))
	if maxKeys > 1 {
		text = fmt.Sprintf("%s by %s: a call for %d keys", t.Name, strings.Join(by, ", "), maxKeys)
	}
	if listing != "" {
		text += ", or for all rows where that is less: " + listing
	}
	return text
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// Begin implements sqlite.External.
func (x *External) Begin(ctx context.Context, sql string) sqlite.Reading {
	return &reading{external: x, step: firstStep(sql), meter: apis.NewMeter(x.limits), log: logOf(ctx), tables: make([]*state, len(x.tables)), functions: make([]*memo, len(x.functions))}
}

// cannot returns an error that names the table.
func (t *table) cannot(format string, args ...any) error {
	return fmt.Errorf("table %s: "+format, append([]any{t.Name}, args...)...)
}
