package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/value"
)

// DocumentOptions adjust an OpenAPI document.
type DocumentOptions struct {
	Title   string // default "Birdcall"
	Server  string // the URL, or its path, that the paths are relative to; "" for none
	MaxRows int    // of an answer, as the service has it; 0 if none is to be given
	APIKey  string // the header that takes an API key, or "" if none is asked for
	Rate    bool   // whether the requests of a client are limited
	Indent  string // of the JSON text; "" for the shortest
	// WithoutData leaves out everything that shows values of the data: enums,
	// and the dataset's descriptions of values.
	WithoutData bool
	// Extend is called, if not nil, with the finished document, to add what a
	// service answers besides.
	Extend func(*openapi3.T)

	apis bool // whether databases have tables and functions of APIs
}

// Document returns the OpenAPI 3.1 document of the databases of those ids, or
// of all if there are none, as JSON. The first time it reads the data to say
// what the columns hold.
func (a *API) Document(ctx context.Context, opts DocumentOptions, ids ...string) ([]byte, error) {
	title := "Birdcall"
	if opts.Title != "" {
		title = opts.Title
	}
	description := "One endpoint for every query of a dataset. Values are exact: an integer is written in digits only, " +
		"a real number with a point or an exponent, SQL's NULL as null."
	if a.source != nil {
		description = "One endpoint for every query of a dataset. Values are exact: a number has all its digits, " +
			"NaN and infinite ones are {\"real\": \"NaN\"} and {\"real\": \"Inf\"}, SQL's NULL is null."
	}
	opts.apis = slices.ContainsFunc(a.Databases, func(d *Database) bool { return d.info.APIs != nil })
	if a.tables {
		description += " Each table and view has one too."
	}
	doc := &openapi3.T{
		OpenAPI:    spec.OpenAPIVersion,
		Info:       &openapi3.Info{Title: title, Version: "1.0.0", Description: description},
		Components: components(opts, a.source != nil),
		Paths:      openapi3.NewPaths(),
	}
	if opts.Server != "" {
		doc.Servers = openapi3.Servers{{URL: opts.Server}}
	}
	if opts.APIKey != "" {
		doc.Security = openapi3.SecurityRequirements{{"apiKey": []string{}}}
	}
	for _, d := range a.Databases {
		if len(ids) > 0 && !slices.Contains(ids, d.ID) {
			continue
		}
		doc.Tags = append(doc.Tags, &openapi3.Tag{Name: d.ID})
		profiles, err := d.profiles(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range d.Endpoints {
			doc.AddOperation(e.Path, "GET", e.operation(profiles, opts))
		}
		if a.tables {
			d.describeTables(doc, profiles, opts)
		}
	}
	if opts.Extend != nil {
		opts.Extend(doc)
	}
	// The references are not resolved, which the library's check would need;
	// a test reads the document as others do.
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document cannot be written: %w", err)
	}
	if opts.Indent == "" {
		return text, nil
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", opts.Indent); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func (e *Endpoint) operation(profiles map[Column]profile, opts DocumentOptions) *openapi3.Operation {
	description := e.Description
	if opts.WithoutData {
		description = e.withoutData
	}
	op := &openapi3.Operation{
		OperationID: e.Name, Summary: e.Summary, Description: description, Tags: []string{e.DB},
		Responses: openapi3.NewResponses(),
	}
	for _, p := range e.AllParams(opts.MaxRows) {
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: e.parameter(p, profiles, opts)})
	}
	row := openapi3.NewObjectSchema()
	row.AdditionalProperties = openapi3.AdditionalProperties{Has: openapi3.Ptr(false)}
	for _, c := range e.Columns {
		row.WithPropertyRef(c.Name, c.schema(profiles))
		row.Required = append(row.Required, c.Name)
	}
	e.describeSQL(row)
	data := openapi3.NewArraySchema().WithItems(row)
	if e.single {
		data.WithMaxItems(1)
	}
	answer := openapi3.NewObjectSchema().WithProperty("data", data).
		WithPropertyRef("count", schemaRef("Count")).
		WithPropertyRef("truncated", schemaRef("Truncated")).
		WithPropertyRef("next_offset", schemaRef("NextOffset"))
	answer.Required = []string{"data", "count", "truncated"}
	ok := openapi3.NewResponse().WithDescription("The answer.")
	ok.Content = openapi3.Content{
		mediaTypes[asJSON]:   openapi3.NewMediaType().WithSchema(answer),
		mediaTypes[asNDJSON]: openapi3.NewMediaType().WithSchema(row),
		mediaTypes[asCSV]:    openapi3.NewMediaType().WithSchema(openapi3.NewStringSchema()),
	}
	ok.Headers = openapi3.Headers{"X-Truncated": {Ref: "#/components/headers/X-Truncated"}}
	op.Responses.Set("200", &openapi3.ResponseRef{Value: ok})
	addProblems(op, opts)
	return op
}

// parameter describes a query parameter.
func (e *Endpoint) parameter(p *Param, profiles map[Column]profile, opts DocumentOptions) *openapi3.Parameter {
	item := &openapi3.Schema{Type: &openapi3.Types{string(p.Type)}, Format: p.Format}
	if p.Type == Integer {
		item.Format = "int64"
	}
	if p.MaxLength > 0 {
		item.MaxLength = openapi3.Ptr(uint64(p.MaxLength))
	}
	if p.filters != nil {
		item.Type = p.filters.filterTypes(profiles)
	}
	description := p.Description
	if opts.WithoutData {
		description = p.withoutData
	} else {
		for _, v := range e.enum(p, profiles) {
			item.Enum = append(item.Enum, plain(v))
		}
	}
	if p.isPaging() {
		item.Min = openapi3.Ptr(float64(p.Minimum))
		if p.role == template.RowLimit && opts.MaxRows > 0 {
			maximum := int64(opts.MaxRows)
			if len(p.first) > 0 {
				maximum = max(maximum, p.first[0].Int64())
			}
			item.Max = openapi3.Ptr(float64(maximum))
		}
	}
	out := openapi3.NewQueryParameter(p.Name).WithDescription(description).WithRequired(p.Required)
	schema := item
	if p.List {
		schema = openapi3.NewArraySchema().WithItems(item).WithMinItems(1).WithMaxItems(int64(p.MaxItems))
		out.Style, out.Explode = "form", openapi3.Ptr(true)
	}
	schema.Title = p.Title
	out.Schema = schema.NewRef()
	return out
}

// plain returns values of the parameter, one or more, for JSON.
func (q *Param) plain(values []value.Value) any {
	if !q.List {
		return plain(values[0])
	}
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = plain(v)
	}
	return list
}

// plain returns a parameter's value for JSON.
func plain(v value.Value) any {
	switch v.Kind() {
	case value.Integer:
		return v.Int64()
	case value.Real:
		return json.Number(jsontext.AppendReal(nil, v.Float64()))
	}
	return v.Raw()
}

// schema describes the values of a result column.
func (c ResultColumn) schema(profiles map[Column]profile) *openapi3.SchemaRef {
	types, ok := c.types(profiles)
	if !ok {
		return schemaRef("Value")
	}
	if !c.NotNull {
		types = append(types, "null")
	}
	return (&openapi3.Schema{Type: &types}).NewRef()
}

// types returns what the values of a result column can be besides null, or reports
// that nobody can say.
func (c ResultColumn) types(profiles map[Column]profile) (types openapi3.Types, ok bool) {
	for _, t := range c.Types {
		types = append(types, string(t))
	}
	var kinds []value.Kind
	if c.Column != nil {
		kinds = profiles[*c.Column].kinds
	}
	switch {
	case kinds != nil:
		for _, k := range kinds {
			switch k {
			case value.Integer:
				types = append(types, "integer")
			case value.Real:
				types = append(types, "number")
			case value.Text:
				types = append(types, "string")
			default:
				return nil, false
			}
		}
		if slices.Contains(types, "integer") && slices.Contains(types, "number") {
			types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
		}
	case len(c.Types) == 0:
		return nil, false
	}
	return types, true
}
