// Package record holds what a record says of its question and of the answer,
// whatever the variant is: the same in SLOT, SEL and REST.
//
// The fields of Elder et al. (arXiv:2506.11266) are in the records of pkg/slot
// and pkg/rest. Facts are embedded there, behind them.
package record
