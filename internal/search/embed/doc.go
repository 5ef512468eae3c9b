// Package embed gives texts the vectors that a model makes of them: it asks an
// endpoint in the form of OpenAI's API, and keeps what it answered.
//
// Vectors of several texts, which are those of an index, are kept in a file, so that
// the next run asks for nothing but what is new. Those of a text alone, which is a
// question as a rule, are kept in memory only.
//
// The file has a line that says its form, the length of the vectors and their number,
// each as 32 bits, then for each vector the SHA-256 of its model and text and its
// numbers as float32, in the order of the hashes, and at the end a CRC-32C of all
// that. Numbers are little-endian. It is replaced by renaming another one over it.
package embed
