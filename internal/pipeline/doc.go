// Package pipeline converts a dataset: the converter of a variant takes each
// question to a record, and the records are written with a report of the
// questions that have none.
//
// Databases are worked on one after the other, the questions of one database
// by several workers. The output does not depend on the number of workers.
//
// Nothing half-written is ever seen, and nobody else's file is replaced: see
// internal/outdir for how a variant's folder takes its place.
package pipeline
