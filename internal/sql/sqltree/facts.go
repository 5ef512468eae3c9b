package sqltree

import (
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/value"
)

// BinaryCollation is the collation of everything that has no other.
const BinaryCollation = "BINARY"

// Affinity returns the affinity of an expression
// (https://www.sqlite.org/datatype3.html, section 3.2).
func Affinity(e Expr) value.Affinity {
	switch e := e.(type) {
	case *Column:
		switch {
		case e.Alias != nil:
			return Affinity(e.Alias.Expr)
		case e.State != Bound:
			return value.AffinityNone
		case e.Index == RowID:
			return value.AffinityInteger
		}
		return e.Source.Columns[e.Index].Affinity
	case *Cast:
		return e.Affinity()
	case *Collate:
		return Affinity(e.X)
	case *Row:
		return Affinity(e.Items[0])
	case *Subquery:
		if len(e.Query.Columns) > 0 {
			return e.Query.Columns[0].Affinity
		}
	}
	return value.AffinityNone
}

// Affinity is the affinity that the value is given. No type at all is NUMERIC
// here, where a column without a type has BLOB
// (https://www.sqlite.org/datatype3.html, section 3.1).
func (c *Cast) Affinity() value.Affinity {
	if c.Gives != value.AffinityNone {
		return c.Gives
	}
	if c.Type == "" {
		return value.AffinityNumeric
	}
	return value.AffinityOf(c.Type)
}

// Collation returns the collating sequence that an expression brings into a
// comparison, in upper case, or "" if it brings none, and whether COLLATE gives
// it, which counts before that of a column
// (https://www.sqlite.org/datatype3.html, section 7.1).
func Collation(e Expr) (name string, explicit bool) {
	if c := collateWithin(e); c != nil {
		return strings.ToUpper(c.Name), true
	}
	switch e := e.(type) {
	case *Column:
		switch {
		case e.Alias != nil:
			return Collation(e.Alias.Expr)
		case e.State == Bound && e.Index >= 0:
			return e.Source.Columns[e.Index].Collation, false
		case e.State == Bound:
			return BinaryCollation, false
		}
	case *Unary:
		if e.Op == Plus {
			return Collation(e.X)
		}
	case *Cast:
		return Collation(e.X)
	case *Row:
		return Collation(e.Items[0])
	}
	return "", false
}

// Compared returns the collating sequence by which the operands of a comparison
// are compared, the left one's before the right one's, and whether COLLATE gives
// it. An operand may be nil, which brings none.
func Compared(operands ...Expr) (name string, explicit bool) {
	name = BinaryCollation
	found := false
	for _, e := range operands {
		if e == nil {
			continue
		}
		own, explicit := Collation(e)
		if explicit {
			return own, true
		}
		if own != "" && !found {
			name, found = own, true
		}
	}
	return name, false
}

// FirstCollation returns the collating sequence of the first expression that
// brings one, whether it is a column's or COLLATE gives it: the one by which max()
// compares its arguments and a compound the columns of its arms
// (https://www.sqlite.org/lang_corefunc.html#max_scalar,
// https://www.sqlite.org/lang_select.html, section 3).
func FirstCollation(list ...Expr) string {
	for _, e := range list {
		if name, _ := Collation(e); name != "" {
			return name
		}
	}
	return BinaryCollation
}

// collateWithin returns the COLLATE that reaches out of an expression to what
// compares it: the first of its operands, those of conditions too, as in
// sqlite3ExprCollSeq of SQLite's expr.c. Subqueries pass nothing on.
func collateWithin(e Expr) *Collate {
	operands := Children(e)
	switch e := e.(type) {
	case *Collate:
		return e
	case *Column:
		if e.Alias != nil {
			return collateWithin(e.Alias.Expr)
		}
	case *Row:
		operands = e.Items[:1]
	case *Pattern:
		operands = []Expr{e.Y, e.X, e.Escape} // the arguments of like() and glob()
	case *Call:
		operands = e.Args
	}
	for _, x := range operands {
		if x == nil {
			continue
		}
		if c := collateWithin(x); c != nil {
			return c
		}
	}
	return nil
}

// Key returns a text that two expressions of one arm share where they are
// written alike: names with the same qualifiers, spaces and letter case aside.
// Subqueries are alike only where they are one.
func Key(e Expr) string {
	var b strings.Builder
	key(&b, e)
	return b.String()
}

func key(b *strings.Builder, e Expr) {
	switch e := e.(type) {
	case *Literal:
		b.WriteByte(byte('0' + e.Value.Kind()))
		if e.Value.Kind() == value.Real {
			b.WriteString(strconv.FormatFloat(e.Value.Float64(), 'x', -1, 64))
		} else {
			b.WriteString(strconv.Quote(value.AsText(e.Value)))
		}
		return
	case *Column:
		columnKey(b, e)
		return
	}
	b.WriteString(label(e))
	b.WriteByte('(')
	for i, c := range Children(e) {
		if i > 0 {
			b.WriteByte(',')
		}
		key(b, c)
	}
	b.WriteByte(')')
}

func columnKey(b *strings.Builder, c *Column) {
	if c.Quoted {
		b.WriteByte('"')
	}
	d := engine.SQLite
	if c.State == Bound && c.Source != nil {
		d = c.Source.dialect
	}
	b.WriteString(strconv.Quote(d.Fold(c.Table)) + "." + strconv.Quote(d.Fold(c.Name)))
}

// label distinguishes an expression from others with the same operands.
func label(e Expr) string {
	not := func(word string, not bool) string {
		if not {
			return "NOT " + word
		}
		return word
	}
	switch e := e.(type) {
	case *Unary:
		return string(e.Op)
	case *Binary:
		return string(e.Op)
	case *Pattern:
		return not(string(e.Op), e.Not)
	case *Between:
		return not("BETWEEN", e.Not)
	case *In:
		word := "IN"
		if e.Query != nil {
			word += place(e)
		}
		return not(word, e.Not)
	case *Case:
		word := "CASE"
		if e.Operand != nil {
			word += " x"
		}
		if e.Else != nil {
			word += " else"
		}
		return word
	case *Call:
		return callLabel(e)
	case *Cast:
		return "CAST " + strings.ToUpper(e.Type)
	case *Collate:
		return "COLLATE " + strings.ToUpper(e.Name)
	case *Subquery, *Exists:
		return "query" + place(e)
	case *Clock:
		return e.Name
	case *Other:
		return "other " + strconv.Quote(e.Text)
	}
	return "row"
}

func place(e Expr) string { return strconv.Itoa(e.Span().Start) }

func callLabel(e *Call) string {
	var b strings.Builder
	b.WriteString(e.Name)
	if e.Star {
		b.WriteString(" *")
	}
	if e.Distinct {
		b.WriteString(" DISTINCT")
	}
	orders := func(list []*Order) {
		for _, o := range list {
			b.WriteString(" " + strconv.FormatBool(o.Desc) + strconv.FormatBool(o.NullsFirst))
		}
	}
	b.WriteString(" " + strconv.Itoa(len(e.Args)))
	orders(e.OrderBy)
	if e.WithinGroup {
		b.WriteString(" WITHIN")
	}
	if e.Filter != nil {
		b.WriteString(" FILTER")
	}
	if w := e.Over; w != nil {
		b.WriteString(" OVER " + strconv.Itoa(len(w.Partition)))
		orders(w.OrderBy)
		if f := w.Frame; f != nil {
			b.WriteString(f.Unit + f.Exclude)
			for _, end := range []FrameEnd{f.Start, f.End} {
				b.WriteString(" " + strconv.FormatBool(end.Unbounded) + strconv.FormatBool(end.Following) + strconv.FormatBool(end.Offset != nil))
			}
		}
	}
	return b.String()
}
