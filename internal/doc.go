// Package internal holds the rooms of the module, each with a doc.go that says what
// it is for, where to start reading, and which rooms and packages import it. A test
// holds that list. A room may only import rooms above it here:
//
//	text        names, JSON, tables of text
//	db          databases and the reading of them
//	sql         the syntax of statements
//	planner     statements as calls of the dataframe tools
//	federation  APIs that statements read
//	artifact    files that are written for others
//	search      finding texts
//	querytool   one tool that queries a database
//	convert     a dataset through the variants
//	evaluation  models asked, and what they write scored
//	serving     HTTP, MCP, the explorer
//	testkit     for tests and developers' programs
//
// Besides there are cli, which the programs share, dev, the developers' programs, and
// mixed, the benchmark of one paper.
package internal
