package record

// The names of the variants, as flags, reports, folders and routes have them.
const (
	SLOT  = "slot"  // generic tools
	SEL   = "sel"   // the same with every choice bound into a function of its own
	REST  = "rest"  // one endpoint for every query
	QUERY = "query" // one tool that queries a database
	MULTI = "multi" // questions over two databases
)
