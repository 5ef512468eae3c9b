package vtab

import (
	"slices"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// state is what a statement knows of a table.
type state struct {
	*table
	whole *listing        // all rows, once they were listed
	first [][]value.Value // the first rows, of a listing that was not read to its end
	// rows are those that were asked for by keys, each once; found are their numbers
	// by the set of columns and by the texts of their values.
	rows  [][]value.Value
	found map[string]map[string]*answer
	ids   map[string]int32 // numbers of rows by the table's key
	set   string           // the set of columns that rows were asked by first
	calls int              // that asked by keys
	tried int              // pages that a listing was tried for

	failed error // why it could not be listed
	// What the run asked for and did not find:
	list      bool  // all rows
	firstRows int64 // or, if not list, that many of the first
	pending   []*pendingKey
	isPending map[string]bool
}

// answer is the rows of one tuple of values, or why there are none.
type answer struct {
	at  []int32
	err error
}

// pendingKey is a tuple of values whose rows are not known.
type pendingKey struct {
	columns []int
	tuple   []value.Value
	set     string
	key     string // of the tuple
}

// The bounds on lists of values.
const (
	maxTuples = 10_000 // one reading looks for
	manyInOne = 32     // values of a list that are looked for together with a single one of another column
)

// look returns the rows that are known of those that are asked for, and notes what
// is not known.
func (s *state) look(where []sqlite.Equal, maxRows int64) (sqlite.Rows, error) {
	for _, e := range where {
		if !slices.ContainsFunc(e.Values, func(v value.Value) bool { return !v.IsNull() }) {
			return sqlite.Rows{At: []int32{}}, nil // nothing equals NULL
		}
	}
	if s.whole == nil {
		columns, tuples, possible, err := s.ask(where)
		switch {
		case err != nil:
			return sqlite.Rows{At: []int32{}}, err
		case possible:
			return s.answers(columns, tuples)
		}
		return s.scan(maxRows)
	}
	rows := sqlite.Rows{All: s.whole.rows}
	if columns, tuples := s.tuples(where); len(columns) > 0 {
		rows.At = s.whole.find(columns, tuples)
	}
	return rows, nil
}

// scan returns the first rows, or all of them.
func (s *state) scan(maxRows int64) (sqlite.Rows, error) {
	none := sqlite.Rows{At: []int32{}}
	switch {
	case maxRows == 0:
		return none, nil
	case maxRows > 0 && int64(len(s.first)) >= maxRows:
		return sqlite.Rows{All: s.first}, nil
	case s.failed != nil:
		return none, s.failed
	case !s.Lists:
		return none, s.cannot("the API gives rows only for values of %v that it can be asked for", s.required())
	case maxRows > 0:
		s.firstRows = max(s.firstRows, maxRows)
	default:
		s.list = true
	}
	return none, errUnknown
}

// need returns the columns without whose values the API gives no rows, where rows are
// asked for by columns.
func (t *table) need(columns []int) []int {
	for _, c := range t.Required {
		if !slices.Contains(columns, c) {
			return t.Instead
		}
	}
	return t.Required
}

func columnsOf(where []sqlite.Equal) []int {
	columns := make([]int, len(where))
	for i, e := range where {
		columns[i] = e.Column
	}
	return columns
}

func (s *state) required() []string {
	var names []string
	for _, c := range s.Required {
		names = append(names, s.Columns[c].Name)
	}
	return names
}

// tuples returns the columns to look rows up by, in ascending order, and the values
// to look for. A long list is left to SQLite where another column narrows the rows
// down.
func (s *state) tuples(where []sqlite.Equal) ([]int, [][]value.Value) {
	where = slices.Clone(where)
	slices.SortFunc(where, func(a, b sqlite.Equal) int { return a.Column - b.Column })
	need := s.need(columnsOf(where))
	isSingle := slices.ContainsFunc(where, func(e sqlite.Equal) bool { return len(e.Values) == 1 })
	product := 1
	var columns []int
	var tuples [][]value.Value
	for _, e := range where {
		if isSingle && len(e.Values) > manyInOne && !slices.Contains(need, e.Column) {
			continue
		}
		if product*len(e.Values) > maxTuples && len(columns) > 0 && !slices.Contains(need, e.Column) {
			continue
		}
		product *= len(e.Values)
		columns = append(columns, e.Column)
		if tuples == nil {
			tuples = [][]value.Value{nil}
		}
		var longer [][]value.Value
		for _, t := range tuples {
			for _, v := range e.Values {
				if !v.IsNull() {
					longer = append(longer, append(slices.Clip(t), v))
				}
			}
		}
		tuples = longer
	}
	return columns, tuples
}

// ask returns the tuples of values that the API can be asked for, and reports
// whether there is such a way to find the rows. A column with a value that the API
// cannot be asked for is left to SQLite. Where the API gives no rows without it, that
// is an error, of type *KeyError.
func (s *state) ask(where []sqlite.Equal) (columns []int, tuples [][]value.Value, possible bool, err error) {
	var by []sqlite.Equal
	need := s.need(columnsOf(where))
	for _, e := range where {
		if s.filters[e.Column] == 0 {
			continue
		}
		isRequired := slices.Contains(need, e.Column)
		if len(s.Key) == 0 && !isRequired && (!s.Lists || !s.keys[e.Column].isTyped()) {
			continue
		}
		one := sqlite.Equal{Column: e.Column, Values: []value.Value{}}
		asks := true
		for _, v := range e.Values {
			switch {
			case v.IsNull() || s.NeverEquals(e.Column, v):
			case s.Accepts(e.Column, v):
				one.Values = append(one.Values, v)
			case isRequired:
				return nil, nil, false, &KeyError{Table: s.Name, Column: s.Columns[e.Column].Name, Type: s.Columns[e.Column].Type, Value: v}
			default:
				asks = false
			}
		}
		if asks {
			by = append(by, one)
		}
	}
	if len(by) == 0 {
		return nil, nil, false, nil
	}
	columns, tuples = s.tuples(by)
	// Rows without a key are distinguished by where they were found, so that all must
	// be found in one way: SQLite may put together rows that it reads in two ways.
	if set := setName(columns); len(s.Key) == 0 && s.set != "" && s.set != set && s.Lists {
		return nil, nil, false, nil
	}
	return columns, tuples, true, nil
}

// answers returns the rows of tuples, and notes those that were not asked for yet.
func (s *state) answers(columns []int, tuples [][]value.Value) (sqlite.Rows, error) {
	set := setName(columns)
	if s.set == "" {
		s.set = set
	}
	if s.found == nil {
		s.found, s.isPending, s.ids = map[string]map[string]*answer{}, map[string]bool{}, map[string]int32{}
	}
	known := s.found[set]
	if known == nil {
		known = map[string]*answer{}
		s.found[set] = known
	}
	at := []int32{}
	unknown := false
	for _, tuple := range tuples {
		key := s.askedKey(columns, tuple)
		one := known[key]
		if one == nil {
			if rows, ok := s.kept(set, key); ok {
				one = &answer{at: s.add(rows)}
				known[key] = one
			}
		}
		switch {
		case one == nil:
			unknown = true
			if name := set + key; !s.isPending[name] {
				s.isPending[name] = true
				s.pending = append(s.pending, &pendingKey{columns: columns, tuple: tuple, set: set, key: key})
			}
		case one.err != nil:
			return sqlite.Rows{At: []int32{}}, one.err
		default:
			at = append(at, one.at...)
		}
	}
	if len(tuples) > 1 {
		slices.Sort(at)
		at = slices.Compact(at)
	}
	rows := sqlite.Rows{All: s.rows, At: at}
	if unknown {
		return rows, errUnknown
	}
	return rows, nil
}

func (s *state) askedKey(columns []int, tuple []value.Value) string {
	var key []byte
	for i, c := range columns {
		key = s.appendText(key, c, tuple[i])
	}
	return string(key)
}

// appendText appends a text that distinguishes a value from all others that the API is asked
// for in a column.
func (s *state) appendText(b []byte, column int, v value.Value) []byte {
	return s.keys[column].sent(b, v)
}

// looseKey returns the text that the values of columns share with those that they may
// equal. The value of a column is that of its place among them.
func (s *state) looseKey(columns []int, of func(i int) value.Value) string {
	var key []byte
	for i, c := range columns {
		key = s.keys[c].loose(key, of(i))
	}
	return string(key)
}

// add puts rows to those that are known, each once if the table has a key, and
// returns their numbers.
func (s *state) add(rows [][]value.Value) []int32 {
	at := make([]int32, len(rows))
	for i, row := range rows {
		at[i] = int32(len(s.rows))
		if len(s.Key) > 0 {
			id, whole := s.rowID(row)
			if n, ok := s.ids[string(id)]; ok && whole {
				at[i] = n
				continue
			}
			s.ids[string(id)] = at[i]
		}
		s.rows = append(s.rows, row)
	}
	return at
}

// forgetWants begins another run.
func (s *state) forgetWants() {
	s.list, s.firstRows, s.pending = false, 0, nil
	clear(s.isPending)
}

// asks reports whether the run asked for what is not known.
func (s *state) asks() bool { return s.list || s.firstRows > 0 || len(s.pending) > 0 }
