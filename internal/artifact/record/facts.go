package record

import (
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
)

// MostRows is how many rows an answer may have that is not oversized.
const MostRows = 1000

// Facts are what a record tells of its question and of the answer. Texts that the
// dataset does not give, and flags that are false, are left out.
type Facts struct {
	Evidence   string `json:"evidence,omitempty"`   // the dataset's hint on the meaning of the question's words
	Difficulty string `json:"difficulty,omitempty"` // as the dataset rates it
	Split      string `json:"split,omitempty"`      // of the dataset
	Gold       Gold   `json:"gold"`
	// Constructs are those of SQL that the statement uses, in alphabetical order.
	Constructs []string `json:"constructs"`
	// DuplicateOf is the first question on the same database with the same
	// statement, but for white space, comments and the semicolon at its end.
	DuplicateOf bird.ID `json:"duplicate_of,omitzero"`
	// Trivial is set when the answer has no rows, or nothing but NULL.
	Trivial bool `json:"trivial,omitempty"`
	// Oversized is set when the answer has more than MostRows rows.
	Oversized bool `json:"oversized,omitempty"`
	// TieDependent is set when SQL leaves the answer open, by a LIMIT within
	// a run of ties or a column outside of GROUP BY. The gold answer is one of
	// the right ones.
	TieDependent bool `json:"tie_dependent,omitempty"`
	// TimeDependent is set when the question reads the clock; AsOf is the
	// instant that stood for it, in UTC.
	TimeDependent bool   `json:"time_dependent,omitempty"`
	AsOf          string `json:"as_of,omitempty"`
}

// Gold is the right answer in one form for all questions, where gold_answer has
// the paper's: always a list of rows, with the names of the columns.
type Gold struct {
	Columns []string `json:"columns"` // as the engine names them
	Rows    [][]any  `json:"rows"`    // with values as gold_answer has them
	// Ordered is set when the statement has an ORDER BY of its own, so that the
	// order of the rows is part of the answer.
	Ordered bool `json:"ordered"`
	// Ties are the runs of rows that may change places in an ordered answer, as
	// they are equal in what is sorted by: the numbers of their first and last
	// rows, counted from 0.
	Ties [][2]int `json:"ties,omitempty"`
}

// SetTies notes which rows of an ordered answer may change places: neighbours with
// the same number in groups, which has one for each row, or all if it is nil.
func (g *Gold) SetTies(groups []int) {
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
func New(q *bird.Question, columns []string, rows [][]value.Value) Facts {
	var form Form
	if tree, err := sqltree.Parse(q.SQL); err == nil {
		form = Form{Constructs: tree.Constructs(), Ordered: len(tree.OrderBy) > 0}
	}
	return Of(q, form, columns, spec.Cells(rows))
}

// Form is what the text of a statement tells of it; the zero value is that of one
// that cannot be read.
type Form struct {
	Constructs []string
	Ordered    bool // whether it has an ORDER BY of its own
}

// Of is New of a statement that may be another dialect's, and of an answer whose
// values are as gold_answer has them already.
func Of(q *bird.Question, form Form, columns []string, rows [][]any) Facts {
	f := Facts{
		Evidence: q.Evidence, Difficulty: q.Difficulty, Split: q.Split, DuplicateOf: q.DuplicateOf,
		Gold: Gold{Columns: columns, Rows: rows, Ordered: form.Ordered}, Constructs: form.Constructs,
		Trivial: true, Oversized: len(rows) > MostRows,
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
