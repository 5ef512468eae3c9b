package query

import "github.com/birdcall/birdcall/pkg/value"

// Result is what a query gives. It has Objects, Values or Groups, as the comment of
// Query says.
type Result struct {
	// Columns are the properties of objects, in their order.
	Columns []string
	Types   []Type // of Columns
	Objects [][]value.Value
	// Aggregations are those of the query, and Values what each of them computed.
	Aggregations []Aggregation
	Values       []Value
	// Count is how many objects or groups there are, also those that RunFirst left out.
	Count    int
	Groups   []Group  // in the order of OrderBy, else of their keys
	Keys     []string // the properties that groups agree in
	KeyTypes []Type
}

// Group is the objects that agree in the properties of Query.GroupBy.
type Group struct {
	Key     []value.Value // of each of these properties
	Objects [][]value.Value
	Count   int // of its objects, also those that RunFirst left out
	Values  []Value
}

// Value is what an aggregation computed: one value, or the occurrences of
// TopOccurrences, the most frequent one first.
type Value struct {
	Value       value.Value
	Occurrences []Occurrence // nil for other metrics
}

// Occurrence is a value of a property and how many objects have it.
type Occurrence struct {
	Value value.Value
	Count int64
}
