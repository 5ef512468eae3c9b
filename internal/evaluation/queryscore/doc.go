// Package queryscore scores queries that models ask with the tool of internal/querytool/query
// against the gold ones.
//
// Four metrics say what a match is:
//
//   - Strict compares what queries mean: both are brought into one normal form.
//   - Paper is section 3.3 of Shorten et al. (Querying Databases with Function
//     Calling, 2025): identical arguments, and a score of .40 for the collection
//     and .15 each for search, filters, aggregations and grouping.
//   - Published is what the paper's public scripts compute, which is another thing:
//     see its comment.
//   - Execution runs the query and compares the answers.
//
// Rates have two denominators, since the public tables mix them: all samples, and
// those that were answered with a valid call.
//
// An answer without a call, one whose call the tool does not take, and a request
// that failed are counted apart, and score 0 of all samples.
package queryscore
