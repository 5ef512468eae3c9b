// Package slot makes SLOT samples. Each is a sequence of calls of the dataframe tools
// of pkg/tools that answers a question as its SQL does. The samples follow SLOT-BIRD of
// Elder et al. (arXiv:2506.11266, section 3.1 and appendices D and E), which is called
// the paper below.
//
// Open opens a SQLite file, and a Converter turns a question with its SQL into a
// record. It plans the SQL, writes it as calls, runs the calls, and requires the same
// answer as SQLite's. If SQL allows several answers, as when LIMIT cuts a run of equal
// rows, the answer must be one of these, and the record says so.
//
// A record.Slot has the paper's fields. Run runs its calls again. Converter.Tools
// returns the tool specifications that go with it.
package slot
