// Package apis is the tables and functions of APIs that statements may use, whatever
// their documents are. Package openapi makes them, and package vtab has SQLite read
// them.
package apis
