// Package parse reads Postgres' SQL with Postgres' own grammar: libpg_query, in
// WebAssembly, by github.com/wasilibs/go-pgquery. The first call of Parse or Scan
// compiles it, which takes a second and some memory; importing the package takes
// neither.
//
// The trees are those that libpg_query writes as JSON. A Node is one of its
// nodes, whose fields are asked for by the names that Postgres' sources give
// them (https://github.com/postgres/postgres/tree/master/src/include/nodes).
package parse
