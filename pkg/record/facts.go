package record

import "github.com/birdcall/birdcall/pkg/bird"

// Facts are what a record says of its question and of the answer, in all variants. Texts that the
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
	// Oversized is set when the answer has more than 1,000 rows.
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
