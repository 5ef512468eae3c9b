// Package convert is the room for converting a dataset: what the variants are (variant),
// a dataset's questions through their converters (pipeline), in shards (shard), as chats (chat), as pairs
// of questions over two databases (multi), with the paper's tables of statistics
// (stats), and the datasets within the binary (embedded).
//
// Start with pipeline.
//
// Imported by: cmd/convert, cmd/evaluate, dev, evaluation, pkg/episode, pkg/evaluate,
// serving.
package convert
