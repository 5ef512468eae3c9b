// Package verify compares two answers: the rows of a query and the rows of a sequence
// of calls.
//
// The storage class is part of the answer, reals may differ by a rounding
// error, and the order of rows counts only as far as the query fixes it. A
// query may also leave the answer open, by a LIMIT that cuts through rows of
// equal sort keys or by a bare column of an aggregate query: OneOf and
// OneOfEach say whether rows are one of the answers that are right then.
package verify
