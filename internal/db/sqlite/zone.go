package sqlite

import (
	"sync"

	"modernc.org/libc"
)

// localIsUTC makes UTC the local time of the date functions, in the whole
// process (https://www.sqlite.org/lang_datefunc.html, "localtime"): an answer
// is not to depend on where the computer is.
var localIsUTC = sync.OnceValue(func() error {
	tls := libc.NewTLS()
	defer tls.Close()
	name, err := libc.CString("TZ")
	if err != nil {
		return err
	}
	defer libc.Xfree(tls, name)
	zone, err := libc.CString("UTC0")
	if err != nil {
		return err
	}
	defer libc.Xfree(tls, zone)
	const replace = 1
	libc.Xsetenv(tls, name, zone, replace)
	return nil
})
