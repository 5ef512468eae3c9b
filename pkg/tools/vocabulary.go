package tools

// Condition is a test of FilterData, and of the operation OpConditional.
// Each is also an operation of TransformData: Operation(Equal) gives 1, 0 or
// NULL for each row.
type Condition string

// The conditions. All but the last six are NULL, and so drop the row, where
// one of the values compared is NULL.
const (
	Equal          Condition = "equal_to"
	NotEqual       Condition = "not_equal_to"
	Greater        Condition = "greater_than"
	Less           Condition = "less_than"
	GreaterOrEqual Condition = "greater_than_equal_to"
	LessOrEqual    Condition = "less_than_equal_to"
	Contains       Condition = "contains"
	NotContains    Condition = "not_contains"
	Like           Condition = "like"
	NotLike        Condition = "not_like"
	Glob           Condition = "glob"
	NotGlob        Condition = "not_glob"
	In             Condition = "in"
	NotIn          Condition = "not_in"
	Between        Condition = "between"
	NotBetween     Condition = "not_between"
	IsNull         Condition = "is_null"
	IsNotNull      Condition = "is_not_null"
	Is             Condition = "is"
	IsNot          Condition = "is_not"
	IsTrue         Condition = "is_true"
	IsFalse        Condition = "is_false"
)

// Aggregation is a way in which AggregateData reduces a column.
type Aggregation string

// The aggregations. ArgMin and ArgMax give the row with the extreme value.
const (
	Min    Aggregation = "min"
	Max    Aggregation = "max"
	Sum    Aggregation = "sum"
	Mean   Aggregation = "mean"
	Count  Aggregation = "count"
	Std    Aggregation = "std"
	ArgMin Aggregation = "argmin"
	ArgMax Aggregation = "argmax"
	Total  Aggregation = "total"
	Concat Aggregation = "concat"
)

// Operation is a computation of TransformData; Operations describes them and
// the arguments they take.
type Operation string

// The operations, apart from the conditions, each of which is one, too.
const (
	OpSubstring   Operation = "substring"
	OpStrftime    Operation = "strftime"
	OpAbs         Operation = "abs"
	OpDateTime    Operation = "datetime"
	OpDate        Operation = "date"
	OpTime        Operation = "time"
	OpJulianDay   Operation = "julianday"
	OpUnixEpoch   Operation = "unixepoch"
	OpAdd         Operation = "add"
	OpSubtract    Operation = "subtract"
	OpMultiply    Operation = "multiply"
	OpDivide      Operation = "divide"
	OpRatio       Operation = "ratio"
	OpModulo      Operation = "modulo"
	OpBitAnd      Operation = "bit_and"
	OpBitOr       Operation = "bit_or"
	OpShiftLeft   Operation = "shift_left"
	OpShiftRight  Operation = "shift_right"
	OpConcat      Operation = "concat"
	OpNegate      Operation = "negate"
	OpBitNot      Operation = "bit_not"
	OpNot         Operation = "not"
	OpAnd         Operation = "and"
	OpOr          Operation = "or"
	OpRound       Operation = "round"
	OpUpper       Operation = "upper"
	OpLower       Operation = "lower"
	OpLength      Operation = "length"
	OpTrim        Operation = "trim"
	OpLeftTrim    Operation = "ltrim"
	OpRightTrim   Operation = "rtrim"
	OpReplace     Operation = "replace"
	OpInstr       Operation = "instr"
	OpSubstr      Operation = "substr"
	OpTypeOf      Operation = "typeof"
	OpCoalesce    Operation = "coalesce"
	OpNullIf      Operation = "nullif"
	OpLeast       Operation = "least"
	OpGreatest    Operation = "greatest"
	OpConditional Operation = "conditional"
	OpConstant    Operation = "constant"
	OpCast        Operation = "cast"
	OpCopy        Operation = "copy"
	OpCollate     Operation = "collate"
	OpCall        Operation = "call"
	OpJSONExtract Operation = "json_extract"
	OpJSONQuery   Operation = "json_query" // SQLite's ->
	OpJSONValue   Operation = "json_value" // SQLite's ->>
)

// WindowFunction is a function of WindowData.
type WindowFunction string

// The window functions. Those that begin with Window are aggregations over
// the frame of each row.
const (
	RowNumber    WindowFunction = "row_number"
	Rank         WindowFunction = "rank"
	DenseRank    WindowFunction = "dense_rank"
	PercentRank  WindowFunction = "percent_rank"
	CumeDist     WindowFunction = "cume_dist"
	NTile        WindowFunction = "ntile"
	Lag          WindowFunction = "lag"
	Lead         WindowFunction = "lead"
	FirstValue   WindowFunction = "first_value"
	LastValue    WindowFunction = "last_value"
	NthValue     WindowFunction = "nth_value"
	WindowMin    WindowFunction = "min"
	WindowMax    WindowFunction = "max"
	WindowSum    WindowFunction = "sum"
	WindowMean   WindowFunction = "mean"
	WindowCount  WindowFunction = "count"
	WindowTotal  WindowFunction = "total"
	WindowConcat WindowFunction = "concat"
)

// JoinKind says which rows JoinData and the starting table keep. The starting
// table knows the first five, and writes them in upper case.
type JoinKind string

// The kinds of joins.
const (
	InnerJoin JoinKind = "inner"
	LeftJoin  JoinKind = "left"
	RightJoin JoinKind = "right"
	FullJoin  JoinKind = "full"
	CrossJoin JoinKind = "cross"
	SemiJoin  JoinKind = "semi"
	AntiJoin  JoinKind = "anti"
)

// SetOperation is a way in which CombineData puts two tables together.
type SetOperation string

// The set operations.
const (
	UnionAll  SetOperation = "union_all"
	Union     SetOperation = "union"
	Intersect SetOperation = "intersect"
	Except    SetOperation = "except"
	Either    SetOperation = "either"
)

// NullsPlace says where SortData and WindowData put NULL. The zero value is SQLite's rule:
// NULL is smaller than any value.
type NullsPlace string

// The places of NULL.
const (
	NullsFirst NullsPlace = "first"
	NullsLast  NullsPlace = "last"
)

// CollationName overrides the collation of a column. The zero value leaves
// the column its own (https://www.sqlite.org/datatype3.html, section 7).
type CollationName string

// The names of the collations.
const (
	CollateBinary CollationName = "binary"
	CollateNoCase CollationName = "nocase"
	CollateRTrim  CollationName = "rtrim"
)

// FrameUnit is what the bounds of a Frame count.
type FrameUnit string

// The units of frames.
const (
	FrameRows   FrameUnit = "rows"
	FrameRange  FrameUnit = "range"
	FrameGroups FrameUnit = "groups"
)

// Exclusion says which rows of its frame a window function leaves out
// (https://www.sqlite.org/windowfunctions.html, section 2.2.3). The zero value
// is none. So is ExcludeNoOthers, but then each frame is summed on its own: a
// sum() of integers is no REAL for one that the frame has left behind.
type Exclusion string

// The exclusions.
const (
	ExcludeNoOthers   Exclusion = "no_others"
	ExcludeCurrentRow Exclusion = "current_row"
	ExcludeGroup      Exclusion = "group"
	ExcludeTies       Exclusion = "ties"
)

// The types that OpCast converts to, as its argument toolname.ArgType names them.
const (
	CastInteger = "integer"
	CastReal    = "real"
	CastText    = "text"
	CastNumeric = "numeric"
	CastBlob    = "blob"
)
