// Package rest turns the SQL of a dataset into REST endpoints: one for every
// query, with its literals as parameters.
//
// # What is a parameter
//
// A literal is a parameter if it is compared with something that depends on
// the data: with a column, with an expression over columns, with COUNT(*), or
// with a subquery. Comparisons are =, <>, <, <=, >, >=, IS, LIKE, GLOB,
// BETWEEN, IN and the WHEN of a CASE with an operand, wherever they are: in
// WHERE, HAVING, ON, FILTER, in the test of a CASE or IIF, and in an
// expression such as SUM(price >= 15). The literals of an IN list are one
// parameter with several values, unless there are both texts and numbers. The
// same literal compared in the same way with the same column, twice in a
// statement, is one parameter.
//
// LIMIT n is the parameter limit, and OFFSET m is offset, both required; LIMIT 1
// asks for the first row and is none. A statement that reads the clock has the
// parameter as_of.
//
// Plumbing is no parameter: whether a text is empty, a difference compared with
// 0, a count or a position compared with 0 to see whether there is one, a test
// compared with 0 or 1, the row whose number or rank is 1, a pattern without
// letters and digits. Nor does anything that is offered to a model reveal a
// question's own values: there are no defaults and no examples of them, and an
// enum holds all values of a column or is not there.
//
// A statement that asks for random values has no endpoint.
//
// All other literals are part of the query: factors (* 100), formats and
// arguments of functions, results of CASE, positions in ORDER BY, NULL.
//
// The rest of the statement stays as it was written. Values are bound, never
// put into its text. Statements that differ in parameter values only share an
// endpoint; case, space, comments and table aliases make no difference, and the
// order of inner joins and of conditions makes none where it cannot change the
// answer.
//
// # What it is called
//
// A description is one sentence, written from the whole query: what comes out, of
// which rows, every condition, what is compared, the order and the limit, what is
// divided by what. It is followed by what the dataset says of the columns in it.
// A name says the same in at most 45 characters. Both are in the dataset's own
// words for its tables and columns, and the same dataset always gives the same
// ones. Endpoint.Defects says where a description leaves out a part of the query,
// or has the same words as another of its database; a conversion reports them.
//
// # What it answers
//
// GET /v1/bird/<db>/<name>, or a path of another Options.Prefix, answers with JSON, one object per row in data,
// with lines of JSON (application/x-ndjson), or with CSV (text/csv). Values
// are exact in all three: an INTEGER has digits only, a REAL a point or an
// exponent, and NULL differs from an empty text. The columns have the names that
// the query gives them: an alias, or a table's column's own name; an expression
// without an alias is named in words, and a name that is there twice has _2 the
// second time.
//
// limit and offset page through longer answers. When there are more rows than a
// limit lets through, the request's own or the service's, the answer says so:
// truncated is true, next_offset is where the rest starts, and in all formats
// the header X-Truncated says which limit it was. A query's own LIMIT, where
// the request has none, is part of the question and cuts nothing off.
//
// # Tables
//
// With Options.Tables, each table and view has an endpoint as well,
// /v1/tables/<db>/<table>, and /v1/tables/<db> lists them. Its parameters are the
// columns, each with the values that a row may have. They are compared by the
// engine, with the column's affinity and collation; where nothing says whether a
// value is a text, a number or a BLOB, it stands for each that it can be. They are
// no tools of models, and not part of Database.Endpoints.
//
// # How models see it
//
// API.Document is the OpenAPI document, and Database.Tools the same as tools for
// models (pkg/spec): the operationId is the tool's name, and each parameter an
// argument with the same schema.
//
// # Where to start
//
// Open makes the endpoints of a dataset. NewService serves them, by Handler on
// their own or by Register within an engine of gin. NewConverter makes verified
// records: for each question the call of its endpoint, asked over HTTP and
// compared with what the question's own SQL answers.
//
// Databases are read only, and a query is stopped when its time is over.
package rest
