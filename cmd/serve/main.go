// Command serve answers the questions of a dataset as REST endpoints.
//
//	serve
//	serve --dataset DIR --db superhero,formula_1 --addr :8080
//	serve healthcheck
//
// Every flag can be given as an environment variable too: --max-rows is
// BIRDCALL_MAX_ROWS. Exit codes: 0 after a stop that was asked for, 1 when
// healthcheck finds the service ill, 2 for all other errors.
package main

import (
	"errors"

	"github.com/birdcall/birdcall/internal/cli"
)

func main() { cli.Program{Command: command(), Code: exitCode, Service: true}.Main() }

// exitCode returns the code of an error that has one.
func exitCode(err error) int {
	if errors.Is(err, errIll) {
		return 1
	}
	return 0
}
