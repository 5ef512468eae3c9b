package vtab

import (
	"context"
	"math"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/pkg/value"
)

// fetchList lists the table, or its first rows if no more are wanted.
func (s *state) fetchList(ctx context.Context, m *apis.Meter) {
	if s.whole = s.listed(); s.whole != nil {
		return // another statement has listed it
	}
	maxRows := 0
	if !s.list {
		maxRows = int(min(s.firstRows, math.MaxInt32))
	}
	if _, err := s.read(ctx, m, maxRows); err != nil {
		s.failed = err
	}
}

// read lists the table up to the page with the row of number maxRows, or all of it if
// maxRows is 0, and reports whether that was all.
func (s *state) read(ctx context.Context, m *apis.Meter, maxRows int) (whole bool, err error) {
	var rows [][]value.Value
	whole, err = s.Select(ctx, m, nil, maxRows, func(row []value.Value) error {
		rows = append(rows, row)
		return nil
	})
	switch {
	case err != nil:
		return false, err
	case s.isTorn(rows):
		return false, s.cannot("%s: a row came twice, so that another may be missing: rows were written while they were listed; try again", s.API)
	case whole:
		s.whole = newListing(rows, s.keys)
		s.keep(s.whole)
	default:
		s.first = rows
	}
	return whole, nil
}

// isTorn reports whether a row is on two pages of a listing, by the table's key.
func (s *state) isTorn(rows [][]value.Value) bool {
	if len(s.Key) == 0 || s.PageSize == 0 || len(rows) <= s.PageSize {
		return false
	}
	seen := make(map[uint64]int, len(rows))
	for i, row := range rows {
		id, whole := s.rowID(row)
		if !whole {
			continue // NULL in a key distinguishes no rows
		}
		hash := xxhash.Sum64(id)
		if other, ok := seen[hash]; ok {
			if same, _ := s.rowID(rows[other]); string(same) == string(id) {
				return true
			}
		}
		seen[hash] = i
	}
	return false
}

// rowID returns the text of a row's key, and whether no part of it is NULL.
func (s *state) rowID(row []value.Value) (id []byte, whole bool) {
	whole = true
	for _, c := range s.Key {
		id = identity(id, row[c])
		whole = whole && !row[c].IsNull()
	}
	return id, whole
}

// fetchKeys gets the rows of the tuples that the run asked for: by calls that ask
// for them, or by a listing where that takes fewer, which costs at most twice what
// the better way does. Where nobody says how many pages a listing has, it is tried
// for as many as there would be calls, and again when there are four times as many.
// It makes step calls at most, if that is not 0, and leaves the rest to a later round.
func (s *state) fetchKeys(ctx context.Context, m *apis.Meter, step int) {
	calls := s.divided(s.pending)
	if step > 0 && step < len(calls) {
		calls = calls[:step]
	}
	rows, known := s.estimate()
	need := s.calls + len(calls)
	switch {
	case !s.Lists:
	case known && isMore(need, s.pages(rows)):
		if _, err := s.read(ctx, m, 0); err != nil {
			s.fail(err)
		}
		return
	case !known && need > max(fewCalls, 4*s.tried-1):
		s.tried = need
		whole, err := s.read(ctx, m, need*max(1, s.PageSize))
		if err != nil {
			s.fail(err)
			return
		}
		if whole {
			return
		}
	}
	s.calls += len(calls)
	var group errgroup.Group
	group.SetLimit(maxAtOnce)
	for _, c := range calls {
		group.Go(func() error {
			_, c.err = s.Select(ctx, m, c.conditions, 0, func(row []value.Value) error {
				c.rows = append(c.rows, row)
				return nil
			})
			return nil
		})
	}
	_ = group.Wait() // each keeps its error
	for _, c := range calls {
		s.answer(c)
	}
}

// isMore reports whether so many calls by keys are more than those of a listing, or
// nearly as many: an answer may have several pages, and what was listed is there for
// whatever the statement asks for next.
func isMore(keyed, pages int) bool { return keyed > pages || pages > 3 && 4*keyed > 3*pages }

const (
	fewCalls  = 2  // are made without a look at how long the listing is
	maxAtOnce = 64 // goroutines; the API's own bound is lower
)

// fail notes why the tuples that were asked for have no rows.
func (s *state) fail(err error) {
	for _, k := range s.pending {
		s.found[k.set][k.key] = &answer{err: err}
	}
}

// answer gives the rows of a call to the tuples that it asked for.
func (s *state) answer(c *call) {
	columns := c.keys[0].columns
	byRow := map[string][]*pendingKey{} // by the text that their rows have
	rows := map[*pendingKey][]int32{}
	for _, k := range c.keys {
		key := s.looseKey(columns, func(i int) value.Value { return k.tuple[i] })
		byRow[key] = append(byRow[key], k)
	}
	kept := map[*pendingKey][][]value.Value{}
	for _, row := range c.rows {
		keys := byRow[s.looseKey(columns, func(i int) value.Value { return row[columns[i]] })]
		if len(keys) == 0 {
			continue // the API answers with more than it was asked for
		}
		at := s.add([][]value.Value{row})[0]
		for _, k := range keys {
			rows[k] = append(rows[k], at)
			kept[k] = append(kept[k], row)
		}
	}
	for _, k := range c.keys {
		s.found[k.set][k.key] = &answer{at: rows[k], err: c.err}
		if c.err == nil {
			s.keepRows(k.set, k.key, kept[k])
		}
	}
}
