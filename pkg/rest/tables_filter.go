package rest

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// condition is what a request asks of a column.
type condition struct {
	column int
	values int  // placeholders, a power of two, or 0
	null   bool // whether it may be NULL
}

// check looks for what a single parameter does not say: names that are no
// columns, and too many values in all.
func (t *table) check(e *Endpoint, r *request) {
	for _, v := range r.given[len(r.given)-1] {
		if !slices.ContainsFunc(t.columns, func(c tableField) bool { return c.name == v.Raw() }) {
			names := make([]string, len(t.columns))
			for i, c := range t.columns {
				names[i] = c.name
			}
			r.fail(isNull, spelling.Suggest(v.Raw(), names), "%q is no column", clean(v.Raw()))
		}
	}
	values := 0
	for i, given := range r.given {
		if values += len(given); values > maxFilterValues {
			r.fail(e.Params[i].Name, "ask several times", "more than %d values are given in all", maxFilterValues)
			return
		}
	}
}

// bind fills in the conditions of a request and the placeholders of its
// statement, which takes a row more than is given, as it reports whether there are
// more.
func (t *table) bind(r *request, maxRows int) {
	r.conditions = r.conditions[:0]
	nulls := r.given[len(r.given)-1]
	for i, c := range t.columns {
		one := condition{column: i, null: slices.ContainsFunc(nulls, func(v value.Value) bool { return v.Raw() == c.name })}
		if c.param >= 0 {
			before := len(r.args)
			for _, v := range r.given[c.param] {
				r.args = append(r.args, v)
				if c.wide {
					r.args = appendOthers(r.args, v.Raw())
				}
			}
			// Requests for 3 and for 4 values share a statement.
			if n := len(r.args) - before; n > 0 {
				one.values = 1 << bits.Len(uint(n-1))
				for range one.values - n {
					r.args = append(r.args, r.args[len(r.args)-1])
				}
			}
		}
		if one.values > 0 || one.null {
			r.conditions = append(r.conditions, one)
		}
	}
	if n := len(r.conditions); n > maxFilterColumns {
		r.fail(filterName(t.columns[r.conditions[n-1].column].name), "leave some out", "more than %d columns are given", maxFilterColumns)
	}
	rows := r.rows
	if rows < 0 {
		rows = maxRows
	}
	r.args = append(r.args, value.Int(int64(rows)+1), value.Int(int64(r.skip)))
	r.skip = 0
}

// appendOthers appends what a text stands for besides itself where no affinity
// says: the number that SQLite reads it as, and the BLOB that is written so in CSV.
func appendOthers(args []value.Value, text string) []value.Value {
	if n := value.AffinityNumeric.Apply(value.Str(text)); n.Kind() != value.Text {
		args = append(args, n)
	}
	if digits, ok := strings.CutSuffix(text, "'"); ok {
		if digits, ok = strings.CutPrefix(digits, "x'"); ok {
			if raw, err := hex.DecodeString(digits); err == nil {
				args = append(args, value.Bytes(string(raw)))
			}
		}
	}
	return args
}

// statement returns the statement of a request's conditions, prepared.
func (t *table) statement(ctx context.Context, conditions []condition) (engine.Statement, error) {
	var key []byte
	for _, c := range conditions {
		key = fmt.Appendf(key, "%d %d %t,", c.column, c.values, c.null)
	}
	if s, ok := t.prepared.Get(string(key)); ok {
		return s, nil
	}
	s, err := t.db.Prepare(ctx, t.sql(conditions))
	if err != nil {
		return nil, t.explain(ctx, err)
	}
	return t.prepared.Put(string(key), s), nil
}

// explain gives the failure to prepare a statement a reason. Without conditions it
// was prepared once: where anything can be compared, the tables are others now, and
// elsewhere it is most likely that values of a type cannot be compared.
func (t *table) explain(ctx context.Context, err error) error {
	for _, reason := range []error{engine.ErrBusy, engine.ErrUnavailable, engine.ErrWriting, engine.ErrMemory, engine.ErrTooLarge, engine.ErrSchema, sqlite.ErrChanged, context.DeadlineExceeded} {
		if ctx.Err() != nil || errors.Is(err, reason) {
			return err
		}
	}
	if t.db.Dialect().DynamicTypes {
		return fmt.Errorf("%w: %w", engine.ErrSchema, err)
	}
	return fmt.Errorf("%w: %w", engine.ErrComputation, err)
}

// sql returns the SELECT with conditions. Values are placeholders. A column is
// named together with its table, since SQLite takes a name in quotation marks alone
// for a text where there is no such column.
func (t *table) sql(conditions []condition) string {
	var b strings.Builder
	for i, c := range t.columns {
		b.WriteString([...]string{"SELECT ", ", "}[min(i, 1)])
		name := sqlite.Quote(c.name)
		b.WriteString("t." + name + " AS " + name)
	}
	b.WriteString(" FROM " + sqlite.Quote(t.info.Name) + " AS t")
	mark, n := t.db.Dialect().Placeholder, 0
	place := func() string {
		n++
		return mark + strconv.Itoa(n)
	}
	for i, c := range conditions {
		b.WriteString([...]string{" WHERE ", " AND "}[min(i, 1)])
		b.WriteString(c.sql(t.columns[c.column].sql, place))
	}
	if t.order != "" {
		b.WriteString(" ORDER BY " + t.order)
	}
	b.WriteString(" LIMIT " + place())
	b.WriteString(" OFFSET " + place())
	return b.String()
}

// sql returns the condition on what the column stands for.
func (c condition) sql(column string, place func() string) string {
	var text string
	switch c.values {
	case 0:
		return column + " IS NULL"
	case 1:
		text = column + " = " + place()
	default:
		list := make([]string, c.values)
		for i := range list {
			list[i] = place()
		}
		text = column + " IN (" + strings.Join(list, ", ") + ")"
	}
	if c.null {
		return "(" + text + " OR " + column + " IS NULL)"
	}
	return text
}
