package plan

// opposite gives, for each condition, the one that is TRUE where it is FALSE.
// Both are NULL together; the tests of NULL and truth are never NULL.
var opposite = map[string]string{
	"equal_to": "not_equal_to", "not_equal_to": "equal_to",
	"less_than": "greater_than_equal_to", "greater_than_equal_to": "less_than",
	"greater_than": "less_than_equal_to", "less_than_equal_to": "greater_than",
	"like": "not_like", "not_like": "like",
	"glob": "not_glob", "not_glob": "glob",
	"in": "not_in", "not_in": "in",
	"between": "not_between", "not_between": "between",
	"is_null": "is_not_null", "is_not_null": "is_null",
	"is": "is_not", "is_not": "is",
	"is_true": "is_false", "is_false": "is_true",
}

// mirrored gives, for each comparison, the one that holds with its sides
// exchanged.
var mirrored = map[string]string{
	"equal_to": "equal_to", "not_equal_to": "not_equal_to", "is": "is", "is_not": "is_not",
	"less_than": "greater_than", "greater_than": "less_than",
	"less_than_equal_to": "greater_than_equal_to", "greater_than_equal_to": "less_than_equal_to",
}

// comparisons maps SQL's operators to conditions.
var comparisons = map[string]string{
	"=": "equal_to", "!=": "not_equal_to", "<": "less_than", "<=": "less_than_equal_to",
	">": "greater_than", ">=": "greater_than_equal_to", "<=>": "is",
	"like": "like", "not like": "not_like", "regexp": "glob", "not regexp": "not_glob",
	"in": "in", "not in": "not_in",
}

// binary maps SQL's value operators, in the lowered spelling, to operations.
var binary = map[string]string{
	"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo",
	"&": "bit_and", "|": "bit_or", "<<": "shift_left", ">>": "shift_right", "^": "concat",
}

// aggregates maps SQL's aggregate functions to aggregations. min and max with
// several arguments are scalar functions.
var aggregates = map[string]string{
	"count": "count", "sum": "sum", "total": "total", "avg": "mean",
	"min": "min", "max": "max", "group_concat": "concat", "string_agg": "concat",
}

// dateFunctions are those whose first argument may be 'now'.
var dateFunctions = map[string]bool{
	"date": true, "time": true, "datetime": true, "julianday": true, "unixepoch": true,
}
