package query

import (
	"fmt"
	"strings"

	"github.com/birdcall/birdcall/pkg/spec"
)

// MaxTokens is how many tokens a tool's description with the names of its
// collections may have, as some model interfaces take no more (section 3.1 of the
// paper).
const MaxTokens = 1024

// object is a JSON object of a schema.
type object = map[string]any

// Tools describes the tool to models: the one of the shape, or the tools of the
// collections. What values mean, and then the descriptions of properties are left out
// where a tool would have more than MostTokens with them; see DescriptionTokens for
// what is left.
func Tools(collections []Collection, set Toolset, shape Shape) []spec.Tool {
	if shape == PerCollection {
		names := toolNames(collections)
		out := make([]spec.Tool, len(collections))
		for i := range collections {
			one := collections[i : i+1]
			text := fitting(one, func(list string) string {
				return intro(set, "Query the collection "+one[0].Name) + "The collection:\n" + list
			})
			out[i] = tool(names[i], text, properties(set, nil), nil)
		}
		return out
	}
	text := fitting(collections, func(list string) string {
		return intro(set, "Query a database") + "Available collections in this database:\n" + list
	})
	known := make([]any, len(collections))
	for i, c := range collections {
		known[i] = c.Name
	}
	args := properties(set, known)
	switch shape {
	case Rationale:
		args[argRationale] = described("string", rationaleText)
		return []spec.Tool{tool(ToolName, text, args, []any{argRationale, argCollection})}
	case Structured:
		return []spec.Tool{structured(text, args)}
	}
	return []spec.Tool{tool(ToolName, text, args, []any{argCollection})}
}

const rationaleText = "Why this tool is called, and why with these arguments."

// intro is the text of the paper, or of the full toolset.
func intro(set Toolset, what string) string {
	if set == Paper {
		return what + " with an optional search query or optional filters or aggregations on the results.\n\n" +
			"IMPORTANT! Please be mindful of the available query APIs you can use such as search queries, filters, aggregations, and groupby!\n\n"
	}
	return what + " with an optional search query, filters, aggregations, groups, order and limit. " +
		"Search and filters come first, then groups and aggregations, then order and limit. " +
		"Without aggregations, objects are returned.\n\n"
}

func tool(name, text string, args object, required []any) spec.Tool {
	schema := object{"type": "object", "properties": args}
	if required != nil {
		schema["required"] = required
	}
	return spec.Tool{Name: name, Description: text, Parameters: schema, Order: order}
}

// order is how arguments are listed, the paper's first.
var order = []string{
	argRationale, argUseTools, argResponse, argToolCalls, argFunction, argArguments,
	argCollection, argSearch, argNumberFilter, argTextFilter, argBooleanFilter, argNumberMetric, argTextMetric, argBooleanMetric, argGroup,
	argFilters, argAggregations, argGroups, argProperties,
	argProperty, argPart, argOperator, argValue, argAnyOf, argAllOf, argMetrics, argTop, argDistinct,
	argOrderBy, argDirection, argLimit, argOffset,
}

// structured is the answer ResponseOrToolCall (appendix A of the paper), whose
// description explains the tool, as no tool is called.
func structured(text string, args object) spec.Tool {
	call := object{
		"type": "object",
		"properties": object{
			argFunction:  object{"type": "string", "enum": []any{ToolName}},
			argArguments: object{"type": "object", "properties": args, "required": []any{argCollection}},
		},
		"required": []any{argFunction, argArguments},
	}
	return tool(AnswerName, "An answer in words, or calls of "+ToolName+":\n\n"+text, object{
		argRationale: described("string", "A rationale regarding whether tool calls are needed."),
		argUseTools:  object{"type": "boolean", "description": "Whether tools are called."},
		argResponse:  described("string", "The answer in words, where no tool is called."),
		argToolCalls: object{"type": "array", "items": call, "description": "The calls, where tools are called."},
	}, []any{argUseTools})
}

func described(kind, text string) object { return object{"type": kind, "description": text} }

func choice[T ~string](values []T) object {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return object{"type": "string", "enum": list}
}

// properties are the arguments of the tool; the collections are nil where it has
// one.
func properties(set Toolset, collections []any) object {
	out := paperProperties()
	out[argSearch] = described("string", "A search query to return objects from a search index.")
	if set == Full {
		out = fullProperties()
		out[argSearch] = described("string", "Words to search for: finds the objects whose texts have all of them, the best first.")
	}
	if collections != nil {
		out[argCollection] = object{"type": "string", "description": "The collection to query.", "enum": collections}
	}
	return out
}

// paperProperties are those of appendix A.
func paperProperties() object {
	filter := func(text string, operators []Operator, value string) object {
		return object{"type": "object", "description": text, "properties": object{
			argProperty: object{"type": "string"}, argOperator: choice(operators), argValue: object{"type": value},
		}}
	}
	aggregation := func(text string, metrics []Metric) object {
		return object{"type": "object", "description": text, "properties": object{argProperty: object{"type": "string"}, argMetrics: choice(metrics)}}
	}
	text := aggregation("Aggregate text properties using frequency analysis", metrics[Paper][Text])
	text["properties"].(object)[argTop] = object{"type": "integer"}
	return object{
		argNumberFilter:  filter("Filter numeric properties using comparison operators.", operators[Paper][Number], "number"),
		argTextFilter:    filter("Filter text properties using equality or LIKE operators", operators[Paper][Text], "string"),
		argBooleanFilter: filter("Filter boolean properties using equality operators", operators[Paper][Boolean], "boolean"),
		argNumberMetric:  aggregation("Aggregate numeric properties using statistical functions", metrics[Paper][Number]),
		argTextMetric:    text,
		argBooleanMetric: aggregation("Aggregate boolean properties using statistical functions", metrics[Paper][Boolean]),
		argGroup:         described("string", "Group the results by a property."),
	}
}

func fullProperties() object {
	return object{
		argFilters: object{"type": "array", "items": anyOf(comparison(true), nested(argAnyOf, anyOf(comparison(false), nested(argAllOf, comparison(false))))),
			"description": "Conditions that all hold. One of the form {\"any_of\": [...]} holds if one of its own does, and {\"all_of\": [...]} in it if all of its own do."},
		argAggregations: object{"type": "array", "description": "Values to compute of all objects, or of each group.", "items": object{
			"type": "object", "required": []any{argMetrics},
			"properties": object{
				argProperty: described("string", "The property to look at; COUNT without one counts objects."),
				argMetrics:  ofTypes(metrics[Full], "MODE is the most frequent value, PERCENTAGE_TRUE is of 100, and TOP_OCCURRENCES gives the most frequent values."),
				argDistinct: described("boolean", "Look at each value once; for COUNT, SUM and MEAN."),
				argTop:      described("integer", fmt.Sprintf("How many values TOP_OCCURRENCES gives; %d if left out.", DefaultOccurrences)),
			},
		}},
		argGroups:     list("Properties to group by. With aggregations, these are computed for each group; without, the objects of each group are listed."),
		argProperties: list("The properties of objects to return; all if left out."),
		argDistinct:   described("boolean", "Return objects that are equal in these properties once."),
		argOrderBy: object{"type": "array", "description": "What objects or groups are sorted by.", "items": object{
			"type": "object",
			"properties": object{
				argProperty:  described("string", "The property to sort by, or the one that metrics look at."),
				argMetrics:   object{"type": "string", "enum": ofTypes(metrics[Full], "")["enum"], "description": "Sort groups by this metric."},
				argDistinct:  described("boolean", "Of metrics: look at each value once."),
				argDirection: object{"type": "string", "enum": []any{directionAscending, directionDescending}},
			},
		}},
		argLimit:  described("integer", "How many objects or groups to return at most."),
		argOffset: described("integer", "How many objects or groups to leave out before them."),
	}
}

func list(text string) object {
	return object{"type": "array", "items": object{"type": "string"}, "description": text}
}

func anyOf(schemas ...any) object { return object{"anyOf": schemas} }

func nested(name string, items object) object {
	return object{"type": "object", "properties": object{name: object{"type": "array", "items": items}}, "required": []any{name}}
}

// comparison is the schema of one condition. Where it is used again it is not explained
// again.
func comparison(explained bool) object {
	words := operators[Full][Text]
	scalars := []any{object{"type": "string"}, object{"type": "number"}, object{"type": "boolean"}}
	value := anyOf(append(scalars[:len(scalars):len(scalars)], object{"type": "array", "items": anyOf(object{"type": "string"}, object{"type": "number"})})...)
	part := choice(dateParts)
	if explained {
		value["description"] = "What the property is compared with: a list for IN and NOT IN, and nothing for IS NULL and IS NOT NULL. In LIKE, % stands for any text and _ for one character."
		part["description"] = "Compare a part of a date in the place of the whole: year, month and day_of_month are numbers, date is a text such as 2010-07-19."
	}
	return object{
		"type":       "object",
		"properties": object{argProperty: object{"type": "string"}, argPart: part, argOperator: choice(words), argValue: value},
		"required":   []any{argProperty, argOperator},
	}
}

// ofTypes lists what the types of properties have, each word once.
func ofTypes[T ~string](known map[Type][]T, text string) object {
	var words []T
	seen := map[T]bool{}
	for _, t := range paperTypes {
		for _, w := range known[t] {
			if !seen[w] {
				seen[w] = true
				words = append(words, w)
			}
		}
	}
	out := choice(words)
	if text != "" {
		out["description"] = text
	}
	return out
}

// fitting returns a text with descriptions of the collections that are as long as
// MostTokens allows.
func fitting(collections []Collection, text func(list string) string) string {
	for _, length := range []detail{withValues, withDescriptions} {
		whole := text(describe(collections, length))
		if tokens(whole, collections) <= MaxTokens {
			return whole
		}
	}
	return text(describe(collections, withTypes))
}

// detail is how much is said of collections.
type detail int

const (
	withTypes detail = iota
	withDescriptions
	withValues
)

// describe lists collections and their properties.
func describe(collections []Collection, length detail) string {
	var b strings.Builder
	for _, c := range collections {
		b.WriteString(c.Name)
		if length > withTypes && c.Description != "" {
			b.WriteString(" - " + c.Description)
		}
		if length == withTypes {
			parts := make([]string, len(c.Properties))
			for i, p := range c.Properties {
				parts[i] = fmt.Sprintf("%s (%s)", p.Name, p.Type)
			}
			fmt.Fprintf(&b, ": %s\n", strings.Join(parts, ", "))
			continue
		}
		b.WriteByte('\n')
		for _, p := range c.Properties {
			fmt.Fprintf(&b, "  %s (%s)", p.Name, p.Type)
			if p.Description != "" {
				b.WriteString(": " + p.Description)
			}
			if length == withValues && p.Values != "" {
				b.WriteString("; values: " + p.Values)
			}
			b.WriteByte('\n')
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func tokens(text string, collections []Collection) int {
	n := spec.Tokens([]byte(text))
	for _, c := range collections {
		n += spec.Tokens([]byte(c.Name))
	}
	return n
}

// DescriptionTokens counts the tokens of a tool's description and of the names of
// its collections, which MostTokens bounds.
func DescriptionTokens(t spec.Tool) int {
	n := spec.Tokens([]byte(t.Description))
	properties, _ := t.Parameters["properties"].(object)
	collection, _ := properties[argCollection].(object)
	known, _ := collection["enum"].([]any)
	for _, name := range known {
		n += spec.Tokens([]byte(name.(string)))
	}
	return n
}
