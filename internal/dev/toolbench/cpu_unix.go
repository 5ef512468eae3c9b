//go:build unix

package toolbench

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has taken so far. On one core it
// is what a wall clock shows when nothing else runs, and what else runs does not add
// to it.
func CPU() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // there is no process without it
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
