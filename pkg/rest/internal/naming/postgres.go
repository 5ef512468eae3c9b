package naming

import (
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// postgresCall returns the phrase for a function that Postgres has and SQLite has
// not, or has for something else.
func (w *writer) postgresCall(v *view, e *sqltree.Call) (string, bool) {
	arg := func(i int) string {
		if i < len(e.Args) {
			return w.phrase(v, e.Args[i])
		}
		return "value"
	}
	switch e.Name {
	case "extract", "date_part":
		if len(e.Args) == 2 {
			return w.field(v, fieldName(e.Args[0]), e.Args[1]), true
		}
	case "to_char":
		if len(e.Args) == 2 {
			return w.field(v, dateFormat(e.Args[1]), e.Args[0]), true
		}
	case "date_trunc":
		if len(e.Args) > 1 {
			return w.field(v, fieldName(e.Args[0]), e.Args[1]), true
		}
	case "age":
		switch {
		case len(e.Args) == 1:
			return since(arg(0)), true
		case len(e.Args) == 2 && isClock(e.Args[0]):
			return since(arg(1)), true
		}
		return "time from " + the(arg(1)) + " to " + the(arg(0)), true
	case "timezone":
		return arg(1), true
	case "to_date", "to_timestamp", "to_number", "btrim", "initcap", "date", "timestamp", "concat_ws":
		if len(e.Args) > 0 && e.Name != "concat_ws" {
			return arg(0), true
		}
		return w.texts(v, e.Args[min(1, len(e.Args)):]), true
	case "concat":
		return w.texts(v, e.Args), true
	case "left", "right":
		return pick(e.Name == "left", "first ", "last ") + arg(1) + " characters of " + the(arg(0)), true
	case "split_part":
		return "part " + arg(2) + " of " + the(arg(0)) + " split at " + arg(1), true
	case "position", "strpos":
		return "position of " + arg(1) + " in " + the(arg(0)), true
	case "char_length", "character_length":
		return "length of " + the(arg(0)), true
	case "greatest", "least":
		var list []string
		for i := range e.Args {
			list = append(list, arg(i))
		}
		return pick(e.Name == "least", "smallest", "largest") + " of " + Enumerate(list), true
	}
	return "", false
}

// shifted returns the phrase for a point in time that is an interval away from
// another, such as 30 days before today's date.
func (w *writer) shifted(v *view, e *sqltree.Binary) (string, bool) {
	c, ok := e.Y.(*sqltree.Cast)
	if !ok || e.Op != sqltree.Add && e.Op != sqltree.Subtract {
		return "", false
	}
	fields, ok := strings.CutPrefix(strings.ToLower(c.Type), "interval")
	if l, isLiteral := c.X.(*sqltree.Literal); ok && isLiteral && l.Value.Kind() == value.Text {
		return strings.TrimSpace(l.Value.Raw()+fields) + pick(e.Op == sqltree.Add, " after ", " before ") + the(w.phrase(v, e.X)), true
	}
	return "", false
}

// texts names texts that are put together, without what is between them.
func (w *writer) texts(v *view, list []sqltree.Expr) string {
	var out []string
	for _, e := range list {
		if l, ok := e.(*sqltree.Literal); !ok || strings.TrimSpace(l.Value.Raw()) != "" {
			out = append(out, w.phrase(v, e))
		}
	}
	text := Enumerate(out)
	if len(out) > 1 && !w.names {
		return text + " as one text"
	}
	return text
}

// field names a part of a point in time, such as its year.
func (w *writer) field(v *view, part string, of sqltree.Expr) string {
	if isClock(of) {
		return "current " + part
	}
	phrase := w.phrase(v, of)
	if strings.HasPrefix(phrase, "age (") || strings.HasPrefix(phrase, "time since ") || strings.HasPrefix(phrase, "time from ") {
		return strings.Replace(phrase, "time ", part+"s ", 1) // of an interval
	}
	return part + " of " + the(phrase)
}

// fieldName says what a field of EXTRACT is
// (https://www.postgresql.org/docs/current/functions-datetime.html, section
// 9.9.1).
func fieldName(e sqltree.Expr) string {
	if !template.IsText(e) {
		return "part"
	}
	switch name := strings.ToLower(e.(*sqltree.Literal).Value.Raw()); name {
	case "day":
		return "day of the month"
	case "dow", "isodow":
		return "weekday"
	case "doy":
		return "day of the year"
	case "epoch":
		return "second"
	default:
		return spelledOr(name, "part")
	}
}

// dateFormat says what a format of to_char gives
// (https://www.postgresql.org/docs/current/functions-formatting.html).
func dateFormat(e sqltree.Expr) string {
	if !template.IsText(e) {
		return "text"
	}
	switch strings.ToUpper(e.(*sqltree.Literal).Value.Raw()) {
	case "YYYY":
		return "year"
	case "MM":
		return "month"
	case "MONTH", "FMMONTH", "MON":
		return "name of the month"
	case "DD":
		return "day of the month"
	case "DAY", "FMDAY", "DY":
		return "name of the weekday"
	case "YYYY-MM", "YYYYMM":
		return "year and month"
	case "MM-DD", "MM/DD":
		return "month and day"
	case "HH24", "HH", "HH12":
		return "hour"
	case "MI":
		return "minute"
	case "SS":
		return "second"
	case "YYYY-MM-DD", "YYYYMMDD":
		return "date"
	}
	return "text"
}

// unguarded takes NULLIF(x, 0) off a divisor: it only keeps a division by zero
// from being an error.
func unguarded(e sqltree.Expr) sqltree.Expr {
	if c, ok := plainly(e).(*sqltree.Call); ok && c.Name == "nullif" && len(c.Args) == 2 && isInteger(c.Args[1], 0) {
		return plainly(c.Args[0])
	}
	return e
}

// percentile names percentile_cont and percentile_disc.
func (w *writer) percentile(v *view, e *sqltree.Call) string {
	of := "value"
	if len(e.OrderBy) > 0 {
		of = w.phrase(v, e.OrderBy[0].Expr)
	}
	switch {
	case e.Name == "mode":
		return "most frequent " + of
	case len(e.Args) == 1 && template.IsNumber(e.Args[0]) && value.ToFloat64(e.Args[0].(*sqltree.Literal).Value) == 0.5:
		return "median " + of
	case len(e.Args) == 1:
		return "percentile at " + w.phrase(v, e.Args[0]) + " of the " + of
	}
	return spelledOr(e.Name, "value") + " of the " + of
}

// isInstant reports whether an expression is a column of a type of Postgres' for
// days or times.
func (w *writer) isInstant(e sqltree.Expr) bool {
	info := template.OriginOf(e).Info
	if info == nil || w.t.Query.Dialect.DynamicTypes {
		return false
	}
	switch kind, _, _ := strings.Cut(info.Type, "("); kind {
	case "date", "timestamp without time zone", "timestamp with time zone":
		return true
	}
	return false
}
