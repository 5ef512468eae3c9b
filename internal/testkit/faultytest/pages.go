package faultytest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Row is a row of the server.
type Row struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// Page is what the server says of a page.
type Page struct {
	Data  []Row `json:"data"`
	Count int   `json:"count"`
	Total *int  `json:"total,omitempty"`
	More  bool  `json:"more"`
	Next  any   `json:"next"` // a number, a text or null
}

// RowOf is the row with an id.
func RowOf(id int) Row { return Row{id, "row " + strconv.Itoa(id)} }

// RowsOf is the rows with the ids from+1, ..., to.
func RowsOf(from, to int) []Row {
	rows := []Row{}
	for id := from + 1; id <= to; id++ {
		rows = append(rows, RowOf(id))
	}
	return rows
}

// Rows is all rows of the server.
func (s *Server) Rows() []Row { return RowsOf(0, s.rows) }

// answer is the body of a response, and the URL of the next page where that is declared
// in a header.
func (s *Server) answer(path string, r *http.Request, call Call, fault Fault) (body []byte, link string, found bool) {
	query := r.URL.Query()
	var out any
	switch id, keyed := strings.CutPrefix(path, "/rows/"); {
	case keyed:
		n, err := strconv.Atoi(id)
		if err != nil || n < 1 || n > s.rows {
			return nil, "", false
		}
		out = RowOf(n)
	case path == "/rows":
		p := Page{Data: []Row{}}
		for _, id := range query["id"] {
			if n, err := strconv.Atoi(id); err == nil && n > 0 && n <= s.rows {
				p.Data = append(p.Data, RowOf(n))
			}
		}
		p.Count = len(p.Data)
		out = p
	case path == "/whole":
		out = s.page(0, s.rows, fault, nil)
	case path == "/offset":
		out = s.page(number(query, "offset", 0), number(query, "limit", 10), fault, func(at, _ int) any { return at })
	case path == "/search":
		var asked struct{ Offset, Limit int }
		_ = json.Unmarshal([]byte(call.Body), &asked)
		out = s.page(asked.Offset, asked.Limit, fault, func(at, _ int) any { return at })
	case path == "/page":
		n, size := number(query, "page", 1), number(query, "size", 10)
		if s.MaxPage > 0 {
			size = min(size, s.MaxPage)
		}
		out = s.page((n-1)*size, size, fault, func(at, size int) any { return at/size + 1 })
	case path == "/cursor":
		at, _ := strconv.Atoi(strings.TrimPrefix(query.Get("cursor"), "row-"))
		out = s.page(at, number(query, "limit", 10), fault, func(at, _ int) any { return "row-" + strconv.Itoa(at) })
	case path == "/link":
		p := s.page(number(query, "after", 0), number(query, "limit", 10), fault, func(at, _ int) any {
			query.Set("after", strconv.Itoa(at))
			return path + "?" + query.Encode()
		})
		p.Total = nil
		if next, ok := p.Next.(string); ok {
			if fault == LinkAway {
				next = s.Elsewhere + next
			}
			link, p.Next = next, next
		}
		out = p
	default:
		return nil, "", false
	}
	body, err := json.Marshal(out)
	return body, link, err == nil
}

func number(query url.Values, name string, other int) int {
	if n, err := strconv.Atoi(query.Get(name)); err == nil {
		return n
	}
	return other
}

// page is the page that begins after so many rows. next says where a page begins.
func (s *Server) page(at, size int, fault Fault, next func(at, size int) any) Page {
	if s.MaxPage > 0 {
		size = min(size, s.MaxPage)
	}
	size = max(size, 1)
	from := at
	switch fault {
	case Looping:
		from = 0
	case DuplicatePage:
		from = max(0, at-size)
	case MissingPage:
		from = at + size
	}
	from = min(max(from, 0), s.rows)
	to := min(from+size, s.rows)
	if fault == ShortPage {
		to = min(from+max(size/2, 1), s.rows)
	}
	p := Page{Data: RowsOf(from, to), Count: to - from, More: to < s.rows}
	total := s.rows
	switch fault {
	case WrongTotal:
		total++
	case LessTotal:
		total--
	case WrongCount:
		p.Count++
	case EmptyPage:
		p.Data, p.Count, p.More = []Row{}, 0, true
	case RowLost:
		p.Data = p.Data[:max(0, len(p.Data)-1)]
	case MoreNowhere:
		p.More = true
	}
	if !s.NoTotal {
		p.Total = &total
	}
	if next == nil || fault == MoreNowhere || !p.More && fault != DuplicatePage && fault != Looping {
		return p
	}
	switch fault {
	case Looping:
		p.Next = next(from, size)
	case DuplicatePage: // as if this page had been the right one
		p.Next = next(at+size, size)
	default:
		p.Next = next(to, size)
	}
	return p
}
