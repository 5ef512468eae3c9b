// Package emit writes a plan as a sequence of calls of the dataframe tools of
// pkg/tools, and runs it.
//
// Each step of a plan becomes one call. A column is known by its key in the
// table that a call returns: <table>_<column> in a starting table, and the key
// that a call gives it from there on. A derived column gets a new key that
// says what it is, the statement's alias or what is computed of what, and never
// one of a starting table; see name.go. The value of a result stays its first
// cell, so that it is known by the label.
//
// The paper's tools cannot name what they derive. There a derived column takes
// the place of the column it is derived from, as in the sequences of Elder et al.
// (arXiv:2506.11266), and a plan that reads that one later is refused.
//
// retrieve_data always says whether rows are distinct and how many there are, as
// the paper's sequences do. Other arguments are left out where they are what the
// tool takes for granted.
package emit
