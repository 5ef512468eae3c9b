package rest

import (
	"context"
	"strconv"

	"github.com/birdcall/birdcall/internal/db/engine"
)

// answer is the body of an answer in the making. Requests keep it, so that its
// rows cost no allocation.
type answer struct {
	service *Service
	to      *route
	as      format
	body    []byte
	rows    int    // written so far
	skip    int    // still to be left out
	asked   int    // rows that the client asks for at most, or -1
	maxRows int    // rows that the service gives at most
	room    int    // bytes of the body that the memory is counted with
	share   *int64 // of the memory for answers
	cut     string // the limit that ended it early, or ""
	full    bool   // whether there was no memory for it
}

// answer runs the statement and writes its rows into r.body. cut says which
// limit ended the answer early, "" if none did.
func (s *Service) answer(ctx context.Context, to *route, r *request, as format) (cut string, err error) {
	err = to.db.db.Retry(ctx, func() (err error) {
		cut, err = s.try(ctx, to, r, as)
		return err
	})
	return cut, err
}

// try is answer, but for what has changed while it was read.
func (s *Service) try(ctx context.Context, to *route, r *request, as format) (cut string, err error) {
	a := &r.answer
	*a = answer{service: s, to: to, as: as, body: r.body[:0], skip: r.skip, asked: r.rows, maxRows: s.opts.MaxRows, room: small, share: &r.share}
	if to.rows >= 0 {
		a.maxRows = max(a.maxRows, int(to.Params[to.rows].first[0].Int64()))
	}
	switch as {
	case asJSON:
		a.body = append(a.body, `{"data":[`...)
	case asCSV:
		a.body = append(a.body, to.header...)
	}
	statement := to.statement
	if to.table != nil {
		if statement, err = to.table.statement(ctx, r.conditions); err != nil {
			return "", err
		}
	}
	err = s.verified.run(ctx, to.Endpoint, statement, r.args, a.add)
	switch {
	case a.full:
		a.cut, err = "", errMemory
	case err != nil && a.rows == a.asked && ctx.Err() == nil && !isPassing(err):
		// The client has all the rows that it asked for. A request for more gets
		// the error.
		a.cut, err = "limit", nil
	}
	if err == nil && a.cut == "" && to.exact && a.rows == a.asked {
		a.cut = "limit" // there may be more
	}
	if err == nil && as == asJSON {
		a.end(r.offset)
	}
	r.body = a.body
	return a.cut, err
}

// add writes a row, and reports whether it wants another one.
func (a *answer) add(row engine.Row) bool {
	if a.skip > 0 {
		a.skip--
		return true
	}
	switch {
	case a.rows == a.asked:
		a.cut = "limit"
		return false
	case a.rows == a.maxRows:
		a.cut = "rows"
		return false
	case len(a.body) > a.service.opts.MaxBytes:
		a.cut = "bytes"
		return false
	}
	switch a.as {
	case asCSV:
		a.body = appendCSV(a.body, row, len(a.to.Columns))
	case asNDJSON:
		a.body = append(appendRow(a.body, row, a.to.keys), '\n')
	default:
		if a.rows > 0 {
			a.body = append(a.body, ',')
		}
		a.body = appendRow(a.body, row, a.to.keys)
	}
	a.rows++
	if cap(a.body) > a.room {
		a.room = cap(a.body)
		a.full = !a.service.memory.hold(a.share, a.room)
	}
	return !a.full
}

// end writes what follows the rows of JSON. offset is that of the first row.
func (a *answer) end(offset int) {
	b := a.body
	b = append(b, `],"count":`...)
	b = strconv.AppendInt(b, int64(a.rows), 10)
	b = append(b, `,"truncated":`...)
	b = strconv.AppendBool(b, a.cut != "")
	if a.cut != "" {
		b = append(b, `,"next_offset":`...)
		b = strconv.AppendInt(b, int64(offset+a.rows), 10)
	}
	b = append(b, "}\n"...)
	a.body = b
}
