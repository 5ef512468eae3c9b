package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

// signalEnv makes this test binary a program that waits for its end: a service,
// or one that is to finish, or one that does not heed the first signal.
const signalEnv = "BIRDCALL_TEST_PROGRAM"

func TestMain(m *testing.M) {
	kind := os.Getenv(signalEnv)
	if kind == "" {
		os.Exit(m.Run())
	}
	c := &cobra.Command{Use: "program", SilenceErrors: true, SilenceUsage: true, RunE: func(c *cobra.Command, _ []string) error {
		fmt.Println("ready")
		<-c.Context().Done()
		switch kind {
		case "stops":
			return nil
		case "fails":
			return errOwn
		case "deaf":
			fmt.Println("told")
			select {}
		}
		return fmt.Errorf("question 7: %w", c.Context().Err())
	}}
	Program{Command: c, Service: kind == "service", Code: ownCode}.Main()
}

var errOwn = errors.New("an error of its own")

func ownCode(err error) int {
	if errors.Is(err, errOwn) {
		return 1
	}
	return 0
}

// TestSignals lists how programs end that are asked to.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		kind   string
		signal syscall.Signal
		code   int
		says   string
	}{
		{"job", syscall.SIGINT, 130, "program: interrupted\n"},
		{"job", syscall.SIGTERM, 143, "program: interrupted\n"},
		{"stops", syscall.SIGINT, 0, ""},
		{"fails", syscall.SIGTERM, 1, "program: an error of its own\n"},
		{"service", syscall.SIGINT, 0, ""},
		{"service", syscall.SIGTERM, 0, ""},
	} {
		p := exec.CommandContext(t.Context(), os.Args[0])
		p.Env = append(os.Environ(), signalEnv+"="+c.kind)
		var stderr bytes.Buffer
		p.Stderr = &stderr
		start(t, p, func(line string) {
			if line == "ready" {
				_ = p.Process.Signal(c.signal)
			}
		})
		if code := p.ProcessState.ExitCode(); code != c.code || stderr.String() != c.says {
			t.Errorf("%s, %s: exit code %d, stderr %q", c.kind, c.signal, code, stderr.String())
		}
	}
}

// TestSecondSignal says that a program that does not heed the first signal ends
// by the second.
func TestSecondSignal(t *testing.T) {
	p := exec.CommandContext(t.Context(), os.Args[0])
	p.Env = append(os.Environ(), signalEnv+"=deaf")
	start(t, p, func(string) { _ = p.Process.Signal(syscall.SIGINT) }) // when ready, and when told
	if code := p.ProcessState.ExitCode(); code != 130 {
		t.Errorf("it ended with %s", p.ProcessState)
	}
}

// start runs a program to its end and hands over each line that it prints.
func start(t *testing.T, p *exec.Cmd, each func(line string)) {
	t.Helper()
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for b := make([]byte, 1); ; {
		if _, err := out.Read(b); err != nil {
			break
		}
		if b[0] == '\n' {
			each(text.String())
			text.Reset()
			continue
		}
		text.Write(b)
	}
	_ = p.Wait() // how it ended is in its state
}

// TestCodes lists the exit codes of errors that no signal made.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0},
		{errOwn, 1},
		{errors.New("another"), 2},
		{context.Canceled, 2},
	} {
		var stderr bytes.Buffer
		command := &cobra.Command{Use: "program", SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error { return c.err }}
		command.SetErr(&stderr)
		command.SetArgs([]string{})
		want := ""
		if c.err != nil {
			want = "program: " + c.err.Error() + "\n"
		}
		if code := (Program{Command: command, Code: ownCode}).Run(t.Context()); code != c.code || stderr.String() != want {
			t.Errorf("%v: exit code %d, stderr %q", c.err, code, stderr.String())
		}
	}
}

// TestVersion lists builds and what they call themselves. Builds that differ have
// names that do.
func TestVersion(t *testing.T) {
	const hash = "181a705cc5857d59e70cad3327fb347b870cf3d7"
	built := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	binary := func() string { return strings.Repeat("ab", 32) }
	unreadable := func() string { return "" }
	for _, c := range []struct {
		name, version, commit string
		info                  *debug.BuildInfo
		executable            func() string
		want                  string
	}{
		{"make build", "v1.2.3", hash, built("(devel)"), binary, "v1.2.3 (181a705cc585)"},
		{"make build with changes", "v1.2.3-dirty", hash, built("(devel)"), binary, "v1.2.3-dirty (181a705cc585+dirty, binary abababababab)"},
		{"make build without git", "devel", "", built("(devel)"), binary, "devel (unknown commit, binary abababababab)"},
		{"go install of a version", "", "", built("v1.2.3"), binary, "v1.2.3 (unknown commit)"},
		{"go install of a commit", "", "", built("v0.0.0-20260101020304-181a705cc585"), binary, "v0.0.0-20260101020304-181a705cc585 (181a705cc585)"},
		{"go build", "", "", built("v1.2.4-0.20260101020304-181a705cc585", "vcs.revision", hash, "vcs.modified", "false"), binary, "v1.2.4-0.20260101020304-181a705cc585 (181a705cc585)"},
		{"go build with changes", "", "", built("v1.2.4-0.20260101020304-181a705cc585+dirty", "vcs.revision", hash, "vcs.modified", "true"), binary, "v1.2.4-0.20260101020304-181a705cc585+dirty (181a705cc585+dirty, binary abababababab)"},
		{"go build of a commit", "", "", built("(devel)", "vcs.revision", hash, "vcs.modified", "false"), binary, "devel (181a705cc585)"},
		{"go build of a commit with changes", "", "", built("(devel)", "vcs.revision", hash, "vcs.modified", "true"), binary, "devel (181a705cc585+dirty, binary abababababab)"},
		{"go run", "", "", built("(devel)"), binary, "devel (unknown commit, binary abababababab)"},
		{"a binary without modules", "", "", nil, binary, "devel (unknown commit, binary abababababab)"},
		{"a binary that nobody may read", "", "", nil, unreadable, "devel (unknown commit)"},
	} {
		if got := describe(c.version, c.commit, c.info, c.executable); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	if got := executable(); len(got) != 64 {
		t.Errorf("the SHA-256 of this program is %q", got)
	}
}
