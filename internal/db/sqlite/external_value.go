package sqlite

import (
	"fmt"

	lib "modernc.org/sqlite/lib"

	"github.com/birdcall/birdcall/pkg/value"
	"modernc.org/libc"
)

// valueOf returns a copy of a value of SQLite's
// (https://www.sqlite.org/c3ref/value_blob.html).
func valueOf(tls *libc.TLS, p uintptr) value.Value {
	switch lib.Xsqlite3_value_type(tls, p) {
	case lib.SQLITE_INTEGER:
		return value.Int(lib.Xsqlite3_value_int64(tls, p))
	case lib.SQLITE_FLOAT:
		return value.Float(lib.Xsqlite3_value_double(tls, p))
	case lib.SQLITE_TEXT:
		text := lib.Xsqlite3_value_text(tls, p)
		return value.Str(goString(text, lib.Xsqlite3_value_bytes(tls, p)))
	case lib.SQLITE_BLOB:
		blob := lib.Xsqlite3_value_blob(tls, p)
		return value.Bytes(goString(blob, lib.Xsqlite3_value_bytes(tls, p)))
	}
	return value.NullValue()
}

func goString(p uintptr, n int32) string {
	if p == 0 || n == 0 {
		return ""
	}
	return string(libc.GoBytes(p, int(n)))
}

// result hands a value to SQLite (https://www.sqlite.org/c3ref/result_blob.html).
func (x *external) result(tls *libc.TLS, to uintptr, v value.Value) {
	switch v.Kind() {
	case value.Null:
		lib.Xsqlite3_result_null(tls, to)
	case value.Integer:
		lib.Xsqlite3_result_int64(tls, to, v.Int64())
	case value.Real:
		lib.Xsqlite3_result_double(tls, to, v.Float64())
	default:
		raw := v.Raw()
		p, ok := x.text.put(tls, raw)
		switch {
		case !ok:
			lib.Xsqlite3_result_error_nomem(tls, to)
		case v.Kind() == value.Text:
			lib.Xsqlite3_result_text(tls, to, p, int32(len(raw)), lib.SQLITE_TRANSIENT)
		default:
			lib.Xsqlite3_result_blob(tls, to, p, int32(len(raw)), lib.SQLITE_TRANSIENT)
		}
	}
}

// define makes a function known to a connection
// (https://www.sqlite.org/c3ref/create_function.html).
func (x *external) define(c *session, i int, f Function) error {
	h, err := x.hold(c.tls, i)
	if err != nil {
		return err
	}
	name, err := c.text(f.Name)
	if err != nil {
		return err
	}
	defer c.free(name)
	const flags = lib.SQLITE_UTF8 | lib.SQLITE_DETERMINISTIC | lib.SQLITE_DIRECTONLY
	if rc := lib.Xsqlite3_create_function_v2(c.tls, c.db, name, int32(f.Args), flags, h, pointer(callC), 0, 0, 0); rc != lib.SQLITE_OK {
		return c.failure(rc)
	}
	return nil
}

func callC(tls *libc.TLS, to uintptr, argc int32, argv uintptr) {
	x, h := at(lib.Xsqlite3_user_data(tls, to))
	code := x.safely(func() error {
		if x.reading == nil {
			return fmt.Errorf("the function %s is called outside of a statement", x.source.Functions()[h.item].Name)
		}
		args := make([]value.Value, argc)
		for i := range args {
			args[i] = valueOf(tls, cell(argv, i))
		}
		v, err := x.reading.Call(int(h.item), args)
		if err == nil {
			x.result(tls, to, v)
		}
		return err
	})
	if code != lib.SQLITE_OK {
		lib.Xsqlite3_result_error_code(tls, to, code)
	}
}
