// Package apitest puts tables of a dataset behind an API, for tests of what uses
// APIs: the service is that of serve --tables and --functions.
package apitest
