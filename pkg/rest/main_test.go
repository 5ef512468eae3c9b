package rest_test

import (
	"os"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
