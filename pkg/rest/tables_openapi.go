package rest

import (
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/rest/internal/naming"
)

// describeTables adds the tables of a database to a document.
func (d *Database) describeTables(doc *openapi3.T, profiles map[Column]profile, opts DocumentOptions) {
	doc.AddOperation(d.tablesPath, "GET", d.listOperation(opts))
	for _, e := range d.Tables {
		doc.AddOperation(e.Path, "GET", e.operation(profiles, opts))
	}
}

// listOperation describes the list of tables.
func (d *Database) listOperation(opts DocumentOptions) *openapi3.Operation {
	text := func(description string) *openapi3.Schema { return describe(openapi3.NewStringSchema(), description) }
	column := openapi3.NewObjectSchema().
		WithProperty("name", openapi3.NewStringSchema()).
		WithProperty("parameter", text("The parameter that filters by the column; it is not there if none does.")).
		WithProperty("type", text("As it is declared.")).
		WithProperty("json_type", text("What the declared type is in JSON; it is not there if that is no single type.")).
		WithProperty("not_null", openapi3.NewBoolSchema())
	column.Required = []string{"name", "type", "not_null"}
	table := openapi3.NewObjectSchema().
		WithProperty("name", openapi3.NewStringSchema()).
		WithProperty("path", openapi3.NewStringSchema()).
		WithProperty("view", openapi3.NewBoolSchema()).
		WithProperty("primary_key", describe(openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema()), "The names of its columns.")).
		WithProperty("columns", openapi3.NewArraySchema().WithItems(column))
	table.Required = []string{"name", "path", "view", "primary_key", "columns"}
	answer := openapi3.NewObjectSchema().WithProperty("tables", openapi3.NewArraySchema().WithItems(table))
	answer.Required = []string{"tables"}
	op := &openapi3.Operation{
		OperationID: d.tablesName, Summary: "Tables of " + d.ID, Description: "The tables and views that can be read, with their columns.",
		Tags: []string{d.ID}, Responses: openapi3.NewResponses(),
	}
	op.Responses.Set("200", &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("The tables.").WithJSONSchema(answer)})
	addProblems(op, opts)
	return op
}

// nameTables gives the list of tables its name.
func (d *Database) nameTables(taken map[string]bool) {
	for name := range naming.Tables(d.Segment) {
		if !taken[name] {
			taken[name] = true
			d.tablesName = name
			return
		}
	}
}

// filterTypes returns the types of the values that a table's parameter is worth
// giving: those of its column.
func (c *ResultColumn) filterTypes(profiles map[Column]profile) *openapi3.Types {
	types, ok := c.types(profiles)
	types = slices.DeleteFunc(types, func(t string) bool { return t == "array" || t == "object" || t == "null" })
	if !ok || len(types) == 0 {
		types = openapi3.Types{string(String)}
	}
	return &types
}

func addProblems(op *openapi3.Operation, opts DocumentOptions) {
	for _, status := range opts.problemStatuses() {
		op.Responses.Set(strconv.Itoa(status.code), &openapi3.ResponseRef{Ref: "#/components/responses/" + status.name})
	}
}

// describeSQL adds to the schema of a table's rows, as extensions, what makes it a
// table of SQLite elsewhere: the columns in their order, with the declared type and
// the collation of each, the primary key, and the column that is the rowid.
func (e *Endpoint) describeSQL(row *openapi3.Schema) {
	if e.table == nil || !e.table.db.Dialect().DynamicTypes {
		return
	}
	info := e.table.info
	names := make([]string, len(e.Columns))
	for i, c := range e.Columns {
		names[i] = c.Name
		column := info.Column(c.Name)
		extensions := map[string]any{"x-sql-type": column.Type}
		if column.Collation != "BINARY" {
			extensions["x-sql-collation"] = column.Collation
		}
		if ref := row.Properties[c.Name]; ref.Value == nil {
			ref.Extensions = extensions
		} else {
			ref.Value.Extensions = extensions
		}
	}
	row.Extensions = map[string]any{"x-sql-columns": names}
	if key := info.Key(); len(key) > 0 && uniqueKey(info) {
		row.Extensions["x-sql-primary-key"] = key
	}
	if info.IntegerPrimaryKey != "" {
		row.Extensions["x-sql-rowid"] = info.IntegerPrimaryKey
	}
}

// uniqueKey reports whether no two rows have the same primary key. In a table with
// a rowid its columns may be NULL, unless they are declared NOT NULL, and NULLs are
// different from each other.
func uniqueKey(t *engine.Table) bool {
	return !t.RowID || t.IntegerPrimaryKey != "" || !slices.ContainsFunc(t.Columns, func(c engine.Column) bool {
		return c.PrimaryKey > 0 && !c.NotNull
	})
}
