// Package record defines a Go type for the records that convert writes of each variant.
// It opens no database and runs nothing, so that code which reads or scores samples
// needs no engine.
//
//	Slot   sequences of calls of dataframe tools: SLOT and SEL
//	Rest   the call of an endpoint: REST
//	Multi  questions over two databases: MULTI
//
// The fields of Elder et al. (arXiv:2506.11266, appendix E) come first, in their
// order and under their names in JSON, then what this module adds. Facts are the
// same in all of them.
package record
