package sqlfunc

// sqlite has SQLite's functions (https://www.sqlite.org/lang_corefunc.html,
// lang_aggfunc.html, windowfunctions.html, lang_datefunc.html, json1.html). A test
// compares the list with pragma_function_list.
var sqlite = table(
	[]Function{
		{Name: "count", Class: Aggregate, MaxArgs: 1, Aggregate: OfValues, Result: Integer},
		{Name: "sum", Class: Aggregate, MinArgs: 1, MaxArgs: 1, Aggregate: Summing, Result: Sum},
		{Name: "total", Class: Aggregate, MinArgs: 1, MaxArgs: 1, Aggregate: Summing, Result: Real},
		{Name: "avg", Class: Aggregate, MinArgs: 1, MaxArgs: 1, Aggregate: Summing, Result: Real},
		{Name: "min", Class: Scalar | Aggregate, MinArgs: 1, MaxArgs: 1, Aggregate: Extreme, Result: FirstArgument, PassesOn: true},
		{Name: "max", Class: Scalar | Aggregate, MinArgs: 1, MaxArgs: 1, Aggregate: Extreme, Result: FirstArgument, PassesOn: true},
		{Name: "group_concat", Class: Aggregate, MinArgs: 1, MaxArgs: 2, Aggregate: Collecting, Result: Text},
		{Name: "string_agg", canonical: "group_concat", Class: Aggregate, MinArgs: 1, MaxArgs: 2, Aggregate: Collecting, Result: Text},
	},
	each(Function{Class: Aggregate, Aggregate: Collecting}, "json_group_array json_group_object jsonb_group_array jsonb_group_object"),

	each(Function{Class: Window, Result: Integer}, "rank dense_rank"),
	each(Function{Class: Window, Result: Integer, BreaksTies: true}, "row_number ntile"),
	each(Function{Class: Window}, "percent_rank cume_dist"),
	each(Function{Class: Window, Result: FirstArgument, PassesOn: true, BreaksTies: true}, "lag lead first_value last_value nth_value"),

	each(Function{Class: Scalar, Clock: AlwaysClock, Volatility: OfTheStatement}, "current_date current_time current_timestamp"),
	each(Function{Class: Scalar, Clock: ClockFirst, Result: Text}, "date time datetime"),
	each(Function{Class: Scalar, Clock: ClockSecond, Result: Text}, "strftime"),
	each(Function{Class: Scalar, Clock: ClockFirst, Result: Real}, "julianday"),
	each(Function{Class: Scalar, Clock: ClockFirst}, "unixepoch"), // with 'subsec' a REAL

	each(Function{Class: Scalar, Volatility: Random}, "random randomblob"),
	each(Function{Class: Scalar, Volatility: OfTheStatement}, `changes total_changes last_insert_rowid load_extension
		sqlite_compileoption_get sqlite_compileoption_used sqlite_log sqlite_source_id sqlite_version`),

	each(Function{Class: TableValued}, "json_each json_tree"),

	each(Function{Class: Scalar, Result: Integer}, "length instr unicode sign"),
	each(Function{Class: Scalar, Result: Real}, "round"),
	each(Function{Class: Scalar, Result: Text}, "upper lower trim replace typeof"),
	each(Function{Class: Scalar, Result: FirstArgument}, "abs"),

	each(Function{Class: Scalar, PassesOn: true}, "coalesce likely unlikely likelihood nullif"),
	each(Function{Class: Scalar, PassesOn: true, canonical: "coalesce"}, "ifnull"),
	each(Function{Class: Scalar, PassesOn: true, canonical: "iif"}, "iif if"),

	each(Function{Class: Scalar, canonical: "substr"}, "substr substring"),
	each(Function{Class: Scalar, canonical: "printf"}, "printf format"),
	each(Function{Class: Scalar, canonical: "ceil"}, "ceil ceiling"),
	each(Function{Class: Scalar, canonical: "pow"}, "pow power"),
	each(Function{Class: Scalar}, `-> ->> acos acosh asin asinh atan atan2 atanh char concat concat_ws cos cosh degrees exp floor glob hex
		json json_array json_array_insert json_array_length json_error_position json_extract json_insert json_object json_patch
		json_pretty json_quote json_remove json_replace json_set json_type json_valid
		jsonb jsonb_array jsonb_array_insert jsonb_extract jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set
		like ln log log10 log2 ltrim mod octet_length pi quote radians rtrim sin sinh soundex sqlite_offset sqrt subtype
		tan tanh timediff trunc unhex unistr unistr_quote zeroblob`),
)
