package sessions

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/spec"
)

// The tags of the operations.
const (
	tagSessions = "sessions"
	tagTraining = "training"
)

// Describe adds the routes to an OpenAPI document. control is the header that takes
// a control key, or "" if none is asked for.
func (a *API) Describe(doc *openapi3.T, control string) {
	doc.Tags = append(doc.Tags,
		&openapi3.Tag{Name: tagSessions, Description: "Tools of a question or of tables, called live. Results stay in the session; a call refers to them by their labels."},
		&openapi3.Tag{Name: tagTraining, Description: "For those who train and measure agents, and not for agents."})
	formats := make([]any, len(spec.Formats()))
	for i, f := range spec.Formats() {
		formats[i] = f
	}
	variants := make([]any, len(a.env.Variants()))
	for i, v := range a.env.Variants() {
		variants[i] = v
	}
	subject := object(map[string]*openapi3.Schema{
		"variant":   text("Whose tools. Default " + a.defaultVariant() + ".").WithEnum(variants...),
		"db":        text("The database."),
		"sample_id": idSchema("A question of the database. Without it the session starts from tables."),
		"tables":    list(text("A table."), "Tables to start from. Default: all of the database."),
		"id":        text("An id for the session. Default: one that cannot be guessed.").WithPattern("^[A-Za-z0-9_-]{1,64}$"),
		"format":    text("The format of the tools. Default openai.").WithEnum(formats...),
		"tools":     text("Whether all tools are listed, or found by calls of "+spec.SearchName+". Default "+listAll+".").WithEnum(listAll, listBySearch),
	}, "db")
	session := object(map[string]*openapi3.Schema{
		"id": text("The session's id."), "variant": text("Whose tools."), "db": text("The database."),
		"sample_id": idSchema("The question's id."), "question": text("What is asked."), "evidence": text("The dataset's hint."),
		"now":    text("The instant that stands for the clock."),
		"system": text("What tells a model of the starting tables and their keys."),
		"starting_tables": list(object(map[string]*openapi3.Schema{
			"name": text("Its label."), "keys": list(text("A key."), "Its columns."),
		}, "name", "keys"), "The tables that calls may start with."),
		"mcp_url": text("Where the tools answer over the Model Context Protocol."), "calls_url": text("Where calls are posted."),
		"idle_seconds": openapi3.NewIntegerSchema(), "tools": list(openapi3.NewObjectSchema(), "The tools, in the format asked for."),
	}, "id", "variant", "db", "mcp_url", "calls_url", "idle_seconds", "tools")
	session.Properties["idle_seconds"].Value.Description = "How long the session lives without a call."
	call := object(map[string]*openapi3.Schema{
		"name":      text("The tool."),
		"arguments": anything("The arguments: an object, or the JSON of one as a text."),
		"label":     text("A label for the result. Default: by the tool's rule."),
	}, "name")
	id := openapi3.NewPathParameter("id").WithSchema(openapi3.NewStringSchema()).WithDescription("The session's id.")
	format := openapi3.NewQueryParameter("format").WithSchema(openapi3.NewStringSchema().WithEnum(formats...)).WithDescription("The format of the tools. Default openai.")

	add := func(method, path, name, tag, summary string, body *openapi3.Schema, status int, answer *openapi3.Response, parameters ...*openapi3.Parameter) {
		op := operation(name, tag, summary, body, status, answer, parameters...)
		if tag == tagTraining && control != "" {
			op.Security = &openapi3.SecurityRequirements{{"controlKey": []string{}}}
		}
		doc.AddOperation(path, method, op)
	}
	if control != "" {
		if doc.Components.SecuritySchemes == nil {
			doc.Components.SecuritySchemes = openapi3.SecuritySchemes{}
		}
		doc.Components.SecuritySchemes["controlKey"] = &openapi3.SecuritySchemeRef{Value: openapi3.NewSecurityScheme().WithType("apiKey").WithIn("header").WithName(control)}
	}
	a.describeQueries(doc, format)
	add(http.MethodPost, "/v1/sessions", "open_session", tagSessions, "Open a session", subject, http.StatusCreated, body("The session.", session))
	add(http.MethodGet, "/v1/sessions/{id}", "show_session", tagSessions, "Show a session again", nil, http.StatusOK, body("The session.", session), id, format)
	add(http.MethodDelete, "/v1/sessions/{id}", "end_session", tagSessions, "End a session and forget its results", nil, http.StatusNoContent, openapi3.NewResponse().WithDescription("It has ended."), id)
	add(http.MethodPost, "/v1/sessions/{id}/calls", "call_tool", tagSessions, "Call a tool. A mistake that can be mended is an answer with error, and status 200", call, http.StatusOK,
		body("What a model is shown of the result.", a.observations()), id)
	add(http.MethodPost, "/v1/sessions/{id}/score", "score_session", tagTraining, "Score the calls so far", nil, http.StatusOK, body("The score.", scoreSchema()), id)
	add(http.MethodGet, "/v1/tasks", "list_tasks", tagTraining, "List the tasks of a variant, a line of JSON each", nil, http.StatusOK, lines("The tasks, in the shape of a dataset of NeMo Gym."),
		openapi3.NewQueryParameter("variant").WithSchema(openapi3.NewStringSchema().WithEnum(variants...)).WithDescription("Default "+a.defaultVariant()+"."),
		openapi3.NewQueryParameter("db").WithSchema(openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema())).WithDescription("Only these databases."),
		openapi3.NewQueryParameter("bare").WithSchema(openapi3.NewBoolSchema()).WithDescription("Leave out responses_create_params, and with them tools and prompts."),
		openapi3.NewQueryParameter("turns").WithSchema(openapi3.NewIntegerSchema().WithMin(1)).WithDescription("How many turns the system message allows. Default 30."))
}

// operation describes a request and its answers. Body is nil where it has none.
func operation(name, tag, summary string, body *openapi3.Schema, status int, answer *openapi3.Response, parameters ...*openapi3.Parameter) *openapi3.Operation {
	op := &openapi3.Operation{OperationID: name, Summary: summary, Tags: []string{tag}, Responses: openapi3.NewResponses()}
	for _, p := range parameters {
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p})
	}
	if body != nil {
		op.RequestBody = &openapi3.RequestBodyRef{Value: openapi3.NewRequestBody().WithRequired(true).WithJSONSchema(body)}
	}
	op.Responses.Set(strconv.Itoa(status), &openapi3.ResponseRef{Value: answer})
	problem := openapi3.NewResponse().WithDescription("What is wrong, as RFC 9457 writes it.")
	problem.Content = openapi3.Content{"application/problem+json": openapi3.NewMediaType().WithSchemaRef(openapi3.NewSchemaRef("#/components/schemas/Problem", nil))}
	op.Responses.Set("default", &openapi3.ResponseRef{Value: problem})
	return op
}

// observations describes what a call answers with, in any variant. That of SEL is
// SLOT's.
func (a *API) observations() *openapi3.Schema {
	one := openapi3.NewOneOfSchema()
	for _, variant := range []string{record.SLOT, record.REST} {
		if !slices.Contains(a.env.Variants(), variant) {
			continue
		}
		one.OneOf = append(one.OneOf, schemaOf(observation.Schema(variant)).NewRef())
	}
	mistake := object(map[string]*openapi3.Schema{"error": object(map[string]*openapi3.Schema{
		"message": text("The whole in one line."), "tool": text("The tool that was called."), "argument": text("The argument at fault."),
		"reason": text("What is wrong."), "hint": text("What would mend it."),
	}, "message")}, "error")
	found := object(map[string]*openapi3.Schema{
		"tools":      list(openapi3.NewObjectSchema(), "What "+spec.SearchName+" found, in the format of the session."),
		"tool_count": described(openapi3.NewIntegerSchema(), "How many tools were searched."),
		"hint":       text("What to do where nothing is found."),
	}, "tools", "tool_count")
	references := list(openapi3.NewObjectSchema(), "The same in the format anthropic: the content of the call's result.")
	one.OneOf = append(one.OneOf, mistake.NewRef(), found.NewRef(), references.NewRef())
	return one
}

// schemaOf returns a JSON Schema as one of OpenAPI. It is one that this module made,
// so that it can be read.
func schemaOf(schema map[string]any) *openapi3.Schema {
	out := openapi3.NewObjectSchema()
	if text, err := json.Marshal(schema); err != nil || json.Unmarshal(text, out) != nil {
		return openapi3.NewObjectSchema()
	}
	return out
}

func scoreSchema() *openapi3.Schema {
	share := func() *openapi3.Schema { return openapi3.NewFloat64Schema().WithMin(0).WithMax(1) }
	components := map[string]*openapi3.Schema{"calls": openapi3.NewIntegerSchema(), "failed_calls": openapi3.NewIntegerSchema()}
	for _, name := range []string{"completed", "intent_precision", "intent_recall", "intent_f1", "slot_precision", "slot_recall", "slot_f1"} {
		components[name] = share()
	}
	return object(map[string]*openapi3.Schema{
		"reward": share(), "components": object(components), "error_class": text("The class of what is wrong."), "reason": text("The same in words."),
	}, "reward", "components")
}

func text(about string) *openapi3.Schema { return described(openapi3.NewStringSchema(), about) }

func anything(about string) *openapi3.Schema { return described(&openapi3.Schema{}, about) }

func idSchema(about string) *openapi3.Schema {
	return described(&openapi3.Schema{Type: &openapi3.Types{"integer", "string"}}, about)
}

func list(of *openapi3.Schema, about string) *openapi3.Schema {
	return described(openapi3.NewArraySchema().WithItems(of), about)
}

func described(s *openapi3.Schema, about string) *openapi3.Schema {
	s.Description = about
	return s
}

func object(properties map[string]*openapi3.Schema, required ...string) *openapi3.Schema {
	s := openapi3.NewObjectSchema().WithProperties(properties)
	s.Required = required
	return s
}

func body(about string, s *openapi3.Schema) *openapi3.Response {
	return openapi3.NewResponse().WithDescription(about).WithJSONSchema(s)
}

func lines(about string) *openapi3.Response {
	r := openapi3.NewResponse().WithDescription(about)
	r.Content = openapi3.Content{"application/x-ndjson": openapi3.NewMediaType().WithSchema(openapi3.NewObjectSchema())}
	return r
}
