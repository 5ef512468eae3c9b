package main

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, "evaluate", main) }

// TestVersionOfProgram asks the program itself.
func TestVersionOfProgram(t *testing.T) {
	if got := programtest.Run(t, "evaluate", "--version"); got.Code != 0 || !strings.HasPrefix(got.Stdout, "evaluate ") {
		t.Errorf("%+v", got)
	}
}
