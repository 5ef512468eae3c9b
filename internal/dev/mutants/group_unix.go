//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// asGroup has a command and all that it starts be one group of processes, which ends as
// a whole when its context does.
func asGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// endGroup ends what a command has left behind: a mutant may forget its servers.
func endGroup(c *exec.Cmd) {
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // there is most often nobody left
	}
}
