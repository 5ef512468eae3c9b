// Package shard divides the work of a conversion among processes that know
// nothing of each other, and makes sure that what they wrote belongs together.
//
// Divide gives each of n shards its parts: databases, and ranges of the
// questions of a database that is too large for one shard. It depends on the
// dataset and on n alone, so every shard knows its own parts and merge knows all
// of them.
//
// A shard is a folder with a manifest: which shard it is, of which conversion of
// which questions, its parts with the state of their databases, and the tools
// that the questions of each part need. Open reads manifests and refuses a shard
// that is missing, is there twice, or is of another conversion.
//
// What a part's file holds is a matter of package pipeline.
package shard
