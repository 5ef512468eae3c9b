// Package multi makes questions over two databases: two verified questions whose
// answers are one number each, about different databases, and which of the numbers
// is the larger or the smaller one. They are the double-database questions of
// the paper on relational memories (Relational Database Augmented LLM, section 5
// and appendix B), whose template is "Which question has a larger number as its
// answer. Q1: ...; Q2: ...".
//
// There models fail where they compare the numbers themselves. Here a tool does it:
// compare_numbers takes the results of two calls by their labels. The calls of the
// questions are those of one of two variants:
//
//	SLOT  the generic tools of pkg/tools, in one session that has the starting
//	      tables of both databases; the label of each begins with its database
//	REST  endpoints, whose names are unique over all databases; their results
//	      have the labels RESULT_0 and RESULT_1
//
// Draw chooses the pairs, New makes the record.Multi of one, and package session runs
// its calls. Number says whether a question qualifies.
package multi
