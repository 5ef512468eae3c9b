package sqlite

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"modernc.org/libc"
)

// external connects a session to an External: it has the virtual tables and functions
// that SQLite calls, and the state of the running statement.
type external struct {
	source  External
	tables  []*Table
	views   map[string]bool // lower-case names of the file's views
	number  int64           // its place among all that are bound
	module  uintptr         // sqlite3_module
	memory  []uintptr       // what is to be given back besides
	out     uintptr         // what SQLite writes a pointer to
	text    buffer          // for texts on their way to SQLite
	plans   [][]pushed      // by table: what is given, by idxNum
	cursors []*cursor

	// Of the statement that is being compiled:
	touched  bool  // whether it reads any of this
	refused  error // why it may not
	suspect  error // why it may not if it reads a table that is hidden
	required error // what it cannot read without being given values
	reading  Reading
	failure  error // the first of the run, which SQLite knows as a text only
}

// bound are the externals of all sessions by their numbers: what C calls back with
// must be a number, and is looked up for every cell.
var (
	boundMu sync.Mutex
	bound   atomic.Pointer[[]*external]
)

// take gives the external a number.
func (x *external) take() {
	boundMu.Lock()
	defer boundMu.Unlock()
	var all []*external
	if p := bound.Load(); p != nil {
		all = append(all, *p...)
	}
	x.number = -1
	for i, one := range all {
		if one == nil {
			all[i], x.number = x, int64(i)
			break
		}
	}
	if x.number < 0 {
		x.number = int64(len(all))
		all = append(all, x)
	}
	bound.Store(&all)
}

// drop takes the number back.
func (x *external) drop() {
	boundMu.Lock()
	defer boundMu.Unlock()
	all := append([]*external(nil), *bound.Load()...)
	all[x.number] = nil
	bound.Store(&all)
}

// handle is what C holds of a function, and hands to module and authorizer.
type handle struct {
	external int64
	item     int64
}

func at(p uintptr) (*external, *handle) {
	h := memory[handle](p)
	return (*bound.Load())[h.external], h
}

// attach makes the tables and functions of an External known to the session. The
// session is not guarded yet.
func (c *session) attach(source External) error {
	x := &external{source: source, tables: source.Tables(), views: map[string]bool{}}
	x.plans = make([][]pushed, len(x.tables))
	x.take()
	c.external = x
	var err error
	if x.out, err = x.alloc(c.tls, unsafe.Sizeof(uintptr(0))); err != nil {
		return err
	}
	if err := x.register(c); err != nil {
		return err
	}
	if err := x.findViews(c); err != nil {
		return err
	}
	for i, t := range x.tables {
		if err := c.exec(fmt.Sprintf("CREATE VIRTUAL TABLE temp.%s USING %s(%d)", Quote(t.Name), moduleName, i)); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	for i, f := range source.Functions() {
		if err := x.define(c, i, f); err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
	}
	return nil
}

// findViews collects the views of the file.
func (x *external) findViews(c *session) error {
	return c.each("SELECT name FROM main.sqlite_schema WHERE type = 'view'", func(row *Row) {
		x.views[spelling.Lower(string(row.Raw(0)))] = true
	})
}

// detach gives back what attach took, after the connection is closed.
func (x *external) detach(tls *libc.TLS) {
	if x == nil {
		return
	}
	x.drop()
	x.text.free(tls)
	for _, p := range x.memory {
		libc.Xfree(tls, p)
	}
}

// alloc returns memory of C's, zeroed.
func (x *external) alloc(tls *libc.TLS, size uintptr) (uintptr, error) {
	p := libc.Xcalloc(tls, 1, libc.Tsize_t(size))
	if p == 0 {
		return 0, errors.New("out of memory")
	}
	x.memory = append(x.memory, p)
	return p, nil
}

// hold returns a handle in C's memory.
func (x *external) hold(tls *libc.TLS, item int) (uintptr, error) {
	p, err := x.alloc(tls, unsafe.Sizeof(handle{}))
	if err == nil {
		*memory[handle](p) = handle{external: x.number, item: int64(item)}
	}
	return p, err
}

// authorize adds two rules to the guards of every session. A row has no number except a
// declared one. A statement must not read a hidden table of the file by its full name
// or from a view. authorize may get the wrong database if a column alias has the name
// of a column; so checkCompiled decides in the end.
func (x *external) authorize(action modernc.AuthorizerActionCode, arg1, arg2, arg3, arg4 string) bool {
	switch action {
	case modernc.AuthRead:
		t := x.table(arg1)
		if t == nil {
			return true
		}
		if arg2 == "ROWID" && t.IntegerPrimaryKey == "" {
			x.refused = fmt.Errorf("the table %s of an API has no rowid; name one of its columns", t.Name)
			return false
		}
		// A table of which no column is read comes without its database.
		switch {
		case arg3 == "temp" || arg3 == "":
		case x.views[spelling.Lower(arg4)]:
			x.suspect = fmt.Errorf("the view %s reads %s in the file, whose place a table of an API has taken; write what the view selects into the statement", arg4, t.Name)
		default:
			x.suspect = fmt.Errorf("a table of an API has taken the place of %s.%s; leave %[1]s out", arg3, t.Name)
		}
		x.touched = true
		x.needs(t)
	case modernc.AuthFunction:
		for _, f := range x.source.Functions() {
			x.touched = x.touched || spelling.Same(f.Name, arg2)
		}
	}
	return true
}

// needs records the values without which a table cannot be read.
func (x *external) needs(t *Table) {
	if len(t.Required) > 0 {
		x.required = fmt.Errorf("the API of the table %s gives rows only for values of %s; compare each of them with a value or a column", t.Name, strings.Join(t.Required, ", "))
	}
}

// begin begins to compile a statement.
func (x *external) begin() { x.touched, x.refused, x.suspect, x.required = false, nil, nil, nil }

// explain adds the reason why a statement could not be compiled.
func (x *external) explain(err error) error {
	switch {
	case x.refused != nil:
		return fmt.Errorf("%w: %w", ErrForbidden, x.refused)
	case x.required != nil && strings.Contains(err.Error(), "no query solution"):
		return fmt.Errorf("%w: %w", ErrNeedsKey, x.required)
	}
	return err
}

// table returns the table of that name, or nil.
func (x *external) table(name string) *Table {
	for _, t := range x.tables {
		if spelling.Same(t.Name, name) {
			return t
		}
	}
	return nil
}

// safely runs f for a callback of SQLite. It keeps an error, or a panic, for the
// statement, because a panic cannot unwind through C.
func (x *external) safely(f func() error) (code int32) {
	defer func() {
		if r := recover(); r != nil {
			x.fail(fmt.Errorf("a defect in reading what is not in the database: %v", r))
			code = lib.SQLITE_ERROR
		}
	}()
	if err := f(); err != nil {
		x.fail(err)
		return lib.SQLITE_ERROR
	}
	return lib.SQLITE_OK
}

func (x *external) fail(err error) {
	if x.failure == nil {
		x.failure = err
	}
}

// memory returns what is at an address of C's.
func memory[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// buffer is memory of C's that a text of Go's is copied to.
type buffer struct {
	p    uintptr
	size int
}

// put copies a text and returns where it is, until the next one.
func (b *buffer) put(tls *libc.TLS, s string) (uintptr, bool) {
	if b.p == 0 || b.size < len(s) {
		size := max(4096, 2*len(s))
		b.free(tls)
		if b.p = libc.Xmalloc(tls, libc.Tsize_t(size)); b.p == 0 {
			return 0, false
		}
		b.size = size
	}
	copy(unsafe.Slice(memory[byte](b.p), len(s)), s)
	return b.p, true
}

func (b *buffer) free(tls *libc.TLS) {
	if b.p != 0 {
		libc.Xfree(tls, b.p)
	}
	b.p, b.size = 0, 0
}
