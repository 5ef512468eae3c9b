package scalars

import (
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/pkg/spec"
)

// Document returns the OpenAPI 3.1 document of the functions. key is the header that
// takes an API key, or "" if none is asked for. The operations have the functions'
// names.
func Document(key string) *openapi3.T {
	problem := openapi3.NewObjectSchema().
		WithProperty("type", openapi3.NewStringSchema()).WithProperty("title", openapi3.NewStringSchema()).
		WithProperty("status", openapi3.NewIntegerSchema()).WithProperty("detail", openapi3.NewStringSchema())
	problem.Description, problem.Required = "An error as RFC 9457 writes it.", []string{"type", "title", "status"}
	components := openapi3.NewComponents()
	components.Schemas = openapi3.Schemas{"Problem": problem.NewRef()}
	doc := &openapi3.T{
		OpenAPI: spec.OpenAPIVersion,
		Info: &openapi3.Info{Title: "Functions", Version: "1.0.0",
			Description: "Functions of texts, numbers and places. A parameter is repeated for several lists of arguments, unless all have the same, at most " +
				strconv.Itoa(MaxRows) + "; the answer has a row for each, in their order, with the arguments as they came. The same arguments always have the same result."},
		Components: &components,
		Paths:      openapi3.NewPaths(),
	}
	if key != "" {
		components.SecuritySchemes = openapi3.SecuritySchemes{"apiKey": {Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName(key)}}
		doc.Security = openapi3.SecurityRequirements{{"apiKey": []string{}}}
	}
	for _, f := range Functions() {
		doc.AddOperation(Path+f.Name, "GET", f.operation())
	}
	return doc
}

func (f *Function) operation() *openapi3.Operation {
	op := &openapi3.Operation{OperationID: f.Name, Summary: f.Summary, Description: f.Description, Responses: openapi3.NewResponses()}
	row := openapi3.NewObjectSchema()
	row.AdditionalProperties = openapi3.AdditionalProperties{Has: openapi3.Ptr(false)}
	for _, a := range f.Args {
		p := openapi3.NewQueryParameter(a.Name).WithDescription(a.Description).WithRequired(true).
			WithSchema(openapi3.NewArraySchema().WithItems(a.schema()).WithMinItems(1).WithMaxItems(MaxRows))
		p.Style, p.Explode = "form", openapi3.Ptr(true)
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p})
		row.WithProperty(a.Name, a.schema())
		row.Required = append(row.Required, a.Name)
	}
	result := f.Result.schema()
	if f.Result.Type == Text || f.Result.Type == Real { // of places
		*result.Type = append(*result.Type, "null")
	}
	row.WithProperty(f.Result.Name, result)
	row.Required = append(row.Required, f.Result.Name)
	body := openapi3.NewObjectSchema().WithProperty("data", openapi3.NewArraySchema().WithItems(row))
	body.Required = []string{"data"}
	op.Responses.Set("200", &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("A row for each list of arguments.").WithJSONSchema(body)})
	wrong := openapi3.NewResponse().WithDescription("What is wrong.")
	wrong.Content = openapi3.Content{"application/problem+json": openapi3.NewMediaType().WithSchemaRef(openapi3.NewSchemaRef("#/components/schemas/Problem", nil))}
	op.Responses.Set("default", &openapi3.ResponseRef{Value: wrong})
	return op
}

// schema describes an argument or a result. A number is an integer or a real, and
// stays what it is.
func (a Value) schema() *openapi3.Schema {
	types := map[Type]openapi3.Types{
		Text: {"string"}, Number: {"integer", "number"}, Boolean: {"boolean"}, Integer: {"integer"}, Real: {"number"},
	}[a.Type]
	s := &openapi3.Schema{Type: &types, Description: a.Description}
	if a.Type == Text && a.Description != "" {
		s.MaxLength = openapi3.Ptr(uint64(MaxText))
	}
	return s
}
