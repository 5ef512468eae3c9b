// Package find finds which databases, tables, columns, stored values and tools a
// question is about, and replaces texts that no column stores by the stored values that
// are probably meant. It asks no model: it goes by the words of names and descriptions
// and by the stored values, and equal input gives equal output. It has the parts of the
// relational memory of Qin et al., Relational Database Augmented Large Language Model,
// that need none.
//
//	dataset, err := bird.Load(bird.Options{Dir: "bird/dev"})
//	...
//	index, err := find.Open(ctx, dataset, find.Options{})
//	...
//	result, err := index.Find(ctx, find.Query{Text: "How many superheroes have blue eyes?"})
//	...
//	fmt.Println(result.Databases[0].DB, result.Values[0].Column, result.Values[0].Value)
//
// [Open] builds the index once and saves the stored values of each database in a file of
// its own. [Index.Find] looks for a question, [Index.RepairSQL] and [Index.RepairCall]
// mend literals. [NewToolIndex] ranks tools alone, for which no database is needed.
//
// # How it ranks
//
// Columns are documents of BM25F, with the fields name, table, description and meaning of
// the values. A name whose words are all in the question counts more, and so does a column
// that stores a value which the question has. A table has its own name and its best
// columns, each next one counting less; a database has its best tables in the same way,
// and each word of the question once, where it has it best. Then tables and columns gain
// by what they belong to and by the foreign keys of good tables: SQL reads those, too,
// and no question says so.
//
// Values are found by package valueindex, with typos, plurals and other ways to write a
// date. Where the description of a column says what its codes mean, as in "F: female",
// a question that has the meaning has the value.
//
// Tools are ranked by their names, descriptions and arguments, with words that tools use
// for those of questions (most: highest), held against the words of a tool that the
// question does not have, and by the values of columns that their arguments take.
//
// A question is about two databases where these cover its clauses much better than any
// database alone. It can be answered here if the best database has enough of its words,
// by how rare they are; words by which questions ask, such as "list" and "how many", do not
// count.
package find
