package tools

import (
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/value"
)

// aggregate computes an aggregate over the frame of every row. It takes rows in
// and out in the order in which SQLite does, on which sums of REALs depend.
func (w *window) aggregate(p *partition, results []value.Value) error {
	switch {
	case w.args.Exclude != "" || w.frame.isEmpty():
		return w.anew(p, results)
	case w.frame.Start.Unbounded:
		return w.growing(p, results)
	}
	return w.moving(p, results)
}

// separator is the text between the values of concat.
func (w *window) separator() string {
	if w.args.Separator == nil {
		return value.DefaultSeparator
	}
	return *w.args.Separator
}

// argument is the value of the key at a place of a partition; every row counts
// without a key.
func (w *window) argument(p *partition, place int) value.Value {
	if w.view.column == nil {
		return value.Int(1)
	}
	return w.view.At(int(p.rows[place]))
}

// step takes a row in. The error is that of the context.
func (w *window) step(agg value.Aggregate, p *partition, place int) error {
	w.steps++
	agg.Step(w.argument(p, place))
	return stopped(w.ctx, w.steps-1)
}

// result reads an aggregate.
func (w *window) result(agg value.Aggregate) (value.Value, error) {
	v, err := agg.Result()
	if err != nil {
		return v, &ToolError{Tool: toolname.Window, Argument: toolname.ArgKeyName, Reason: err.Error(), Hint: "use total, which sums as REAL"}
	}
	return v, w.meter.add(v)
}

// anew computes each frame from its first row on.
func (w *window) anew(p *partition, results []value.Value) error {
	for i, row := range p.rows {
		agg, err := value.NewAggregate(w.function.aggregate, w.separator(), w.collator)
		if err != nil {
			return err
		}
		from, to := p.bounds(w.frame, i)
		for place := from; place < to; place++ {
			if p.excludes(w.args.Exclude, i, place) {
				continue
			}
			if err := w.step(agg, p, place); err != nil {
				return err
			}
		}
		if results[row], err = w.result(agg); err != nil {
			return err
		}
	}
	return nil
}

// growing computes frames that begin with the partition.
func (w *window) growing(p *partition, results []value.Value) error {
	agg, err := value.NewAggregate(w.function.aggregate, w.separator(), w.collator)
	if err != nil {
		return err
	}
	var last value.Value
	at := 0
	for i, row := range p.rows {
		_, to := p.bounds(w.frame, i)
		fresh := at < to || i == 0
		for ; at < to; at++ {
			if err := w.step(agg, p, at); err != nil {
				return err
			}
		}
		if fresh {
			if last, err = w.result(agg); err != nil {
				return err
			}
		}
		results[row] = last
	}
	return nil
}

// moving computes frames whose start moves, as
// https://www.sqlite.org/src/file/src/window.c describes above
// sqlite3WindowCodeStep. Rows leave before others come in, except in a range
// that lies before or behind the current row.
func (w *window) moving(p *partition, results []value.Value) error {
	agg, err := value.NewMoving(w.function.aggregate, w.separator(), w.collator)
	if err != nil {
		return err
	}
	f := w.frame
	entersFirst := f.End.Unbounded || f.Unit == FrameRange && (f.Start.direction() > 0 || f.End.direction() < 0)
	from, to := 0, 0
	move := func(low, high int) error {
		if !entersFirst {
			for ; from < min(low, to); from++ {
				agg.Inverse(w.argument(p, from))
			}
		}
		for ; to < high; to++ {
			if err := w.step(agg, p, to); err != nil {
				return err
			}
		}
		for ; from < min(low, to); from++ {
			agg.Inverse(w.argument(p, from))
		}
		return nil
	}
	if f.Unit != FrameRange && f.Start.Offset > 0 && !f.End.Unbounded {
		// The frame enters the partition before the current row does.
		for before := -f.End.Offset; before < min(0, p.length(f.Unit)-f.End.Offset); before++ {
			if err := move(p.place(f.Unit, before+f.Start.Offset), p.place(f.Unit, before+f.End.Offset+1)); err != nil {
				return err
			}
		}
	}
	var last value.Value
	lastFrom, lastTo := -1, -1
	for i, row := range p.rows {
		if err := move(p.edges(f, i)); err != nil {
			return err
		}
		if from != lastFrom || to != lastTo {
			if last, err = w.result(agg); err != nil {
				return err
			}
			lastFrom, lastTo = from, to
		}
		results[row] = last
	}
	return nil
}
