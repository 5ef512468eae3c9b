package spec

import (
	"maps"
	"slices"
)

// OpenAPIVersion is the version of the documents that this module makes.
const OpenAPIVersion = "3.1.0"

// OpenAPI returns the tools of a database as an OpenAPI document, ready to
// marshal: a POST operation for each, with the arguments as its body. A result
// is referred to by its label, so label is a parameter.
func OpenAPI(database string, list []Tool) map[string]any {
	paths := object{}
	for _, t := range list {
		paths["/tools/"+t.Name] = object{"post": object{
			"operationId": t.Name,
			"description": t.Description,
			"parameters":  []any{object{"$ref": "#/components/parameters/label"}},
			"requestBody": object{
				"required": true,
				"content":  object{"application/json": object{"schema": t.Parameters}},
			},
			"responses": object{
				"200":     object{"$ref": "#/components/responses/result"},
				"default": object{"$ref": "#/components/responses/error"},
			},
		}}
	}
	return object{
		"openapi": OpenAPIVersion,
		"info": object{
			"title": "Tools on " + database, "version": "1",
			"description": "Dataframe tools on the database " + database + ". A call may refer to the results of earlier ones by their labels.",
		},
		"paths": paths,
		"components": object{
			"parameters": object{"label": object{
				"name": "label", "in": "query", "description": "the label to keep the result under",
				"schema": object{kwType: typeString, "pattern": "^[A-Za-z0-9_]+$"},
			}},
			"responses": object{
				"result": response("the rows of the result", object{kwType: typeArray, kwItems: object{kwType: typeArray}}),
				"error": response("what is wrong with the call, and what would mend it", object{
					kwType: typeObject, kwProperties: object{"error": object{kwType: typeString}}, kwRequired: []any{"error"},
				}),
			},
		},
	}
}

func response(description string, schema object) object {
	return object{"description": description, "content": object{"application/json": object{"schema": schema}}}
}

func sortedNames(o object) []string { return slices.Sorted(maps.Keys(o)) }
