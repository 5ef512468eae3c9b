package rest

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
)

// problemStatus is an answer other than 200 that every endpoint can give.
type problemStatus struct {
	code              int
	name, description string
	retry             bool // whether Retry-After comes with it
}

// problemStatuses returns those of a service.
func (o DocumentOptions) problemStatuses() []problemStatus {
	all := []problemStatus{
		{http.StatusBadRequest, "BadParameter", "A parameter is missing, unknown or of the wrong type; errors says which, why, and what would do.", false},
		{http.StatusNotAcceptable, "NoSuchFormat", "None of the formats in the Accept header is there.", false},
		{http.StatusUnprocessableEntity, "NotComputable", "With these values the query cannot be computed.", false},
		{http.StatusServiceUnavailable, "TooBusy", "Other requests take all there is, or another program is just writing to the data; Retry-After says when to try again.", true},
		{http.StatusGatewayTimeout, "OutOfTime", "The query takes longer than is allowed.", false},
	}
	if o.apis {
		all = append(all, problemStatus{http.StatusBadGateway, "APIFailed", "An API whose data the query reads does not answer as it should; Retry-After says when to try again.", true})
	}
	if o.APIKey != "" {
		all = append(all, problemStatus{http.StatusUnauthorized, "NoKey", "The request has no valid API key.", false})
	}
	if o.Rate {
		all = append(all, problemStatus{http.StatusTooManyRequests, "TooMany", "The client sends more requests than it may; Retry-After says when to try again.", true})
	}
	return all
}

// schemaRef refers to a schema that the operations share.
func schemaRef(name string) *openapi3.SchemaRef {
	return openapi3.NewSchemaRef("#/components/schemas/"+name, nil)
}

// components returns the parts that the operations share. onServer says that the
// databases are a server's.
func components(opts DocumentOptions, onServer bool) *openapi3.Components {
	c := openapi3.NewComponents()
	c.Schemas = openapi3.Schemas{
		"Count":      describe(openapi3.NewIntegerSchema(), "How many rows the answer has.").NewRef(),
		"Truncated":  describe(openapi3.NewBoolSchema(), "Whether there are more rows than the answer has, because of limit or of a limit of the service; the rest starts at next_offset.").NewRef(),
		"NextOffset": describe(openapi3.NewIntegerSchema(), "The offset of the first row that is left out. It is there only if truncated is true.").NewRef(),
		"Value":      anyValue(onServer).NewRef(),
		"Problem":    problemSchema().NewRef(),
	}
	if onServer {
		c.Schemas["Truncated"].Value.Description += " Where the query itself has a limit and the answer has as many rows, it is true without a look at whether there are more."
	}
	cut := &openapi3.Header{}
	cut.Description = "Why there are more rows than the answer has: limit is the request's own, rows and bytes are limits of the service."
	cut.Schema = openapi3.NewStringSchema().WithEnum("limit", "rows", "bytes").NewRef()
	wait := &openapi3.Header{}
	wait.Description = "Seconds to wait before the next try."
	wait.Schema = openapi3.NewIntegerSchema().NewRef()
	c.Headers = openapi3.Headers{"X-Truncated": {Value: cut}, "Retry-After": {Value: wait}}
	c.Responses = openapi3.ResponseBodies{}
	for _, status := range opts.problemStatuses() {
		description := status.description
		if onServer && status.code == http.StatusServiceUnavailable {
			description = "Other requests take all there is, or the database server does not answer; Retry-After says when to try again."
		}
		r := openapi3.NewResponse().WithDescription(description)
		r.Content = openapi3.Content{"application/problem+json": openapi3.NewMediaType().WithSchemaRef(schemaRef("Problem"))}
		if status.retry {
			r.Headers = openapi3.Headers{"Retry-After": {Ref: "#/components/headers/Retry-After"}}
		}
		c.Responses[status.name] = &openapi3.ResponseRef{Value: r}
	}
	if opts.APIKey != "" {
		key := openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName(opts.APIKey)
		c.SecuritySchemes = openapi3.SecuritySchemes{"apiKey": {Value: key}}
	}
	return &c
}

func describe(s *openapi3.Schema, text string) *openapi3.Schema {
	s.Description = text
	return s
}

// anyValue describes what a row writes of a value. On a server that may be any
// JSON.
func anyValue(onServer bool) *openapi3.Schema {
	if onServer {
		return describe(openapi3.NewSchema(), "Any value, also a document.")
	}
	odd := openapi3.NewObjectSchema()
	for name, text := range map[string]string{
		"blob": "A BLOB in hexadecimal.",
		"text": "A text that is not UTF-8, in hexadecimal.",
		"real": "Inf or -Inf.",
	} {
		odd.WithProperty(name, describe(openapi3.NewStringSchema(), text))
	}
	odd.MinProps, odd.MaxProps = 1, openapi3.Ptr(uint64(1))
	odd.AdditionalProperties = openapi3.AdditionalProperties{Has: openapi3.Ptr(false)}
	simple := &openapi3.Schema{Type: &openapi3.Types{"number", "string", "null"}}
	return describe(openapi3.NewAnyOfSchema(simple, odd), "Any value of SQLite.")
}

func problemSchema() *openapi3.Schema {
	text := openapi3.NewStringSchema
	one := openapi3.NewObjectSchema().WithProperty("parameter", text()).WithProperty("reason", text()).WithProperty("hint", text())
	one.Required = []string{"parameter", "reason", "hint"}
	s := openapi3.NewObjectSchema().
		WithProperty("type", text()).WithProperty("title", text()).WithProperty("status", openapi3.NewIntegerSchema()).
		WithProperty("detail", text()).WithProperty("instance", text()).WithProperty("request_id", text()).
		WithProperty("errors", openapi3.NewArraySchema().WithItems(one))
	s.Required = []string{"type", "title", "status"}
	return describe(s, "An error as RFC 9457 writes it.")
}
