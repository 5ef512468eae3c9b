package pgtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// template is the folder of a server that was never started, which others are copied
// from: initdb takes a second. Only packages with Main have it.
var template struct {
	folder string
	once   sync.Once
}

// Main runs the tests of a package that starts many servers, with one initdb for all of
// them, and returns the exit code:
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
func Main(m *testing.M) int {
	folder, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }() // of the system's temporary files
	template.folder = folder
	return m.Run()
}

// initialize makes the server's folder of data.
func (s *Server) initialize() {
	s.t.Helper()
	if template.folder == "" {
		s.initdb(s.data())
		return
	}
	data := filepath.Join(template.folder, "data")
	template.once.Do(func() {
		if os.Geteuid() == 0 {
			own(s.t, template.folder)
		}
		s.initdb(data)
	})
	if said, err := s.Command("cp", "-a", data, s.data()).CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, said)
	}
}

func (s *Server) initdb(folder string) {
	s.t.Helper()
	s.do("initdb", "-D", folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
}
