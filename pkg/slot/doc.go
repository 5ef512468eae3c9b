// Package slot writes plans as SLOT samples: sequences of calls of the
// dataframe tools of pkg/tools, after the paper's SLOT-BIRD (section 3.1 and
// appendices D and E).
//
// Emit maps each step of a plan to one call. A column is known by its key in
// the table that a call returns: <table>_<column> in a starting table, and
// the key that a call gives it from there on. A derived column takes the
// place of the column it is derived from where nothing reads that one any
// more, as the paper's sequences do; otherwise it gets a key of its own.
//
// A Record is what is written for one question. Its specifications are those
// of its own sample: every key that its calls name is among the keys that the
// specifications allow, and Validate checks each call against them before a
// record is written.
package slot
