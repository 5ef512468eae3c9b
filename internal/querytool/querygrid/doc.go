// Package querygrid makes questions for package query in the manner of Shorten et
// al. (Querying Databases with Function Calling, 2025), without a model: each of the
// 63 combinations of search, filters, aggregations and groups over the collections
// of a database, in the paper's toolset.
//
// A combination has a search or none, a filter of one type or none (numbers, texts,
// booleans), an aggregation of one type or none, and groups or none; one of them at
// least. Each is asked of a collection that has such properties, in turn, with
// values that are drawn from its objects. Operators and metrics take turns, too, so
// that all of them occur.
//
// A query is kept if its result is neither empty nor trivial and if each of its
// arguments matters: without any of them it has another result. Where a schema has
// no property of a type, or its data give no such query, the combination is
// impossible, and Impossible says why.
//
// Questions are phrased by templates. They name all arguments in plain words, and
// have variants that are drawn, too. All draws follow from the seed and the id of
// the database.
package querygrid
