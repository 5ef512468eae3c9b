package rest

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/rest/internal/naming"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// request is what one request asks of its endpoint. It is used again for
// later requests, so that a short query costs no allocation.
type request struct {
	given      [][]value.Value // by parameter; nil where none is given
	args       []value.Value   // by placeholder
	rows       int             // how many rows the client asks for at most; -1 where it does not say
	skip       int             // how many of the statement's rows to leave out first
	offset     int             // how many are left out in all, the statement's own OFFSET included
	limited    bool            // whether there was a limit for paging
	moved      bool            // whether there was an offset for paging
	problems   []ParamProblem
	conditions []condition // of a table
	body       []byte
	packed     []byte // body, compressed
	share      int64  // of the memory for answers
	answer     answer // in the making
}

// ParamProblem says what is wrong with a parameter and what would do.
type ParamProblem struct {
	Parameter string `json:"parameter"`
	Reason    string `json:"reason"`
	Hint      string `json:"hint"`
}

func (r *request) reset(e *Endpoint) {
	n := len(e.Params)
	if cap(r.given) < n {
		r.given = make([][]value.Value, n)
	}
	r.given = r.given[:n]
	for i := range r.given {
		r.given[i] = r.given[i][:0]
	}
	r.args, r.body, r.problems = r.args[:0], r.body[:0], nil
	r.rows, r.skip, r.offset = -1, 0, 0
	r.limited, r.moved = false, false
}

func (r *request) fail(parameter, hint, format string, args ...any) {
	const enough = 20
	if len(r.problems) < enough {
		r.problems = append(r.problems, ParamProblem{parameter, fmt.Sprintf(format, args...), hint})
	}
}

// parse reads the query string. What is wrong is in r.problems then.
func (r *request) parse(e *Endpoint, query string, maxRows int) {
	r.reset(e)
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		if pair == "" {
			continue
		}
		rawName, rawText, _ := strings.Cut(pair, "=")
		name, err := unescape(rawName)
		text, err2 := unescape(rawText)
		if err != nil || err2 != nil {
			r.fail(strings.ToValidUTF8(rawName[:min(len(rawName), 64)], "?"), "write a percent sign as %25", "the value has a broken %% escape")
			continue
		}
		r.take(e, name, text, maxRows)
	}
	for i, p := range e.Params {
		if p.Required && len(r.given[i]) == 0 && !r.hasProblem(p.Name) {
			r.fail(p.Name, "give "+p.wanted(), "it is missing")
		}
	}
	if e.table != nil {
		e.table.check(e, r)
	}
	if len(r.problems) == 0 {
		r.page(e, maxRows)
	}
}

func (r *request) hasProblem(name string) bool {
	return slices.ContainsFunc(r.problems, func(p ParamProblem) bool { return p.Parameter == name })
}

// unescape is url.QueryUnescape without its allocation where there is nothing
// to do.
func unescape(text string) (string, error) {
	if strings.IndexByte(text, '%') < 0 && strings.IndexByte(text, '+') < 0 {
		return text, nil
	}
	return url.QueryUnescape(text)
}

// take reads one name=text pair.
func (r *request) take(e *Endpoint, name, text string, maxRows int) {
	for i, p := range e.Params {
		if p.Name != name {
			continue
		}
		switch maximum := max(p.MaxItems, 1); {
		case len(r.given[i]) == maximum && maximum == 1:
			r.fail(name, "give it once", "it is given more than once")
		case len(r.given[i]) == maximum:
			r.fail(name, fmt.Sprintf("give it at most %d times", maximum), "it has too many values")
		default:
			if v, ok := r.read(p, text, maxRows); ok {
				r.given[i] = append(r.given[i], v)
			}
		}
		return
	}
	if !e.single && (name == "limit" || name == "offset") {
		p, to, again := pageOffset, &r.skip, &r.moved
		if name == "limit" {
			p, to, again = pageLimit, &r.rows, &r.limited
		}
		if *again {
			r.fail(name, "give it once", "it is given more than once")
		} else if v, ok := r.read(p, text, maxRows); ok {
			*to = int(v.Int64())
		}
		*again = true
		return
	}
	r.fail(clean(name), e.paramHint(name), "there is no such parameter")
}

// clean makes a name that a client chose fit for an answer.
func clean(name string) string {
	const enough = 64
	return strings.ToValidUTF8(name[:min(len(name), enough)], "?")
}

// paramHint says which parameters there are, for a name that is none.
func (e *Endpoint) paramHint(name string) string {
	var names []string
	for _, p := range e.AllParams(0) {
		names = append(names, p.Name)
	}
	switch {
	case len(names) == 0:
		return "use none: the endpoint has no parameters"
	case e.table != nil: // which may have very many columns
		return spelling.Suggest(name, names)
	}
	return "use " + naming.Enumerate(names)
}

// read converts a text to a value of the parameter's type.
func (r *request) read(p *Param, text string, maxRows int) (value.Value, bool) {
	var v value.Value
	ok := false
	switch p.Type {
	case Integer:
		var i int64
		var err error
		if i, err = strconv.ParseInt(text, 10, 64); err == nil {
			v, ok = value.Int(i), true
		}
	case Number:
		if v, ok = number(text); ok && p.exact {
			v = value.Str(text)
		}
	default:
		return r.readText(p, text)
	}
	if !ok {
		r.fail(p.Name, "give "+p.wanted(), "%q is not %s", clean(text), article(p.Type))
		return v, false
	}
	if p.isPaging() {
		maximum := int64(template.MaxOffset)
		if p.role == template.RowLimit {
			maximum = int64(maxRows)
			if len(p.first) > 0 {
				maximum = max(maximum, p.first[0].Int64())
			}
		}
		if v.Int64() < p.Minimum || v.Int64() > maximum {
			r.fail(p.Name, fmt.Sprintf("give a number from %d to %d", p.Minimum, maximum), "%d is out of range", v.Int64())
			return v, false
		}
	}
	return v, true
}

func article(t Type) string {
	if t == Integer {
		return "an integer of 64 bits"
	}
	return "a number"
}

// number reads a number as SQLite's literals are read: an integer stays one.
func number(text string) (value.Value, bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i), true
	}
	// Go's own spellings, such as 0x1p-2, 1_000 or Inf, are no numbers here.
	if strings.ContainsAny(text, "xXpP_nN") {
		return value.Value{}, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return value.Float(f), err == nil
}

func (r *request) readText(p *Param, text string) (value.Value, bool) {
	switch {
	case len(text) > p.MaxLength:
		r.fail(p.Name, fmt.Sprintf("give at most %d bytes", p.MaxLength), "it has %d bytes", len(text))
	case strings.IndexByte(text, 0) >= 0:
		r.fail(p.Name, "leave it out", "it has a NUL character")
	case !utf8.ValidString(text):
		r.fail(p.Name, "encode it as UTF-8", "it is not UTF-8")
	case p.role == template.Instant:
		if _, ok := ParseInstant(text); !ok {
			r.fail(p.Name, "give "+p.wanted(), "%q is not an instant", clean(text))
			break
		}
		return value.Str(text), true
	default:
		return value.Str(text), true
	}
	return value.Value{}, false
}

// wanted says what a good value looks like.
func (q *Param) wanted() string {
	kind := map[Type]string{Integer: "an integer", Number: "a number", String: "a text"}[q.Type]
	switch {
	case q.role == template.Instant:
		return "a time such as 2025-01-01 or 2025-01-01T12:00:00Z"
	case q.List:
		return fmt.Sprintf("%s, up to %d times", kind, q.MaxItems)
	}
	return kind
}

// page turns limit and offset into what the statement takes and what is left
// to do with its rows. A LIMIT without OFFSET takes the rows to leave out too,
// and, unless it is exact, one more than the client asks for, which says
// whether there are more.
func (r *request) page(e *Endpoint, maxRows int) {
	r.offset = r.skip
	if e.table != nil {
		e.table.bind(r, maxRows)
		return
	}
	if e.skip >= 0 {
		r.offset = int(r.given[e.skip][0].Int64())
	}
	if e.rows < 0 || e.inner {
		return
	}
	limit := &r.given[e.rows][0]
	r.rows = int(limit.Int64())
	more := int64(r.skip)
	if !e.exact {
		more++
	}
	*limit = value.Int(limit.Int64() + more)
}

// bind fills the placeholders in.
func (r *request) bind(e *Endpoint, now time.Time) {
	for i, p := range e.Params {
		if p.role == template.Instant {
			if len(r.given[i]) > 0 {
				now, _ = ParseInstant(r.given[i][0].Raw())
			}
			r.given[i] = append(r.given[i][:0], value.Str(now.UTC().Format(time.DateTime)))
		}
	}
	for _, b := range e.bindings {
		values := r.given[b.Param]
		v := values[min(b.Item, len(values)-1)]
		switch b.Part {
		case template.DateOnly:
			v = value.Str(v.Raw()[:len(time.DateOnly)])
		case template.TimeOnly:
			v = value.Str(v.Raw()[len(time.DateOnly)+1:])
		}
		r.args = append(r.args, v)
	}
}

// ParseInstant reads a date, or a time with a date, as as_of takes it; without
// a zone it is UTC.
func ParseInstant(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, time.DateTime, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.UTC().Year() >= 0 && t.UTC().Year() <= 9999 {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// AllParams returns the endpoint's parameters and, unless it has one row at
// most, limit and offset for paging. maxRows is the service's own limit, or 0
// if none is to be given.
func (e *Endpoint) AllParams(maxRows int) []*Param {
	all := slices.Clone(e.Params)
	if e.single {
		return all
	}
	if e.rows < 0 {
		all = append(all, paging("limit", maxRows))
	}
	if e.skip < 0 {
		all = append(all, paging("offset", maxRows))
	}
	return all
}
