// Package scalars has small functions that a database does not have: of the
// letters of a text, of whole numbers, and of places. They are those of Benchmark
// II of Khabiri et al., "Declarative Techniques for NL Queries over Heterogeneous
// Data" (section 4.2), as Go functions, as functions of SQL values, and as an HTTP
// API with an OpenAPI document.
//
// The places are those of a gazetteer inside the package, places.tsv: countries
// with their capitals and codes, large cities, the states of the USA, the counties
// and many cities of California, and places where Formula 1 and European football
// are at home. Its coordinates are rounded to two decimals.
package scalars
