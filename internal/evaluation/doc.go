// Package evaluation is the room for asking models and scoring what they write: the
// prompts (prompt), the client of endpoints (chatapi), the run that asks (askmodel),
// agents that use SQL and APIs (agent), calls read from text (calltext) and by the
// names of a tool list (toolnames), calls and SQL run (execute), the scores of queries
// and rows (queryscore, rowscore), and reports (scorereport). Package evaluate of pkg
// scores calls.
//
// Start with askmodel for asking, scorereport for what is shown.
//
// Imported by: cli, cmd/evaluate, pkg/episode, pkg/evaluate, serving.
package evaluation
