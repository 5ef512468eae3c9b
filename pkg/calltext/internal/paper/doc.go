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
//   - In calls f(a=b), arithmetic, x[0] and **x are not read. Python evaluates
//     the first, so that 1+2 is 3.
//   - \N{name} is an error.
package paper
