package query

// Query is one query of a collection. It finds the objects that Search and all
// of Filters let through, and then gives one of these:
//
//   - the objects, where there are neither Aggregations nor GroupBy;
//   - the objects of each group, with GroupBy alone;
//   - one value for each of Aggregations;
//   - the same for each group, with GroupBy.
//
// The fields below Limit's comment are of the toolset Full only; see Toolset.
type Query struct {
	Collection string
	// Search finds the objects whose texts have all of its words, "" all objects.
	Search string
	// Filters are conditions that all hold.
	Filters      []Filter
	Aggregations []Aggregation
	// GroupBy are the properties that objects of a group agree in. In the paper's
	// toolset there is one at most.
	GroupBy []string

	Properties []string // of the objects that are returned; nil for all
	Distinct   bool     // returns equal objects once, of Properties
	OrderBy    []Order  // of objects, or of groups
	Limit      int      // how many objects or groups are returned; 0 for all
	Offset     int      // how many are left out before them

	// Rationale is why a model called the tool, where the tool asks for it.
	Rationale string
}

// Filter is a condition on a property, or on several conditions: AnyOf or AllOf.
type Filter struct {
	Property string
	Part     DatePart // of a date, instead of the whole
	Operator Operator
	// Value is a value.Value's Go form: string, bool, int64 or float64; a []any of
	// them for In and NotIn; nil for IsNull and IsNotNull.
	Value any

	AnyOf []Filter // of which one holds at least
	AllOf []Filter // which all hold; within AnyOf only
}

// Operator is how a filter compares.
type Operator string

// The operators. Those of the paper are Equal, the four of order for numbers, Like
// for texts and NotEqual for booleans.
const (
	Equal          Operator = "="
	NotEqual       Operator = "!="
	Less           Operator = "<"
	Greater        Operator = ">"
	LessOrEqual    Operator = "<="
	GreaterOrEqual Operator = ">="
	Like           Operator = "LIKE"
	NotLike        Operator = "NOT LIKE"
	In             Operator = "IN"
	NotIn          Operator = "NOT IN"
	IsNull         Operator = "IS NULL"
	IsNotNull      Operator = "IS NOT NULL"
)

// DatePart is a part of a date, as a whole number.
type DatePart string

// The parts of dates: 2010, 1 to 12, 1 to 31; and Day is the date without its time,
// as the text 2010-07-19.
const (
	Year       DatePart = "year"
	Month      DatePart = "month"
	DayOfMonth DatePart = "day_of_month"
	Day        DatePart = "date"
)

// Metric is what an aggregation computes of the values of a property. NULL is no
// value.
type Metric string

// The metrics of the paper, and which types they are for.
const (
	Count           Metric = "COUNT"            // how many values there are
	TypeOf          Metric = "TYPE"             // the property's type: its name as text
	Min             Metric = "MIN"              // numbers; in the toolset Full also texts and dates
	Max             Metric = "MAX"              // as Min
	Mean            Metric = "MEAN"             // numbers
	Median          Metric = "MEDIAN"           // numbers: the middle one, or the mean of the middle two
	Mode            Metric = "MODE"             // numbers: the most frequent one, and of several the least
	Sum             Metric = "SUM"              // numbers
	TopOccurrences  Metric = "TOP_OCCURRENCES"  // texts: the most frequent ones and how often each occurs
	TotalTrue       Metric = "TOTAL_TRUE"       // booleans: how many are true
	TotalFalse      Metric = "TOTAL_FALSE"      // booleans
	PercentageTrue  Metric = "PERCENTAGE_TRUE"  // booleans: of 100 values
	PercentageFalse Metric = "PERCENTAGE_FALSE" // booleans
)

// Aggregation is one value that is computed of the objects, or of each group.
type Aggregation struct {
	// Property is what Metric looks at. In the toolset Full, Count without one
	// counts objects.
	Property string
	Metric   Metric
	Distinct bool // looks at equal values once; of the toolset Full
	// Limit is how many values TopOccurrences gives; 0 is DefaultOccurrences.
	Limit int
}

// DefaultOccurrences is how many values TopOccurrences gives where nothing else is
// asked for.
const DefaultOccurrences = 5

// Order is what objects or groups are sorted by: a property, or what an aggregation
// computes of each group. NULL comes first, and last where Descending.
type Order struct {
	Property    string
	Aggregation *Aggregation // instead of Property; of groups
	Descending  bool
}

// Toolset says which arguments a query may have.
type Toolset string

// The toolsets.
const (
	// Paper is the tool of Shorten et al. (Querying Databases with Function Calling,
	// appendix A), argument for argument: one filter and one aggregation for each
	// type of properties at most, and one property to group by.
	Paper Toolset = "paper"
	// Full has any number of filters, AND and OR, more operators, chosen properties,
	// distinct objects, several aggregations, order and limit.
	Full Toolset = "full"
)

// Toolsets returns their names.
func Toolsets() []string { return []string{string(Full), string(Paper)} }

// Shape is how the tool is put before a model.
type Shape string

// The shapes (section 5 of the paper).
const (
	Unified       Shape = "unified"        // one tool for all collections
	Rationale     Shape = "rationale"      // the same with a required argument tool_rationale, the first
	PerCollection Shape = "per-collection" // one tool for each collection
	Structured    Shape = "structured"     // no tool, but an answer in JSON that says whether and how one is called
)

// Shapes returns their names.
func Shapes() []string {
	return []string{string(Unified), string(Rationale), string(PerCollection), string(Structured)}
}
