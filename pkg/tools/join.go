package tools

import (
	"context"
	"math"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// JoinArgs are the arguments of JoinData.
type JoinArgs struct {
	// Keys of the first table equal OtherKeys of the second, one by one.
	// Without OtherKeys the keys have the same names in both.
	Keys, OtherKeys []string
	// Type says which rows are kept, "" those of InnerJoin. A CrossJoin has
	// no keys.
	Type JoinKind
	// NullEqual lets NULL match NULL.
	NullEqual bool
	// MaxRows bounds the result; 0 is DefaultMaxRows.
	MaxRows int

	spend func(bytes int64) error // is called before the result is made; may be nil
}

var joinTypes = []Choice{
	{Name: string(InnerJoin), Description: "rows that match"},
	{Name: string(LeftJoin), Description: "also rows of the first table without a match"},
	{Name: string(RightJoin), Description: "also rows of the second table without a match"},
	{Name: string(FullJoin), Description: "also rows of either table without a match"},
	{Name: string(CrossJoin), Description: "every pair of rows; takes no keys"},
	{Name: string(SemiJoin), Description: "rows of the first table that have a match"},
	{Name: string(AntiJoin), Description: "rows of the first table that have none"},
}

// JoinData joins two tables on equal keys. Keys are compared as SQLite
// compares two columns (https://www.sqlite.org/datatype3.html, sections 4.2
// and 7.1): by the affinities of both and the collation of the first. NULL
// matches nothing, not even NULL, unless NullEqual says so. The rows come in
// the order of the first table, then of the second; rows of the second table
// without a match come last. Keys of the second table that the first has, too,
// get _1, _2, ... appended. Errors are *ToolError, *LimitError, and those of
// the database and the context.
func JoinData(ctx context.Context, t, other *Table, a JoinArgs) (*Table, error) {
	if err := ready(ctx, toolname.Join, t, other); err != nil {
		return nil, err
	}
	if a.Type == "" {
		a.Type = InnerJoin
	}
	if a.OtherKeys == nil {
		a.OtherKeys = a.Keys
	}
	return joinData(ctx, t, other, a)
}

// joinData is JoinData without its defaults, which calls do not have.
func joinData(ctx context.Context, t, other *Table, a JoinArgs) (*Table, error) {
	const tool = toolname.Join
	if err := oneOf(tool, toolname.ArgJoinType, string(a.Type), joinTypes); err != nil {
		return nil, err
	}
	if (a.Type == CrossJoin) != (len(a.Keys) == 0) || len(a.Keys) != len(a.OtherKeys) {
		return nil, &ToolError{Tool: tool, Argument: toolname.ArgOtherKeyName, Reason: "the keys of the two tables do not pair up", Hint: "name as many keys of the second table as of the first, none for cross"}
	}
	j := &joiner{ctx: ctx, tool: tool, left: t.ungrouped(), right: other.ungrouped(), kind: a.Type, nullEqual: a.NullEqual, maxRows: a.MaxRows, spend: a.spend}
	for i := range a.Keys {
		l, err := t.find(tool, toolname.ArgKeyName, a.Keys[i])
		if err != nil {
			return nil, err
		}
		r, err := other.find(tool, toolname.ArgOtherKeyName, a.OtherKeys[i])
		if err != nil {
			return nil, err
		}
		j.on = append(j.on, equality{left: l, right: r, collation: pairCollation(t.fields[l], other.fields[r])})
	}
	return j.join()
}

// pairCollation is the collation of a comparison of two columns: that of the
// first which has one.
func pairCollation(first, second field) value.Collation {
	if first.Computed && !second.Computed {
		return second.Collation
	}
	return first.Collation
}

// equality is one condition of a join: two columns and how texts compare.
type equality struct {
	left, right int
	collation   value.Collation
}

// joiner joins two plain tables.
type joiner struct {
	ctx         context.Context
	tool        string
	left, right *Table
	on          []equality
	kind        JoinKind
	nullEqual   bool
	maxRows     int
	spend       func(bytes int64) error
}

func (j *joiner) join() (*Table, error) {
	lcodes, rcodes, size, err := j.codes()
	if err != nil {
		return nil, err
	}
	// The rows of the right table with one code form a chain from head by
	// way of next, in their order; counts are the lengths of the chains.
	head, next, counts := make([]int32, size), make([]int32, len(rcodes)), make([]int32, size)
	for r := len(rcodes) - 1; r >= 0; r-- {
		if c := rcodes[r]; c >= 0 {
			next[r], head[c] = head[c]-1, int32(r)+1
			counts[c]++
		}
	}
	if j.kind == SemiJoin || j.kind == AntiJoin {
		rows := []int32{}
		for l, c := range lcodes {
			if (c >= 0 && counts[c] > 0) == (j.kind == SemiJoin) {
				rows = append(rows, int32(l))
			}
		}
		return j.left.take(rows), nil
	}
	total, err := j.total(lcodes, rcodes, counts)
	if err != nil {
		return nil, err
	}
	lrows, rrows := make([]int32, 0, total), make([]int32, 0, total)
	for l, c := range lcodes {
		if err := stopped(j.ctx, l); err != nil {
			return nil, err
		}
		if c < 0 || counts[c] == 0 {
			if j.kind == LeftJoin || j.kind == FullJoin {
				lrows, rrows = append(lrows, int32(l)), append(rrows, -1)
			}
			continue
		}
		for r := head[c] - 1; r >= 0; r = next[r] {
			if err := stopped(j.ctx, len(lrows)); err != nil {
				return nil, err
			}
			lrows, rrows = append(lrows, int32(l)), append(rrows, r)
		}
	}
	if j.kind == RightJoin || j.kind == FullJoin {
		matched := matchedCodes(lcodes, size)
		for r, c := range rcodes {
			if c < 0 || !matched[c] {
				lrows, rrows = append(lrows, -1), append(rrows, int32(r))
			}
		}
	}
	return sideBySide(j.left, j.right, lrows, rrows), nil
}

// total counts the rows of the result before any is made.
func (j *joiner) total(lcodes, rcodes, counts []int32) (int, error) {
	limit := j.maxRows
	if limit <= 0 {
		limit = DefaultMaxRows
	}
	limit = min(limit, math.MaxInt32)
	total := 0
	for l, c := range lcodes {
		if err := stopped(j.ctx, l); err != nil {
			return 0, err
		}
		if c >= 0 && counts[c] > 0 {
			total += int(counts[c])
		} else if j.kind == LeftJoin || j.kind == FullJoin {
			total++
		}
	}
	if j.kind == RightJoin || j.kind == FullJoin {
		matched := matchedCodes(lcodes, len(counts))
		for _, c := range rcodes {
			if c < 0 || !matched[c] {
				total++
			}
		}
	}
	if total > limit {
		return 0, &LimitError{Tool: j.tool, What: "rows", Limit: limit}
	}
	if j.spend == nil {
		return total, nil
	}
	const row = 4 // bytes of a row number
	return total, j.spend(int64(total) * int64(len(j.left.vectors)+len(j.right.vectors)) * row)
}

func matchedCodes(codes []int32, size int) []bool {
	matched := make([]bool, size)
	for _, c := range codes {
		if c >= 0 {
			matched[c] = true
		}
	}
	return matched
}

// codes numbers the rows of both tables by their keys: two rows match when
// their numbers are equal and not negative.
func (j *joiner) codes() (lcodes, rcodes []int32, size int, err error) {
	lcodes, rcodes, size = make([]int32, j.left.rows), make([]int32, j.right.rows), 1
	for i, on := range j.on {
		l, r, n, err := j.column(on)
		if err != nil {
			return nil, nil, 0, err
		}
		if i == 0 {
			lcodes, rcodes, size = l, r, n
			continue
		}
		pairs := newPairs(int32(size), int32(n), len(rcodes))
		if rcodes, err = pairs.combine(j.ctx, rcodes, r, int32(n), true); err != nil {
			return nil, nil, 0, err
		}
		if lcodes, err = pairs.combine(j.ctx, lcodes, l, int32(n), false); err != nil {
			return nil, nil, 0, err
		}
		size = int(pairs.size)
	}
	return lcodes, rcodes, size, nil
}

// column numbers the values of one pair of columns.
func (j *joiner) column(on equality) (lcodes, rcodes []int32, size int, err error) {
	lv, err := j.left.Column(j.ctx, on.left)
	if err != nil {
		return nil, nil, 0, err
	}
	rv, err := j.right.Column(j.ctx, on.right)
	if err != nil {
		return nil, nil, 0, err
	}
	la, ra := j.left.fields[on.left].Affinity, j.right.fields[on.right].Affinity
	toText := la == value.AffinityText && ra == value.AffinityNone || la == value.AffinityNone && ra == value.AffinityText
	book := newCodebook()
	rules := coding{collation: on.collation, nulls: j.nullEqual, add: true}
	// Integers need no conversion except into text; without one they are
	// matched without looking at them as values.
	if rv.column.layout != layoutInt || toText {
		rules.convert = func(v value.Value) value.Value {
			_, v = value.Coerce(value.NullValue(), v, la, ra)
			return v
		}
	}
	if rcodes, err = book.encode(j.ctx, rv, rules); err != nil {
		return nil, nil, 0, err
	}
	rules.add, rules.convert = false, nil
	if lv.column.layout != layoutInt || toText {
		rules.convert = func(v value.Value) value.Value {
			v, _ = value.Coerce(v, value.NullValue(), la, ra)
			return v
		}
	}
	lcodes, err = book.encode(j.ctx, lv, rules)
	return lcodes, rcodes, int(book.size), err
}

// sideBySide puts rows of two tables into one.
func sideBySide(left, right *Table, lrows, rrows []int32) *Table {
	out := &Table{rows: len(lrows), root: new(lineage)}
	keys := newNames()
	for _, f := range left.fields {
		keys.add(f.Key)
		out.fields = append(out.fields, f)
	}
	for _, v := range left.vectors {
		out.vectors = append(out.vectors, gather(v, lrows))
	}
	for _, f := range right.fields {
		f.Key = keys.add(f.Key)
		f.vector += len(left.vectors)
		out.fields = append(out.fields, f)
	}
	for _, v := range right.vectors {
		out.vectors = append(out.vectors, gather(v, rrows))
	}
	out.reindex()
	return out
}
