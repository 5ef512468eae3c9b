// Package rowscore scores answers in rows against gold rows, for the files of
// Khabiri et al. (Declarative Techniques for NL Queries over Heterogeneous Data,
// https://arxiv.org/abs/2510.16470). Rows match as that paper compares them, after
// Zhong et al. 2020 (https://arxiv.org/abs/2010.02840): all gold rows and no others,
// in any order unless the gold query has one, where the prediction may have columns
// besides and may name and order them as it likes.
//
// The members of the files are those that the paper shows; the files themselves are
// not part of this module.
package rowscore
