// Package pipeline converts a dataset: the converter of a variant takes each
// question to a record, and the records are written with a report of the
// questions that have none.
//
// Databases are worked on one after the other, the questions of one database
// by several workers. The output does not depend on the number of workers.
//
// A conversion may be divided into shards. RunShard keeps what became of each
// question of a shard, and Merge writes the files of all: it is Run with outcomes
// that are read. See package shard for the division, and for what is refused.
//
// What depends on questions together is computed by Merge alone: the tools that a
// database's questions need, what a sample lists of them, the names of endpoints
// and obfuscated ones, statistics, report, examples, documents and card. What a
// question's own outcome depends on besides its SQL is its database, and for REST
// the database's other questions, with which it shares endpoints.
//
// Nothing half-written is ever seen, and nobody else's file is replaced: see
// internal/artifact/outdir for how a variant's folder takes its place.
package pipeline
