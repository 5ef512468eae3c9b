package pgsql

import (
	"slices"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// ClockRead is where an expression reads the clock, and what an instant has to
// be converted to there. It takes the place of the bytes of At, with After
// behind it.
type ClockRead struct {
	At    sqltree.Span
	Cast  string
	After string
}

// ReadsClock reports whether an expression itself, without what it is made of,
// reads the clock: CURRENT_DATE and its like, now(), and age() of one argument,
// which counts from the current day.
func ReadsClock(e sqltree.Expr) (ClockRead, bool) {
	switch e := e.(type) {
	case *sqltree.Clock:
		cast := "timestamptz"
		if e.Type != cast {
			cast += "::" + e.Type
		}
		return ClockRead{At: e.Span(), Cast: cast}, true
	case *sqltree.Call:
		if e.Name == "age" && len(e.Args) == 1 {
			at := e.Args[0].Outer().Start
			return ClockRead{At: sqltree.Span{Start: at, End: at}, Cast: "timestamptz::date", After: ", "}, true
		}
	}
	return ClockRead{}, false
}

// FixClock rewrites a statement so that it reads the given instant instead of
// the clock. changed reports whether it read it. The rest of the text stays as
// it is. The error is that of Parse.
func FixClock(sql string, asOf time.Time) (fixed string, changed bool, err error) {
	s, err := Parse(sql)
	if err != nil {
		return "", false, err
	}
	var reads []ClockRead
	s.Query.WalkAll(func(*sqltree.Query) {}, func(e sqltree.Expr) {
		// A named window is met wherever it is used.
		if read, ok := ReadsClock(e); ok && !slices.Contains(reads, read) {
			reads = append(reads, read)
		}
	})
	slices.SortFunc(reads, func(a, b ClockRead) int { return a.At.Start - b.At.Start })
	instant := "'" + asOf.UTC().Format(time.RFC3339Nano) + "'"
	var b strings.Builder
	from := 0
	for _, read := range reads {
		b.WriteString(sql[from:read.At.Start] + instant + "::" + read.Cast + read.After)
		from = read.At.End
	}
	b.WriteString(sql[from:])
	return b.String(), len(reads) > 0, nil
}

// instantOf returns the Clock that a text means which is converted to a date or
// a time: 'now' and 'today'
// (https://www.postgresql.org/docs/current/datatype-datetime.html, section
// 8.5.1.4).
func instantOf(text, kind string) (sqltree.Clock, bool) {
	switch kind {
	case "date", "time", "timetz", "timestamp", "timestamptz":
	default:
		return sqltree.Clock{}, false
	}
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "now":
		return sqltree.Clock{Name: "current_timestamp", Type: kind}, true
	case "today":
		return sqltree.Clock{Name: "current_date", Type: "date::" + kind}, kind == "date" || strings.HasPrefix(kind, "timestamp")
	}
	return sqltree.Clock{}, false
}

// isDayName reports whether a text is another word for a day that Postgres
// takes.
func isDayName(text string) bool {
	word := strings.ToLower(strings.TrimSpace(text))
	return word == "yesterday" || word == "tomorrow"
}
