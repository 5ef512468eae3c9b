package tools

import (
	"runtime"
	"sync"
)

// partRows is the number of rows from which another core is worth its start.
const partRows = 1 << 16

// span is a run of rows, from one to before another.
type span struct{ from, to int }

// split cuts n rows into consecutive parts of about one size, one for each core,
// and not more than are worth one. What is computed from the parts must not depend
// on how many there are.
func split(n int) []span {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/partRows))
	out := make([]span, parts)
	for i := range out {
		out[i] = span{n * i / parts, n * (i + 1) / parts}
	}
	return out
}

// together runs f for each part, all at the same time, and returns the error of the
// first part that has one. A panic of f is the caller's, who may recover from it.
func together(parts []span, f func(part int, rows span) error) error {
	if len(parts) == 1 {
		return f(0, parts[0])
	}
	errs := make([]error, len(parts))
	panics := make([]any, len(parts))
	var wait sync.WaitGroup
	for i, rows := range parts {
		wait.Go(func() {
			defer func() { panics[i] = recover() }()
			errs[i] = f(i, rows)
		})
	}
	wait.Wait()
	for i, err := range errs {
		switch {
		case panics[i] != nil:
			panic(panics[i])
		case err != nil:
			return err
		}
	}
	return nil
}
