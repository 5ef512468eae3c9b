package rest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/recent"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/rest/internal/naming"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// The bounds on what a request to a table filters by.
const (
	maxFilterValues  = 1000
	maxFilterColumns = 100 // SQLite bounds the depth of expressions
)

// isNull is the parameter that takes names of columns rather than values.
const isNull = "is_null"

// columnPrefix is before the name of a column that would be taken for
// another parameter.
const columnPrefix = "col:"

// filterName returns the parameter that filters by a column: its name, unless
// that is another parameter's or could be taken for a name with the prefix.
func filterName(column string) string {
	switch {
	case column == "", column == "limit", column == "offset", column == isNull, strings.HasPrefix(column, columnPrefix):
		return columnPrefix + column
	}
	return column
}

// table is what is known of the endpoint of a table besides its parameters and
// columns. The last parameter is is_null.
type table struct {
	info    *engine.Table
	db      engine.Database
	columns []tableField
	order   string // SQL after ORDER BY, or ""
	// prepared are the statements that were used most lately, by the form of
	// their conditions.
	prepared recent.Cache[string, engine.Statement]
}

// tableField is a column that is shown.
type tableField struct {
	name  string
	sql   string // what conditions compare
	param int    // the parameter with its values, or -1 if they cannot be compared
	// wide says that no affinity makes a number of a text: a value stands for a
	// text, and for the number or BLOB that is written so.
	wide bool
}

// keptStatements is how many statements of a table are kept.
const keptStatements = 64

// addTables makes an endpoint for each table and view. What cannot be read has
// none, and is reported with the reason.
func (d *Database) addTables(ctx context.Context, taken map[string]bool, warn func(string)) error {
	leftOut := func(name string, err error) {
		if warn != nil {
			warn(fmt.Sprintf("%s: the table %q is left out: %v", d.ID, name, err))
		}
	}
	for _, t := range d.schema.LeftOut {
		leftOut(t.Name, t.Err)
	}
	if d.db.Dialect().DynamicTypes {
		sqltree.CollateViews(d.schema)
	}
	for _, info := range d.schema.Tables {
		e, err := d.tableEndpoint(ctx, info)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, engine.ErrUnavailable), errors.Is(err, engine.ErrBusy):
			return err
		case err != nil:
			leftOut(info.Name, err)
			continue
		}
		for name := range naming.Table(info.Name, d.Segment) {
			if !taken[name] {
				taken[name] = true
				e.Name = name
				break
			}
		}
		e.Path = d.tablesPath + "/" + url.PathEscape(info.Name)
		d.Tables = append(d.Tables, e)
	}
	return nil
}

// tableEndpoint returns the endpoint of a table, still without its name.
func (d *Database) tableEndpoint(ctx context.Context, info *engine.Table) (*Endpoint, error) {
	t := &table{info: info, db: d.db, prepared: recent.New[string, engine.Statement](keptStatements)}
	for _, c := range info.Columns {
		if c.Hidden {
			continue
		}
		field := tableField{name: c.Name, sql: "t." + sqlite.Quote(c.Name), param: -1}
		if d.db.Dialect().DynamicTypes {
			field.wide = info.View || c.Affinity <= value.AffinityBlob
			if info.View {
				field.sql = "+" + field.sql // without an affinity, which would be that of the expression
			}
		}
		t.columns = append(t.columns, field)
	}
	e := &Endpoint{
		DB: d.ID, table: t, rows: -1, skip: -1,
		Summary: "Rows of " + info.Name,
	}
	e.Description = fmt.Sprintf("The rows of the table %s in which each column that is given has one of its values.", info.Name)
	if info.View {
		e.Description = strings.Replace(e.Description, "table", "view", 1)
	}
	e.withoutData = e.Description
	var err error
	for _, order := range t.orders(d.db.Dialect()) {
		t.order = order
		e.SQL = t.sql(nil)
		if e.statement, err = d.db.Prepare(ctx, e.SQL); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	d.describeTable(e)
	return e, nil
}

// describeTable fills in the columns and parameters of a table's endpoint.
func (d *Database) describeTable(e *Endpoint) {
	t := e.table
	for i, result := range e.statement.Columns() {
		field := &t.columns[i]
		info := t.info.Column(field.name)
		c := ResultColumn{Name: field.name, NotNull: info.NotNull || field.name == t.info.IntegerPrimaryKey}
		if result.Type != "" {
			c.Types = []Type{Type(result.Type)}
		}
		if !t.info.View {
			c.Column = &Column{t.info.Name, field.name}
		}
		e.Columns = append(e.Columns, c)
		if !d.db.Dialect().DynamicTypes && result.Type == "" {
			continue // a document of JSON, which servers do not compare
		}
		field.param = len(e.Params)
		e.Params = append(e.Params, d.filterParam(e, i))
	}
	nulls := &Param{
		Name: isNull, Title: "Is null", Type: String, List: true, MaxItems: min(len(t.columns), maxFilterColumns), MaxLength: maxText, role: template.Condition,
		Description: "Columns that may be NULL, beside the values given for them.",
	}
	nulls.withoutData = nulls.Description
	e.Params = append(e.Params, nulls)
}

// filterParam returns the parameter that takes values of a column.
func (d *Database) filterParam(e *Endpoint, column int) *Param {
	c := &e.Columns[column]
	p := &Param{
		Name: filterName(c.Name), Title: c.Name, Type: String, List: true, MaxItems: maxFilterValues, MaxLength: maxText,
		role: template.Condition, filters: c,
	}
	p.withoutData = fmt.Sprintf("The values of the column %s; rows that have one of them are given.", c.Name)
	p.Description = p.withoutData
	if about := d.info.Describe(e.table.info.Name, c.Name).Description; about != "" {
		p.Description += " " + about
	}
	return p
}

// orders returns expressions that put the rows in an order, of which the first
// that the engine takes is used: the rowid or the primary key.
func (t *table) orders(dialect *engine.Dialect) []string {
	key := t.primaryKey()
	switch {
	case len(dialect.RowAddress) > 0 && key == "" && !t.info.View:
		return []string{"t." + strings.Join(dialect.RowAddress, ", t."), ""}
	case !dialect.StableOrder && key == "":
		numbers := make([]string, len(t.columns))
		for i := range numbers {
			numbers[i] = fmt.Sprint(i + 1)
		}
		return []string{strings.Join(numbers, ", "), ""}
	case t.info.RowID:
		// A column may have the name of the rowid, which it then hides.
		for _, name := range []string{"rowid", "_rowid_", "oid"} {
			if !slices.ContainsFunc(t.info.Columns, func(c engine.Column) bool { return spelling.Same(c.Name, name) }) {
				return []string{"t." + name, ""}
			}
		}
	}
	return []string{key}
}

// primaryKey returns the columns of the primary key as ORDER BY has them.
func (t *table) primaryKey() string {
	var names []string
	for _, name := range t.info.Key() {
		names = append(names, "t."+sqlite.Quote(name))
	}
	return strings.Join(names, ", ")
}
