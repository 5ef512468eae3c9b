package mixed

import (
	"context"
	"encoding/binary"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// watched is an External that notes what the last run of a statement asked of each
// table and function, to hold the number of calls against what was needed. It knows
// nothing of how the External underneath gets it.
type watched struct {
	sqlite.External
	apis *apis.Database
	rows map[string]int // of the tables

	asked *wanting // by the statement that runs; statements run one at a time
}

// wanting is what the last run of a statement asked for.
type wanting struct {
	tables    map[int]*askedTable
	functions map[int]map[string]bool // lists of arguments
}

type askedTable struct {
	keys  map[string]bool
	found []bool // rows of the keys, by their numbers
	count int    // of them
	rows  int    // that are wanted of a listing
	isAll bool   // all rows are wanted
}

// Begin implements sqlite.External.
func (w *watched) Begin(ctx context.Context, sql string) sqlite.Reading {
	w.asked = &wanting{tables: map[int]*askedTable{}, functions: map[int]map[string]bool{}}
	return &watchedReading{Reading: w.External.Begin(ctx, sql), w: w}
}

type watchedReading struct {
	sqlite.Reading
	w *watched
}

// Fetch implements sqlite.Reading.
func (r *watchedReading) Fetch(ctx context.Context) (bool, error) {
	again, err := r.Reading.Fetch(ctx)
	if again {
		r.w.asked.tables, r.w.asked.functions = map[int]*askedTable{}, map[int]map[string]bool{}
	}
	return again, err
}

// Call implements sqlite.Reading.
func (r *watchedReading) Call(function int, args []value.Value) (value.Value, error) {
	known := r.w.asked.functions[function]
	if known == nil {
		known = map[string]bool{}
		r.w.asked.functions[function] = known
	}
	var key []byte
	isNull := false
	for _, v := range args {
		isNull = isNull || v.IsNull()
		key = appendValue(key, v)
	}
	if !isNull && !known[string(key)] {
		known[string(key)] = true
	}
	return r.Reading.Call(function, args)
}

// Rows implements sqlite.Reading.
func (r *watchedReading) Rows(table int, where []sqlite.Equal, most int64) (sqlite.Rows, error) {
	one := r.w.asked.tables[table]
	if one == nil {
		one = &askedTable{keys: map[string]bool{}}
		r.w.asked.tables[table] = one
	}
	r.w.note(one, r.w.apis.Tables[table], where, most)
	rows, err := r.Reading.Rows(table, where, most)
	if !one.isAll {
		one.note(rows.At)
	}
	return rows, err
}

// note adds rows that were found by keys.
func (a *askedTable) note(rows []int32) {
	for _, i := range rows {
		for int(i) >= len(a.found) {
			a.found = append(a.found, false)
		}
		if !a.found[i] {
			a.found[i] = true
			a.count++
		}
	}
}

// note adds what is asked of a table: values that its API can be asked for, or rows
// of its listing.
func (w *watched) note(one *askedTable, t *apis.Table, where []sqlite.Equal, most int64) {
	if one.isAll {
		return
	}
	keys := [][]byte{nil}
	isAsked := false
	for _, e := range where {
		if !hasFilter(t, e.Column) {
			continue
		}
		var longer [][]byte
		for _, v := range e.Values {
			switch {
			case v.IsNull():
			case !t.Accepts(e.Column, v):
				one.isAll = t.Lists
				if t.Lists {
					return
				}
			default:
				for _, key := range keys {
					key = binary.AppendUvarint(key[:len(key):len(key)], uint64(e.Column))
					longer = append(longer, appendValue(key, v))
				}
			}
		}
		isAsked = true
		if keys = longer; len(keys) > maxTuples {
			one.isAll = t.Lists
			return
		}
	}
	switch {
	case isAsked:
		for _, key := range keys {
			if !one.keys[string(key)] {
				one.keys[string(key)] = true
			}
		}
	case most == 0:
	case most > 0:
		one.rows = max(one.rows, int(most))
	default:
		one.isAll = true
	}
}

// maxTuples is how many combinations of values of one reading are distinguished.
const maxTuples = 10_000

func hasFilter(t *apis.Table, column int) bool {
	for _, f := range t.Filters {
		if f.Column == column {
			return true
		}
	}
	return false
}

func appendValue(b []byte, v value.Value) []byte {
	text := value.AsText(v)
	b = binary.AppendUvarint(append(b, byte(v.Kind())), uint64(len(text)))
	return append(b, text...)
}

// least returns the fewest calls that give what was asked for: of a table its pages,
// or its keys in batches, and their rows in pages, where these are fewer.
func (w *watched) least() int {
	sum := 0
	for i, one := range w.asked.tables {
		t := w.apis.Tables[i]
		pages := parts(w.rows[t.Name], t.PageSize)
		batch := 1
		for _, f := range t.Filters {
			batch = max(batch, f.Many)
		}
		switch {
		case one.isAll:
			sum += pages
		case !t.Lists:
			sum += one.calls(batch, t.PageSize)
		default:
			calls := one.calls(batch, t.PageSize)
			if one.rows > 0 {
				calls += parts(one.rows, t.PageSize)
			}
			sum += min(pages, calls)
		}
	}
	for i, args := range w.asked.functions {
		if len(args) > 0 {
			sum += parts(len(args), w.apis.Functions[i].Many)
		}
	}
	return sum
}

// calls returns how many calls give the rows of the keys.
func (a *askedTable) calls(batch, page int) int {
	if len(a.keys) == 0 {
		return 0
	}
	return max(parts(len(a.keys), batch), parts(a.count, page))
}

// parts returns how many calls of at most size take n things; there is one at least.
func parts(n, size int) int {
	if size <= 0 {
		return 1
	}
	return max(1, (n+size-1)/size)
}

// tablesRead returns the names of the tables that the statement has read, and of
// those among them of which it wanted rows.
func (w *watched) tablesRead() (read, wanted []string) {
	for i, t := range w.apis.Tables {
		one := w.asked.tables[i]
		if one == nil {
			continue
		}
		read = append(read, t.Name)
		if one.isAll || one.rows > 0 || len(one.keys) > 0 {
			wanted = append(wanted, t.Name)
		}
	}
	return read, wanted
}
