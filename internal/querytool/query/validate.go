package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
)

// The bounds of a query.
const (
	maxItems      = 1000 // of a list
	maxConditions = 100  // in filters
	maxParts      = 32   // aggregations, properties to group by, and orders
	maxPattern    = 1000 // bytes of what LIKE compares with
)

// Validate holds a query against the collections and a toolset: the names of
// collection and properties, operators, metrics and values that their types have,
// and arguments that go together. The error is a *tools.ToolError that says what
// would do.
func (q Query) Validate(set Toolset, collections []Collection) error {
	if !slices.Contains(Toolsets(), string(set)) {
		return fmt.Errorf("query: there is no toolset %q; use %s", set, strings.Join(Toolsets(), ", "))
	}
	c := Find(collections, q.Collection)
	if c == nil {
		known := make([]string, len(collections))
		for i, one := range collections {
			known[i] = one.Name
		}
		return mistake(argCollection, "unknown collection "+quoted(q.Collection), spelling.Suggest(q.Collection, known))
	}
	v := validator{q: q, c: c, set: set}
	v.filters(argFilters, q.Filters, 0)
	v.aggregations()
	v.groups()
	if set == Paper {
		v.paper()
	}
	v.objects()
	v.orders()
	if v.err != nil {
		return v.err
	}
	return nil
}

// validator keeps the first error of a query.
type validator struct {
	q          Query
	c          *Collection
	set        Toolset
	conditions int
	err        error
}

func (v *validator) fail(argument, reason, hint string) {
	if v.err == nil {
		v.err = mistake(argument, reason, hint)
	}
}

// place names an item of a list, or the argument of the paper's toolset that has it.
func (v *validator) place(list string, i int, paper string) string {
	if v.set == Paper {
		return paper
	}
	return fmt.Sprintf("%s[%d]", list, i)
}

// property returns a property of the collection; it fails if there is none.
func (v *validator) property(at, name string) *Property {
	p := v.c.Property(name)
	if p == nil {
		known := make([]string, len(v.c.Properties))
		for i, one := range v.c.Properties {
			known[i] = one.Name
		}
		v.fail(at, v.c.Name+" has no property "+quoted(name), spelling.Suggest(name, known))
	}
	return p
}

func (v *validator) filters(at string, list []Filter, depth int) {
	for i, f := range list {
		at := v.place(at, i, filterArgument(v.c.typeOf(f.Property)))
		switch {
		case f.AnyOf != nil:
			v.nested(at+"."+argAnyOf, f.AnyOf, f, depth == 0, depth)
		case f.AllOf != nil:
			v.nested(at+"."+argAllOf, f.AllOf, f, depth == 1, depth)
		default:
			v.condition(at, f)
		}
	}
	if v.conditions > maxConditions {
		v.fail(argFilters, fmt.Sprintf("there are more than %d conditions", maxConditions), "ask with fewer, such as one IN for several values")
	}
}

func (v *validator) nested(at string, list []Filter, f Filter, fits bool, depth int) {
	switch {
	case !fits || f.AnyOf != nil && f.AllOf != nil || f.Property != "" || f.Operator != "":
		v.fail(at, "stands where it cannot", "filters are a list of conditions and any_of, and any_of has conditions and all_of")
	case len(list) == 0:
		v.fail(at, "is empty", "list conditions, or leave it out")
	default:
		v.filters(at, list, depth+1)
	}
}

// operators of each type in the two toolsets.
var operators = map[Toolset]map[Type][]Operator{
	Paper: {
		Number:  {Equal, Less, Greater, LessOrEqual, GreaterOrEqual},
		Text:    {Equal, Like},
		Boolean: {Equal, NotEqual},
	},
	Full: {
		Number:  {Equal, NotEqual, Less, Greater, LessOrEqual, GreaterOrEqual, In, NotIn, IsNull, IsNotNull},
		Text:    {Equal, NotEqual, Like, NotLike, Less, Greater, LessOrEqual, GreaterOrEqual, In, NotIn, IsNull, IsNotNull},
		Boolean: {Equal, NotEqual, IsNull, IsNotNull},
	},
}

// metrics of each type in the two toolsets.
var metrics = map[Toolset]map[Type][]Metric{
	Paper: {
		Number:  {Count, TypeOf, Min, Max, Mean, Median, Mode, Sum},
		Text:    {Count, TypeOf, TopOccurrences},
		Boolean: {Count, TypeOf, TotalTrue, TotalFalse, PercentageTrue, PercentageFalse},
	},
	Full: {
		Number:  {Count, TypeOf, Min, Max, Mean, Median, Mode, Sum, TopOccurrences},
		Text:    {Count, TypeOf, Min, Max, Mode, TopOccurrences},
		Boolean: {Count, TypeOf, TotalTrue, TotalFalse, PercentageTrue, PercentageFalse},
	},
}

// Operators returns the operators that filters of a type have in a toolset. The
// caller must not change them.
func Operators(set Toolset, t Type) []Operator { return operators[set][AsPaper(t)] }

// Metrics returns the metrics that aggregations of a type have in a toolset. The
// caller must not change them.
func Metrics(set Toolset, t Type) []Metric { return metrics[set][AsPaper(t)] }

// AsPaper returns the type that a type is in the paper, which knows no dates.
func AsPaper(t Type) Type {
	if t == Date {
		return Text
	}
	return t
}

func (v *validator) condition(at string, f Filter) {
	v.conditions++
	p := v.property(at+"."+argProperty, f.Property)
	if p == nil {
		return
	}
	t := AsPaper(p.Type)
	switch {
	case f.Part == "":
	case v.set == Paper || p.Type != Date:
		v.fail(at+"."+argPart, fmt.Sprintf("%s is a %s property", p.Name, p.Type), "leave date_part out, which is for dates in the full toolset")
	case !slices.Contains(dateParts, f.Part):
		v.fail(at+"."+argPart, "unknown part "+quoted(string(f.Part)), "use "+joined(dateParts))
	case f.Part != Day:
		t = Number
	}
	known := operators[v.set][t]
	if !slices.Contains(known, f.Operator) {
		v.fail(at+"."+argOperator, fmt.Sprintf("a %s property has no operator %s", p.Type, quoted(string(f.Operator))), "use one of "+joined(known))
		return
	}
	v.value(at+"."+argValue, f, p.Name, t)
}

var dateParts = []DatePart{Year, Month, DayOfMonth, Day}

// value holds the value of a condition against the operator and the type.
func (v *validator) value(at string, f Filter, name string, t Type) {
	list, isList := f.Value.([]any)
	switch {
	case f.Operator == IsNull || f.Operator == IsNotNull:
		if f.Value != nil {
			v.fail(at, string(f.Operator)+" takes no value", "leave it out")
		}
	case f.Value == nil:
		v.fail(at, "is missing", "give what "+name+" is compared with")
	case f.Operator == In || f.Operator == NotIn:
		switch {
		case !isList || len(list) == 0:
			v.fail(at, string(f.Operator)+" takes a list", "list the values")
		case len(list) > maxItems:
			v.fail(at, fmt.Sprintf("has %d values", len(list)), fmt.Sprintf("give at most %d", maxItems))
		}
		for i, one := range list {
			v.scalar(fmt.Sprintf("%s[%d]", at, i), one, name, t)
		}
	case isList:
		v.fail(at, "is a list", "give one value, or use "+string(In))
	case (f.Operator == Like || f.Operator == NotLike) && len(fmt.Sprint(f.Value)) > maxPattern:
		v.fail(at, fmt.Sprintf("has more than %d bytes", maxPattern), "give a shorter pattern")
	default:
		v.scalar(at, f.Value, name, t)
	}
}

func (v *validator) scalar(at string, one any, name string, t Type) {
	var fits bool
	switch one.(type) {
	case string:
		fits = t == Text
	case bool:
		fits = t == Boolean
	case int64, float64:
		fits = t == Number
	}
	if !fits {
		v.fail(at, fmt.Sprintf("is %s, and %s is compared with a %s", kind(one), name, t), "give a "+string(t))
	}
}

func (v *validator) aggregations() {
	if len(v.q.Aggregations) > maxParts {
		v.fail(argAggregations, fmt.Sprintf("there are more than %d", maxParts), "ask for fewer at a time")
	}
	for i, a := range v.q.Aggregations {
		v.aggregation(v.place(argAggregations, i, aggregationArgument(v.c.typeOf(a.Property))), a)
	}
}

func (v *validator) aggregation(at string, a Aggregation) {
	if a.Property == "" && v.set == Full {
		if a.Metric != Count || a.Distinct {
			v.fail(at+"."+argProperty, "is missing", "only COUNT without distinct counts objects, and needs none")
		}
		return
	}
	p := v.property(at+"."+argProperty, a.Property)
	if p == nil {
		return
	}
	known := metrics[v.set][AsPaper(p.Type)]
	switch {
	case !slices.Contains(known, a.Metric):
		v.fail(at+"."+argMetrics, fmt.Sprintf("a %s property has no metric %s", p.Type, quoted(string(a.Metric))), "use one of "+joined(known))
	case a.Distinct && (v.set == Paper || !slices.Contains([]Metric{Count, Sum, Mean}, a.Metric)):
		v.fail(at+"."+argDistinct, "is no matter of "+string(a.Metric), "leave it out; COUNT, SUM and MEAN of the full toolset take it")
	case a.Limit != 0 && a.Metric != TopOccurrences:
		v.fail(at+"."+argTop, "is no matter of "+string(a.Metric), "leave it out, or use "+string(TopOccurrences))
	case a.Limit < 0:
		v.fail(at+"."+argTop, "is less than 1", "give 1 or more, or leave it out")
	}
}

func (v *validator) groups() {
	if len(v.q.GroupBy) > maxParts {
		v.fail(argGroups, fmt.Sprintf("there are more than %d", maxParts), "group by fewer properties")
	}
	v.listed(argGroups, v.q.GroupBy)
}

// listed checks names of properties, each of which may be there once.
func (v *validator) listed(at string, names []string) {
	seen := map[string]bool{}
	for i, name := range names {
		at := v.place(at, i, argGroup)
		p := v.property(at, name)
		if p != nil && seen[p.Name] {
			v.fail(at, quoted(name)+" is there twice", "name each property once")
		}
		if p != nil {
			seen[p.Name] = true
		}
	}
}

// paper checks what the paper's toolset can say.
func (v *validator) paper() {
	q := v.q
	if len(q.Properties) > 0 || q.Distinct || len(q.OrderBy) > 0 || q.Limit != 0 || q.Offset != 0 {
		v.fail("", "properties, distinct, order_by, limit and offset are of the full toolset", "leave them out")
	}
	if len(q.GroupBy) > 1 {
		v.fail(argGroup, "there are several", "group by one property")
	}
	once := map[string]bool{}
	take := func(argument string) {
		if once[argument] {
			v.fail(argument, "is there twice", "the paper's toolset has one of each type")
		}
		once[argument] = true
	}
	for _, f := range q.Filters {
		if f.AnyOf != nil || f.AllOf != nil {
			v.fail(argFilters, "any_of and all_of are of the full toolset", "leave them out")
		}
		take(filterArgument(v.c.typeOf(f.Property)))
	}
	for _, a := range q.Aggregations {
		take(aggregationArgument(v.c.typeOf(a.Property)))
	}
}

// objects checks what is said of the objects that are returned.
func (v *validator) objects() {
	q := v.q
	aggregated, grouped := len(q.Aggregations) > 0, len(q.GroupBy) > 0
	switch {
	case q.Limit < 0 || q.Offset < 0:
		v.fail(argLimit, "a limit or offset is less than 0", "give 0 or more")
	case aggregated && len(q.Properties) > 0:
		v.fail(argProperties, "there are aggregations, which return no objects", "leave it out, or group by them")
	case q.Distinct && (aggregated || grouped):
		v.fail(argDistinct, "is about objects, and there are groups or aggregations", "leave it out")
	case aggregated && !grouped && (q.Limit > 0 || q.Offset > 0):
		v.fail(argLimit, "there is one result of the aggregations", "leave limit and offset out, or group")
	}
	v.listed(argProperties, q.Properties)
}

func (v *validator) orders() {
	q := v.q
	grouped := len(q.GroupBy) > 0
	if len(q.OrderBy) > maxParts {
		v.fail(argOrderBy, fmt.Sprintf("there are more than %d", maxParts), "sort by fewer")
	}
	if len(q.OrderBy) > 0 && len(q.Aggregations) > 0 && !grouped {
		v.fail(argOrderBy, "there is one result of the aggregations", "leave it out, or group")
	}
	for i, o := range q.OrderBy {
		at := fmt.Sprintf("%s[%d]", argOrderBy, i)
		if o.Aggregation != nil {
			switch {
			case !grouped:
				v.fail(at, "metrics are of groups, and there are none", "sort by a property")
			case o.Aggregation.Metric == TopOccurrences || o.Property != "":
				v.fail(at, "cannot be sorted by", "give one property, or a metric that has one value")
			}
			v.aggregation(at, *o.Aggregation)
			continue
		}
		p := v.property(at+"."+argProperty, o.Property)
		isKey := func(name string) bool { return p != nil && spelling.Same(name, p.Name) }
		switch {
		case grouped && !slices.ContainsFunc(q.GroupBy, isKey):
			v.fail(at+"."+argProperty, "groups are not grouped by "+quoted(o.Property), "sort by a property of "+argGroups+", or by metrics")
		case q.Distinct && len(q.Properties) > 0 && !slices.ContainsFunc(q.Properties, isKey):
			v.fail(at+"."+argProperty, "distinct objects have no "+quoted(o.Property), "sort by one of "+argProperties)
		}
	}
}

// joined lists words.
func joined[T ~string](words []T) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = string(w)
	}
	return strings.Join(out, ", ")
}
