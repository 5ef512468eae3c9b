package rest

import (
	"fmt"

	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/rest/internal/naming"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// Type is the type of a parameter or of the values of a column.
type Type string

// The types, as OpenAPI names them.
const (
	Integer Type = "integer"
	Number  Type = "number"
	String  Type = "string"
)

// Param is a query parameter of an endpoint.
type Param struct {
	Name        string
	Title       string
	Description string
	Type        Type
	Format      string // "date", "date-time" or ""
	List        bool   // several values, by repeating the parameter
	MaxItems    int    // of a list
	MaxLength   int    // of a text in bytes
	Minimum     int64  // of limit and offset
	Required    bool
	Column      *Column // whose values it is compared with for equality, or nil

	role        template.Role
	first       []value.Value // of the first question, which the statement was made of
	exact       bool          // whether a number is bound as the digits that were given
	withoutData string        // the description without the dataset's own words on values
	// filters is the column of a table whose text it is compared with, or nil.
	filters *ResultColumn
}

// Column is a column of a table of the database.
type Column struct{ Table, Name string }

const (
	maxText    = 64 << 10 // bytes of a text
	maxPattern = 1000     // bytes of a pattern of LIKE or GLOB; SQLite's limit here
	maxInstant = 40       // bytes of an instant
)

// newParam returns a parameter of a statement under the names given to it.
func newParam(p *template.Param, named naming.Param) *Param {
	q := &Param{
		Name: named.Name, Title: naming.Title(named.Name), Description: named.Description, withoutData: named.Plain,
		Type: Type(p.Type), List: p.List, first: p.Values, role: p.Role,
	}
	switch p.Role {
	case template.Condition:
		q.Required = true
		q.constrain(p)
	case template.Instant:
		q.Format, q.MaxLength = "date-time", maxInstant
	case template.RowLimit:
		q.Required, q.Minimum = true, 1
	case template.RowOffset:
		q.Required = true
	}
	return q
}

// constrain says which values a condition's parameter takes.
func (q *Param) constrain(p *template.Param) {
	if q.List {
		q.MaxItems = p.Places()
	}
	if q.Type == String {
		q.MaxLength = maxText
		if naming.IsDate(p.Values) {
			q.Format = "date"
		}
	}
	switch p.Operator {
	case "like", "glob", "match", "regexp":
		q.MaxLength = maxPattern
	case "=", "<>", "in", "not in":
		q.Column = tableColumn(p.Operand)
	}
}

// isPaging reports whether the parameter is a number of rows.
func (q *Param) isPaging() bool {
	return q.role == template.RowLimit || q.role == template.RowOffset
}

// tableColumn returns the table's column that an expression stands for, or nil.
func tableColumn(e sqltree.Expr) *Column {
	c := template.OriginOf(e)
	if c.Info == nil {
		return nil
	}
	return &Column{c.Table.Name, c.Info.Name}
}

// paging is the limit or offset of an endpoint whose statement has none. It
// names maxRows, the service's own limit, unless that is 0.
func paging(name string, maxRows int) *Param {
	p := &Param{Name: name, Title: naming.Title(name), Type: Integer, role: template.RowOffset, Description: "How many rows to leave out first."}
	if name == "limit" {
		p.role, p.Minimum = template.RowLimit, 1
		p.Description = "How many rows to give at most."
		if maxRows > 0 {
			p.Description += fmt.Sprintf(" Without it, up to %d.", maxRows)
		}
	}
	p.withoutData = p.Description
	return p
}

var pageLimit, pageOffset = paging("limit", 0), paging("offset", 0)
