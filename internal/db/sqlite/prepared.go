package sqlite

import (
	"unsafe"

	lib "modernc.org/sqlite/lib"

	"modernc.org/libc"
)

// prepared is a statement on one connection.
type prepared struct {
	handle  uintptr // sqlite3_stmt*
	used    uint64  // when it ran last, in runs of the session
	checked bool    // whether its columns were seen to be the statement's
	outside bool    // whether it reads what is not in the file
}

// prepare returns the statement on this connection. It stays prepared until other
// statements were used more recently.
func (c *session) prepare(s *Statement) (*prepared, error) {
	c.uses++
	if p := c.statements[s]; p != nil {
		p.used = c.uses
		return p, nil
	}
	sql := s.sql
	if c.external != nil {
		sql = c.external.source.Rewrite(sql)
		c.external.begin()
	}
	handle, err := c.compile(sql)
	outside := false
	if c.external != nil {
		outside = c.external.touched
		if err != nil {
			err = c.external.explain(err)
		} else if err = c.external.checkCompiled(c, handle, sql); err != nil {
			lib.Xsqlite3_finalize(c.tls, handle)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(c.statements) >= c.keep {
		c.forget()
	}
	p := &prepared{handle: handle, used: c.uses, outside: outside}
	c.statements[s] = p
	return p, nil
}

func (c *session) compile(sql string) (handle uintptr, err error) {
	text, err := c.text(sql)
	if err != nil {
		return 0, err
	}
	defer c.free(text)
	const flags = lib.SQLITE_PREPARE_PERSISTENT
	if rc := lib.Xsqlite3_prepare_v3(c.tls, c.db, text, -1, flags, uintptr(unsafe.Pointer(&c.out)), 0); rc != lib.SQLITE_OK {
		return 0, c.failure(rc)
	}
	return c.out, nil
}

// forget drops the statement that was not used for the longest time.
func (c *session) forget() {
	var oldest *Statement
	for s, p := range c.statements {
		if oldest == nil || p.used < c.statements[oldest].used {
			oldest = s
		}
	}
	c.drop(oldest)
}

// drop forgets a statement if it is kept.
func (c *session) drop(s *Statement) {
	if p := c.statements[s]; p != nil {
		lib.Xsqlite3_finalize(c.tls, p.handle)
		delete(c.statements, s)
	}
}

func (c *session) columns(handle uintptr) []string {
	names := make([]string, lib.Xsqlite3_column_count(c.tls, handle))
	for i := range names {
		names[i] = libc.GoString(lib.Xsqlite3_column_name(c.tls, handle, int32(i)))
	}
	return names
}

func (c *session) params(handle uintptr) int {
	return int(lib.Xsqlite3_bind_parameter_count(c.tls, handle))
}
