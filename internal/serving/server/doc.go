// Package server runs the REST endpoints of a dataset as a service: with
// OpenAPI documents and a page to read and try them, health checks, metrics,
// request logs, and, where asked for, API keys, rate limits and CORS.
//
// Everything the service answers with a status of 400 or more is a problem of
// RFC 9457 and says nothing about SQL, files or the program.
package server
