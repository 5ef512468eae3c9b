// Package openapi maps operations of OpenAPI documents to tables and functions, as a
// declaration in YAML says (Khabiri et al., "Declarative Techniques for NL Queries
// over Heterogeneous Data", section 3.1: the API mapping schema), and calls them.
// It knows no SQL.
//
// [Load] reads a declaration:
//
//	apis:
//	  orchard: {openapi: orchard.yaml, server: "${ORCHARD_URL}"}
//	tables:
//	  tree: {list: listTrees, key: id}
//	functions:
//	  score: {operation: scoreVariety}
//
// What the document says need not be declared. The columns of a table are the
// properties of its rows, where allOf, oneOf and anyOf are taken together; the rows
// are the only array of objects in the answer; a parameter that has the name of a
// column filters by it; and pages follow each other as the usual names of parameters
// say, where no row can get lost by that. What the document leaves open has to be
// declared, and an error says what and how.
//
// [apis.Table] asks for rows by the values of columns, or lists the table;
// [apis.Function] computes a function for many arguments in few calls. An [apis.Meter]
// counts the calls of a statement and holds them to [apis.Limits].
//
// # Values
//
// An integer of JSON is an INTEGER and never goes through a float64; one of more than
// 64 bits is the REAL that SQLite makes of such a literal. In a column of the type
// REAL all numbers are REAL, and in one of the type INTEGER whole numbers are INTEGER.
// Booleans are 1 and 0, objects and arrays are their JSON as TEXT without white
// space. A value of another type than the column's is kept as it is, and a member
// that is not there is NULL.
//
// In a document of serve's own tables, x-sql-type and x-sql-collation say how a
// column is declared, and that its values are exact: a number with a point or an
// exponent is a REAL, any other an INTEGER, and {"blob": "00ff"}, {"text": "ff"} and
// {"real": "Inf"} are what JSON has no value for. The rows' schema has x-sql-columns,
// x-sql-primary-key and x-sql-rowid.
//
// # Equality
//
// An API compares as it will. Accepts reports for which values it can be relied
// on to have all rows that are equal by SQLite's rules; whoever asks looks at the
// rows again.
package openapi
