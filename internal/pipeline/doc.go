// Package pipeline converts a dataset: it plans each question's SQL, writes
// the plan as calls, runs the calls, compares their answer with the SQL's own,
// and writes what holds together with a report of the rest.
//
// Databases are worked on one after the other, the questions of one database
// by several workers. Base columns are read once per database and dropped with
// it. The output does not depend on the number of workers.
//
// Nothing half-written is ever seen, and nobody else's file is replaced: see
// internal/outdir for how a variant's folder takes its place.
package pipeline
