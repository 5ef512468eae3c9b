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
// A result is always a table: a scalar is a table of one row and one column, a
// list one of one column. GroupDataBy gives a grouped table, with one row for
// each group: FilterData, SortData, TransformData and WindowData work on its
// rows, AggregateData adds a column to it, and RetrieveData, CombineData and
// JoinData make a plain table of it.
//
// There are two ways to use the package. A Go program calls the exported
// functions (FilterData, SortData, ...) with typed arguments. A Session runs
// calls as JSON: it keeps the tables that earlier calls labelled. Where such a
// call needs a value, it has one of these forms:
//
//	1, 1.0, "text", null    a literal: INTEGER, REAL, TEXT, NULL
//	true, false             1 and 0
//	"$LABEL$"               the first cell of an earlier result, NULL without rows;
//	                        with in and not_in its whole first column
//	{"key_name": "other"}   the value of another column in the same row
//	{"literal": "$LABEL$"}  a text that looks like a label
//	{"blob": "00ff"}        a BLOB, in hexadecimal digits
package tools
