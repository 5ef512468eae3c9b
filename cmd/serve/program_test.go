package main

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, "serve", main) }

// TestVersionOfProgram asks the program itself.
func TestVersionOfProgram(t *testing.T) {
	if got := programtest.Run(t, "serve", "--version"); got.Code != 0 || !strings.HasPrefix(got.Stdout, "serve ") {
		t.Errorf("%+v", got)
	}
}
