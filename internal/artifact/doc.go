// Package artifact is the room for the files that convert writes and others read:
// what every record says of its question (facts), the formats (export), folders that appear whole
// (outdir), and the folders read again (folder).
//
// Start with outdir for writing, folder for reading.
//
// Imported by: cmd/convert, cmd/evaluate, cmd/serve, convert, evaluation, mixed,
// pkg/episode, pkg/evaluate, pkg/find, pkg/rest, pkg/slot, querytool, search, serving.
package artifact
