// Package slot makes SLOT samples: sequences of calls of the dataframe tools of
// pkg/tools that answer a question as its SQL does, after the SLOT-BIRD of Elder
// et al. (arXiv:2506.11266, section 3.1 and appendices D and E), which is the
// paper below.
//
// Open opens a SQLite file, and a Converter takes a question with its SQL to a
// Record: the SQL is planned and written as calls, the calls are run, and their
// answer must be SQLite's. Where SQL leaves the answer open, as when LIMIT cuts
// a run of equal rows, it must be one of the right ones, and the record says so.
//
// A Record has the paper's fields. Its specifications are those of its own
// question: every key that its calls name is among the keys that the
// specifications allow. Record.Run runs its calls again.
package slot
