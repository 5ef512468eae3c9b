package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"net/url"
	"strconv"
)

// maxPages bounds a listing that has no end.
const maxPages = 100_000

// Pages asks for one page after the other and has read read each, as in Do. It stops
// after the page that has the row of number maxRows, unless maxRows is 0, and reports
// whether all pages were read.
//
// A page with fewer rows than were asked for is not taken for the last one, since
// servers bound the sizes of pages. What cannot be a whole listing is an Error of
// ErrPaging that has the number of the page:
//
//   - a position or a page that was there before,
//   - a page with another number of rows than its Count,
//   - more or fewer rows in all than the Total, or a Total that changes,
//   - an empty page that says that there is More; for Offset and Number, also one that
//     has a Next,
//   - More without a Next, where the next page cannot be found without it,
//   - for Offset, a Next that is not the position of the page and its rows together;
//     for Number, one that is not the next number.
//
// So is a listing without any key of which two pages are byte for byte the same:
// nothing distinguishes them from one page that is repeated.
func (c *Client) Pages(ctx context.Context, m Meter, r *Request, p Paging, maxRows int, read func(*Response) (Page, error)) (whole bool, err error) {
	t, err := c.target(r)
	if err != nil {
		return false, err
	}
	l := &listing{
		c: c, paging: p, first: t, size: p.Size, maxRows: maxRows, total: -1,
		seen: map[string]bool{}, bodies: map[uint64]bool{}, seed: maphash.MakeSeed(),
	}
	if maxRows > 0 {
		l.size = min(p.Size, maxRows)
	}
	if t, err = l.begin(); err != nil {
		return false, err
	}
	for n := 1; ; n++ {
		var page Page
		a, err := c.do(ctx, m, t, func(a *answer) (int, error) {
			var err error
			page, err = read(a.response())
			return page.Rows, err
		})
		if err != nil {
			return false, err
		}
		next, end, err := l.add(page, a)
		switch {
		case err == nil && !end && n == c.maxPages:
			err = errors.New("there is another one, which is too many")
			fallthrough
		case err != nil:
			return false, l.failed(t, a, n, err)
		case end:
			return true, nil
		case maxRows > 0 && l.rows >= maxRows:
			return false, nil
		}
		t = next
	}
}

// listing is what is known of a listing after some of its pages.
type listing struct {
	c       *Client
	paging  Paging
	first   target // without the parameters of a page
	size    int    // rows that are asked for; 0 if that is the server's to say
	maxRows int    // rows that are wanted, or 0

	rows   int
	total  int    // as the server says, or -1
	at     string // the position of the page that was read last
	seen   map[string]bool
	bodies map[uint64]bool // of pages with rows
	seed   maphash.Seed
}

// begin returns the request for the first page.
func (l *listing) begin() (target, error) {
	switch l.paging.Kind {
	case Offset:
		l.at = "0"
	case Number:
		l.at = strconv.Itoa(l.paging.First)
	}
	t, err := l.request()
	if l.paging.Kind == Link && err == nil {
		l.at = t.url.String()
	}
	l.seen[l.at] = true
	return t, err
}

// add takes a page, and returns the request for the next one or says that there is
// none.
func (l *listing) add(page Page, a *answer) (next target, end bool, err error) {
	l.rows += page.Rows
	if page.Count >= 0 && page.Count != page.Rows {
		return next, false, fmt.Errorf("it says that it has %d rows, and has %d", page.Count, page.Rows)
	}
	if page.Total >= 0 {
		if l.total >= 0 && page.Total != l.total {
			return next, false, fmt.Errorf("the total was %d rows, and now is %d", l.total, page.Total)
		}
		l.total = page.Total
	}
	if l.total >= 0 && l.rows > l.total {
		return next, false, fmt.Errorf("with it there are %d rows of %d, so that some are repeated", l.rows, l.total)
	}
	if page.Rows > 0 && l.paging.Kind != Whole {
		data := page.Data
		if data == nil {
			data = a.out.body
		}
		sum := maphash.Bytes(l.seed, data)
		if l.bodies[sum] {
			return next, false, errors.New("it is the same as another before it")
		}
		l.bodies[sum] = true
	}
	to := page.Next
	if l.paging.Kind == Link && to == "" {
		to = nextLink(a.out.header)
	}
	switch isLast, err := l.isLast(page, to); {
	case err != nil:
		return next, false, err
	case isLast && l.rows < l.total:
		return next, false, fmt.Errorf("it is the last, and there are %d rows of %d, so that some are missing", l.rows, l.total)
	case isLast:
		return next, true, nil
	case l.paging.Kind == Whole && l.maxRows > 0 && l.rows >= l.maxRows:
		return next, false, nil
	}
	switch l.paging.Kind {
	case Whole:
		return next, false, errors.New("the only one has as many rows as were asked for, and there may be more")
	case Link:
		next, err = l.follow(to, a)
	default:
		if l.at, err = l.position(page); err == nil {
			next, err = l.request()
		}
	}
	if err == nil && l.seen[l.at] {
		err = errors.New("it leads back to another before it")
	}
	l.seen[l.at] = true
	return next, false, err
}

// isLast reports whether no page comes after one, by what it says of itself and by
// its rows.
func (l *listing) isLast(page Page, to string) (bool, error) {
	isNumbered := l.paging.Kind == Offset || l.paging.Kind == Number
	switch {
	case page.More && page.Last:
		return false, errors.New("it says that it is the last, and that there are more")
	case page.More && l.paging.Kind == Whole && (l.maxRows == 0 || l.rows < l.maxRows):
		return false, errors.New("it says that there are more, and it should have all rows")
	case page.Last:
		return true, nil
	case page.Rows == 0 && (page.More || isNumbered && page.Next != ""):
		return false, errors.New("it is empty, and says that there are more")
	case l.paging.Kind == Whole: // it may have been cut where it was asked to be
		return !page.More && (l.paging.Limit == "" || l.size == 0 || page.Rows < l.size || l.rows == l.total), nil
	case isNumbered:
		return page.Rows == 0 || l.rows == l.total && !page.More && page.Next == "", nil
	case to == "" && page.More:
		return false, errors.New("it says that there are more, and not where")
	}
	return to == "", nil
}

// position is that of the page after one.
func (l *listing) position(page Page) (string, error) {
	if l.paging.Kind == Cursor {
		return page.Next, nil
	}
	at, err := strconv.Atoi(l.at)
	if err != nil {
		return "", err // of this package: it has written the position
	}
	after := at + page.Rows
	if l.paging.Kind == Number {
		after = at + 1
	}
	switch said, err := strconv.Atoi(page.Next); {
	case page.Next == "":
	case err != nil:
		return "", fmt.Errorf("it says that the next one is at %q, which is no number; pages that follow each other so have cursors", clipped(page.Next))
	case said != after && l.paging.Kind == Number:
		return "", fmt.Errorf("it has the number %d, and says that the next one has %d", at, said)
	case said != after:
		return "", fmt.Errorf("it begins at %d and has %d rows, and says that the next one begins at %d", at, page.Rows, said)
	}
	return strconv.Itoa(after), nil
}

// clipped returns the beginning of a text of a server.
func clipped(text string) string {
	const maxRows = 50
	if runes := []rune(text); len(runes) > maxRows {
		return string(runes[:maxRows]) + "…"
	}
	return text
}

// follow returns the request for a page whose URL the one before it has.
func (l *listing) follow(to string, a *answer) (target, error) {
	u, err := a.url.Parse(to)
	switch {
	case err != nil:
		return target{}, errors.New("the address of the next one cannot be read")
	case !sameServer(u, l.c.server):
		return target{}, reason(ErrRedirect, "the next one is on another server, "+
			l.c.secrets.clean(u.Scheme+"://"+u.Host)+", where nothing was sent")
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u = l.c.withParams(u)
	l.at = u.String()
	return target{l.first.Request, u}, nil
}

// request returns the request for the page at the position.
func (l *listing) request() (target, error) {
	p := l.paging
	r := *l.first.Request
	limit := ""
	if l.size > 0 && p.Limit != "" {
		limit = strconv.Itoa(l.size)
	}
	position := l.at
	if p.Position == "" {
		position = ""
	}
	if p.Body {
		var err error
		if r.Body, err = l.body(position, limit); err != nil {
			return target{}, &Error{API: l.c.opts.API, Operation: r.Operation, Method: r.Method, URL: l.c.secrets.shown(l.first.url),
				Err: err, Hint: "declare the parameters of pages as those of the URL"}
		}
		return target{&r, l.first.url}, nil
	}
	r.Query = maps.Clone(r.Query)
	if r.Query == nil {
		r.Query = url.Values{}
	}
	if position != "" {
		r.Query.Set(p.Position, position)
	}
	if limit != "" {
		r.Query.Set(p.Limit, limit)
	}
	return l.c.target(&r)
}

// body is the JSON object of the request with the page as members: numbers, but for
// the positions of cursors.
func (l *listing) body(position, limit string) ([]byte, error) {
	object := map[string]json.RawMessage{}
	if body := l.first.Body; len(body) > 0 {
		if err := json.Unmarshal(body, &object); err != nil || object == nil {
			return nil, errors.New("its body is not a JSON object that could have the page")
		}
	}
	if limit != "" {
		object[l.paging.Limit] = json.RawMessage(limit)
	}
	if position != "" {
		member, err := json.Marshal(position)
		if n, bad := strconv.Atoi(position); bad == nil && l.paging.Kind != Cursor {
			member, err = json.Marshal(n)
		}
		if err != nil {
			return nil, err
		}
		object[l.paging.Position] = member
	}
	return json.Marshal(object)
}

// failed is an error of pages, as the error of the request for the last one.
func (l *listing) failed(t target, a *answer, page int, err error) error {
	if own := (*Error)(nil); errors.As(err, &own) {
		return own
	}
	if !errors.Is(err, ErrRedirect) {
		err = reason(ErrPaging, "page "+strconv.Itoa(page)+": "+err.Error())
	}
	return l.c.failed(t, &waiter{status: a.out.status, total: a.sent}, err, hintPaging)
}
