// Package tools filters, transforms, sorts, groups, aggregates, joins and
// prints tables, by SQLite's exact rules. Language models call its tools as
// JSON, and Go programs as functions or in a chain:
//
//	err := tools.FromCSV("books.csv").
//		Filter("pages", tools.Greater, 300).
//		GroupBy("genre").
//		Aggregate(tools.Sum, "pages").
//		Sort(tools.Descending, "sum_pages").
//		Print(ctx, os.Stdout)
//
// prints
//
//	genre  sum_pages
//	novel        886
//	poems        704
//
// # Tables
//
// A [Table] comes from a slice of structs ([FromStructs]), a CSV file
// ([ReadCSV]), a query of any SQL driver ([FromSQL]), a SQLite file
// ([FromDatabase], with package sqlitedb) or columns ([NewTable]). It is
// immutable, and its columns are typed and shared: filtering, sorting and
// joining move row numbers, never cells. [Table.Rows] returns the cells,
// [Table.Scalar] the first one, [Table.Print] and [Table.String] text for
// people, and [WriteCSV] a file.
//
// A cell is a [value.Value]: NULL, INTEGER, REAL, TEXT or BLOB. Any makes a Go
// value of it, value.Of one of a Go value. The order of values, affinities,
// comparison across types, LIKE, integer division and the rest are those of
// https://www.sqlite.org/datatype3.html and
// https://www.sqlite.org/lang_expr.html, so that a sequence of tools gives the
// answer that SQLite gives. The tools themselves know nothing of SQL text.
//
// # Tools
//
// There is a function for each tool: [FilterData], [SortData],
// [AggregateData], [GroupDataBy], [RetrieveData], [SelectUniqueValues],
// [TransformData], [CombineData], [JoinData], [WindowData] and [ExpandJSON].
// Each takes a table and a struct of arguments and returns a new table. A
// [Query] is a chain of them: begin it with [From], end it with Table, Print or
// Scalar, which run it and return the first error.
//
// A result is always a table: a scalar is a table of one row and one column.
// GroupDataBy gives a grouped table, with one row for each group, in which all
// columns stay: FilterData, SortData, TransformData and WindowData work on its
// rows, AggregateData adds a column to it, and RetrieveData, CombineData,
// JoinData and ExpandJSON make a plain table of it. A Query that ends in groups
// gives their keys and what was computed of them.
//
// Where a tool takes an [Operand], give [Literal] for a Go value, [Col] for
// another column, [Result] for the first cell of another table, or [List].
//
// # Calls
//
// A [Session] runs calls as a model writes them, and keeps each result by its
// label. [Definitions] describes the tools; package spec makes of them the tool
// list of OpenAI, Anthropic and other interfaces. Where a call needs a value,
// it has one of these forms:
//
//	1, 1.0, "text", null    a literal: INTEGER, REAL, TEXT, NULL
//	true, false             1 and 0
//	"$LABEL$"               the first cell of an earlier result, NULL without rows;
//	                        with in and not_in its whole first column
//	{"key_name": "other"}   the value of another column in the same row
//	{"literal": "$LABEL$"}  a text that looks like a label
//	{"blob": "00ff"}        a BLOB, in hexadecimal digits
//
// A call that cannot be run is a [*ToolError], whose text says what is wrong
// and what would mend it: send it to the model as the call's result. A call
// that would give too much is a [*LimitError]; other errors are those of the
// context and of the database.
//
// # Compatibility
//
// Within a major version, the exported names, the names of tools and arguments
// in calls, and the results of the tools stay as they are. Structs may get
// fields, so write literals of them with field names; tools, operations and
// optional arguments may be added. The texts of errors and the layout of Print
// may change.
package tools
