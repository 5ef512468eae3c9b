package slot

import (
	"context"
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/birdcall/birdcall/internal/artifact/facts"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Load reads the columns that the questions name, each table once, before the questions
// are converted. It is not required: a conversion reads the columns that it needs, but
// only a few at a time, and within the time of one question. Load skips tables with
// very many values and whatever cannot be read. It returns early when ctx ends.
func (d *Database) Load(ctx context.Context, questions []*bird.Question) {
	const limit = 16 << 20 // values of a table
	columns := map[string][]string{}
	for _, q := range questions {
		for table, names := range d.namedIn(q.SQL) {
			columns[table] = append(columns[table], names...)
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		if t := d.schema.Table(table); t == nil || t.View {
			continue // a view may be slow, so the time limit of the question must bound it
		}
		slices.Sort(columns[table])
		names := slices.Compact(columns[table])
		group.Go(func() error {
			defer func() { _ = recover() }() // a defect, which the conversion will report
			if info, err := d.store.Table(ctx, table); err == nil && info.Rows*len(names) <= limit {
				d.store.Load(ctx, table, names)
			}
			return nil
		})
	}
	_ = group.Wait() // each returns nil
}

// statement is a parsed statement, or the reason why it cannot be parsed.
type statement struct {
	tree *sqltree.Query
	form facts.Form
	err  error
}

func (d *Database) read(sql string) *statement {
	tree, err := sqltree.Parse(sql)
	if err != nil {
		return &statement{err: err}
	}
	s := &statement{tree: tree, form: facts.Form{Constructs: tree.Constructs(), Ordered: len(tree.OrderBy) > 0}}
	s.err = sqltree.Bind(tree, d.schema)
	return s
}

// statement returns a statement that Load has parsed, or parses it. It belongs to the
// caller alone, as planning may change it.
func (d *Database) statement(sql string) *statement {
	d.mu.Lock()
	s := d.statements[sql]
	delete(d.statements, sql)
	d.mu.Unlock()
	if s != nil {
		return s
	}
	return d.read(sql)
}

// namedIn parses a statement, keeps it for its conversion, and returns the columns that
// it names, by table. It returns none if the statement cannot be parsed. A panic, which
// is a defect, is left for the conversion to report.
func (d *Database) namedIn(sql string) (columns map[string][]string) {
	defer func() {
		if recover() != nil {
			columns = nil
		}
	}()
	s := d.read(sql)
	if s.err != nil {
		return nil
	}
	columns = columnsOf(s.tree)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.statements[sql] = s
	return columns
}

// load reads the columns that a statement names, table by table. The calls would read
// them one by one.
func (d *Database) load(ctx context.Context, q *sqltree.Query) {
	columns := columnsOf(q)
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		d.store.Load(ctx, table, columns[table])
	}
}

// columnsOf returns the columns of tables that a query names, by table.
func columnsOf(q *sqltree.Query) map[string][]string {
	out := map[string][]string{}
	q.WalkAll(func(*sqltree.Query) {}, func(e sqltree.Expr) {
		if c, ok := e.(*sqltree.Column); ok && c.Source != nil && c.Source.Table != nil && c.Index >= 0 {
			table := c.Source.Table.Name
			out[table] = append(out[table], c.Source.Columns[c.Index].Name)
		}
	})
	return out
}
