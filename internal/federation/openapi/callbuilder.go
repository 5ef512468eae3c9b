package openapi

import (
	"fmt"
	"slices"

	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// manyValues is how many values a URL has at most where the declaration does not
// say, as URLs must not be long, and maxValues how many a body has by default where
// the document lets more through.
const (
	manyValues = 100
	maxValues  = 1000
)

// call is an operation as a table or a function uses it.
type call struct {
	op       *operation
	params   []*parameter
	fixed    []fixed
	filters  map[int]*filter // by column or argument
	required []int           // columns that must have values
	rows     []string        // where the rows are
	single   bool            // there may be one row instead of an array
	paging   fetch.Paging
	pages    pagePointers
	decoder  *decoder
}

// fixed is a parameter that always has the same values.
type fixed struct {
	parameter *parameter
	values    []sent
}

// filter is a parameter that takes values of a column.
type filter struct {
	parameter *parameter
	many      int
}

// uses reports whether a parameter has a use that leaves no place for a filter.
func (c *call) uses(p *parameter) bool {
	if slices.ContainsFunc(c.fixed, func(f fixed) bool { return f.parameter == p }) {
		return true
	}
	return (p.in == inQuery || p.in == inBody) && p.name != "" && (p.name == c.paging.Position || p.name == c.paging.Limit)
}

// filterOf returns the column that a parameter filters by, or -1.
func (c *call) filterOf(p *parameter) int {
	found := -1
	for column, f := range c.filters {
		if f.parameter == p && (found < 0 || column < found) {
			found = column
		}
	}
	return found
}

// callBuilder is what the builders of tables and functions have in common.
type callBuilder struct {
	*reader
	what    string
	service *service
	failed  bool
}

func (b *callBuilder) doc() *document { return b.service.document }

func (b *callBuilder) fail(at place, format string, args ...any) {
	b.failed = true
	b.reader.fail(at, "%s: "+format, append([]any{b.what}, args...)...)
}

// call returns the use of an operation.
func (b *callBuilder) call(name text, safe flag) *call {
	op, err := b.doc().operation(name.s)
	if err != nil {
		b.fail(name.at, "%w", err)
		return nil
	}
	switch {
	case op.method == "POST" && !safe.on:
		b.fail(name.at, "%s is a POST, which may change data; if it only reads, say safe: true", op.id)
		return nil
	case op.method != "GET" && op.method != "POST":
		b.fail(name.at, "%s is a %s; only operations that read can be used: a GET, or a POST with safe: true", op.id, op.method)
		return nil
	}
	return &call{op: op, params: op.parameters(), filters: map[int]*filter{}}
}

// pointer parses a JSON pointer of the declaration.
func (b *callBuilder) pointer(t text) []string {
	path, err := parsePointer(t.s)
	if err != nil {
		b.fail(t.at, "%q is no JSON pointer, such as /data", t.s)
	}
	return path
}

// constants gives parameters the values that they always have.
func (b *callBuilder) constants(with entries[constant, *constant], calls ...*call) {
	for _, n := range with.all {
		var names []string
		known := false
		for _, c := range calls {
			if c == nil {
				continue
			}
			p := find(c.params, n.name.s)
			if p == nil && len(n.name.s) > 0 && n.name.s[0] == '/' {
				p, _ = c.op.bodyParameter(n.name.s)
			}
			if p == nil {
				names = append(names, parameterNames(c.params)...)
				continue
			}
			known = true
			if !p.plain || len(n.form.values) > 1 && !p.list {
				b.fail(n.form.at, "the parameter %s of %s takes no such value", n.name.s, c.op.id)
				continue
			}
			c.fixed = append(c.fixed, fixed{p, n.form.values})
		}
		if !known {
			b.fail(n.name.at, "with: there is no parameter %q; %s", n.name.s, nearest(n.name.s, names))
		}
	}
}

// most returns how many values of a parameter one call can have.
func (p *parameter) limit(declared whole) (int, error) {
	switch {
	case declared.given() && declared.n == 0:
		return 0, fmt.Errorf("many is 1 or more")
	case declared.given() && p.maxItems > 0 && declared.n > p.maxItems:
		return 0, fmt.Errorf("the document allows %s at most %d values", p.name, p.maxItems)
	case declared.given() && declared.n > 1 && p.in == inBody && !p.list:
		return 0, fmt.Errorf("%s is no array in the body, so that many is 1", p.name)
	case declared.given():
		return declared.n, nil
	case p.list && p.maxItems > 0 && p.in == inBody:
		return min(p.maxItems, maxValues), nil
	case p.list && p.maxItems > 0:
		return min(p.maxItems, manyValues), nil
	case p.list:
		return manyValues, nil
	}
	return 1, nil
}
