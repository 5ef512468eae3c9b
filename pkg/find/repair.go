package find

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// Change is a text that a column does not store, and the stored one that took its place.
type Change struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	From   string `json:"from"`
	To     string `json:"to"`
	Reason string `json:"reason"` // such as: "one letter differs", "F: female"
}

// String says the change in one line.
func (c Change) String() string {
	return fmt.Sprintf("%s.%s stores no %q; %q is meant (%s)", c.Table, c.Column, c.From, c.To, c.Reason)
}

// RepairSQL replaces the texts of a SELECT that are compared for equality with a column
// and that the column does not store, each by the stored text that it means, where there
// is one. All else stays as it is, byte by byte: it is the correction of values of Qin et
// al., Relational Database Augmented Large Language Model (section 4.3 and prompt A.3),
// which changes texts only. What is replaced is returned in the order of the statement.
// Errors are ErrDatabase, those of a statement that cannot be read, and the context's.
//
// Whether a text is stored is for the index to say. Where the database has changed since,
// or a column is hidden, texts stay.
func (x *Index) RepairSQL(ctx context.Context, db, sql string) (string, []Change, error) {
	d, err := x.database(db)
	if err != nil {
		return "", nil, err
	}
	q, err := sqltree.Read(sql, x.parts[d].has)
	if err != nil {
		return "", nil, fmt.Errorf("find: %w", err)
	}
	type edit struct {
		sqltree.Span
		Change
	}
	var edits []edit
	q.WalkAll(func(*sqltree.Query) {}, func(e sqltree.Expr) {
		column, literals := compared(e)
		if column == nil {
			return
		}
		for _, l := range literals {
			if l.Value.Kind() != value.Text || ctx.Err() != nil {
				continue
			}
			if c, ok := x.mend(ctx, d, *column, value.AsText(l.Value)); ok {
				edits = append(edits, edit{l.Span(), c})
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.Start - b.Start })
	edits = slices.CompactFunc(edits, func(a, b edit) bool { return a.Start == b.Start }) // of a USING or a star
	var out strings.Builder
	var changes []Change
	from := 0
	for _, e := range edits {
		out.WriteString(sql[from:e.Start])
		out.WriteString("'" + strings.ReplaceAll(e.To, "'", "''") + "'")
		from = e.End
		changes = append(changes, e.Change)
	}
	out.WriteString(sql[from:])
	return out.String(), changes, nil
}

// compared returns the column that an expression compares with literals for equality,
// and these; nil where it does not.
func compared(e sqltree.Expr) (*Column, []*sqltree.Literal) {
	var column sqltree.Expr
	var others []sqltree.Expr
	switch e := e.(type) {
	case *sqltree.Binary:
		switch e.Op {
		case sqltree.Equal, sqltree.NotEqual, sqltree.Is, sqltree.IsNot:
			column, others = e.X, []sqltree.Expr{e.Y}
			if _, ok := column.(*sqltree.Literal); ok {
				column, others = e.Y, []sqltree.Expr{e.X}
			}
		default:
			return nil, nil
		}
	case *sqltree.In:
		column, others = e.X, e.List
	case *sqltree.Case:
		column = e.Operand
		for _, w := range e.Whens {
			others = append(others, w.Cond)
		}
	default:
		return nil, nil
	}
	of := tableColumn(column)
	if of == nil {
		return nil, nil
	}
	var literals []*sqltree.Literal
	for _, o := range others {
		if l, ok := o.(*sqltree.Literal); ok {
			literals = append(literals, l)
		}
	}
	return of, literals
}

// maxAliases is how many names of names are followed to a column.
const maxAliases = 16

// tableColumn returns the table's column that an expression stands for as it is, or nil.
func tableColumn(e sqltree.Expr) *Column {
	for range maxAliases {
		c, ok := e.(*sqltree.Column)
		switch {
		case !ok || c.State != sqltree.Bound:
			return nil
		case c.Alias != nil:
			e = c.Alias.Expr
		case c.Index < 0 || c.Index >= len(c.Source.Columns):
			return nil
		case c.Source.Table != nil:
			return &Column{c.Source.Table.Name, c.Source.Columns[c.Index].Name}
		case c.Source.Query != nil && len(c.Source.Query.Arms) == 1 && c.Index < len(c.Source.Query.Arms[0].Items):
			e = c.Source.Query.Arms[0].Items[c.Index].Expr
		default:
			return nil
		}
	}
	return nil
}
