// Package naming gives endpoints, their parameters and the columns of their
// answers names and descriptions, in the dataset's own words for its tables and
// columns.
//
// The words for an expression are a list of lower-case ASCII words, such as
// "highest", "price". A name joins them by underscores.
package naming
