// Package paper reads calls as the evaluator of Elder et al. (arXiv:2506.11266,
// appendix H) does, in the version that its authors published as
// api-integrated-llm-experiment, so that scores can be held against theirs.
// What a text is to that evaluator is a matter of several accidents. Each
// function says which ones it keeps.
//
// These are not kept:
//
//   - Values are at most 100 deep. Python stops at about ten times that.
//   - NaN and Infinity, which JSON does not have, are the texts nan and inf, as
//     Python prints them.
//   - Of Python's expressions in calls f(a=b), constants, names, lists, tuples,
//     dicts and calls are read. Python evaluates arithmetic, so that 1+2 is 3,
//     and overlooks whatever is in arguments without names.
//   - A call as an argument is printed as it was written. Python prints it anew,
//     with its own spaces and quotes.
//   - \N{name} is an error.
package paper
