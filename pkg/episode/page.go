package episode

import (
	"context"
	"fmt"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Page is some rows of a result, for a page to show.
type Page struct {
	Label    string
	RowCount int
	Grouped  bool
	Offset   int
	Columns  []observation.Column
	Rows     [][]value.Value
}

// maxPage is how many rows of a result are shown at a time.
const maxPage = 200

// Table returns rows of a result, or of a starting table, from offset on. Errors
// are those of Call, and a *tools.ToolError for a label that does not exist.
func (e *Episode) Table(ctx context.Context, label string, offset, rows int) (*Page, error) {
	end, err := e.work(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	if variant.Of(e.task.Variant).Calls == variant.Endpoints {
		return nil, &tools.ToolError{Tool: "table", Reason: "endpoints have no tables", Hint: "show what the calls return"}
	}
	turn, err := e.env.turn(ctx, "the table")
	if err != nil {
		return nil, err
	}
	defer turn()
	ctx, cancel := context.WithTimeout(ctx, e.env.limits.Time)
	defer cancel()
	if err := e.start(ctx); err != nil {
		return nil, err
	}
	t, ok := e.session.Table(label)
	if !ok {
		return nil, &tools.ToolError{Tool: "table", Argument: "label", Reason: fmt.Sprintf("there is no result %q", label), Hint: fmt.Sprintf("use one of %v", e.session.Labels())}
	}
	return page(ctx, label, t, max(offset, 0), min(max(rows, 0), maxPage))
}

func page(ctx context.Context, label string, t *tools.Table, offset, rows int) (*Page, error) {
	p := &Page{Label: label, RowCount: t.Len(), Grouped: t.Grouped(), Offset: min(offset, t.Len()), Rows: [][]value.Value{}}
	fields := t.Fields()
	end := min(p.Offset+rows, t.Len())
	for range end - p.Offset {
		p.Rows = append(p.Rows, make([]value.Value, len(fields)))
	}
	for i, f := range fields {
		v, err := t.Column(ctx, i)
		if err != nil {
			return nil, err
		}
		p.Columns = append(p.Columns, observation.Column{Key: f.Key, Type: observation.TypeOf(f, v, len(p.Rows))})
		for r := range p.Rows {
			p.Rows[r][i] = v.At(p.Offset + r)
		}
	}
	return p, nil
}
