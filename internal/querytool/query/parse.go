package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/tools"
)

// Parse reads a query from the arguments of a call in a toolset and validates it.
// An argument that is null is one that is not given. What is wrong is a
// *tools.ToolError, which is fit to be shown to a model.
func Parse(args tools.Arguments, set Toolset, collections []Collection) (Query, error) {
	p := parser{set: set}
	q := p.query(args)
	return p.checked(q, collections)
}

// Parse is the function Parse with the collections of the database. Errors are also
// those of listing the collection, if it is a table of an API.
func (d *Database) Parse(ctx context.Context, args tools.Arguments, set Toolset) (Query, error) {
	p := parser{set: set}
	q := p.query(args)
	if p.err != nil {
		return Query{}, p.err
	}
	collections, err := d.describeOne(ctx, q.Collection)
	if err != nil {
		return Query{}, err
	}
	return p.checked(q, collections)
}

// checked returns a query that was read if it means something to the collections.
func (p *parser) checked(q Query, collections []Collection) (Query, error) {
	if p.err != nil {
		return Query{}, p.err
	}
	if err := q.Validate(p.set, collections); err != nil {
		return Query{}, err
	}
	for _, u := range p.uses {
		if err := u.check(Find(collections, q.Collection)); err != nil {
			return Query{}, err
		}
	}
	return q.spelled(collections), nil
}

// use is a property in an argument of the paper's toolset, which is for one type.
type use struct {
	argument, property string
	of                 func(Type) string // the argument for a type
}

func (u use) check(c *Collection) error {
	t := c.typeOf(u.property)
	if right := u.of(t); right != u.argument {
		return mistake(u.argument+"."+argProperty, fmt.Sprintf("%s is a %s property", quoted(u.property), t), "use "+right)
	}
	return nil
}

// spelled writes names as the collections have them.
func (q Query) spelled(collections []Collection) Query {
	c := Find(collections, q.Collection)
	q.Collection = c.Name
	name := func(s *string) {
		if p := c.Property(*s); p != nil {
			*s = p.Name
		}
	}
	var filters func(list []Filter)
	filters = func(list []Filter) {
		for i := range list {
			name(&list[i].Property)
			filters(list[i].AnyOf)
			filters(list[i].AllOf)
		}
	}
	filters(q.Filters)
	for i := range q.Aggregations {
		name(&q.Aggregations[i].Property)
	}
	for _, list := range [][]string{q.GroupBy, q.Properties} {
		for i := range list {
			name(&list[i])
		}
	}
	for i, o := range q.OrderBy {
		name(&q.OrderBy[i].Property)
		if o.Aggregation != nil {
			name(&o.Aggregation.Property)
		}
	}
	return q
}

// parser reads arguments and keeps the first error.
type parser struct {
	set  Toolset
	uses []use
	err  error
}

func (p *parser) fail(argument, reason, hint string) {
	if p.err == nil {
		p.err = mistake(argument, reason, hint)
	}
}

// mistake is the error of a query.
func mistake(argument, reason, hint string) *tools.ToolError {
	return &tools.ToolError{Tool: ToolName, Argument: argument, Reason: reason, Hint: hint}
}

// shown is how much of what was given an error quotes.
const shown = 80

func quoted(s string) string {
	if len(s) > shown {
		s = strings.ToValidUTF8(s[:shown], "") + "..."
	}
	return fmt.Sprintf("%q", s)
}

// names are the arguments of each toolset.
var names = map[Toolset][]string{
	Paper: {
		argCollection, argSearch, argNumberFilter, argTextFilter, argBooleanFilter,
		argNumberMetric, argTextMetric, argBooleanMetric, argGroup,
	},
	Full: {
		argCollection, argSearch, argFilters, argAggregations, argGroups,
		argProperties, argDistinct, argOrderBy, argLimit, argOffset,
	},
}

func (p *parser) query(args tools.Arguments) Query {
	var q Query
	for _, a := range args {
		if a.Value == nil {
			continue
		}
		switch a.Name {
		case argCollection:
			q.Collection = p.text(a.Name, a.Value)
		case argRationale:
			q.Rationale = p.text(a.Name, a.Value)
		case argSearch:
			if q.Search = p.text(a.Name, a.Value); strings.TrimSpace(q.Search) == "" {
				p.fail(a.Name, "is empty", "give words to search for, or leave it out")
			}
		default:
			if p.set == Paper {
				p.paper(&q, a)
			} else {
				p.full(&q, a)
			}
		}
	}
	if q.Collection == "" {
		p.fail(argCollection, "is missing", "name the collection to query")
	}
	return q
}

func (p *parser) unknown(name string) {
	p.fail(name, "is no argument of this tool", spelling.Suggest(name, names[p.set]))
}

// paper reads an argument that only the paper's toolset has.
func (p *parser) paper(q *Query, a tools.Argument) {
	switch a.Name {
	case argNumberFilter, argTextFilter, argBooleanFilter:
		f := p.comparison(a.Name, p.object(a.Name, a.Value), false)
		q.Filters, p.uses = append(q.Filters, f), append(p.uses, use{a.Name, f.Property, filterArgument})
	case argNumberMetric, argTextMetric, argBooleanMetric:
		one := p.aggregation(a.Name, p.object(a.Name, a.Value), a.Name == argTextMetric, false)
		q.Aggregations, p.uses = append(q.Aggregations, one), append(p.uses, use{a.Name, one.Property, aggregationArgument})
	case argGroup:
		q.GroupBy = []string{p.text(a.Name, a.Value)}
	default:
		p.unknown(a.Name)
	}
}

// full reads an argument that only the toolset Full has.
func (p *parser) full(q *Query, a tools.Argument) {
	switch a.Name {
	case argFilters:
		q.Filters = p.filters(a.Name, a.Value, 0)
	case argAggregations:
		for i, one := range p.list(a.Name, a.Value) {
			at := fmt.Sprintf("%s[%d]", a.Name, i)
			q.Aggregations = append(q.Aggregations, p.aggregation(at, p.object(at, one), true, true))
		}
	case argGroups:
		q.GroupBy = p.texts(a.Name, a.Value)
	case argProperties:
		q.Properties = p.texts(a.Name, a.Value)
	case argDistinct:
		q.Distinct = p.boolean(a.Name, a.Value)
	case argOrderBy:
		for i, one := range p.list(a.Name, a.Value) {
			at := fmt.Sprintf("%s[%d]", a.Name, i)
			q.OrderBy = append(q.OrderBy, p.order(at, p.object(at, one)))
		}
	case argLimit:
		if q.Limit = p.whole(a.Name, a.Value); q.Limit == 0 {
			p.fail(a.Name, "is 0", "give 1 or more, or leave it out for all")
		}
	case argOffset:
		q.Offset = p.whole(a.Name, a.Value)
	default:
		p.unknown(a.Name)
	}
}

// filters reads a list of filters; depth is how many lists it is in.
func (p *parser) filters(at string, v any, depth int) []Filter {
	out := []Filter{}
	for i, one := range p.list(at, v) {
		at := fmt.Sprintf("%s[%d]", at, i)
		args := p.object(at, one)
		any, isAny := given(args, argAnyOf)
		all, isAll := given(args, argAllOf)
		switch {
		case p.err != nil:
			return nil
		case isAny && depth == 0:
			p.only(at, args, argAnyOf)
			out = append(out, Filter{AnyOf: p.filters(at+"."+argAnyOf, any, 1)})
		case isAll && depth == 1:
			p.only(at, args, argAllOf)
			out = append(out, Filter{AllOf: p.filters(at+"."+argAllOf, all, 2)})
		case isAny:
			p.fail(at, argAnyOf+" stands within another list", "filters are a list of conditions and any_of, and any_of has conditions and all_of")
		case isAll:
			p.fail(at, argAllOf+" stands outside of any_of", "filters all hold: list its conditions in its place")
		default:
			out = append(out, p.comparison(at, args, true))
		}
	}
	return out
}

// given returns an argument that is not null.
func given(args tools.Arguments, name string) (any, bool) {
	v, _ := args.Get(name)
	return v, v != nil
}

// only fails if an object has other names than these.
func (p *parser) only(at string, args tools.Arguments, names ...string) {
	for _, a := range args {
		known := false
		for _, name := range names {
			known = known || a.Name == name
		}
		if !known && a.Value != nil {
			p.fail(at+"."+a.Name, "is unknown here", spelling.Suggest(a.Name, names))
		}
	}
}

func (p *parser) comparison(at string, args tools.Arguments, full bool) Filter {
	known := []string{argProperty, argOperator, argValue}
	if full {
		known = append(known, argPart)
	}
	p.only(at, args, known...)
	f := Filter{Property: p.member(at, args, argProperty), Operator: Operator(p.member(at, args, argOperator))}
	if part, ok := given(args, argPart); ok {
		f.Part = DatePart(p.text(at+"."+argPart, part))
	}
	if v, ok := given(args, argValue); ok {
		f.Value = p.operand(at+"."+argValue, v)
	}
	return f
}

func (p *parser) aggregation(at string, args tools.Arguments, top, full bool) Aggregation {
	known := []string{argProperty, argMetrics}
	if top {
		known = append(known, argTop)
	}
	if full {
		known = append(known, argDistinct)
	}
	p.only(at, args, known...)
	a := Aggregation{Metric: Metric(p.member(at, args, argMetrics))}
	if _, ok := given(args, argProperty); ok || !full {
		a.Property = p.member(at, args, argProperty)
	}
	if v, ok := given(args, argDistinct); ok {
		a.Distinct = p.boolean(at+"."+argDistinct, v)
	}
	if v, ok := given(args, argTop); ok {
		if a.Limit = p.whole(at+"."+argTop, v); a.Limit == 0 {
			p.fail(at+"."+argTop, "is 0", "give 1 or more, or leave it out")
		}
	}
	return a
}

// The directions of an order.
const (
	directionAscending  = "ascending"
	directionDescending = "descending"
)

func (p *parser) order(at string, args tools.Arguments) Order {
	p.only(at, args, argProperty, argMetrics, argDistinct, argDirection)
	var o Order
	if _, ok := given(args, argMetrics); ok {
		a := p.aggregation(at, without(args, argDirection), false, true)
		o.Aggregation = &a
	} else {
		o.Property = p.member(at, args, argProperty)
	}
	if v, ok := given(args, argDirection); ok {
		switch word := p.text(at+"."+argDirection, v); word {
		case directionAscending:
		case directionDescending:
			o.Descending = true
		default:
			p.fail(at+"."+argDirection, "is "+quoted(word), "use "+directionAscending+" or "+directionDescending)
		}
	}
	return o
}

func without(args tools.Arguments, name string) tools.Arguments {
	var out tools.Arguments
	for _, a := range args {
		if a.Name != name {
			out = append(out, a)
		}
	}
	return out
}
