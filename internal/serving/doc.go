// Package serving is the room for what cmd/serve answers over HTTP: the service with
// its documents, access and metrics (server), episodes (sessions), the Model Context
// Protocol (mcpserver), and the page for people (explorer).
//
// Start with server.
//
// Imported by: cmd/serve, dev.
package serving
