package fetch

import (
	"errors"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/birdcall/birdcall/internal/testkit/faultytest"
)

var (
	all       = how{next: true, last: true, total: true}
	helpful   = how{next: true}
	unhelpful = how{}
	totalOnly = how{total: true}
)

// kinds are the listings of a server.
var kinds = map[string]struct {
	request Request
	paging  Paging
}{
	"whole":  {Request{Path: "/whole"}, Paging{}},
	"offset": {Request{Path: "/offset"}, Paging{Kind: Offset, Position: "offset", Limit: "limit", Size: 2}},
	"page":   {Request{Path: "/page"}, Paging{Kind: Number, Position: "page", Limit: "size", Size: 2, First: 1}},
	"cursor": {Request{Path: "/cursor"}, Paging{Kind: Cursor, Position: "cursor", Limit: "limit", Size: 2}},
	"link":   {Request{Path: "/link"}, Paging{Kind: Link, Limit: "limit", Size: 2}},
	"body": {Request{Path: "/search", Method: http.MethodPost, Body: []byte(`{"of": 10.50}`)},
		Paging{Kind: Offset, Position: "offset", Limit: "limit", Size: 2, Body: true}},
}

func kind(name string) (*Request, Paging) {
	k := kinds[name]
	k.request.Operation = "list"
	if k.request.Method == "" {
		k.request.Method = http.MethodGet
	}
	return &k.request, k.paging
}

// TestPages lists in each kind of paging: the rows, the calls, and whether it was
// all of them.
func TestPages(t *testing.T) {
	for _, test := range []struct {
		name    string
		kind    string
		rows    int
		maxPage int
		how     how
		maxRows int
		want    int // rows
		whole   bool
		calls   []string // queries, or bodies
	}{
		{name: "whole", kind: "whole", rows: 5, want: 5, whole: true, calls: []string{""}},
		{name: "whole, the most", kind: "whole", rows: 5, maxRows: 2, want: 5, whole: true, calls: []string{""}},

		{name: "offset", kind: "offset", rows: 5, want: 5, whole: true, how: all,
			calls: []string{"limit=2&offset=0", "limit=2&offset=2", "limit=2&offset=4"}},
		{name: "offset that says nothing", kind: "offset", rows: 4, want: 4, whole: true, how: unhelpful,
			calls: []string{"limit=2&offset=0", "limit=2&offset=2", "limit=2&offset=4"}},
		{name: "offset with a total", kind: "offset", rows: 4, want: 4, whole: true, how: totalOnly,
			calls: []string{"limit=2&offset=0", "limit=2&offset=2"}},
		{name: "offset without rows", kind: "offset", rows: 0, whole: true, how: unhelpful, calls: []string{"limit=2&offset=0"}},
		{name: "offset with pages that are short", kind: "offset", rows: 3, maxPage: 1, want: 3, whole: true, how: unhelpful,
			calls: []string{"limit=2&offset=0", "limit=2&offset=1", "limit=2&offset=2", "limit=2&offset=3"}},
		{name: "offset, the most", kind: "offset", rows: 9, maxRows: 3, want: 4, how: all,
			calls: []string{"limit=2&offset=0", "limit=2&offset=2"}},
		{name: "offset, a most below a page", kind: "offset", rows: 9, maxRows: 1, want: 1, how: all, calls: []string{"limit=1&offset=0"}},
		{name: "offset, a most of all", kind: "offset", rows: 2, maxRows: 2, want: 2, whole: true, how: all, calls: []string{"limit=2&offset=0"}},

		{name: "page", kind: "page", rows: 5, want: 5, whole: true, how: all,
			calls: []string{"page=1&size=2", "page=2&size=2", "page=3&size=2"}},
		{name: "page that says nothing", kind: "page", rows: 3, want: 3, whole: true, how: unhelpful,
			calls: []string{"page=1&size=2", "page=2&size=2", "page=3&size=2"}},
		{name: "page with pages that are short", kind: "page", rows: 3, maxPage: 1, want: 3, whole: true, how: totalOnly,
			calls: []string{"page=1&size=2", "page=2&size=2", "page=3&size=2"}},
		{name: "page, a most below a page", kind: "page", rows: 9, maxRows: 1, want: 1, how: all, calls: []string{"page=1&size=1"}},

		{name: "cursor", kind: "cursor", rows: 5, want: 5, whole: true, how: helpful,
			calls: []string{"limit=2", "cursor=row-2&limit=2", "cursor=row-4&limit=2"}},
		{name: "cursor, the most", kind: "cursor", rows: 5, maxRows: 2, want: 2, how: helpful, calls: []string{"limit=2"}},

		{name: "link in the body", kind: "link", rows: 5, want: 5, whole: true, how: helpful,
			calls: []string{"limit=2", "after=2&limit=2", "after=4&limit=2"}},
		{name: "link in a header", kind: "link", rows: 5, want: 5, whole: true, how: unhelpful,
			calls: []string{"limit=2", "after=2&limit=2", "after=4&limit=2"}},

		{name: "offset in the body", kind: "body", rows: 3, want: 3, whole: true, how: all,
			calls: []string{`{"limit":2,"of":10.50,"offset":0}`, `{"limit":2,"of":10.50,"offset":2}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, test.rows, func(t *testing.T, s *faultytest.Server, c *Client) {
				s.MaxPage = test.maxPage
				m := &meter{}
				r, p := kind(test.kind)
				rows, whole, err := list(t.Context(), c, m, r, p, test.maxRows, test.how)
				if err != nil || whole != test.whole || !slices.Equal(rows, wantRows(test.want)) {
					t.Errorf("got %v, %t, %v", rows, whole, err)
				}
				var calls []string
				for _, call := range s.Calls() {
					if r.Method == http.MethodPost {
						calls = append(calls, call.Body)
						continue
					}
					calls = append(calls, call.Query)
				}
				if !slices.Equal(calls, test.calls) {
					t.Errorf("the calls were %q, want %q", calls, test.calls)
				}
				if m.begun != len(calls) || len(m.calls) != len(calls) {
					t.Errorf("the meter counted %d, %d calls", m.begun, len(m.calls))
				}
			})
		})
	}
}

// TestPageFaults has what befalls a page of each kind. It passes, or is an error:
// nothing else.
func TestPageFaults(t *testing.T) {
	passing := []faultytest.Fault{
		faultytest.RateLimited, faultytest.Unavailable, faultytest.RequestTimeout, faultytest.ServerError, faultytest.Slow,
		faultytest.Malformed, faultytest.Truncated, faultytest.Reset, faultytest.HTML, faultytest.RedirectHere,
	}
	for name := range kinds {
		for _, fault := range passing {
			for at := range 3 {
				t.Run(name+" "+string(fault), func(t *testing.T) {
					bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
						s.Plan(func(n int, _ *http.Request) faultytest.Fault {
							if n == at {
								return fault
							}
							return faultytest.None
						})
						r, p := kind(name)
						rows, whole, err := list(t.Context(), c, &meter{}, r, p, 0, all)
						if err != nil || !whole || !slices.Equal(rows, wantRows(5)) {
							t.Errorf("got %v, %t, %v", rows, whole, err)
						}
					})
				})
			}
		}
	}
	paging := []faultytest.Fault{faultytest.Looping, faultytest.DuplicatePage, faultytest.MissingPage, faultytest.WrongTotal, faultytest.LessTotal}
	for name := range kinds {
		for _, fault := range paging {
			if name == "whole" && fault != faultytest.WrongTotal && fault != faultytest.LessTotal || name == "link" && (fault == faultytest.MissingPage || fault == faultytest.WrongTotal || fault == faultytest.LessTotal) {
				continue // one page has no other; links have no total
			}
			t.Run(name+" "+string(fault), func(t *testing.T) {
				bubble(t, 9, func(t *testing.T, s *faultytest.Server, c *Client) {
					s.Plan(func(n int, _ *http.Request) faultytest.Fault {
						if n == 1 || fault == faultytest.Looping || name == "whole" {
							return fault
						}
						return faultytest.None
					})
					r, p := kind(name)
					_, whole, err := list(t.Context(), c, &meter{}, r, p, 0, all)
					var e *Error
					if !errors.As(err, &e) || !errors.Is(err, ErrPaging) || whole {
						t.Fatalf("got %t, %v", whole, err)
					}
					if e.Status != 200 || e.Attempts != 1 || e.Operation != "list" || !strings.HasPrefix(e.URL, s.URL+r.Path) {
						t.Errorf("got %v", e)
					}
				})
			})
		}
	}
}

// TestPageErrors has what pages can say that no listing has.
func TestPageErrors(t *testing.T) {
	const hint = "; check how the paging is declared; if the data changed while they were read, ask again"
	offset := Paging{Kind: Offset, Position: "offset"}
	for _, test := range []struct {
		name   string
		paging Paging
		pages  []Page
		want   string
	}{
		{"too few", offset, []Page{{Rows: 2, Count: -1, Total: 3, Last: true}}, "page 1: it is the last, and there are 2 rows of 3, so that some are missing"},
		{"too few, then none", offset, []Page{{Rows: 2, Count: -1, Total: 3}, {Count: -1, Total: 3}}, "page 2: it is the last, and there are 2 rows of 3, so that some are missing"},
		{"too many", offset, []Page{{Rows: 2, Count: -1, Total: 3}, {Rows: 2, Count: -1, Total: 3}}, "page 2: with it there are 4 rows of 3, so that some are repeated"},
		{"another total", offset, []Page{{Rows: 2, Count: -1, Total: 5}, {Rows: 2, Count: -1, Total: 6}}, "page 2: the total was 5 rows, and now is 6"},
		{"a total that is given once", offset, []Page{{Rows: 2, Count: -1, Total: 5}, {Count: -1, Total: -1}}, "page 2: it is the last, and there are 2 rows of 5, so that some are missing"},
		{"an offset again", offset, []Page{{Rows: 2, Count: -1, Total: -1, Next: "0"}}, "page 1: it begins at 0 and has 2 rows, and says that the next one begins at 0"},
		{"a cursor again", Paging{Kind: Cursor, Position: "c"}, []Page{{Count: -1, Total: -1, Next: "a"}, {Count: -1, Total: -1, Next: "b"}, {Count: -1, Total: -1, Next: "a"}},
			"page 3: it leads back to another before it"},
		{"a link to the first", Paging{Kind: Link}, []Page{{Rows: 1, Count: -1, Total: -1, Next: "?a=1"}, {Rows: 1, Count: -1, Total: -1, Next: "/list"}},
			"page 2: it leads back to another before it"},
		{"a link that is none", Paging{Kind: Link}, []Page{{Rows: 1, Count: -1, Total: -1, Next: ":%"}}, "page 1: the address of the next one cannot be read"},
		{"one page that may be cut", Paging{Limit: "limit", Size: 2}, []Page{{Rows: 2, Count: -1, Total: -1}},
			"page 1: the only one has as many rows as were asked for, and there may be more"},
		{"a page of which a row is left out", offset, []Page{{Rows: 50, Count: -1, Total: -1, Next: "50"}, {Rows: 49, Count: 50, Total: -1, Next: "100"}},
			"page 2: it says that it has 50 rows, and has 49"},
		{"the same without a count", offset, []Page{{Rows: 50, Count: -1, Total: -1, Next: "50"}, {Rows: 49, Count: -1, Total: -1, Next: "100"}},
			"page 2: it begins at 50 and has 49 rows, and says that the next one begins at 100"},
		{"the page after", offset, []Page{{Rows: 50, Count: 50, Total: -1, More: true, Next: "50"}, {Rows: 50, Count: 50, Total: -1, More: true, Next: "150"}},
			"page 2: it begins at 50 and has 50 rows, and says that the next one begins at 150"},
		{"a number that is not the next", Paging{Kind: Number, Position: "page", First: 1}, []Page{{Rows: 1, Count: -1, Total: -1, Next: "3"}},
			"page 1: it has the number 1, and says that the next one has 3"},
		{"no page, and more", offset, []Page{{Count: 0, Total: -1, More: true}}, "page 1: it is empty, and says that there are more"},
		{"no page, and a next", offset, []Page{{Count: -1, Total: -1, Next: "10"}}, "page 1: it is empty, and says that there are more"},
		{"no page, and more by a cursor", Paging{Kind: Cursor, Position: "c"}, []Page{{Count: -1, Total: -1, More: true, Next: "a"}}, "page 1: it is empty, and says that there are more"},
		{"more, and no cursor", Paging{Kind: Cursor, Position: "c"}, []Page{{Rows: 1, Count: -1, Total: -1, More: true}}, "page 1: it says that there are more, and not where"},
		{"more, and no link", Paging{Kind: Link}, []Page{{Rows: 1, Count: -1, Total: -1, More: true}}, "page 1: it says that there are more, and not where"},
		{"more, and the last", offset, []Page{{Rows: 1, Count: -1, Total: -1, More: true, Last: true}}, "page 1: it says that it is the last, and that there are more"},
		{"more than one page", Paging{}, []Page{{Rows: 1, Count: -1, Total: -1, More: true}}, "page 1: it says that there are more, and it should have all rows"},
		{"more than the total", offset, []Page{{Rows: 2, Count: -1, Total: 2, Next: "2"}, {Rows: 1, Count: -1, Total: 2}}, "page 2: with it there are 3 rows of 2, so that some are repeated"},
		{"an offset that is none", offset, []Page{{Rows: 2, Count: -1, Total: -1, Next: "itr5/rec2"}},
			`page 1: it says that the next one is at "itr5/rec2", which is no number; pages that follow each other so have cursors`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := New(Options{Server: &url.URL{Scheme: "http", Host: "birds.test"}, Transport: answers(`{}`)})
			n := 0
			_, err := c.Pages(t.Context(), &meter{}, &Request{Operation: "list", Method: "GET", Path: "/list"}, test.paging, 0, func(*Response) (Page, error) {
				p := test.pages[n]
				n++
				p.Data = []byte{byte(n)}
				return p, nil
			})
			if !errors.Is(err, ErrPaging) || !strings.HasSuffix(err.Error(), "status 200 OK after 1 attempt: "+ErrPaging.Error()+": "+test.want+hint) {
				t.Errorf("got %v", err)
			}
			if n != len(test.pages) {
				t.Errorf("%d pages were read", n)
			}
		})
	}
}

// TestOddPages has what pages of a whole listing may say, though it looks odd.
func TestOddPages(t *testing.T) {
	for _, test := range []struct {
		name   string
		paging Paging
		pages  []Page
	}{
		{"an empty page before others, by cursors", Paging{Kind: Cursor, Position: "c"},
			[]Page{{Rows: 2, Count: -1, Total: -1, Next: "a"}, {Count: -1, Total: -1, Next: "b"}, {Rows: 1, Count: 1, Total: -1}}},
		{"an empty page before others, by links", Paging{Kind: Link}, []Page{{Count: -1, Total: -1, Next: "/list?a=1"}, {Rows: 1, Count: -1, Total: -1}}},
		{"a cursor that is a number", Paging{Kind: Cursor, Position: "offset"}, []Page{{Rows: 2, Count: -1, Total: -1, Next: "1700"}, {Rows: 1, Count: -1, Total: -1}}},
		{"a next after the last row", Paging{Kind: Offset, Position: "offset"}, []Page{{Rows: 2, Count: -1, Total: 2, Next: "2"}, {Count: -1, Total: 2, Last: true}}},
		{"nothing but rows", Paging{Kind: Offset, Position: "offset"}, []Page{{Rows: 2, Count: -1, Total: -1}, {Rows: 1, Count: -1, Total: -1}, {Count: -1, Total: -1}}},
	} {
		c := New(Options{Server: &url.URL{Scheme: "http", Host: "birds.test"}, Transport: answers(`{}`)})
		n := 0
		whole, err := c.Pages(t.Context(), &meter{}, &Request{Operation: "list", Method: "GET", Path: "/list"}, test.paging, 0, func(*Response) (Page, error) {
			p := test.pages[n]
			n++
			p.Data = []byte{byte(n)}
			return p, nil
		})
		if err != nil || !whole || n != len(test.pages) {
			t.Errorf("%s: %t, %v after %d pages", test.name, whole, err, n)
		}
	}
}

func TestLinkAway(t *testing.T) {
	bubble(t, 5, func(t *testing.T, s *faultytest.Server, c *Client) {
		s.Script(faultytest.LinkAway)
		r, p := kind("link")
		_, _, err := list(t.Context(), c, &meter{}, r, p, 0, helpful)
		if !errors.Is(err, ErrRedirect) || !strings.Contains(err.Error(), "the next one is on another server, "+s.Elsewhere) {
			t.Errorf("got %v", err)
		}
		if n := len(s.Astray()); n > 0 {
			t.Errorf("%d calls went to the other server", n)
		}
	})
}

// TestEndlessPages has a server whose pages never end.
func TestEndlessPages(t *testing.T) {
	c := New(Options{Server: &url.URL{Scheme: "http", Host: "birds.test"}, Transport: answers(`{}`)})
	r := &Request{Operation: "list", Method: "GET", Path: "/list"}
	if c.maxPages != 100_000 {
		t.Errorf("there may be %d pages", c.maxPages)
	}
	c.maxPages = 100
	n := 0
	_, err := c.Pages(t.Context(), &meter{}, r, Paging{Kind: Number, Position: "page"}, 0, func(*Response) (Page, error) {
		n++
		return Page{Rows: 1, Count: -1, Total: -1, Data: strconv.AppendInt(nil, int64(n), 10)}, nil
	})
	if !errors.Is(err, ErrPaging) || !strings.Contains(err.Error(), "page 100: there is another one, which is too many;") || n != 100 {
		t.Errorf("got %v", err)
	}
}

// TestPageBudget says that a meter ends a listing, and that nothing is asked then.
func TestPageBudget(t *testing.T) {
	bubble(t, 9, func(t *testing.T, s *faultytest.Server, c *Client) {
		r, p := kind("offset")
		m := &meter{budget: 2}
		if _, whole, err := list(t.Context(), c, m, r, p, 0, all); !errors.Is(err, errBudget) || whole || len(s.Calls()) != 2 || len(m.calls) != 2 {
			t.Errorf("got %t, %v after %d calls", whole, err, len(s.Calls()))
		}
		m = &meter{made: errBudget}
		if _, whole, err := list(t.Context(), c, m, r, p, 0, all); !errors.Is(err, errBudget) || whole || len(m.calls) != 1 {
			t.Errorf("got %t, %v after %d calls", whole, err, len(m.calls))
		}
	})
}

func TestPageBody(t *testing.T) {
	c := New(Options{Server: &url.URL{Scheme: "http", Host: "birds.test"}, Transport: answers(`{}`)})
	r := &Request{Operation: "search", Method: "POST", Path: "/search", Body: []byte(`[1]`)}
	_, err := c.Pages(t.Context(), &meter{}, r, Paging{Kind: Offset, Position: "offset", Body: true}, 0, nil)
	const want = "search: POST http://birds.test/search: before it was sent: its body is not a JSON object that could have the page; declare the parameters of pages as those of the URL"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// TestRandomFaults has many faults one after the other: the right rows, or an error.
func TestRandomFaults(t *testing.T) {
	passing := []faultytest.Fault{
		faultytest.RateLimited, faultytest.Unavailable, faultytest.RequestTimeout, faultytest.ServerError, faultytest.Slow,
		faultytest.Malformed, faultytest.Truncated, faultytest.Reset, faultytest.HTML, faultytest.RedirectHere,
	}
	lasting := []faultytest.Fault{
		faultytest.None, faultytest.None, faultytest.None, faultytest.None, faultytest.None, faultytest.Looping, faultytest.DuplicatePage, faultytest.MissingPage, faultytest.WrongTotal, faultytest.LessTotal,
		faultytest.WrongCount, faultytest.EmptyPage, faultytest.RowLost, faultytest.MoreNowhere,
		faultytest.RedirectAway, faultytest.LinkAway, faultytest.BadRequest, faultytest.Large, faultytest.RateLimitedLong,
	}
	names := slices.Sorted(maps.Keys(kinds))
	right := 0
	for seed := range uint64(500) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			s := faultytest.InMemory(t, random.IntN(12))
			s.MaxPage = random.IntN(4)
			name := names[random.IntN(len(names))]
			once, at := lasting[random.IntN(len(lasting))], random.IntN(4)
			if name == "link" && once == faultytest.MissingPage {
				once = faultytest.None // nothing distinguishes that from a listing without these rows
			}
			s.Plan(func(n int, _ *http.Request) faultytest.Fault {
				switch {
				case n == at:
					return once
				case random.IntN(4) == 0:
					return passing[random.IntN(len(passing))]
				}
				return faultytest.None
			})
			r, p := kind(name)
			h := how{total: true, last: random.IntN(2) == 0, next: p.Kind == Cursor || random.IntN(2) == 0, checked: name == "link" || random.IntN(2) == 0}
			rows, whole, err := list(t.Context(), client(t, s, Options{MaxBody: 64 << 10}), &meter{}, r, p, 0, h)
			var e *Error
			switch {
			case err == nil && whole && slices.Equal(rows, s.Rows()):
				right++
			case err == nil || !errors.As(err, &e) || e.Operation != "list" || e.Attempts == 0:
				t.Errorf("seed %d, %s: got %v, %t, %v", seed, name, rows, whole, err)
			}
			if len(s.Astray()) > 0 {
				t.Errorf("seed %d: calls went to the other server", seed)
			}
		})
	}
	if right < 250 {
		t.Errorf("only %d of 500 listings were read", right)
	}
}
