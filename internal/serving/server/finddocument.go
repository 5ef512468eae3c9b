package server

import (
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/pkg/find"
)

// describeFind adds the route to an OpenAPI document.
func (s *Server) describeFind(doc *openapi3.T) {
	if s.finder == nil {
		return
	}
	doc.Tags = append(doc.Tags, &openapi3.Tag{Name: "find", Description: "Which databases, tables, columns, values and tools a question is about."})
	text := func(about string) *openapi3.Schema { return described(openapi3.NewStringSchema(), about) }
	score := func() *openapi3.Schema {
		return described(openapi3.NewFloat64Schema(), "Greater is better, within the hits of one kind.")
	}
	list := func(of *openapi3.Schema, about string) *openapi3.SchemaRef {
		return described(openapi3.NewArraySchema().WithItems(of), about).NewRef()
	}
	object := func(properties map[string]*openapi3.Schema, required ...string) *openapi3.Schema {
		o := openapi3.NewObjectSchema().WithProperties(properties)
		o.Required = required
		return o
	}
	kind := openapi3.NewStringSchema()
	for _, k := range find.Kinds() {
		kind.Enum = append(kind.Enum, string(k))
	}
	hit := object(map[string]*openapi3.Schema{
		"kind": described(kind, "What it is."), "db": text("The database."), "table": text("The table."), "column": text("The column."),
		"tool": text("The name of the tool: the operationId of an endpoint."), "score": score(), "reason": text("Why it was found."),
	}, "kind", "db", "score", "reason")
	valueHit := object(map[string]*openapi3.Schema{
		"db": text("The database."), "table": text("The table."), "column": text("The column."),
		"value": described(&openapi3.Schema{}, "The value as it is stored: a text, an integer or a number."),
		"span":  text("The words that mean it."), "start": described(openapi3.NewIntegerSchema(), "The bytes of q before them; -1 for words of evidence."),
		"score": score(), "reason": text("Why it was found."),
	}, "db", "table", "column", "value", "span", "start", "score", "reason")
	part := object(map[string]*openapi3.Schema{"text": text("The piece of the question."), "db": text("The database."), "score": score()}, "text", "db", "score")
	result := object(map[string]*openapi3.Schema{
		"answerable": described(openapi3.NewBoolSchema(), "Whether the databases seem to have what is asked for."),
		"confidence": described(openapi3.NewFloat64Schema().WithMin(0).WithMax(1), "How sure that is."),
		"reason":     text("Why."),
	}, "answerable", "confidence", "reason")
	for name, about := range map[string]string{"databases": "Databases.", "tables": "Tables.", "columns": "Columns.", "tools": "Tools."} {
		result.Properties[name] = list(hit, about+" The best first.")
	}
	result.Properties["values"] = list(valueHit, "Stored values that words of the question mean.")
	result.Properties["parts"] = list(part, "Pieces of a question about several databases.")
	result.Properties["stale"] = list(openapi3.NewStringSchema(), "Databases found that were written to since they were indexed.")
	op := &openapi3.Operation{
		OperationID: "find", Summary: "Find what a question is about", Tags: []string{"find"}, Responses: openapi3.NewResponses(),
		Description: "Which databases, tables, columns, stored values and tools a question is about. What is found is a proposal, ranked by words and values.",
	}
	for _, p := range []*openapi3.Parameter{
		openapi3.NewQueryParameter("q").WithRequired(true).WithSchema(openapi3.NewStringSchema().WithMinLength(1).WithMaxLength(find.MaxText)).WithDescription("The question."),
		openapi3.NewQueryParameter("evidence").WithSchema(openapi3.NewStringSchema().WithMaxLength(find.MaxText)).WithDescription(fmt.Sprintf("A hint on what its words mean. Both together have at most %d bytes.", find.MaxText)),
		openapi3.NewQueryParameter("db").WithSchema(openapi3.NewStringSchema()).WithDescription("Look in this database only."),
		openapi3.NewQueryParameter("kinds").WithSchema(openapi3.NewStringSchema()).WithDescription("What to look for, separated by commas: " + kinds() + ". Default: all."),
		openapi3.NewQueryParameter("k").WithSchema(openapi3.NewIntegerSchema().WithMin(1).WithMax(find.MaxK).WithDefault(find.DefaultK)).WithDescription("Hits of each kind at most."),
	} {
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p})
	}
	op.Responses.Set("200", &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("What was found.").WithJSONSchema(result)})
	problem := openapi3.NewResponse().WithDescription("What is wrong, as RFC 9457 writes it.")
	problem.Content = openapi3.Content{"application/problem+json": openapi3.NewMediaType().WithSchemaRef(openapi3.NewSchemaRef("#/components/schemas/Problem", nil))}
	op.Responses.Set("default", &openapi3.ResponseRef{Value: problem})
	doc.AddOperation(findPath, http.MethodGet, op)
}

func described(s *openapi3.Schema, about string) *openapi3.Schema {
	s.Description = about
	return s
}
