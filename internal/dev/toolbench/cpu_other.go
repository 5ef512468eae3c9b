//go:build !unix

package toolbench

import "time"

var began = time.Now()

// CPU returns the time since this process began: how much of it the processor worked
// for it is not asked here.
func CPU() time.Duration { return time.Since(began) }
