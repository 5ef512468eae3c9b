package sessions

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
)

// The parameters of routes.
const (
	paramToolset = "toolset"
	paramTool    = "tool"
	paramFormat  = "format"
	paramDB      = "db"
)

// query answers a call of the tool, whose arguments are the body.
func (a *API) query(c *gin.Context) {
	if !onlyTakes(c, paramToolset) {
		return
	}
	set, ok := chosen(c, paramToolset, query.Full, query.Toolsets())
	if !ok {
		return
	}
	var args tools.Arguments
	if !a.read(c, &args) {
		return
	}
	result, err := a.env.Query(c.Request.Context(), c.Param("db"), args, episode.QueryOptions{Toolset: string(set), MaxRows: a.opts.MaxRows, MaxBytes: a.opts.MaxBytes})
	if err != nil {
		a.failQuery(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Content-Type", "application/json; charset=utf-8")
	if err := a.opts.Send(c.Writer, c.Request, append(result, '\n')); err != nil {
		a.fail(c, err)
	}
}

// failQuery answers with what is wrong with a query.
func (a *API) failQuery(c *gin.Context, err error) {
	var (
		wrong *tools.ToolError
		large *tools.LimitError
		late  *episode.FailedError
		none  *episode.NoTaskError
	)
	switch {
	case errors.As(err, &wrong):
		rest.WriteProblem(c.Writer, c.Request, &rest.Problem{
			Status: http.StatusUnprocessableEntity, Title: "Wrong query", Detail: err.Error(),
			Errors: []rest.ParamProblem{{Parameter: wrong.Argument, Reason: wrong.Reason, Hint: wrong.Hint}},
		})
	case errors.As(err, &large):
		problem(c, http.StatusUnprocessableEntity, "Too large", err.Error())
	case errors.As(err, &late) && late.Failure == episode.OutOfTime:
		c.Header("Retry-After", "1")
		problem(c, http.StatusGatewayTimeout, "Out of time", err.Error())
	case errors.As(err, &none):
		problem(c, http.StatusNotFound, "No such database", err.Error())
	default:
		a.fail(c, err)
	}
}

// describedQuery describes the tool of a database in answers.
type describedQuery struct {
	DB      string        `json:"db"`
	Toolset query.Toolset `json:"toolset"`
	Tool    query.Shape   `json:"tool"`
	Tools   []any         `json:"tools"`
}

// describeQuery answers with the tool as models see it.
func (a *API) describeQuery(c *gin.Context) {
	if !onlyTakes(c, paramToolset, paramTool, paramFormat) {
		return
	}
	set, ok := chosen(c, paramToolset, query.Full, query.Toolsets())
	if !ok {
		return
	}
	shape, ok := chosen(c, paramTool, query.Unified, query.Shapes())
	if !ok {
		return
	}
	format, ok := a.format(c, c.Query(paramFormat))
	if !ok {
		return
	}
	db := c.Param("db")
	list, err := a.env.QueryTools(c.Request.Context(), db, string(set), string(shape))
	if err != nil {
		a.failQuery(c, err)
		return
	}
	shown, err := format.List(list)
	if err != nil {
		a.fail(c, err)
		return
	}
	a.answer(c, http.StatusOK, describedQuery{DB: db, Toolset: set, Tool: shape, Tools: shown})
}

// chosen returns the value of a parameter that is one of a few words, or answers
// that it is none of them.
func chosen[T ~string](c *gin.Context, name string, without T, words []string) (T, bool) {
	v := c.DefaultQuery(name, string(without))
	if !slices.Contains(words, v) {
		bad(c, name+": use one of "+strings.Join(words, ", ")+".")
		return "", false
	}
	return T(v), true
}

// describeQueries adds the routes to an OpenAPI document.
func (a *API) describeQueries(doc *openapi3.T, format *openapi3.Parameter) {
	var ids []any
	for _, d := range a.env.Dataset().Databases {
		if d.HasFile() {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	const tag = "queries"
	doc.Tags = append(doc.Tags, &openapi3.Tag{Name: tag, Description: "One tool that queries a database: search, filters, aggregations and groups."})
	parameter := func(name, about string, words []string) *openapi3.Parameter {
		list := make([]any, len(words))
		for i, w := range words {
			list[i] = w
		}
		return openapi3.NewQueryParameter(name).WithSchema(openapi3.NewStringSchema().WithEnum(list...)).WithDescription(about)
	}
	db := openapi3.NewPathParameter("db").WithSchema(openapi3.NewStringSchema().WithEnum(ids...)).WithDescription("The database.")
	set := parameter(paramToolset, "Which arguments the tool takes: all there are, or those of the paper. Default full.", query.Toolsets())
	shape := parameter(paramTool, "How the tool is put before a model. Default unified.", query.Shapes())
	answer := object(map[string]*openapi3.Schema{
		"db": text("The database."), "toolset": text("Which arguments the tool takes."), "tool": text("How it is put before a model."),
		"tools": list(openapi3.NewObjectSchema(), "The tool, or one for each collection, in the format asked for."),
	}, "db", "toolset", "tool", "tools")
	args := openapi3.NewAnyOfSchema()
	for _, one := range []query.Toolset{query.Full, query.Paper} {
		tool := query.Tools(nil, one, query.Unified)[0]
		s := schemaOf(tool.Parameters)
		s.Description = "The arguments of the toolset " + string(one) + "."
		if p := s.Properties["collection_name"]; p != nil { // which is the database's to say
			p.Value.Enum = nil
		}
		args.AnyOf = append(args.AnyOf, s.NewRef())
	}
	doc.AddOperation("/v1/query/{db}", http.MethodGet, operation("describe_query_tool", tag, "Describe the tool that queries a database", nil, http.StatusOK,
		body("The tool.", answer), db, set, shape, format))
	doc.AddOperation("/v1/query/{db}", http.MethodPost, operation("query_database", tag, "Query a database", args, http.StatusOK,
		body("Objects, values or groups.", schemaOf(observation.Schema(record.QUERY))), db, set))
}
