package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// TestAgentsPage runs the commands of docs/agents.md, one after the other, and
// holds what they print against what is there. Run with -update, it writes it
// there.
func TestAgentsPage(t *testing.T) { runPage(t, "agents.md", serving(t)) }

// TestFindPage does the same with the commands of curl in docs/find.md.
func TestFindPage(t *testing.T) {
	runPage(t, "find.md", serving(t, "--addr", "127.0.0.1:0", "--find"))
}

// runPage runs the commands of curl on a page, block by block. Blocks of other commands
// are left as they are.
func runPage(t *testing.T, name string, client *http.Client) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", name)
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "```console\n", "```\n"
	var out strings.Builder
	blocks := strings.Split(string(page), begin)
	for i, block := range blocks {
		if i == 0 {
			out.WriteString(block)
			continue
		}
		commands, after, ok := strings.Cut(block, end)
		if !ok {
			t.Fatal("a block of commands has no end")
		}
		out.WriteString(begin)
		if !strings.HasPrefix(commands, "$ curl ") {
			out.WriteString(block)
			continue
		}
		for line := range strings.Lines(commands) {
			if strings.HasPrefix(line, "$ ") {
				out.WriteString(line + printed(t, client, strings.TrimSpace(line[2:])))
			}
		}
		out.WriteString(end + after)
	}
	if len(blocks) < 2 {
		t.Fatal("the page has no commands")
	}
	golden.Equal(t, path, out.String())
}

// serving starts the service as docs/agents.md does, or with other flags, until
// the test ends. The client reaches it at any address.
func serving(t *testing.T, args ...string) *http.Client {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log := &address{found: make(chan string, 1)}
	done := make(chan error, 1)
	if len(args) == 0 {
		args = []string{"--addr", "127.0.0.1:0"}
	}
	go func() { done <- runTo(ctx, log, args...) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	var addr string
	select {
	case addr = <-log.found:
	case err := <-done:
		done <- nil
		t.Fatalf("%v\n%s", err, log.text())
	}
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, addr)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// address is a log that says the address at which the service is ready.
type address struct {
	found chan string

	mu  sync.Mutex
	log bytes.Buffer
}

var ready = regexp.MustCompile(`"msg":"ready","address":"([^"]+)"`)

func (a *address) Write(text []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if m := ready.FindSubmatch(text); m != nil {
		a.found <- string(m[1])
	}
	return a.log.Write(text)
}

func (a *address) text() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.log.String()
}

// printed returns what a command of curl prints, and after it head if there is one,
// with a line end if it prints anything.
func printed(t *testing.T, client *http.Client, command string) string {
	t.Helper()
	command, head, _ := strings.Cut(command, " | head ")
	command, unseen := strings.CutSuffix(command, " -o /dev/null")
	r, err := request(words(command))
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	w, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	if unseen {
		text = ""
	}
	if kind, count, ok := strings.Cut(head, " "); ok {
		n, err := strconv.Atoi(count)
		switch {
		case err != nil:
			t.Fatalf("%s: %v", command, err)
		case kind == "-c":
			text = text[:min(n, len(text))]
		case kind == "-n":
			lines := strings.SplitAfter(text, "\n")
			text = strings.Join(lines[:min(n, len(lines))], "")
		default:
			t.Fatalf("%s: head %s is not known", command, kind)
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// words splits a command as a shell does: at spaces but for those between single
// quotes.
func words(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// request returns the request that a command of curl sends.
func request(words []string) (*http.Request, error) {
	if len(words) == 0 || words[0] != "curl" {
		return nil, fmt.Errorf("a command is not curl's: %q", words)
	}
	method, target, body := http.MethodGet, "", ""
	header := http.Header{}
	for i := 1; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "-s":
		case i+1 < len(words) && word == "-X":
			i++
			method = words[i]
		case i+1 < len(words) && word == "-d":
			i++
			method, body = http.MethodPost, words[i]
		case i+1 < len(words) && word == "-H":
			i++
			name, value, _ := strings.Cut(words[i], ": ")
			header.Set(name, value)
		case strings.HasPrefix(word, "http://") && target == "":
			target = word
		default:
			return nil, fmt.Errorf("%q is not known here", word)
		}
	}
	r, err := http.NewRequest(method, target, strings.NewReader(body))
	if err == nil {
		r.Header = header
	}
	return r, err
}
