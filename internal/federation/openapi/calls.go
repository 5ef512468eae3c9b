package openapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/pkg/value"
)

// longestQuery is how many bytes of values a URL has at most, since servers refuse
// longer ones: 8 KiB is a usual limit of a whole request line.
const longestQuery = 6000

// Select asks for the rows that meet all conditions, page by page, and calls yield
// for each row, which is its own; it may give rows that do not meet them. Only one
// condition may have several values, at most as many as its Filter says. Without
// conditions it lists the table. It stops after the page that has the row of number
// limit, unless limit is 0, and reports whether all pages were read. An error of yield
// ends it and is returned as it is.
//
// Values whose URL would be too long for most servers are asked for in several
// calls.
func (t *table) Select(ctx context.Context, m *apis.Meter, conditions []apis.Condition, limit int, yield func(row []value.Value) error) (whole bool, err error) {
	c, values, err := t.choose(conditions)
	if err != nil {
		return false, fmt.Errorf("table %s: %w", t.Name, err)
	}
	s := &selection{table: t, call: c, meter: m, limit: limit, yield: yield}
	parts := s.parts(values)
	for i, part := range parts {
		if whole, err = s.ask(ctx, part); err != nil || !whole {
			break
		}
		if limit > 0 && s.rows >= limit && i < len(parts)-1 {
			return false, nil
		}
	}
	switch {
	case err == nil:
		return whole, nil
	case s.yielded != nil && errors.Is(err, s.yielded):
		return false, s.yielded
	}
	return false, fmt.Errorf("table %s: %w", t.Name, err)
}

// choose returns the call that answers the conditions, with the values of its
// parameters.
func (t *table) choose(conditions []apis.Condition) (*call, map[int][]sent, error) {
	several := 0
	for _, c := range conditions {
		if len(c.Values) > 1 {
			several++
		}
		if c.Column < 0 || c.Column >= len(t.Columns) || len(c.Values) == 0 {
			return nil, nil, errors.New("a condition needs a column of the table and values")
		}
	}
	if several > 1 {
		return nil, nil, errors.New("only one condition can have several values")
	}
	var why error
	for _, c := range []*call{t.source.list, t.source.get} {
		if c == nil {
			continue
		}
		values, used, err := t.bind(c, conditions)
		if err != nil {
			why = cmp.Or(why, err)
			continue
		}
		if c == t.source.list && used < len(conditions) && t.source.get != nil {
			// The list leaves out a condition that the other operation has.
			if other, _, err := t.bind(t.source.get, conditions); err == nil {
				return t.source.get, other, nil
			}
		}
		return c, values, nil
	}
	return nil, nil, why
}

// bind returns the values of a call's parameters, and how many of the conditions
// they meet. A condition that the call has no filter for is left out, which gives
// more rows.
func (t *table) bind(c *call, conditions []apis.Condition) (values map[int][]sent, used int, err error) {
	values = map[int][]sent{}
	for _, condition := range conditions {
		f := c.filters[condition.Column]
		if f == nil {
			continue
		}
		name := t.Columns[condition.Column].Name
		if len(condition.Values) > f.many {
			return nil, 0, fmt.Errorf("one call of %s can have %d values of %s, and not %d", c.op.id, f.many, name, len(condition.Values))
		}
		used++
		for _, v := range condition.Values {
			s, ok := t.send(f, condition.Column, v)
			if !ok {
				return nil, 0, fmt.Errorf("%s cannot be asked for the value %s of %s", c.op.id, value.AsText(v), name)
			}
			if !slices.Contains(values[condition.Column], s) {
				values[condition.Column] = append(values[condition.Column], s)
			}
		}
	}
	for _, i := range c.required {
		if values[i] == nil {
			return nil, 0, fmt.Errorf("%s gives rows only for values of %s; compare it with = or IN, or join it", c.op.id, t.Columns[i].Name)
		}
	}
	return values, used, nil
}

// selection is one Select on its way.
type selection struct {
	table   *table
	call    *call
	meter   *apis.Meter
	limit   int
	rows    int
	yield   func([]value.Value) error
	yielded error // that ended it
}

// parts divides the values of a condition so that each URL is short enough.
func (s *selection) parts(values map[int][]sent) []map[int][]sent {
	for i, all := range values {
		p := s.call.filters[i].parameter
		if len(all) == 1 || p.in == inBody || s.table.Columns[i].Type == "" {
			continue // a value of a column without a type may find the rows of another
		}
		var parts []map[int][]sent
		length := longestQuery
		for _, v := range all {
			n := len(url.QueryEscape(v.text)) + 1
			if p.between == "" {
				n += len(p.name) + 1
			}
			if length += n; length > longestQuery {
				length = n
				part := map[int][]sent{}
				for j, other := range values {
					part[j] = other
				}
				part[i] = nil
				parts = append(parts, part)
			}
			last := parts[len(parts)-1]
			last[i] = append(last[i], v)
		}
		return parts
	}
	return []map[int][]sent{values}
}

// ask makes a call, with all its pages.
func (s *selection) ask(ctx context.Context, values map[int][]sent) (whole bool, err error) {
	limit := 0
	if s.limit > 0 {
		limit = s.limit - s.rows
	}
	return s.table.source.service.client.Pages(ctx, counter{s.meter}, s.call.request(values), s.call.paging, limit, s.page)
}

// page reads one page and gives its rows on.
func (s *selection) page(resp *fetch.Response) (fetch.Page, error) {
	page := fetch.Page{Count: -1, Total: -1}
	if resp.Status == http.StatusNotFound || resp.Status == http.StatusNoContent {
		page.Last = true
		return page, nil
	}
	d, err := s.call.decoder.decode(resp.Body)
	if err != nil {
		return page, fetch.Malformed(err)
	}
	page.Rows = len(d.rows)
	if len(s.table.Key) > 0 && len(d.data) > 0 {
		page.Data = d.data // the rows of two pages cannot be the same
	}
	if err := s.call.pageOf(d, &page); err != nil {
		return page, fetch.Malformed(err)
	}
	for _, row := range d.rows {
		if err := s.yield(row); err != nil {
			s.yielded = err
			return page, err
		}
	}
	s.rows += len(d.rows)
	return page, nil
}

// pageOf fills in what an answer says of its pages.
func (c *call) pageOf(d *decoded, page *fetch.Page) (err error) {
	if next := d.pages[nextSlot]; !next.IsNull() {
		page.Next = value.AsText(next)
	}
	if page.Total, err = wholeOf(d.pages[totalSlot], c.pages.total, "total"); err != nil {
		return err
	}
	if page.Count, err = wholeOf(d.pages[countSlot], c.pages.count, "count"); err != nil {
		return err
	}
	more, last := d.pages[moreSlot], d.pages[lastSlot]
	for i, v := range []value.Value{more, last} {
		if !v.IsNull() && v.Kind() != value.Integer {
			return fmt.Errorf("what is at %s should be true or false", writePointer([][]string{c.pages.more, c.pages.last}[i]))
		}
	}
	page.More = value.TruthOf(more) == value.True
	page.Last = !more.IsNull() && !page.More || value.TruthOf(last) == value.True
	if c.pages.next != nil && page.Next == "" && more.IsNull() && (c.paging.Kind == fetch.Offset || c.paging.Kind == fetch.Number) {
		page.Last = true
	}
	if page.Last && (c.paging.Kind == fetch.Cursor || c.paging.Kind == fetch.Link) {
		page.Next = ""
	}
	return nil
}

// wholeOf returns a number of rows that an answer has, or -1 if it does not.
func wholeOf(v value.Value, at []string, what string) (int, error) {
	switch {
	case v.IsNull() || v.Kind() == value.Integer && v.Int64() < 0:
		return -1, nil
	case v.Kind() != value.Integer:
		return 0, fmt.Errorf("the %s at %s is no whole number", what, writePointer(at))
	}
	return int(v.Int64()), nil
}
