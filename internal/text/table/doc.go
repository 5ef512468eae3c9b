// Package table writes tables of scores for people: as plain text that fits a
// terminal, and as Markdown. Numbers have two decimals, as the tables of Elder
// et al. (arXiv:2506.11266), and a metric that is not defined is a dash.
//
// What is in a cell may come from a model. Text replaces what a terminal
// would obey, and Markdown escapes what it would take for markup.
package table
