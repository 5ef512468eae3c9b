package find

// weights say how much the parts of a score count. They are not fitted to a database:
// docs/find.md says how they were chosen, and that other databases chose those by
// which each one is measured.
type weights struct {
	Name, Table, Description, Meaning float64 // a word in these texts of a column
	Whole                             float64 // that all words of a name are there
	Evidence                          float64 // a word of the evidence; one of the question is 1
	Title                             float64 // a word of a table's own name, besides its columns
	Decay                             float64 // of the next best column of a table, and table of a database
	Words                             float64 // each word once, where a database has it best
	Value                             float64 // a stored value
	Joins                             float64 // what a table has of those that it refers to, or that refer to it
	FromDatabase, FromTable           float64 // what a table has of its database, and a column of its table
	ColumnOfDatabase                  float64 // what a column has of its database
	Primary, Foreign                  float64 // primary keys, and columns by which good tables are joined
}

var defaultWeights = weights{
	Name: .5, Table: 3, Description: .35, Meaning: .35, Whole: .7, Evidence: 1, Title: 1.4, Decay: .4, Words: 2, Value: 3,
	Joins: .08, FromDatabase: .7, FromTable: .07, ColumnOfDatabase: .7, Primary: .06, Foreign: .05,
}

// toolWeights do the same for tools.
type toolWeights struct {
	Name, First, Rest, Arguments float64 // a word in the name, the first sentence and the rest of the description, and the arguments
	Pair                         float64 // two words in their order in the first sentence
	Evidence                     float64 // a word of the evidence
	Synonym                      float64 // a word that tools use for one of the question
	Mass                         float64 // how far a tool's own words are held against it, as an exponent
	Database                     float64 // how far those of its database count, as an exponent
	Value                        float64 // a stored value of a column that an argument is compared with
}

var defaultToolWeights = toolWeights{
	Name: 2.5, First: 2.8, Rest: .4, Arguments: .4, Pair: .3, Evidence: 1, Synonym: .8, Mass: .3, Database: .35, Value: .7,
}

// valueWeights do the same for stored values.
type valueWeights struct {
	Folded, Form, Typo float64 // how well the words mean the value; the same text is 1
	Tokens             float64 // of a value of several tokens, as an exponent
	Quoted             float64 // that the words are in quotation marks
	Evidence           float64 // that they are of the evidence
	Named              float64 // that they are one word, by which columns are called, too
	Shared             float64 // how far it counts that the words mean several values, as an exponent
	Code               float64 // that they are the meaning of a code
}

var defaultValueWeights = valueWeights{
	Folded: .8, Form: .85, Typo: .3, Tokens: .35, Quoted: 1.5, Evidence: .7, Named: .5, Shared: .3, Code: .6,
}
