// Package naming gives endpoints, their parameters and the columns of their
// answers names and descriptions, in the dataset's own words for its tables and
// columns.
//
// A writer puts a statement into words: phrases for expressions, clauses for
// conditions, a sentence for a query. It sees each SELECT from one item of its
// FROM, the head, which the sentence is about; a view says what the others are to
// the head: one of its own, such as the publisher of a superhero, or one of many,
// such as a comment of a post. A name is made of the same phrases, shorter ones,
// as a list of lower-case ASCII words joined by underscores.
package naming
