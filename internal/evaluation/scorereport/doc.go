// Package scorereport shows the scores of package evaluate to people, and keeps
// them in files.
//
// Print writes a report for a terminal. Write puts it into a folder in the layout
// of the Berkeley Function Calling Leaderboard
// (https://github.com/ShishirPatil/gorilla, berkeley-function-call-leaderboard):
//
//	score/data_overall.csv                  a row for each model and set of rules
//	score/MODEL/report.json                 all evaluations of the model
//	score/MODEL/slot_direct_exact_score.json  JSON lines: the totals, then the samples that failed
//	score/MODEL/slot_direct_exact.md        the tables
//	score/MODEL/slot_direct_exact.html      the tables, plots and failed samples
//
// Compare sets models side by side, in the layout of tables 1 and 2 of Elder et
// al. (arXiv:2506.11266).
//
// Scores by different rules never share a table, each table says which rules it
// is by, and what a program answered instead of a model is marked in every
// output.
package scorereport
