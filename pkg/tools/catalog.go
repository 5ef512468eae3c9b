package tools

import "context"

// tool is a definition and the function that runs its calls. This table drives
// validation, execution and documentation.
type tool struct {
	Definition
	run func(ctx context.Context, d *decoder) (*Table, error)
}

var catalog = []tool{
	{Definition{"filter_data", "Keep the rows for which a condition on one column is true.", []Parameter{
		dataSource,
		{Name: "key_name", Description: "the column to test", Kind: KindKey, Required: true, Paper: true},
		{Name: "value", Description: `what to compare with: a literal, "$LABEL$" of an earlier result, {"key_name": "other"} for another column, a list for in and not_in, [low, high] for between`, Kind: KindValues, Paper: true},
		{Name: "condition", Description: "the test", Kind: KindText, Choices: conditionChoices(), Required: true, Paper: true},
		escape, collation,
	}, true}, runFilter},
	{Definition{"sort_data", "Order the rows by one or more columns. NULL is smaller than any value.", []Parameter{
		dataSource,
		{Name: "key_name", Description: "the column or columns, the most significant first", Kind: KindKeys, Required: true, Paper: true},
		{Name: "ascending", Description: "true for ascending, false for descending order", Kind: KindBoolean, Required: true, Paper: true},
		{Name: "nulls", Description: "where NULL goes, if not by the rule", Kind: KindText, Choices: []Choice{{Name: "first", Description: "before all values"}, {Name: "last", Description: "after all values"}}},
		collation,
	}, true}, runSort},
	{Definition{"aggregate_data", "Reduce a column to one value; on grouped data, add a column with the value of each group.", []Parameter{
		dataSource,
		{Name: "key_name", Description: "the column to aggregate; left out, count counts rows", Kind: KindKey, Paper: true},
		{Name: "aggregation_type", Description: "the aggregation", Kind: KindText, Choices: aggregationChoices(), Required: true, Paper: true},
		{Name: "distinct", Description: "true to look at each value once", Kind: KindBoolean, Default: false, Paper: true},
		{Name: "limit", Description: "number of rows to look at, -1 for all", Kind: KindInteger, Default: -1, Paper: true},
		{Name: "separator", Description: "text between the values of concat", Kind: KindText, Default: ","},
		{Name: "output_key", Description: "key of the result, <aggregation_type>_<key_name> if left out", Kind: KindText},
	}, true}, runAggregate},
	{Definition{"group_data_by", "Gather rows with equal values into groups, one row each. All columns stay, showing a row of the group.", []Parameter{
		dataSource,
		{Name: "key_name", Description: "the column or columns, [] for one group of all rows", Kind: KindKeys, Required: true, Paper: true},
	}, true}, runGroup},
	{Definition{"retrieve_data", "Return some columns and rows.", []Parameter{
		dataSource,
		{Name: "key_name", Description: "the column or columns, all if left out", Kind: KindKeys, Paper: true},
		{Name: "distinct", Description: "true to drop duplicate rows", Kind: KindBoolean, Default: false, Paper: true},
		{Name: "limit", Description: "most rows to return, -1 for all", Kind: KindInteger, Default: -1, Paper: true},
		{Name: "offset", Description: "rows to skip first", Kind: KindInteger, Default: 0},
	}, true}, runRetrieve},
	{Definition{"select_unique_values", "Drop the rows that are equal to an earlier one.", []Parameter{
		{Name: "unique_array", Description: `"$LABEL$" of an earlier result`, Kind: KindTable, Required: true, Paper: true},
	}, true}, runUnique},
	{Definition{"transform_data", "Compute a column row by row, in the place of another or under a new key.", []Parameter{
		dataSource,
		{Name: "key_name", Description: "the column to transform; may be left out if there is one only", Kind: KindKey, Paper: true},
		{Name: "operation_type", Description: "the operation", Kind: KindText, Choices: operationChoices(), Required: true, Paper: true},
		{Name: "operation_args", Description: operationArguments(), Kind: KindObject, Paper: true},
		{Name: "output_key", Description: "key of the result; key_name is overwritten if left out", Kind: KindText},
	}, true}, runTransform},
	{Definition{"combine_data", "Put the rows of two results together.", []Parameter{
		dataSource, otherDataSource,
		{Name: "operation", Description: "how to combine them", Kind: KindText, Choices: combinations, Required: true},
	}, false}, runCombine},
	{Definition{"join_data", "Put the columns of two results side by side where their keys are equal.", []Parameter{
		dataSource, otherDataSource,
		{Name: "key_name", Description: "the column or columns of data_source; none for cross", Kind: KindKeys},
		{Name: "other_key_name", Description: "the columns of other_data_source that equal them, in the same order", Kind: KindKeys},
		{Name: "join_type", Description: "which rows to keep", Kind: KindText, Choices: joinTypes, Required: true},
		{Name: "null_equal", Description: "true to let NULL match NULL", Kind: KindBoolean, Default: false},
	}, false}, runJoin},
	{Definition{"window_data", "Add a column with a window function, such as a rank or a running sum.", []Parameter{
		dataSource,
		{Name: "function", Description: "the function", Kind: KindText, Choices: windowChoices(), Required: true},
		{Name: "key_name", Description: "the column it is about, for the functions that need one", Kind: KindKey},
		{Name: "partition_by", Description: "the columns that split the rows into partitions", Kind: KindKeys},
		{Name: "order_by", Description: "the columns that order a partition", Kind: KindKeys},
		{Name: "ascending", Description: "the direction, or one for each column", Kind: KindFlags, Default: true},
		{Name: "frame", Description: `the rows it sees: {"unit": "rows", "start": -1, "end": "current"}; unit is rows, range or groups, a bound is "unbounded", "current" or an integer, negative for rows before`, Kind: KindObject},
		{Name: "offset", Description: "distance of lag and lead, row of nth_value, number of parts of ntile", Kind: KindInteger, Default: 1},
		{Name: "default", Description: "value of lag and lead beyond the partition", Kind: KindValue},
		{Name: "separator", Description: "text between the values of concat", Kind: KindText, Default: ","},
		{Name: "output_key", Description: "key of the result, <function>_<key_name> if left out", Kind: KindText},
	}, false}, runWindow},
}

var otherDataSource = Parameter{Name: "other_data_source", Description: `"$LABEL$" of the second result`, Kind: KindTable, Required: true}

var dataSource = Parameter{Name: "data_source", Description: `"$LABEL$" of the result to work on`, Kind: KindTable, Required: true, Paper: true}

func runFilter(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	a := FilterArgs{
		Key:       d.text("key_name"),
		Condition: d.text("condition"),
		Value:     d.operand("value"),
		Escape:    d.text("escape"),
		Collation: d.text("collation"),
	}
	if d.err != nil {
		return nil, d.err
	}
	return FilterData(ctx, t, a)
}

func runSort(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	a := SortArgs{
		Keys:      d.texts("key_name"),
		Ascending: d.boolean("ascending"),
		Nulls:     d.text("nulls"),
		Collation: d.text("collation"),
	}
	if d.err != nil {
		return nil, d.err
	}
	return SortData(ctx, t, a)
}

func runAggregate(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	a := AggregateArgs{
		Key:       d.text("key_name"),
		Type:      d.text("aggregation_type"),
		Distinct:  d.boolean("distinct"),
		Limit:     d.integer("limit", -1),
		Separator: d.separator(),
		OutputKey: d.text("output_key"),
	}
	if d.err != nil {
		return nil, d.err
	}
	return AggregateData(ctx, t, a)
}

func runGroup(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	a := GroupArgs{Keys: d.texts("key_name")}
	if d.err != nil {
		return nil, d.err
	}
	return GroupDataBy(ctx, t, a)
}

func runRetrieve(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	a := RetrieveArgs{
		Keys:     d.texts("key_name"),
		Distinct: d.boolean("distinct"),
		Limit:    d.integer("limit", -1),
		Offset:   d.integer("offset", 0),
	}
	if d.err != nil {
		return nil, d.err
	}
	return RetrieveData(ctx, t, a)
}

func runUnique(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("unique_array")
	if d.err != nil {
		return nil, d.err
	}
	return SelectUniqueValues(ctx, t)
}

func runTransform(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	a := TransformArgs{
		Key:       d.text("key_name"),
		Operation: d.text("operation_type"),
		Args:      d.operands("operation_args"),
		OutputKey: d.text("output_key"),
		Now:       d.session.options.Now,
		MaxBytes:  d.session.options.MaxBytes,
	}
	if d.err != nil {
		return nil, d.err
	}
	return TransformData(ctx, t, a)
}

func runCombine(ctx context.Context, d *decoder) (*Table, error) {
	t, other := d.table("data_source"), d.table("other_data_source")
	a := CombineArgs{Operation: d.text("operation"), MaxRows: d.session.options.MaxRows}
	if d.err != nil {
		return nil, d.err
	}
	return CombineData(ctx, t, other, a)
}

func runJoin(ctx context.Context, d *decoder) (*Table, error) {
	t, other := d.table("data_source"), d.table("other_data_source")
	a := JoinArgs{
		Keys:      d.texts("key_name"),
		OtherKeys: d.texts("other_key_name"),
		Type:      d.text("join_type"),
		NullEqual: d.boolean("null_equal"),
		MaxRows:   d.session.options.MaxRows,
	}
	if d.err != nil {
		return nil, d.err
	}
	return JoinData(ctx, t, other, a)
}

func runWindow(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table("data_source")
	offset := d.integer("offset", 1)
	a := WindowArgs{
		Function:    d.text("function"),
		Key:         d.text("key_name"),
		PartitionBy: d.texts("partition_by"),
		OrderBy:     d.texts("order_by"),
		Ascending:   d.flags("ascending"),
		Frame:       d.frame("frame"),
		Offset:      &offset,
		Default:     d.operand("default"),
		Separator:   d.separator(),
		OutputKey:   d.text("output_key"),
		MaxBytes:    d.session.options.MaxBytes,
	}
	if d.err != nil {
		return nil, d.err
	}
	return WindowData(ctx, t, a)
}
