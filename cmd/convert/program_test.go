package main

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, "convert", main) }

// TestVersionOfProgram asks the program itself.
func TestVersionOfProgram(t *testing.T) {
	if got := programtest.Run(t, "convert", "--version"); got.Code != 0 || !strings.HasPrefix(got.Stdout, "convert ") {
		t.Errorf("%+v", got)
	}
}
