// Package observation shows a language model what a call returned, as far as it
// can be expected to read it. Training data, evaluations and live episodes have
// the same form.
//
// OfTable shows the result of a tool, OfAnswer what an endpoint answers, and
// OfError a mistake that a model can mend. An Observation is JSON:
//
//	{"label":"FILTERED_DF_0","row_count":12,"shown":2,"truncated":true,
//	 "columns":{"cards_name":"string","cards_id":"integer"},"rows":[["Forest",1],["Island",2]]}
//
// A table of one column has "values" instead of "rows", and one of a single
// value has "value", so that what is shown has the form of an answer. The answer
// of an endpoint has its rows as they came:
//
//	{"row_count":55,"shown":50,"truncated":true,"data":[{"name":"Forest"}]}
//
// A mistake says what is wrong and what would do:
//
//	{"error":{"message":"filter_data: key_name: unknown key \"nam\"; use one of name, id",
//	 "tool":"filter_data","argument":"key_name","reason":"unknown key \"nam\"","hint":"use one of name, id"}}
//
// What a search for tools returns has the form of the tools' format (OfSearch).
//
// The bounds are constants. Truncated is true where anything is left out.
package observation
