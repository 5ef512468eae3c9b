package tools

import (
	"context"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// tool is a definition and the function that runs its calls. This table drives
// validation, execution and documentation.
type tool struct {
	Definition
	run func(ctx context.Context, d *decoder) (*Table, error)
}

// OperandForms says how an argument of an operation is written, for those who call it.
const OperandForms = `a value is a literal, "$LABEL$" of an earlier result, or {"key_name": "other"} for another column`

var catalog = []tool{
	{Definition{toolname.Filter, "Keep the rows for which a condition on one column is true.", []Parameter{
		dataSource,
		{Name: toolname.ArgKeyName, Description: "the column to test", Kind: KindKey, Required: true, Paper: true},
		{Name: toolname.ArgValue, Description: `what to compare with: a literal, "$LABEL$" of an earlier result, or {"key_name": "other"} for another column`, Kind: KindValues, Paper: true},
		{Name: toolname.ArgCondition, Description: "the test", Kind: KindText, Choices: conditionChoices(), Required: true, Paper: true},
		escape, collation,
	}, true}, runFilter},
	{Definition{toolname.Sort, "Order the rows by one or more columns. NULL is smaller than any value.", []Parameter{
		dataSource,
		{Name: toolname.ArgKeyName, Description: "the column or columns, the most significant first", Kind: KindKeys, Required: true, Paper: true},
		{Name: toolname.ArgAscending, Description: "true for ascending, false for descending order", Kind: KindBoolean, Required: true, Paper: true},
		{Name: toolname.ArgNulls, Description: "where NULL goes, if not by the rule", Kind: KindText, Choices: nullsPlaces},
		collation,
	}, true}, runSort},
	{Definition{toolname.Aggregate, "Reduce a column to one value; on grouped data, add a column with the value of each group.", []Parameter{
		dataSource,
		{Name: toolname.ArgKeyName, Description: "the column to aggregate; left out, count counts rows", Kind: KindKey, Paper: true},
		{Name: toolname.ArgAggregationType, Description: "the aggregation", Kind: KindText, Choices: aggregationChoices(), Required: true, Paper: true},
		{Name: toolname.ArgDistinct, Description: "true to look at each value once", Kind: KindBoolean, Default: false, Paper: true},
		{Name: toolname.ArgLimit, Description: "number of rows to look at, -1 for all", Kind: KindInteger, Default: -1, Paper: true},
		{Name: toolname.ArgSeparator, Description: "text between the values of concat", Kind: KindText, Default: ","},
		{Name: toolname.ArgOutputKey, Description: "key of the result, <aggregation_type>_<key_name> if left out", Kind: KindText},
	}, true}, runAggregate},
	{Definition{toolname.Group, "Gather rows with equal values into groups, one row each, in the order in which the groups first appear. All columns stay and show the first row of the group, or the one that argmin or argmax picks afterwards. NULLs are one group.", []Parameter{
		dataSource,
		{Name: toolname.ArgKeyName, Description: "the column or columns, [] for one group of all rows", Kind: KindKeys, Required: true, Paper: true},
	}, true}, runGroup},
	{Definition{toolname.Retrieve, "Return some columns and rows.", []Parameter{
		dataSource,
		{Name: toolname.ArgKeyName, Description: "the column or columns, all if left out", Kind: KindKeys, Paper: true},
		{Name: toolname.ArgDistinct, Description: "true to drop duplicate rows", Kind: KindBoolean, Default: false, Paper: true},
		{Name: toolname.ArgLimit, Description: "most rows to return, -1 for all", Kind: KindInteger, Default: -1, Paper: true},
		{Name: toolname.ArgOffset, Description: "rows to skip first", Kind: KindInteger, Default: 0},
	}, true}, runRetrieve},
	{Definition{toolname.Unique, "Drop the rows that are equal to an earlier one.", []Parameter{
		{Name: toolname.ArgUniqueArray, Description: `"$LABEL$" of an earlier result`, Kind: KindTable, Required: true, Paper: true},
	}, true}, runUnique},
	{Definition{toolname.Transform, "Compute a column row by row, in the place of another or under a new key.", []Parameter{
		dataSource,
		{Name: toolname.ArgKeyName, Description: "the column to transform; may be left out if there is one only", Kind: KindKey, Paper: true},
		{Name: toolname.ArgOperationType, Description: "the operation", Kind: KindText, Choices: operationChoices(), Required: true, Paper: true},
		{Name: toolname.ArgOperationArgs, Description: "the arguments of the operation by name; " + OperandForms, Kind: KindObject, Operations: Operations(), Paper: true},
		{Name: toolname.ArgOutputKey, Description: "key of the result; key_name is overwritten if left out", Kind: KindText},
	}, true}, runTransform},
	{Definition{toolname.Combine, "Put the rows of two results together.", []Parameter{
		dataSource, otherDataSource,
		{Name: toolname.ArgOperation, Description: "how to combine them", Kind: KindText, Choices: combinations, Required: true},
	}, false}, runCombine},
	{Definition{toolname.Join, "Put the columns of two results side by side where their keys are equal.", []Parameter{
		dataSource, otherDataSource,
		{Name: toolname.ArgKeyName, Description: "the column or columns of data_source; none for cross", Kind: KindKeys},
		{Name: toolname.ArgOtherKeyName, Description: "the columns of other_data_source that equal them, in the same order", Kind: KindKeys},
		{Name: toolname.ArgJoinType, Description: "which rows to keep", Kind: KindText, Choices: joinTypes, Required: true},
		{Name: toolname.ArgNullEqual, Description: "true to let NULL match NULL", Kind: KindBoolean, Default: false},
	}, false}, runJoin},
	{Definition{toolname.Window, "Add a column with a window function, such as a rank or a running sum.", []Parameter{
		dataSource,
		{Name: toolname.ArgFunction, Description: "the function", Kind: KindText, Choices: windowChoices(), Required: true},
		{Name: toolname.ArgKeyName, Description: "the column it is about, for the functions that need one", Kind: KindKey},
		{Name: toolname.ArgPartitionBy, Description: "the columns that split the rows into partitions", Kind: KindKeys},
		{Name: toolname.ArgOrderBy, Description: "the columns that order a partition", Kind: KindKeys},
		{Name: toolname.ArgAscending, Description: "the direction, or one for each column", Kind: KindFlags, Default: true},
		{Name: toolname.ArgNulls, Description: "where NULL goes, if not by the rule", Kind: KindText, Choices: nullsPlaces},
		{Name: toolname.ArgFrame, Description: `the rows it sees: {"unit": "rows", "start": -1, "end": "current"}; unit is rows, range or groups, a bound is "unbounded", "current" or an integer (for range any number), negative for rows before`, Kind: KindObject},
		{Name: toolname.ArgExclude, Description: "the rows of the frame that it does not see", Kind: KindText, Choices: exclusions},
		{Name: toolname.ArgOffset, Description: "distance of lag and lead, row of nth_value, number of parts of ntile", Kind: KindInteger, Default: 1},
		{Name: toolname.ArgDefault, Description: "value of lag and lead beyond the partition", Kind: KindValue},
		{Name: toolname.ArgSeparator, Description: "text between the values of concat", Kind: KindText, Default: ","},
		{Name: toolname.ArgOutputKey, Description: "key of the result, <function>_<key_name> if left out", Kind: KindText},
	}, false}, runWindow},
	{Definition{toolname.Expand, "Make one row for each element of a JSON array or object, beside the columns of the row that has it. The new keys are json_key (name or index), json_value, json_type, json_atom, json_id, json_parent, json_fullkey and json_path.", []Parameter{
		{Name: toolname.ArgDataSource, Description: `"$LABEL$" of the result to work on; left out for a value that is no column`, Kind: KindTable},
		{Name: toolname.ArgValue, Description: `the JSON: {"key_name": "column"}, or a text`, Kind: KindValue, Required: true},
		{Name: toolname.ArgPath, Description: `path to the array or object, e.g. "$.list"; the whole if left out`, Kind: KindValue},
		{Name: toolname.ArgRecursive, Description: "true to list also the elements of elements", Kind: KindBoolean, Default: false},
	}, false}, runExpand},
}

var otherDataSource = Parameter{Name: toolname.ArgOtherDataSource, Description: `"$LABEL$" of the second result`, Kind: KindTable, Required: true}

var dataSource = Parameter{Name: toolname.ArgDataSource, Description: `"$LABEL$" of a starting table or an earlier result`, Kind: KindTable, Required: true, Paper: true}

func runFilter(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	a := FilterArgs{
		Key:       d.text(toolname.ArgKeyName),
		Condition: Condition(d.text(toolname.ArgCondition)),
		Value:     d.operand(toolname.ArgValue),
		Escape:    d.text(toolname.ArgEscape),
		Collation: CollationName(d.text(toolname.ArgCollation)),
	}
	if d.err != nil {
		return nil, d.err
	}
	return FilterData(ctx, t, a)
}

func runSort(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	a := SortArgs{
		Keys:       d.texts(toolname.ArgKeyName),
		Descending: !d.boolean(toolname.ArgAscending),
		Nulls:      NullsPlace(d.text(toolname.ArgNulls)),
		Collation:  CollationName(d.text(toolname.ArgCollation)),
	}
	if d.err != nil {
		return nil, d.err
	}
	return SortData(ctx, t, a)
}

func runAggregate(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	a := AggregateArgs{
		Key:       d.text(toolname.ArgKeyName),
		Type:      Aggregation(d.text(toolname.ArgAggregationType)),
		Distinct:  d.boolean(toolname.ArgDistinct),
		Limit:     d.limit(),
		Separator: d.separator(),
		OutputKey: d.text(toolname.ArgOutputKey),
	}
	if d.err != nil {
		return nil, d.err
	}
	return AggregateData(ctx, t, a)
}

func runGroup(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	a := GroupArgs{Keys: d.texts(toolname.ArgKeyName)}
	if d.err != nil {
		return nil, d.err
	}
	return GroupDataBy(ctx, t, a)
}

func runRetrieve(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	a := RetrieveArgs{
		Keys:     d.texts(toolname.ArgKeyName),
		Distinct: d.boolean(toolname.ArgDistinct),
		Limit:    d.limit(),
		Offset:   d.integer(toolname.ArgOffset, 0),
	}
	if d.err != nil {
		return nil, d.err
	}
	return RetrieveData(ctx, t, a)
}

func runUnique(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgUniqueArray)
	if d.err != nil {
		return nil, d.err
	}
	return SelectUniqueValues(ctx, t)
}

func runTransform(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	a := TransformArgs{
		Key:       d.text(toolname.ArgKeyName),
		Operation: Operation(d.text(toolname.ArgOperationType)),
		Args:      d.operands(toolname.ArgOperationArgs),
		OutputKey: d.text(toolname.ArgOutputKey),
		Now:       d.session.options.Now,
		MaxBytes:  d.session.options.MaxBytes,
	}
	if d.err == nil && a.Operation.Numeric() {
		d.noKeys(t, toolname.ArgOperationArgs)
	}
	if d.err != nil {
		return nil, d.err
	}
	return TransformData(ctx, t, a)
}

func runCombine(ctx context.Context, d *decoder) (*Table, error) {
	t, other := d.table(toolname.ArgDataSource), d.table(toolname.ArgOtherDataSource)
	a := CombineArgs{Operation: SetOperation(d.text(toolname.ArgOperation)), MaxRows: d.session.options.MaxRows}
	if d.err != nil {
		return nil, d.err
	}
	return CombineData(ctx, t, other, a)
}

func runJoin(ctx context.Context, d *decoder) (*Table, error) {
	t, other := d.table(toolname.ArgDataSource), d.table(toolname.ArgOtherDataSource)
	a := JoinArgs{
		Keys:      d.texts(toolname.ArgKeyName),
		OtherKeys: d.texts(toolname.ArgOtherKeyName),
		Type:      JoinKind(d.text(toolname.ArgJoinType)),
		NullEqual: d.boolean(toolname.ArgNullEqual),
		MaxRows:   d.session.options.MaxRows,
		spend:     d.session.spend,
	}
	if d.err != nil {
		return nil, d.err
	}
	return joinData(ctx, t, other, a)
}

func runWindow(ctx context.Context, d *decoder) (*Table, error) {
	t := d.table(toolname.ArgDataSource)
	offset := d.integer(toolname.ArgOffset, 1)
	a := WindowArgs{
		Function:    WindowFunction(d.text(toolname.ArgFunction)),
		Key:         d.text(toolname.ArgKeyName),
		PartitionBy: d.texts(toolname.ArgPartitionBy),
		OrderBy:     d.texts(toolname.ArgOrderBy),
		Descending:  d.descending(),
		Nulls:       NullsPlace(d.text(toolname.ArgNulls)),
		Frame:       d.frame(toolname.ArgFrame),
		Exclude:     Exclusion(d.text(toolname.ArgExclude)),
		Offset:      &offset,
		Default:     d.operand(toolname.ArgDefault),
		Separator:   d.separator(),
		OutputKey:   d.text(toolname.ArgOutputKey),
		MaxBytes:    d.session.options.MaxBytes,
	}
	if d.err != nil {
		return nil, d.err
	}
	return WindowData(ctx, t, a)
}

func runExpand(ctx context.Context, d *decoder) (*Table, error) {
	var t *Table
	if _, given := d.get(toolname.ArgDataSource); given {
		t = d.table(toolname.ArgDataSource)
	}
	a := ExpandArgs{
		Value:     d.operand(toolname.ArgValue),
		Path:      d.operand(toolname.ArgPath),
		Recursive: d.boolean(toolname.ArgRecursive),
		MaxRows:   d.session.options.MaxRows,
		MaxBytes:  d.session.options.MaxBytes,
	}
	if d.err != nil {
		return nil, d.err
	}
	return ExpandJSON(ctx, t, a)
}
