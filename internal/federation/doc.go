// Package federation is the room for APIs that statements read: their tables and
// functions (apis), made from OpenAPI documents (openapi), their HTTP calls (fetch), when
// a call is repeated (retry), the same within SQLite (vtab), and functions of our own that are also served over HTTP (scalars).
//
// Start with vtab.
//
// Imported by: cmd/convert, convert, evaluation, mixed, pkg/api, pkg/find, pkg/rest,
// pkg/slot, querytool, serving, testkit.
package federation
