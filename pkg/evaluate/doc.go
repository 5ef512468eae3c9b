// Package evaluate scores what language models call, after Elder et al.
// (arXiv:2506.11266, section 4 and appendices F to H).
//
// Load reads the samples that convert wrote, and ReadPredictions what a model answered.
// Score compares the two and returns a Report: precision, recall and F1 of the intents
// and the slots, the share of samples that were completed, and a class for each error.
// An Executor runs the predicted calls, since a sample is completed by its answer and
// not by its calls.
//
// There are two sets of rules. Exact compares what calls mean; Paper does what
// the authors' code does. docs/evaluation.md defines both.
package evaluate
