// Package search is the room for finding texts: words ranked by BM25 (bm25), the
// stored values of a database that words of a question mean (valueindex), and vectors
// from an endpoint (embed). Package find of pkg puts them together.
//
// Start with bm25.
//
// Imported by: cli, pkg/find, pkg/rest, pkg/spec.
package search
