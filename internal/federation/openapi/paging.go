package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// pagePointers are where an answer mentions its pages. A pointer is nil if it is
// not known.
type pagePointers struct {
	next, total, more, last, count []string
}

// The usual names of what pages need.
var (
	limitNames  = []string{"limit", "per_page", "page_size", "pageSize", "perPage", "max_results", "maxResults", "take"}
	offsetNames = []string{"offset", "skip"}
	pageNames   = []string{"page", "page_number", "pageNumber"}
	cursorNames = []string{"cursor", "page_token", "pageToken", "next_token", "nextToken", "after"}
	nextNames   = []string{"next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken"}
	moreNames   = []string{"has_more", "hasMore"}
)

const (
	defaultPage = 100
	largestPage = 10_000
)

// paging finds out how the pages of a listing follow each other.
func (b *tableBuilder) paging() {
	c, form := b.source.list, b.form.page
	answer := c.op.response()
	if form.at.line > 0 {
		b.declaredPaging(c, form, answer)
	} else {
		b.usualPaging(c, answer)
	}
	if c.paging.Kind != fetch.Whole {
		b.table.PageSize = c.paging.Size
	}
}

// checks finds where a call's answer says of itself what it should have, for what is
// not declared: whether there are more rows, and how many it has. A count of another
// service may be one of all pages, and is nothing to go by.
func (b *tableBuilder) checks(c *call) {
	answer := c.op.response()
	isServe := b.exact && answer.property("truncated") != nil
	switch {
	case c.pages.more != nil:
	case isServe:
		c.pages.more = []string{"truncated"}
	default:
		c.pages.more = b.doc().member(answer, moreNames)
	}
	if isServe && c.pages.count == nil && answer.property("count") != nil {
		c.pages.count = []string{"count"}
	}
}

// declaredPaging is that of the declaration. What it leaves out is found by its
// usual name.
func (b *tableBuilder) declaredPaging(c *call, form pageForm, answer shape) {
	kinds := map[string]fetch.Kind{"none": fetch.Whole, "offset": fetch.Offset, "page": fetch.Number, "cursor": fetch.Cursor, "link": fetch.Link}
	kind, ok := kinds[form.kind.s]
	if !ok {
		b.fail(cmp.Or(form.kind.at, form.at), "page: there is no kind %q; use one of offset, page, cursor, link, none", form.kind.s)
		return
	}
	if kind == fetch.Whole {
		for _, given := range []text{form.position.text, form.limit.text, form.next.text, form.total.text, form.more.text, form.last.text, form.count.text} {
			if given.given() {
				b.fail(given.at, "page: with kind none there is nothing else to say; a constant parameter stands under with")
				return
			}
		}
		return
	}
	p := fetch.Paging{Kind: kind}
	position := b.pageParameter(c, form.position.text, map[fetch.Kind][]string{fetch.Offset: offsetNames, fetch.Number: pageNames, fetch.Cursor: cursorNames}[kind])
	if position == nil && kind != fetch.Link && !b.failed {
		b.fail(form.at, "page: say under position which parameter has the %s", form.kind.s)
	}
	limit := b.pageParameter(c, form.limit.text, limitNames)
	if b.failed {
		return
	}
	p.Size = sizeOf(limit, form.size.n)
	if limit != nil {
		p.Limit, p.Body = limit.name, limit.in == inBody
	}
	if position != nil {
		if limit != nil && (position.in == inBody) != p.Body {
			b.fail(form.at, "page: the parameters %s and %s are not both in the body", position.name, limit.name)
		}
		p.Position, p.Body = position.name, position.in == inBody
	}
	if kind == fetch.Number {
		p.First = b.firstPage(form, position)
	}
	c.paging = p
	c.pages = pagePointers{
		next: b.answerPointer(c, answer, form.next.text), total: b.answerPointer(c, answer, form.total.text),
		more: b.answerPointer(c, answer, form.more.text), last: b.answerPointer(c, answer, form.last.text), count: b.answerPointer(c, answer, form.count.text),
	}
	if kind == fetch.Cursor && !form.next.given() {
		if c.pages.next = b.doc().member(answer, nextNames); c.pages.next == nil {
			b.fail(form.at, "page: say under next where the answer has the next cursor, such as next: /next_cursor")
		}
	}
}

// firstPage returns the number of the first page: 1 unless something else is said.
func (b *tableBuilder) firstPage(form pageForm, position *parameter) int {
	if form.first.given() {
		return form.first.n
	}
	if first, ok := firstOf(position); ok {
		return first
	}
	return 1
}

// firstOf returns the number of the first page as the document says it.
func firstOf(p *parameter) (int, bool) {
	if n, ok := p.shape.standard.(float64); ok && (n == 0 || n == 1) {
		return int(n), true
	}
	if m := p.shape.minimum; m != nil && (*m == 0 || *m == 1) {
		return int(*m), true
	}
	return 0, false
}

// sizeOf returns how many rows a page has.
func sizeOf(limit *parameter, declared int) int {
	switch {
	case declared > 0:
		return declared
	case limit != nil && limit.shape.maximum != nil && *limit.shape.maximum >= 1:
		return int(min(*limit.shape.maximum, largestPage))
	}
	return defaultPage
}

// pageParameter returns the parameter that is declared, or else the one that has a
// usual name, or nil.
func (b *tableBuilder) pageParameter(c *call, declared text, usual []string) *parameter {
	if declared.given() {
		for _, p := range c.params {
			if p.name == declared.s && (p.in == inQuery || p.in == inBody) {
				return p
			}
		}
		b.fail(declared.at, "page: %s has no parameter %q; %s", c.op.id, declared.s, nearest(declared.s, parameterNames(c.params)))
		return nil
	}
	return b.usual(c, usual)
}

// usual returns the parameter that has one of the names and no other use, or nil.
func (b *tableBuilder) usual(c *call, usual []string) *parameter {
	for _, name := range usual {
		for _, p := range c.params {
			if p.name == name && (p.in == inQuery || p.in == inBody) && !c.uses(p) && !b.isFilter(p) {
				return p
			}
		}
	}
	return nil
}

// isFilter reports whether the declaration says that a parameter is a filter.
func (b *tableBuilder) isFilter(p *parameter) bool {
	return slices.ContainsFunc(b.form.filters.all, func(n named[filterForm]) bool {
		return n.form.in.s == p.name || !n.form.in.given() && n.name.s == p.name
	})
}

func parameterNames(params []*parameter) []string {
	all := make([]string, len(params))
	for i, p := range params {
		all[i] = p.name
	}
	return all
}

// answerPointer parses a pointer into the answer, which must be there as far as the
// document says.
func (b *tableBuilder) answerPointer(c *call, answer shape, t text) []string {
	if !t.given() {
		return nil
	}
	path := b.pointer(t)
	if _, _, err := b.doc().walk(answer, path); err != nil {
		b.fail(t.at, "page: the answer of %s has no %w", c.op.id, err)
	}
	return path
}

// member returns the path of the only member of an answer that has one of the
// names, at its top or in an object there.
func (d *document) member(answer shape, names []string) []string {
	var paths [][]string
	for _, p := range answer.properties {
		if slices.Contains(names, p.name) {
			paths = append(paths, []string{p.name})
			continue
		}
		inner := d.shapeOf(p.schema)
		for _, q := range inner.properties {
			if slices.Contains(names, q.name) && inner.types.has(isObject) {
				paths = append(paths, []string{p.name, q.name})
			}
		}
	}
	if len(paths) != 1 {
		return nil
	}
	return paths[0]
}

// usualPaging is what the document says by usual names, where no row can get lost
// by it. Where there are signs of pages that do not say enough, it has to be
// declared.
func (b *tableBuilder) usualPaging(c *call, answer shape) {
	limit, offset, page, cursor := b.usual(c, limitNames), b.usual(c, offsetNames), b.usual(c, pageNames), b.usual(c, cursorNames)
	next, more := b.doc().member(answer, nextNames), b.doc().member(answer, moreNames)
	if cursor == nil && offset != nil && offset.shape.types.only(isString) {
		cursor, offset = offset, nil // a text is no number of rows
		if next == nil {
			next = b.doc().member(answer, []string{cursor.name, "next_" + cursor.name})
		}
	}
	use := func(kind fetch.Kind, position *parameter) {
		c.paging = fetch.Paging{Kind: kind, Position: position.name, Size: sizeOf(limit, 0), Body: position.in == inBody}
		if limit != nil && limit.in == position.in {
			c.paging.Limit = limit.name
		}
	}
	switch {
	case b.exact && limit != nil && offset != nil && answer.property("next_offset") != nil && answer.property("truncated") != nil:
		use(fetch.Offset, offset)
		c.pages.next = []string{"next_offset"}
		return
	case cursor != nil && next != nil && page == nil && offset == nil:
		use(fetch.Cursor, cursor)
		c.pages.next = next
		return
	case offset != nil && limit != nil && page == nil && cursor == nil && next == nil:
		use(fetch.Offset, offset)
		return
	case page != nil && offset == nil && cursor == nil && next == nil:
		if first, ok := firstOf(page); ok {
			use(fetch.Number, page)
			c.paging.First = first
			return
		}
	}
	var signs []string
	for _, p := range []*parameter{limit, offset, page, cursor} {
		if p != nil && !b.isColumn(p.name) {
			signs = append(signs, "the parameter "+p.name)
		}
	}
	for _, path := range [][]string{next, more} {
		if path != nil {
			signs = append(signs, writePointer(path)+" in the answer")
		}
	}
	if len(signs) > 0 {
		b.fail(b.form.list.at, "%s seems to answer page by page (%s); say how, as in page: {kind: offset, position: offset, limit: limit, size: 100}, or page: none", c.op.id, strings.Join(signs, ", "))
	}
}

// isColumn reports whether a name is that of a column of the rows.
func (b *tableBuilder) isColumn(name string) bool {
	return b.at([]string{name}) >= 0
}
