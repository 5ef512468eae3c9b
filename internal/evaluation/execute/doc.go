// Package execute runs the calls and the SQL that models write against the
// databases of a dataset, for pkg/evaluate: calls by the tools of pkg/tools, or
// by the endpoints of pkg/rest over HTTP on this computer, and SQL read-only,
// with bounds on time, rows and bytes.
package execute
