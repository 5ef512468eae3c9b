// Package sessions is the HTTP interface of episodes, for programs that run agents
// and for trainers: sessions are opened, called and ended, and, for those who
// control the service, scored. The tool that queries a database needs no session.
// Besides its own routes it has those of a resource
// server of NeMo Gym. Bodies are JSON; errors are problems of RFC 9457.
//
// Agent routes say nothing of gold: no calls, no SQL, and no answer that the agent
// has not computed. Control routes do, and the service has to guard them.
package sessions
