// Command convert turns a dataset of questions and SQL into tool-call samples
// whose sequences were executed and give the SQL's own answers.
//
//	convert --variant slot
//	convert --variant slot --dataset DIR --db superhero,formula_1 --out out --jobs 2
//
// Exit codes: 0 when no answer differs, 1 when one does (or no question is verified,
// or fewer than --at-least asks for), 2 when the command line, the dataset or the output
// folder is not as it should be, 130 after Ctrl-C and 143 after SIGTERM.
package main

import (
	"errors"
	"os"
	"runtime/debug"

	"github.com/birdcall/birdcall/internal/cli"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
)

func main() {
	if os.Getenv("GOMEMLIMIT") == "" { // which sets it too
		debug.SetMemoryLimit(pipeline.Memory)
	}
	cli.Program{Command: command(), Code: exitCode}.Main()
}

// exitCode returns the code of an error that has one of its own.
func exitCode(err error) int {
	if errors.Is(err, errMismatch) || errors.Is(err, errNone) || errors.Is(err, errTooFew) {
		return 1
	}
	return 0
}
