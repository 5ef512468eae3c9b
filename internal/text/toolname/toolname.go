// Package toolname has the names of the dataframe tools and of their arguments, as
// calls write them. The first seven tools and their arguments are those of Elder et
// al. (arXiv:2506.11266v1); package tools defines what each of them means.
package toolname

// The names of the tools, in the order of tools.Definitions. Start is the call
// that a tools.Start is in JSON; a tools.Session runs it with Init.
const (
	Filter    = "filter_data"
	Sort      = "sort_data"
	Aggregate = "aggregate_data"
	Group     = "group_data_by"
	Retrieve  = "retrieve_data"
	Unique    = "select_unique_values"
	Transform = "transform_data"
	Combine   = "combine_data"
	Join      = "join_data"
	Window    = "window_data"
	Expand    = "expand_json"
	Start     = "initialize_active_data"
)

// The names of the tools' arguments.
const (
	ArgDataSource      = "data_source"
	ArgOtherDataSource = "other_data_source"
	ArgUniqueArray     = "unique_array" // of Unique, instead of ArgDataSource
	ArgKeyName         = "key_name"     // also the form {"key_name": "other"} of a value
	ArgOtherKeyName    = "other_key_name"
	ArgValue           = "value"
	ArgCondition       = "condition"
	ArgEscape          = "escape"
	ArgCollation       = "collation"
	ArgAscending       = "ascending"
	ArgNulls           = "nulls"
	ArgAggregationType = "aggregation_type"
	ArgDistinct        = "distinct"
	ArgLimit           = "limit"
	ArgOffset          = "offset"
	ArgSeparator       = "separator"
	ArgOutputKey       = "output_key"
	ArgOperationType   = "operation_type" // a tools.Operation
	ArgOperationArgs   = "operation_args"
	ArgOperation       = "operation" // a tools.SetOperation
	ArgJoinType        = "join_type"
	ArgNullEqual       = "null_equal"
	ArgFunction        = "function" // of Window and of tools.OpCall
	ArgPartitionBy     = "partition_by"
	ArgOrderBy         = "order_by"
	ArgFrame           = "frame"
	ArgExclude         = "exclude"
	ArgDefault         = "default"
	ArgPath            = "path" // also of the operations on JSON
	ArgRecursive       = "recursive"
)

// The names of the arguments that only operations take, in ArgOperationArgs.
const (
	ArgStartIndex = "start_index"
	ArgEndIndex   = "end_index"
	ArgFormat     = "format"
	ArgModifiers  = "modifiers"
	ArgScale      = "scale"
	ArgSwap       = "swap"
	ArgDigits     = "digits"
	ArgCharacters = "characters"
	ArgOld        = "old"
	ArgNew        = "new"
	ArgStart      = "start" // also of a frame
	ArgLength     = "length"
	ArgValues     = "values"
	ArgThen       = "then"
	ArgElse       = "else"
	ArgType       = "type"
	ArgArguments  = "arguments"
	ArgPosition   = "position"
	ArgJSON       = "json"
)

// The names and words of a frame: see ArgFrame. It starts at ArgStart.
const (
	ArgUnit        = "unit"
	ArgEnd         = "end"
	BoundUnbounded = "unbounded"
	BoundCurrent   = "current"
)

// The names in the forms {"literal": "text"} and {"blob": "00ff"} of a value.
const (
	ArgLiteral = "literal"
	ArgBlob    = "blob"
)

// The names of the arguments of Start.
const (
	ArgConditionSequence = "condition_sequence"
	ArgAliasToTable      = "alias_to_table_dict"
	ArgOriginalName      = "original_table_name"
	ArgModifiedName      = "modified_table_name"
	ArgDatabasePath      = "database_path"
)
