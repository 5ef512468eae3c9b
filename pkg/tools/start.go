package tools

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/birdcall/birdcall/internal/text/toolname"
)

// StartLabel is the label of the starting table where a Start names none.
const StartLabel = "starting_table_var"

// Start says which base tables a sequence of calls works on and how they are
// joined. Its JSON form is the call initialize_active_data.
type Start struct {
	// Conditions join the tables, in order.
	Conditions []JoinKey
	// Tables are the tables by alias; the first one is the outermost.
	Tables []StartTable
	// Database is the name of the database file, kept for the JSON form.
	Database string
	// Label names the result; "" is StartLabel.
	Label string
}

// StartTable gives a table its alias and the name that its keys begin with.
type StartTable struct {
	Alias    string
	Original string // name in the database
	Modified string // name in keys; "" is the alias
}

func (t StartTable) modified() string {
	if t.Modified == "" {
		return t.Alias
	}
	return t.Modified
}

// JoinKey is one equality between "alias.column" and "alias.column", and the
// type of the join it belongs to: InnerJoin, LeftJoin, RightJoin, FullJoin, or
// CrossJoin, which has aliases without a column. Consecutive keys that bring in the same alias are one
// join. An inner one between tables that are both there is a filter.
type JoinKey struct {
	Left, Right string
	Type        JoinKind
}

// KeyName returns the key of a column of the starting table: the two names
// with every run of characters other than ASCII letters and digits as one
// underscore, and none at the end. Keys that clash get _1, _2, ... appended.
func KeyName(modifiedTable, column string) string {
	var b strings.Builder
	gap := false
	for _, r := range modifiedTable + "_" + column {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			if gap {
				b.WriteByte('_')
			}
			b.WriteRune(r)
			gap = false
		} else {
			gap = true
		}
	}
	if b.Len() == 0 {
		return "column"
	}
	return b.String()
}

// starter builds the starting table, one table after the other.
type starter struct {
	ctx      context.Context
	database Database
	start    Start
	maxRows  int
	spend    func(bytes int64) error
	table    *Table
	present  map[string]int // where the columns of an alias begin
	infos    map[string]TableInfo
}

// startTable builds the table that s describes. The rows come in the order of
// nested loops over the tables, the first one outermost. Columns are compared
// as JoinData compares them. Errors are *ToolError, *LimitError, and those of
// the database and the context.
func startTable(ctx context.Context, db Database, s Start, maxRows int, spend func(bytes int64) error) (*Table, error) {
	b := &starter{ctx: ctx, database: db, start: s, maxRows: maxRows, spend: spend, present: map[string]int{}, infos: map[string]TableInfo{}}
	if err := b.check(); err != nil {
		return nil, err
	}
	first := s.Tables[0].Alias
	conditions, err := b.conditions()
	if err != nil {
		return nil, err
	}
	if len(conditions) > 0 && conditions[0].left.alias != first && conditions[0].right.alias != first {
		first = conditions[0].left.alias
	}
	if b.table, err = b.base(first); err != nil {
		return nil, err
	}
	b.present[first] = 0
	for i := 0; i < len(conditions); {
		n := b.together(conditions[i:])
		if err := b.apply(conditions[i : i+n]); err != nil {
			return nil, err
		}
		i += n
	}
	return b.named()
}

// named returns the table with the columns of all tables in the order in which
// the tables were named, and with their final keys.
func (b *starter) named() (*Table, error) {
	var columns []int
	var keys []string
	for _, t := range b.start.Tables {
		first, ok := b.present[t.Alias]
		if !ok {
			return nil, startError(toolname.ArgConditionSequence, fmt.Sprintf("table %s is joined to nothing", quoted(t.Alias)), `add a condition for it, as in ["T1", "T2", "CROSS"]`)
		}
		for i, c := range b.infos[t.Alias].Columns {
			columns = append(columns, first+i)
			keys = append(keys, KeyName(t.modified(), c.Name))
		}
	}
	keys = UniqueKeys(keys)
	fields := make([]Field, len(columns))
	for i, c := range columns {
		fields[i] = b.table.fields[c].Field
		fields[i].Key = keys[i]
	}
	out := b.table.project(columns, fields)
	out.root, out.positions = new(lineage), nil
	return out, nil
}

func startError(argument, reason, hint string) error {
	return &ToolError{Tool: toolname.Start, Argument: argument, Reason: reason, Hint: hint}
}

// check finds what is wrong with the tables, and describes them.
func (b *starter) check() error {
	if len(b.start.Tables) == 0 {
		return startError(toolname.ArgAliasToTable, "names no table", "name at least one")
	}
	for _, t := range b.start.Tables {
		if _, twice := b.infos[t.Alias]; twice {
			return startError(toolname.ArgAliasToTable, fmt.Sprintf("alias %s is used twice", quoted(t.Alias)), "give each table an alias of its own")
		}
		info, err := b.database.Table(b.ctx, t.Original)
		if err != nil {
			return fmt.Errorf("%s: %w", toolname.Start, err)
		}
		if info.Rows > math.MaxInt32 {
			return &LimitError{Tool: toolname.Start, What: "rows", Limit: math.MaxInt32}
		}
		b.infos[t.Alias] = info
	}
	return nil
}

// base returns a base table whose columns are still to be read. Their keys are
// unique among all tables, and not yet the final ones.
func (b *starter) base(alias string) (*Table, error) {
	info := b.infos[alias]
	if len(info.Columns) == 0 {
		return nil, startError(toolname.ArgAliasToTable, fmt.Sprintf("table %s has no columns", quoted(info.Name)), "use another table")
	}
	keys := make([]string, len(info.Columns))
	for i := range keys {
		keys[i] = fmt.Sprintf("%s.%d", alias, i)
	}
	return baseTable(b.database, info, keys), nil
}

// reference is one side of a condition: a column by its number in its table,
// or -1 for an alias alone.
type reference struct {
	alias  string
	column int
}

// link is a JoinKey whose names are resolved.
type link struct {
	left, right reference
	kind        JoinKind
}

func (b *starter) conditions() ([]link, error) {
	out := make([]link, len(b.start.Conditions))
	for i, c := range b.start.Conditions {
		kind := JoinKind(strings.ToLower(string(c.Type)))
		switch kind {
		case InnerJoin, LeftJoin, RightJoin, FullJoin, CrossJoin:
		default:
			return nil, startError(toolname.ArgConditionSequence, "unknown join type "+quoted(string(c.Type)), "use one of INNER, LEFT, RIGHT, FULL, CROSS")
		}
		left, err := b.resolve(c.Left, kind == CrossJoin)
		if err != nil {
			return nil, err
		}
		right, err := b.resolve(c.Right, kind == CrossJoin)
		if err != nil {
			return nil, err
		}
		out[i] = link{left, right, kind}
	}
	return out, nil
}

// resolve finds what "alias.column", or an alias alone, stands for. Aliases may
// hold dots, so the longest one that fits wins.
func (b *starter) resolve(name string, alone bool) (reference, error) {
	aliases := make([]string, len(b.start.Tables))
	best := ""
	for i, t := range b.start.Tables {
		aliases[i] = t.Alias
		fits := t.Alias == name
		if !alone {
			fits = strings.HasPrefix(name, t.Alias+".")
		}
		if fits && len(t.Alias) >= len(best) {
			best = t.Alias
		}
	}
	if best == "" {
		return reference{}, unknown(toolname.Start, toolname.ArgConditionSequence, "table in", name, aliases)
	}
	if alone {
		return reference{best, -1}, nil
	}
	column := name[len(best)+1:]
	known := make([]string, 0, len(b.infos[best].Columns))
	for i, c := range b.infos[best].Columns {
		if strings.EqualFold(c.Name, column) {
			return reference{best, i}, nil
		}
		known = append(known, c.Name)
	}
	return reference{}, unknown(toolname.Start, toolname.ArgConditionSequence, "column", name, known)
}

// added returns the alias that a condition brings in, "" if both are there.
func (b *starter) added(l link) (string, error) {
	_, left := b.present[l.left.alias]
	_, right := b.present[l.right.alias]
	switch {
	case left && right:
		return "", nil
	case left:
		return l.right.alias, nil
	case right:
		return l.left.alias, nil
	}
	return "", startError(toolname.ArgConditionSequence, fmt.Sprintf("neither %s nor %s is joined yet", quoted(l.left.alias), quoted(l.right.alias)), "put the condition after one that joins either of them")
}

// together returns how many of the conditions, from the first, are one join.
func (b *starter) together(links []link) int {
	alias, err := b.added(links[0])
	if err != nil || alias == "" || links[0].kind == CrossJoin {
		return 1
	}
	n := 1
	for n < len(links) && links[n].kind == links[0].kind {
		if next, err := b.added(links[n]); err != nil || next != alias {
			break
		}
		n++
	}
	return n
}

// apply joins one table, or filters where both are there already.
func (b *starter) apply(links []link) error {
	alias, err := b.added(links[0])
	if err != nil {
		return err
	}
	if alias == "" {
		return b.filter(links[0])
	}
	right, err := b.base(alias)
	if err != nil {
		return err
	}
	j := &joiner{ctx: b.ctx, tool: toolname.Start, left: b.table, right: right, kind: links[0].kind, maxRows: b.maxRows, spend: b.spend}
	if j.kind != CrossJoin {
		for _, l := range links {
			// The written order decides on the collation, the order of
			// the tables on the sides.
			here, there := l.left, l.right
			if here.alias == alias {
				here, there = there, here
			}
			first := b.infos[l.left.alias].Columns[l.left.column]
			j.on = append(j.on, equality{b.present[here.alias] + here.column, there.column, first.Collation})
		}
	}
	at := len(b.table.fields)
	if b.table, err = j.join(); err != nil {
		return err
	}
	b.present[alias] = at
	return nil
}

// filter keeps the rows where two columns of the table are equal.
func (b *starter) filter(l link) error {
	if l.kind != InnerJoin {
		return startError(toolname.ArgConditionSequence, fmt.Sprintf("%s and %s are both joined already", quoted(l.left.alias), quoted(l.right.alias)), "only an INNER condition can follow")
	}
	left := b.present[l.left.alias] + l.left.column
	right := b.present[l.right.alias] + l.right.column
	c, err := findCondition(toolname.Start, Equal)
	if err != nil {
		return err
	}
	binder, err := newBinder(b.ctx, toolname.Start, b.table, left, map[string]Operand{toolname.ArgValue: Col(b.table.fields[right].Key)}, time.Time{})
	if err != nil {
		return err
	}
	if binder.expr.kernel, err = c.kernel(binder); err != nil {
		return err
	}
	rows, err := binder.expr.selected(b.ctx, b.table.rows)
	if err != nil {
		return err
	}
	b.table = b.table.take(rows)
	return nil
}
