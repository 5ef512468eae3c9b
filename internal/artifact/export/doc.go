// Package export writes records in formats that others load without code of
// ours: a JSON array of the records as they are, or tables as JSON lines or
// Parquet with a dataset card.
//
// A table has one column for each field of a record and one type for each
// column, as Apache Arrow, pandas and Hugging Face's datasets ask for. Fields
// that are texts or flags stay that. All other fields, whose form differs from
// record to record, are columns of text that hold the field as JSON. So a
// number keeps its digits, whatever its size, and Read gives back the bytes
// that were written. A field that a record leaves out is null in the table,
// and one that is null holds the JSON text null. A field whose form is the same in
// all records may be a list of objects in the table, too: see ListOf.
package export
