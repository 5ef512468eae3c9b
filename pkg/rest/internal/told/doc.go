// Package told finds what a description does not say of its statement. It knows
// nothing of how descriptions are written: it only looks for words, so that a
// writer that leaves something out is found out. For that reason it has its own words
// for functions and its own rule for plurals, and not those of package naming.
package told
