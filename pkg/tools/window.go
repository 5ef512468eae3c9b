package tools

import (
	"context"
	"slices"

	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// WindowArgs are the arguments of WindowData.
type WindowArgs struct {
	// Function is what is computed.
	Function WindowFunction
	// Key names the column the function is about, "" for those that need none.
	Key string
	// PartitionBy names the columns that rows of a partition agree in.
	PartitionBy []string
	// OrderBy names the columns that order a partition.
	OrderBy []string
	// Descending gives the direction of each of them, or one for all; nil is
	// ascending.
	Descending []bool
	// Nulls is where NULL goes in all of OrderBy, if not by the rule.
	Nulls NullsPlace
	// Frame bounds what the function sees; nil is everything up to the peers
	// of the current row, or the whole partition without OrderBy.
	Frame *Frame
	// Exclude leaves rows of the frame out.
	Exclude Exclusion
	// Offset is how many rows lag and lead go, which row nth_value takes, and
	// how many parts ntile makes; nil is 1.
	Offset *int
	// Default is what lag and lead give beyond the partition, NULL if zero.
	Default Operand
	// Separator is put between the texts of concat; nil is a comma.
	Separator *string
	// OutputKey names the result; "" is the function and the key.
	OutputKey string
	// MaxBytes bounds the text that is made; 0 is DefaultMaxBytes.
	MaxBytes int
}

// windowFunction is one function that WindowData knows.
type windowFunction struct {
	Choice
	needsKey bool
	// aggregate is the function's name in value.NewAggregate. The other functions
	// have one that makes the result of the row at place i: an INTEGER, a REAL, or
	// any value.
	aggregate string
	whole     func(w *window, p *partition, i int) int64
	part      func(p *partition, i int) float64
	of        func(w *window, p *partition, i int) value.Value
}

var windowFunctions = []windowFunction{
	{Choice: Choice{Name: string(RowNumber), Description: "number of the row, from 1"}, whole: rowNumber},
	{Choice: Choice{Name: string(Rank), Description: "number of the first peer, from 1"}, whole: rank},
	{Choice: Choice{Name: string(DenseRank), Description: "number of the group of peers, from 1"}, whole: denseRank},
	{Choice: Choice{Name: string(PercentRank), Description: "rank as a part of the partition, 0.0 to 1.0"}, part: percentRank},
	{Choice: Choice{Name: string(CumeDist), Description: "part of the rows up to the last peer"}, part: cumulative},
	{Choice: Choice{Name: string(NTile), Description: "number of the part, when the partition is split into offset parts"}, whole: ntile},
	{Choice: Choice{Name: string(Lag), Description: "value of the row offset rows before"}, needsKey: true, of: lag},
	{Choice: Choice{Name: string(Lead), Description: "value of the row offset rows after"}, needsKey: true, of: lead},
	{Choice: Choice{Name: string(FirstValue), Description: "value of the first row of the frame"}, needsKey: true, of: firstValue},
	{Choice: Choice{Name: string(LastValue), Description: "value of the last row of the frame"}, needsKey: true, of: lastValue},
	{Choice: Choice{Name: string(NthValue), Description: "value of the row number offset of the frame"}, needsKey: true, of: nthValue},
	{Choice: Choice{Name: string(WindowMin), Description: "smallest value"}, needsKey: true, aggregate: "min"},
	{Choice: Choice{Name: string(WindowMax), Description: "largest value"}, needsKey: true, aggregate: "max"},
	{Choice: Choice{Name: string(WindowSum), Description: "sum"}, needsKey: true, aggregate: "sum"},
	{Choice: Choice{Name: string(WindowMean), Description: "average"}, needsKey: true, aggregate: "avg"},
	{Choice: Choice{Name: string(WindowCount), Description: "number of values that are not NULL, of rows without key_name"}, aggregate: "count"},
	{Choice: Choice{Name: string(WindowTotal), Description: "sum as a REAL, 0.0 without values"}, needsKey: true, aggregate: "total"},
	{Choice: Choice{Name: string(WindowConcat), Description: "texts of the values, joined by the separator"}, needsKey: true, aggregate: "group_concat"},
}

func windowChoices() []Choice {
	out := make([]Choice, len(windowFunctions))
	for i, f := range windowFunctions {
		out[i] = f.Choice
	}
	return out
}

// window is one call of WindowData.
type window struct {
	ctx      context.Context
	args     WindowArgs
	function windowFunction
	frame    Frame
	offset   int
	view     View // of the key; one without rows if there is none
	fallback bound
	collator value.Collation
	meter    meter
	steps    int // for the context
	// rows are those of the table in their order, and changes say where
	// partitions and peers begin. measure is a partition without rows.
	rows    []int32
	changes []change
	measure partition
}

// WindowData adds a column with a window function and keeps the rows as they
// are (https://www.sqlite.org/windowfunctions.html). Of a grouped table it
// works on the groups. Errors are *ToolError, *LimitError, and those of the
// database and the context.
func WindowData(ctx context.Context, t *Table, a WindowArgs) (*Table, error) {
	if err := ready(ctx, toolname.Window, t); err != nil {
		return nil, err
	}
	w := &window{ctx: ctx, args: a, meter: meter{tool: toolname.Window, limit: a.MaxBytes}}
	if err := w.prepare(t); err != nil {
		return nil, err
	}
	if err := w.arrange(t); err != nil {
		return nil, err
	}
	column, err := w.results()
	if err != nil {
		return nil, err
	}
	output := a.OutputKey
	if output == "" {
		output = AggregateArgs{Key: a.Key, Type: Aggregation(a.Function)}.outputKey()
	}
	return t.with(Field{Key: output, Computed: true}, column), nil
}

// prepare checks the arguments and resolves the function, key and frame.
func (w *window) prepare(t *Table) error {
	for _, f := range windowFunctions {
		if f.Name == string(w.args.Function) {
			w.function = f
		}
	}
	if w.function.Name == "" {
		return notAmong(toolname.Window, toolname.ArgFunction, string(w.args.Function), windowChoices())
	}
	if w.function.needsKey || w.args.Key != "" {
		key, err := t.find(toolname.Window, toolname.ArgKeyName, w.args.Key)
		if err != nil {
			return err
		}
		if w.view, err = t.Column(w.ctx, key); err != nil {
			return err
		}
		w.collator = t.fields[key].Collation
	}
	w.offset = 1
	if w.args.Offset != nil {
		w.offset = *w.args.Offset
	}
	minOffset := 0
	if w.args.Function == NTile || w.args.Function == NthValue {
		minOffset = 1
	}
	if w.offset < minOffset {
		return &ToolError{Tool: toolname.Window, Argument: toolname.ArgOffset, Reason: "is too small", Hint: "give a positive number"}
	}
	w.fallback = bound{constant: true}
	if !w.args.Default.IsZero() {
		var err error
		if w.fallback, err = w.args.Default.bind(w.ctx, toolname.Window, toolname.ArgDefault, t); err != nil {
			return err
		}
	}
	return w.prepareFrame()
}

func (w *window) prepareFrame() error {
	if w.args.Exclude != "" {
		if err := oneOf(toolname.Window, toolname.ArgExclude, string(w.args.Exclude), exclusions); err != nil {
			return err
		}
	}
	if w.args.Frame == nil {
		w.frame = Frame{Unit: FrameRange, Start: Bound{Unbounded: true}}
		return nil
	}
	w.frame = *w.args.Frame
	if err := oneOf(toolname.Window, toolname.ArgFrame, string(w.frame.Unit), frameUnits); err != nil {
		return err
	}
	start, end := w.frame.Start, w.frame.End
	switch {
	case w.frame.Unit != FrameRange && (start.Real != 0 || end.Real != 0):
		return &ToolError{Tool: toolname.Window, Argument: toolname.ArgFrame, Reason: "a bound that is no whole number", Hint: "use range, or whole numbers"}
	case w.frame.Unit == FrameRange && (start.direction() != 0 || end.direction() != 0) && len(w.args.OrderBy) != 1:
		return &ToolError{Tool: toolname.Window, Argument: toolname.ArgFrame, Reason: "a range with offsets needs exactly one order_by column", Hint: "order by one column, or use rows"}
	}
	return nil
}

// arrange sorts the rows of t by partition and within each.
func (w *window) arrange(t *Table) error {
	by := make([]int, len(w.args.PartitionBy))
	for i, k := range w.args.PartitionBy {
		c, err := t.find(toolname.Window, toolname.ArgPartitionBy, k)
		if err != nil {
			return err
		}
		by[i] = c
	}
	codes, _, err := t.rowCodes(w.ctx, by)
	if err != nil {
		return err
	}
	keys, err := w.order(t)
	if err != nil {
		return err
	}
	if len(by) > 0 {
		partitions := make([]uint64, len(codes))
		for row, code := range codes {
			partitions[row] = uint64(code)
		}
		keys = slices.Insert(keys, 0, partitions)
	}
	order, err := arrange(w.ctx, t.rows, keys)
	if err != nil {
		return err
	}
	if w.rows = order.rows; w.rows == nil {
		w.rows = count(t.rows)
	}
	w.changes, err = order.changes(w.ctx, min(len(by), 1))
	return err
}

// order ranks the rows of t by OrderBy, and notes how range frames measure.
func (w *window) order(t *Table) (keys [][]uint64, err error) {
	if n := len(w.args.Descending); n > 1 && n != len(w.args.OrderBy) {
		return nil, &ToolError{Tool: toolname.Window, Argument: toolname.ArgAscending, Reason: "has another length than order_by", Hint: "give one direction for each column, or one for all"}
	}
	if w.args.Nulls != "" {
		if err := oneOf(toolname.Window, toolname.ArgNulls, string(w.args.Nulls), nullsPlaces); err != nil {
			return nil, err
		}
	}
	for i, k := range w.args.OrderBy {
		c, err := t.find(toolname.Window, toolname.ArgOrderBy, k)
		if err != nil {
			return nil, err
		}
		descending := false
		switch n := len(w.args.Descending); {
		case n == 1:
			descending = w.args.Descending[0]
		case n > 1:
			descending = w.args.Descending[i]
		}
		nullsLast := descending
		if w.args.Nulls != "" {
			nullsLast = w.args.Nulls == NullsLast
		}
		ranks, err := t.ranks(w.ctx, toolname.Window, c, ordering{descending: descending, nullsLast: nullsLast}, "")
		if err != nil {
			return nil, err
		}
		keys = append(keys, ranks)
		v, err := t.Column(w.ctx, c)
		if err != nil {
			return nil, err
		}
		w.measure = partition{order: v, descending: descending, nullsLast: nullsLast, collation: t.fields[c].Collation}
	}
	return keys, nil
}
