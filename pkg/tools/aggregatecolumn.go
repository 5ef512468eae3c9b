package tools

import "github.com/birdcall/birdcall/pkg/value"

// rowList is a list of row numbers: that of the slice, which has n, or where
// there is none the first n.
type rowList struct {
	numbers []int32
	n       int
}

func (l rowList) at(i int) int32 {
	if l.numbers == nil {
		return int32(i)
	}
	return l.numbers[i]
}

// reduction computes the aggregate of some rows. It keeps what it needs from
// one call to the next, so it serves one goroutine.
type reduction func(rows rowList) (value.Value, error)

// reduction returns the fastest for the column. Columns of numbers have one
// that sees no single value, and the NULLs are enough for count.
func (r *reducer) reduction() (reduction, error) {
	switch {
	case r.args.Key == "":
		return func(rows rowList) (value.Value, error) { return value.Int(int64(rows.n)), nil }, nil
	case r.args.Distinct:
		return r.one, nil
	case r.args.Type == Count:
		return r.countValues, nil
	}
	aggregate, err := r.aggregate()
	if err != nil {
		return nil, err
	}
	batch, ok := aggregate.(value.Batch)
	switch column := (bound{view: r.view}); {
	case ok && column.layout() == layoutInt:
		n := &numberReducer[int64]{reducer: r, batch: batch, step: batch.StepInts, reader: readInts(column)}
		return n.one, nil
	case ok && column.layout() == layoutReal:
		n := &numberReducer[float64]{reducer: r, batch: batch, step: batch.StepReals, reader: readReals(column)}
		return n.one, nil
	}
	return r.one, nil
}

// countValues counts what is not NULL.
func (r *reducer) countValues(rows rowList) (value.Value, error) {
	if c := r.view.column; c.layout.isNumber() && c.nulls == nil && r.view.rows == nil {
		return value.Int(int64(rows.n)), nil
	}
	n := int64(0)
	for i := range rows.n {
		if err := r.pass(1); err != nil {
			return value.NullValue(), err
		}
		if !r.view.isNull(int(rows.at(i))) {
			n++
		}
	}
	return value.Int(n), nil
}

// numberReducer reduces a column of numbers block by block, with one aggregate
// function for all groups.
type numberReducer[T number] struct {
	*reducer
	batch  value.Batch
	step   func([]T)
	reader *blockReader[T]
	kept   [blockRows]T
}

func (n *numberReducer[T]) one(rows rowList) (value.Value, error) {
	n.batch.Reset()
	for from := 0; from < rows.n; from += blockRows {
		to := min(from+blockRows, rows.n)
		if err := n.pass(to - from); err != nil {
			return value.NullValue(), err
		}
		if rows.numbers == nil {
			n.step(n.withoutNulls(n.reader.rows(from, to)))
		} else {
			n.step(n.collect(rows.numbers[from:to]))
		}
	}
	return n.result(n.batch)
}

// collect returns the numbers of some rows that are not NULL.
func (n *numberReducer[T]) collect(rows []int32) []T {
	cells, nulls, vector := n.reader.column, n.view.column.nulls, n.view.rows
	kept := 0
	for _, row := range rows {
		if vector != nil {
			row = vector[row]
		}
		if row >= 0 && (nulls == nil || nulls[row>>6]&(1<<(row&63)) == 0) {
			n.kept[kept] = cells[row]
			kept++
		}
	}
	return n.kept[:kept]
}

// withoutNulls returns the numbers of a block that are not NULL.
func (n *numberReducer[T]) withoutNulls(b block[T]) []T {
	if b.nulls == nil {
		return b.cells
	}
	kept := 0
	for i, v := range b.cells {
		n.kept[kept] = v
		kept += int(^b.nulls[i>>6] >> (i & 63) & 1)
	}
	return n.kept[:kept]
}
