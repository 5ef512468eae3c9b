package sqlite

import (
	"unsafe"

	"modernc.org/libc"
	modernc "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// enough is a C function that ends the statement that calls it
// (https://www.sqlite.org/c3ref/progress_handler.html).
var enough = pointer(func(*libc.TLS, uintptr) int32 { return 1 })

// authorizer is authorizeC as a C function pointer.
var authorizer = pointer(authorizeC)

// pointer returns a Go function as a C function pointer, which for the translated
// library is a pointer to a Go function value.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f})) }

func authorizeC(_ *libc.TLS, guard uintptr, action int32, arg1, arg2, arg3, arg4 uintptr) int32 {
	code, one, two, three, four := modernc.AuthorizerActionCode(action), libc.GoString(arg1), libc.GoString(arg2), libc.GoString(arg3), libc.GoString(arg4)
	if guard != 0 {
		if x, _ := at(guard); !x.authorize(code, one, two, three, four) {
			return lib.SQLITE_DENY
		}
	}
	return int32(authorize(code, one, two, three, four))
}
