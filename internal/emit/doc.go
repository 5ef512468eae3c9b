// Package emit writes a plan as a sequence of calls of the dataframe tools of
// pkg/tools, and runs it.
//
// Each step of a plan becomes one call. A column is known by its key in the
// table that a call returns: <table>_<column> in a starting table, and the key
// that a call gives it from there on. A derived column takes the place of the
// column it is derived from where nothing reads that one any more, as the
// sequences of Elder et al. (arXiv:2506.11266) do; otherwise it gets a key of its
// own.
package emit
