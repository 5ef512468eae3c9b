// Package text is the room for what is done to names and texts, whatever they are
// about: how names are compared and suggested (spelling), the plurals of English nouns (inflect), JSON as this module writes it
// (jsontext), tables for terminals and Markdown (table), and the names of the dataframe
// tools (toolname). Nothing in it knows databases or statements.
//
// Start with spelling.
//
// Imported by: artifact, cli, cmd/convert, cmd/evaluate, cmd/serve, convert, db,
// evaluation, federation, mixed, pkg/api, pkg/bird, pkg/episode, pkg/evaluate, pkg/find,
// pkg/observation, pkg/rest, pkg/sel, pkg/slot, pkg/spec, pkg/tools, pkg/value, planner,
// querytool, search, serving, sql, testkit.
package text
