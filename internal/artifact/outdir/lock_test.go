package outdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// holderEnv makes this test binary a process that opens a folder and holds it
// until it is killed.
const holderEnv = "BIRDCALL_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holderEnv); path != "" {
		d, err := Open(path)
		if err == nil {
			err = d.JSON("half.json", 1)
		}
		fmt.Println("open", err)
		_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends or kills it
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hold starts a process that holds a folder, and returns when it does.
func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), holderEnv+"="+path)
	if _, err := c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open <nil>\n" {
		t.Fatal(line, err)
	}
	return c
}

// TestTwoRuns says that a folder has one writer at a time, whatever path leads
// to it, that another folder next to it is free, and that a killed writer is
// in nobody's way.
func TestTwoRuns(t *testing.T) {
	dir := t.TempDir()
	slot := filepath.Join(dir, "out", "slot")
	tree{"out/slot": "folder", "link/slot": "-> ../out/slot"}.make(t, dir)
	first := hold(t, slot)
	want := fmt.Sprintf(": another run is writing it (process %d); wait until it has ended, or choose another --out", first.Process.Pid)
	for _, path := range []string{slot, filepath.Join(dir, "link", "slot")} {
		if _, err := Open(path); !errors.Is(err, ErrBusy) || err.Error() != path+want {
			t.Errorf("the second run: got %v, want %s", err, path+want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "out", ".slot.building", "half.json")); err != nil {
		t.Errorf("the second run removed what the first had written: %v", err)
	}
	sel, err := Open(filepath.Join(dir, "out", "sel"))
	if err != nil {
		t.Fatalf("another folder in out: %v", err)
	}
	sel.Discard()

	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait() // it says that it was killed
	if err := write(dir, func() {}); err != nil {
		t.Errorf("after a kill: %v", err)
	}
	if left := read(t, filepath.Join(dir, "out")); len(left) != len(newIn("slot")) {
		t.Errorf("after a kill: %v", left)
	}
}

// TestHolder lists texts of lock files, and what a message says of them.
func TestHolder(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"12 " + host + "\n", " (process 12)"},
		{"12 some.other-host\n", " (process 12 on some.other-host)"},
		{"", ""},
		{"12", ""},
		{"\x1b[31m evil\n", ""},
		{strings.Repeat("1", 1000), ""},
	} {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(c.text)
		if got := holder(f); got != c.want || err != nil {
			t.Errorf("%q: got %q, want %q; %v", c.text, got, c.want, err)
		}
		f.Close()
	}
}

// TestLinkForLock says that a lock never writes through a link.
func TestLinkForLock(t *testing.T) {
	dir := t.TempDir()
	files := tree{"out/.slot.lock": "-> ../thesis.txt", "thesis.txt": "mine"}
	files.make(t, dir)
	if err := write(dir, func() {}); err == nil || !strings.Contains(err.Error(), "or is a link; remove it") {
		t.Errorf("got %v", err)
	}
	if got := read(t, dir)["thesis.txt"]; got != "mine" {
		t.Errorf("the file behind the link holds %q", got)
	}
}
