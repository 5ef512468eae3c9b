package query

// The names of the tool and of its arguments.
const (
	ToolName   = "query_database"
	ToolPrefix = "query_"             // of a collection's tool
	AnswerName = "ResponseOrToolCall" // of the answer of the shape Structured

	argCollection = "collection_name"
	argSearch     = "search_query"
	argRationale  = "tool_rationale"
	argGroup      = "groupby_property" // a list in the toolset Full: groupby_properties
	argGroups     = "groupby_properties"

	argNumberFilter  = "integer_property_filter"
	argTextFilter    = "text_property_filter"
	argBooleanFilter = "boolean_property_filter"
	argNumberMetric  = "integer_property_aggregation"
	argTextMetric    = "text_property_aggregation"
	argBooleanMetric = "boolean_property_aggregation"

	argFilters      = "filters"
	argAggregations = "aggregations"
	argProperties   = "properties"
	argDistinct     = "distinct"
	argOrderBy      = "order_by"
	argLimit        = "limit"
	argOffset       = "offset"

	argProperty  = "property_name"
	argPart      = "date_part"
	argOperator  = "operator"
	argValue     = "value"
	argAnyOf     = "any_of"
	argAllOf     = "all_of"
	argMetrics   = "metrics"
	argTop       = "top_occurrences_limit"
	argDirection = "direction"

	argUseTools  = "use_tools"
	argResponse  = "response"
	argToolCalls = "tool_calls"
	argFunction  = "function_name"
	argArguments = "arguments"
)
