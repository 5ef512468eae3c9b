// Package tools is a library of dataframe tools: filter, transform, sort,
// aggregate, group, retrieve, combine, join and window. A sequence of calls
// to these tools answers a question about a database, and the answer is the
// one SQLite would give: NULL order, type affinity, comparison across storage
// classes, LIKE, integer division and the rest follow
// https://www.sqlite.org/datatype3.html and https://www.sqlite.org/lang_expr.html.
// The tools themselves know nothing of SQL text.
//
// A Table is immutable. Its columns are typed and shared: filtering, sorting
// and joining move row numbers, never cells, and columns of a Database are
// read only when a step looks at them.
//
// There are two ways to use the package. A Go program calls the exported
// functions (FilterData, SortData, ...) with typed arguments. A Session runs
// calls as JSON: it keeps the tables that earlier calls labelled and resolves
// "$LABEL$" references to them.
package tools
