// Package facts finds what a record says of its question and of the answer, whatever
// the variant is: the record.Facts of a question.
package facts
