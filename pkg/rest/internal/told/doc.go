// Package told finds what a description does not say of its statement. It knows
// nothing of how descriptions are written: it only looks for words, so that a
// writer that leaves something out is found out.
package told
