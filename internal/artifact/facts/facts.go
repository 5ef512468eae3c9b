package facts

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
)

// MaxRows is how many rows an answer may have that is not oversized.
const MaxRows = 1000

// SetTies notes which rows of an ordered answer may change places: neighbours with
// the same number in groups, which has one for each row, or all if it is nil.
func SetTies(g *record.Gold, groups []int) {
	g.Ties = nil
	n := len(g.Rows)
	if !g.Ordered || groups != nil && len(groups) != n {
		return
	}
	for first := 0; first < n; {
		last := first
		for last+1 < n && (groups == nil || groups[last+1] == groups[first]) {
			last++
		}
		if last > first {
			g.Ties = append(g.Ties, [2]int{first, last})
		}
		first = last + 1
	}
}

// New returns the facts of a question whose right answer is rows under the names
// of columns. What it takes to know whether SQL leaves the answer open, and the
// time, are for the caller to fill in.
func New(q *bird.Question, columns []string, rows [][]value.Value) record.Facts {
	var form Form
	if tree, err := sqltree.Parse(q.SQL); err == nil {
		form = Form{Constructs: tree.Constructs(), Ordered: len(tree.OrderBy) > 0}
	}
	return Of(q, form, columns, spec.Cells(rows))
}

// Form is what the text of a statement says of it; the zero value is that of one
// that cannot be read.
type Form struct {
	Constructs []string
	Ordered    bool // whether it has an ORDER BY of its own
}

// Of is New of a statement that may be another dialect's, and of an answer whose
// values are as gold_answer has them already.
func Of(q *bird.Question, form Form, columns []string, rows [][]any) record.Facts {
	f := record.Facts{
		Evidence: q.Evidence, Difficulty: q.Difficulty, Split: q.Split, DuplicateOf: q.DuplicateOf,
		Gold: record.Gold{Columns: columns, Rows: rows, Ordered: form.Ordered}, Constructs: form.Constructs,
		Trivial: true, Oversized: len(rows) > MaxRows,
	}
	if f.Constructs == nil {
		f.Constructs = []string{}
	}
	for _, row := range rows {
		for _, v := range row {
			f.Trivial = f.Trivial && v == nil
		}
	}
	return f
}
