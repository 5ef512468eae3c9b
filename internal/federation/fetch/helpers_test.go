package fetch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/birdcall/birdcall/internal/testkit/faultytest"
)

const token = "Bearer mellon-4711"

// meter is a Meter that remembers.
type meter struct {
	mu     sync.Mutex
	begun  int
	calls  []Call
	budget int // calls of Begin that are let through; 0 is no bound
	made   error
}

var errBudget = fmt.Errorf("the budget is used up")

func (m *meter) Begin() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.budget > 0 && m.begun == m.budget {
		return errBudget
	}
	m.begun++
	return nil
}

func (m *meter) Made(c Call) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, c)
	return m.made
}

// bubble runs a test where no time passes, at a server in memory.
func bubble(t *testing.T, rows int, test func(t *testing.T, s *faultytest.Server, c *Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := faultytest.InMemory(t, rows)
		test(t, s, client(t, s, Options{}))
	})
}

// client is one of a server, with a token.
func client(t *testing.T, s *faultytest.Server, o Options) *Client {
	t.Helper()
	var err error
	if o.Server, err = url.Parse(s.URL); err != nil {
		t.Fatal(err)
	}
	o.API = "birds"
	o.Transport = s.Transport
	if o.Header == nil {
		o.Header = http.Header{"Authorization": {token}}
	}
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

// get asks for the rows of one response.
func get(ctx context.Context, c *Client, m Meter, path string) ([]faultytest.Row, error) {
	var p faultytest.Page
	err := c.Do(ctx, m, &Request{Operation: "list", Method: http.MethodGet, Path: path}, func(r *Response) (int, error) {
		p = faultytest.Page{}
		if err := json.Unmarshal(r.Body, &p); err != nil {
			return 0, Malformed(err)
		}
		return len(p.Data), nil
	})
	return p.Data, err
}

// how says what a reader of pages takes from them.
type how struct {
	next, last, total bool
	checked           bool // more and count, too
}

// list asks for all rows, or those up to most.
func list(ctx context.Context, c *Client, m Meter, r *Request, p Paging, maxRows int, h how) (rows []faultytest.Row, whole bool, err error) {
	whole, err = c.Pages(ctx, m, r, p, maxRows, func(r *Response) (Page, error) {
		var body struct {
			faultytest.Page
			Data json.RawMessage `json:"data"`
		}
		err := json.Unmarshal(r.Body, &body)
		var data []faultytest.Row
		if err == nil {
			err = json.Unmarshal(body.Data, &data)
		}
		if err != nil {
			return Page{}, Malformed(err)
		}
		rows = append(rows, data...)
		page := Page{Rows: len(data), Count: -1, Total: -1, Data: body.Data}
		if h.next && body.Next != nil {
			page.Next = fmt.Sprint(body.Next)
		}
		page.Last = h.last && !body.More
		if h.checked {
			page.Count, page.More, page.Last = body.Count, body.More, !body.More
		}
		if h.total && body.Total != nil {
			page.Total = *body.Total
		}
		return page, nil
	})
	return rows, whole, err
}

func wantRows(n int) []faultytest.Row { return faultytest.RowsOf(0, n) }

// answers is a transport that answers each request with a body.
type answers string

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(string(a))), ContentLength: int64(len(a)), Request: r,
	}, nil
}
