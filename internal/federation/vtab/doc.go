// Package vtab lets statements read the tables and functions of APIs. SQLite asks
// for rows by keys and for values of functions in the middle of a statement, one at
// a time, which would be a call for each. So the statement runs in rounds: what is
// not known yet has no rows or is NULL, and is noted; after the run it is fetched
// together, in batches, and the statement runs again, until a run has asked for
// nothing that was not known. That run's answer is the statement's, over the one
// state that was fetched for it.
//
// A table is listed as a whole where that takes fewer calls than its keys. What a
// round asked for without success, because a table was still empty, costs calls but no
// answer; so one round fetches listings, or the keys of one table, or the arguments
// of one function, whichever the run met first.
package vtab
