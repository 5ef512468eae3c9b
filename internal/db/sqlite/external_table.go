package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
	"modernc.org/libc"
)

// The module of the virtual tables (https://www.sqlite.org/vtab.html). It is
// registered below the driver's own package vtab, which lacks sqlite3_vtab_in and
// sqlite3_vtab_collation and cannot say that a plan is impossible.
const moduleName = "birdcall_external"

// pushed describes what SQLite passes when it reads a table: values for columns, in
// their order, and then those of LIMIT and OFFSET.
type pushed struct {
	columns       []int
	lists         []bool // whether a column comes with a list of values
	limit, offset bool
}

// vtab and vcursor are what C has of a table and of a cursor, after SQLite's part.
type (
	vtab struct {
		_ lib.Tsqlite3_vtab
		handle
	}
	vcursor struct {
		_ lib.Tsqlite3_vtab_cursor
		handle
	}
)

// cursor is the position of a read of a table.
type cursor struct {
	table int
	rows  Rows
	next  int // in rows
	end   int
}

// row returns the number of the current row.
func (c *cursor) row() int {
	if c.rows.At != nil {
		return int(c.rows.At[c.next])
	}
	return c.next
}

// register makes the module known to a connection.
func (x *external) register(c *session) error {
	p, err := x.alloc(c.tls, unsafe.Sizeof(lib.Tsqlite3_module{}))
	if err != nil {
		return err
	}
	x.module = p
	m := memory[lib.Tsqlite3_module](p)
	m.FiVersion = 1
	m.FxCreate = pointer(connectC)
	m.FxConnect = m.FxCreate
	m.FxBestIndex = pointer(bestIndexC)
	m.FxDisconnect = pointer(disconnectC)
	m.FxDestroy = m.FxDisconnect
	m.FxOpen = pointer(openC)
	m.FxClose = pointer(closeC)
	m.FxFilter = pointer(filterC)
	m.FxNext = pointer(nextC)
	m.FxEof = pointer(eofC)
	m.FxColumn = pointer(columnC)
	m.FxRowid = pointer(rowidC)
	aux, err := x.hold(c.tls, 0)
	if err != nil {
		return err
	}
	name, err := c.text(moduleName)
	if err != nil {
		return err
	}
	defer c.free(name)
	if rc := lib.Xsqlite3_create_module_v2(c.tls, c.db, name, p, aux, 0); rc != lib.SQLITE_OK {
		return c.failure(rc)
	}
	return nil
}

func connectC(tls *libc.TLS, db, aux uintptr, argc int32, argv, out, _ uintptr) int32 {
	x, _ := at(aux)
	const custom = 3 // after the names of module, database and table
	if argc <= custom {
		return lib.SQLITE_ERROR
	}
	i, err := strconv.Atoi(libc.GoString(cell(argv, custom)))
	if err != nil || i < 0 || i >= len(x.tables) {
		return lib.SQLITE_ERROR
	}
	sql, err := libc.CString(declare(x.tables[i]))
	if err != nil {
		return lib.SQLITE_NOMEM
	}
	defer libc.Xfree(tls, sql)
	if rc := lib.Xsqlite3_declare_vtab(tls, db, sql); rc != lib.SQLITE_OK {
		return rc
	}
	p := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(vtab{})))
	if p == 0 {
		return lib.SQLITE_NOMEM
	}
	memory[vtab](p).handle = handle{external: x.number, item: int64(i)}
	*memory[uintptr](out) = p
	return lib.SQLITE_OK
}

// declare returns the statement that declares the columns of a table.
func declare(t *Table) string {
	var columns []string
	for _, c := range t.Columns {
		text := Quote(c.Name) + " " + c.Type
		if c.Collation != "" {
			text += " COLLATE " + c.Collation
		}
		columns = append(columns, text)
	}
	return "CREATE TABLE x(" + strings.Join(columns, ", ") + ")"
}

func disconnectC(tls *libc.TLS, p uintptr) int32 {
	libc.Xfree(tls, p)
	return lib.SQLITE_OK
}

func openC(tls *libc.TLS, table, out uintptr) int32 {
	h := memory[vtab](table).handle
	x := (*bound.Load())[h.external]
	p := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(vcursor{})))
	if p == 0 {
		return lib.SQLITE_NOMEM
	}
	i := slices.Index(x.cursors, nil)
	if i < 0 {
		i = len(x.cursors)
		x.cursors = append(x.cursors, nil)
	}
	x.cursors[i] = &cursor{table: int(h.item)}
	memory[vcursor](p).handle = handle{external: h.external, item: int64(i)}
	*memory[uintptr](out) = p
	return lib.SQLITE_OK
}

func cursorAt(p uintptr) (*external, *cursor, int) {
	h := memory[vcursor](p).handle
	x := (*bound.Load())[h.external]
	return x, x.cursors[h.item], int(h.item)
}

func closeC(tls *libc.TLS, p uintptr) int32 {
	x, _, i := cursorAt(p)
	x.cursors[i] = nil
	libc.Xfree(tls, p)
	return lib.SQLITE_OK
}

func bestIndexC(tls *libc.TLS, table, p uintptr) int32 {
	h := memory[vtab](table).handle
	x := (*bound.Load())[h.external]
	info := memory[lib.Tsqlite3_index_info](p)
	possible := false
	code := x.safely(func() error {
		possible = x.choose(tls, int(h.item), p, info)
		return nil
	})
	if code == lib.SQLITE_OK && !possible {
		return lib.SQLITE_CONSTRAINT
	}
	return code
}

// choose takes the equalities that SQLite offers for a table, and reports whether the
// table can be read by them. SQLite itself checks equalities of another collation than
// the column's, and conditions that are no equalities.
func (x *external) choose(tls *libc.TLS, table int, p uintptr, info *lib.Tsqlite3_index_info) bool {
	offered := unsafe.Slice(memory[lib.Tsqlite3_index_constraint](info.FaConstraint), info.FnConstraint)
	usage := unsafe.Slice(memory[lib.Tsqlite3_index_constraint_usage](info.FaConstraintUsage), info.FnConstraint)
	// The authorizer is not asked about columns by which NATURAL and USING join.
	x.touched = true
	x.needs(x.tables[table])
	a := pushed{}
	limit, offset := -1, -1
	use := func(i int) { usage[i].FargvIndex = int32(len(a.columns)) }
	for i, o := range offered {
		switch {
		case o.Fop == lib.SQLITE_INDEX_CONSTRAINT_LIMIT && o.Fusable != 0:
			limit = i
		case o.Fop == lib.SQLITE_INDEX_CONSTRAINT_OFFSET && o.Fusable != 0:
			offset = i
		case o.Fusable == 0 || o.Fop != lib.SQLITE_INDEX_CONSTRAINT_EQ || o.FiColumn < 0 || slices.Contains(a.columns, int(o.FiColumn)):
		case !spelling.Same(libc.GoString(lib.Xsqlite3_vtab_collation(tls, p, int32(i))), x.tables[table].Columns[o.FiColumn].Collation):
		default:
			const ask, all = -1, 1
			list := lib.Xsqlite3_vtab_in(tls, p, int32(i), ask) != 0
			if list {
				lib.Xsqlite3_vtab_in(tls, p, int32(i), all)
			}
			a.columns, a.lists = append(a.columns, int(o.FiColumn)), append(a.lists, list)
			use(i)
		}
	}
	alone := len(offered) == 1 && limit >= 0 || len(offered) == 2 && limit >= 0 && offset >= 0
	if alone && info.FnOrderBy == 0 && lib.Xsqlite3_vtab_distinct(tls, p) == 0 {
		a.limit = true
		usage[limit].FargvIndex = 1
		if offset >= 0 {
			a.offset = true
			usage[offset].FargvIndex = 2
		}
	}
	plan := x.source.Plan(table, a.columns)
	if !plan.Possible {
		return false
	}
	info.FestimatedCost, info.FestimatedRows = plan.Cost, plan.Rows
	info.FidxNum = x.planned(table, a)
	x.name(tls, table, a, info)
	return true
}

// name sets the text that EXPLAIN QUERY PLAN shows for a plan.
func (x *external) name(tls *libc.TLS, table int, a pushed, info *lib.Tsqlite3_index_info) {
	text := x.source.Describe(table, a.columns, a.limit)
	p := lib.Xsqlite3_malloc(tls, int32(len(text)+1))
	if p == 0 {
		return // nobody needs the text
	}
	copy(unsafe.Slice(memory[byte](p), len(text)+1), text+"\x00")
	info.FidxStr, info.FneedToFreeIdxStr = p, 1
}

// planned returns the number by which Filter finds the plan of a read.
func (x *external) planned(table int, a pushed) int32 {
	for i, b := range x.plans[table] {
		if slices.Equal(a.columns, b.columns) && slices.Equal(a.lists, b.lists) && a.limit == b.limit && a.offset == b.offset {
			return int32(i)
		}
	}
	x.plans[table] = append(x.plans[table], a)
	return int32(len(x.plans[table]) - 1)
}

func filterC(tls *libc.TLS, p uintptr, plan int32, _ uintptr, argc int32, argv uintptr) int32 {
	x, c, _ := cursorAt(p)
	return x.safely(func() error { return x.filter(tls, c, x.plans[c.table][plan], int(argc), argv) })
}

func (x *external) filter(tls *libc.TLS, c *cursor, a pushed, argc int, argv uintptr) error {
	*c = cursor{table: c.table}
	if x.reading == nil {
		return errors.New("a table that is not in the file is read outside of a statement")
	}
	where := make([]Equal, len(a.columns))
	for i, column := range a.columns {
		where[i].Column = column
		arg := cell(argv, i)
		if !a.lists[i] {
			where[i].Values = []value.Value{valueOf(tls, arg)}
			continue
		}
		if err := x.list(tls, arg, &where[i].Values); err != nil {
			return err
		}
	}
	maxRows := int64(everyRow)
	if a.limit && argc > 0 {
		maxRows = lib.Xsqlite3_value_int64(tls, cell(argv, 0))
		if a.offset && maxRows >= 0 {
			maxRows += max(0, lib.Xsqlite3_value_int64(tls, cell(argv, 1)))
		}
	}
	rows, err := x.reading.Rows(c.table, where, maxRows)
	if err != nil {
		return err
	}
	c.rows, c.end = rows, len(rows.All)
	if rows.At != nil {
		c.end = len(rows.At)
	}
	return nil
}

// list reads all values of a list (https://www.sqlite.org/c3ref/vtab_in_first.html).
func (x *external) list(tls *libc.TLS, arg uintptr, values *[]value.Value) error {
	rc := lib.Xsqlite3_vtab_in_first(tls, arg, x.out)
	for rc == lib.SQLITE_OK {
		*values = append(*values, valueOf(tls, *memory[uintptr](x.out)))
		rc = lib.Xsqlite3_vtab_in_next(tls, arg, x.out)
	}
	if rc != lib.SQLITE_DONE {
		return fmt.Errorf("reading a list of values: %w", &resultError{code: int(rc), message: "SQLite"})
	}
	return nil
}

func nextC(_ *libc.TLS, p uintptr) int32 {
	_, c, _ := cursorAt(p)
	c.next++
	return lib.SQLITE_OK
}

func eofC(_ *libc.TLS, p uintptr) int32 {
	if _, c, _ := cursorAt(p); c.next < c.end {
		return 0
	}
	return 1
}

func columnC(tls *libc.TLS, p, result uintptr, i int32) int32 {
	x, c, _ := cursorAt(p)
	x.result(tls, result, c.rows.All[c.row()][i])
	return lib.SQLITE_OK
}

func rowidC(_ *libc.TLS, p, out uintptr) int32 {
	x, c, _ := cursorAt(p)
	n := c.row()
	id := int64(n)
	if t := x.tables[c.table]; t.IntegerPrimaryKey != "" {
		id = c.rows.All[n][slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == t.IntegerPrimaryKey })].Int64()
	}
	*memory[int64](out) = id
	return lib.SQLITE_OK
}

// cell returns a pointer of a list of pointers.
func cell(list uintptr, i int) uintptr {
	return *memory[uintptr](list + uintptr(i)*unsafe.Sizeof(list))
}
