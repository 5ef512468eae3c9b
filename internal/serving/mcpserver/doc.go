// Package mcpserver serves the tools of episodes over the Model Context Protocol
// (https://modelcontextprotocol.io), over HTTP and over standard input and output.
//
// There are two kinds of endpoints that a client can connect to:
//
//	/mcp/s/{id}          an open episode: the tools of its task
//	/mcp/{variant}/{db}  the tools of a database
//
// Requests know nothing of each other, as the protocol has it since 2026-07-28, and
// clients of older versions are answered too. What calls share is therefore named
// in each of them: the episode by the URL or, at the tools of a database, by the
// argument session, whose handle open_session returns. Endpoints, and the one tool of
// the variant query, share nothing and take no session. What is listed never depends
// on earlier calls.
//
// Many models choose badly out of many tools, and some clients show them the first
// ones only. Where there are more than Options.Listed tools, search_tools and
// call_tool are listed instead; all others stay callable by their names.
//
// A mistake that a model can mend is a result with isError, as episodes report it:
// arguments are checked by the tools themselves, whose messages name what would do,
// and not by their schemas beforehand. Only what the client itself has to mend is
// an error of the protocol.
package mcpserver
