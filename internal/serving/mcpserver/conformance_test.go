package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The clients that are not ours, by npm. The second runs on Node 22.
var npmPackages = []string{"node@22", "@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12.0"}

// TestConformance has the protocol's own conformance tests and Inspector, a client,
// at the service itself. BIRDCALL_CONFORMANCE names a folder outside the repository,
// in which npm installs both unless it has before.
func TestConformance(t *testing.T) {
	dir := os.Getenv("BIRDCALL_CONFORMANCE")
	if dir == "" {
		t.Skip("BIRDCALL_CONFORMANCE names no folder for npm to install clients in")
	}
	npm := install(t, dir)
	program := filepath.Join(t.TempDir(), "serve")
	run(t, exec.Command("go", "build", "-o", program, "../../../cmd/serve"))
	url := start(t, program)
	session := func() string { return openSession(t, url) }                    // a new one has no results
	for _, place := range []string{session(), url + "/mcp/sel/city_library"} { // which lists the tools, and which searches them
		for _, c := range []struct {
			version, scenario string
			passed            int
			fail              []string
		}{
			{newProtocol, "tools-list", 4, nil},
			{newProtocol, "caching", 7, nil},
			{newProtocol, "dns-rebinding-protection", 2, nil},
			{newProtocol, "http-header-validation", 14, nil},
			{newProtocol, "server-sse-multiple-streams", 1, nil},
			// Those that fail want prompts, and a tool of the test's own.
			{newProtocol, "server-stateless", 22, []string{
				"sep-2575-server-declares-prompts-in-discover", "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
			}},
			{oldProtocol, "server-initialize", 2, nil},
			{oldProtocol, "ping", 2, nil},
			{oldProtocol, "tools-list", 3, nil},
			{oldProtocol, "dns-rebinding-protection", 2, nil},
		} {
			passed, failed := npm.conformance(t, place, c.version, c.scenario)
			if passed != c.passed || !cmp.Equal(c.fail, failed) {
				t.Errorf("%s of %s at %s: %d passed, want %d; failed: %q", c.scenario, c.version, place, passed, c.passed, failed)
			}
		}
	}
	npm.inspect(t, session, program, []string{"--sample", "city_library/1"}, "aggregate_data", `{"data_source":"$starting_table_var$","aggregation_type":"count"}`)
	for variant, c := range map[string]struct{ tool, args string }{
		"slot": {toolOpen, `{"tables":["branch"]}`},
		"sel":  {toolOpen, `{"tables":["branch"]}`},
		"rest": {toolCall, `{"name":"branch_names_by_branch_code","arguments":{"branch_code":"007"}}`}, // Inspector calls what is listed
	} {
		at := func() string { return url + "/mcp/" + variant + "/city_library" }
		npm.inspect(t, at, program, []string{"--variant", variant, "--db", "city_library"}, c.tool, c.args)
	}
}

// clients is where npm has installed the clients.
type clients string

// install has npm install the clients.
func install(t *testing.T, dir string) clients {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "node_modules/.bin/mcp-inspector")); err != nil {
		run(t, exec.Command("npm", append([]string{"install", "--no-audit", "--no-fund", "--prefix", dir}, npmPackages...)...))
	}
	bin, err := filepath.Abs(filepath.Join(dir, "node_modules/.bin"))
	if err != nil {
		t.Fatal(err)
	}
	return clients(bin)
}

// command is a program that npm installed, on the Node that it installed.
func (c clients) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(string(c), name), args...)
	cmd.Env = append(os.Environ(), "PATH="+string(c)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return cmd
}

// run runs a program to its end, and returns what it writes.
func run(t *testing.T, c *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", c, err, out, stderr.Bytes())
	}
	return out
}

// start starts the service on a free port, and returns its URL.
func start(t *testing.T, program string) string {
	t.Helper()
	c := exec.Command(program, "--addr", "127.0.0.1:0")
	log, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "ready" {
			go func() {
				for lines.Scan() { // so that the service can go on writing
				}
			}()
			return "http://" + line.Address
		}
	}
	t.Fatalf("the service is not ready: %v", lines.Err())
	return ""
}

// openSession opens a session of a question, and returns its MCP URL.
func openSession(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Post(url+"/v1/sessions", "application/json", strings.NewReader(`{"variant":"slot","db":"city_library","sample_id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var opened struct {
		URL string `json:"mcp_url"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&opened); err != nil || opened.URL == "" {
		t.Fatalf("%s: %v, %+v", resp.Status, err, opened)
	}
	return opened.URL
}

// conformance runs a scenario of the conformance tests, and returns how many of
// its checks pass and which fail.
func (c clients) conformance(t *testing.T, url, version, scenario string) (passed int, failed []string) {
	t.Helper()
	dir := t.TempDir()
	cmd := c.command("conformance", "server", "--url", url, "--scenario", scenario, "--spec-version", version, "--output-dir", dir)
	said, _ := cmd.CombinedOutput() // it fails if a check does
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %q, %v\n%s", scenario, files, err, said)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var checks []struct{ ID, Status string }
	if err := json.Unmarshal(text, &checks); err != nil {
		t.Fatal(err)
	}
	for _, check := range checks {
		switch check.Status {
		case "SUCCESS":
			passed++
		case "FAILURE", "WARNING":
			failed = append(failed, check.ID)
		}
	}
	return passed, failed
}

// inspect has Inspector list the tools and call one in both eras, at a URL and over
// stdio. All of it is the same.
func (c clients) inspect(t *testing.T, url func() string, program string, stdio []string, tool, arguments string) {
	t.Helper()
	for _, what := range [][]string{{"tools/list"}, {"tools/call", "--tool-name", tool, "--tool-args-json", arguments}} {
		var first any
		for _, era := range []string{"legacy", "modern"} {
			for _, over := range [][]string{{"--transport", "http", url()}, append([]string{"--transport", "stdio", "--", program, "--mcp", "stdio"}, stdio...)} {
				args := append([]string{"--cli", "--format", "json", "--quiet", "--protocol-era", era, "--method"}, what...)
				got := c.inspected(t, append(args, over...))
				if first == nil {
					first = got
				}
				if diff := cmp.Diff(first, got); diff != "" {
					t.Errorf("Inspector, %s, %s, %q differs (-first +this):\n%s", what[0], era, over, diff)
				}
			}
		}
	}
}

// inspected returns what Inspector prints, without what differs from run to run:
// handles, and what the protocol adds in one era.
func (c clients) inspected(t *testing.T, args []string) any {
	t.Helper()
	out := run(t, c.command("mcp-inspector", args...))
	var said struct {
		Result map[string]any
	}
	if err := json.Unmarshal(out, &said); err != nil || said.Result == nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	for _, name := range []string{"_meta", "resultType", "ttlMs", "cacheScope"} {
		delete(said.Result, name)
	}
	if opened, ok := said.Result["structuredContent"].(map[string]any); ok && opened["session"] != nil {
		id := fmt.Sprint(opened["session"])
		text, err := json.Marshal(said.Result)
		if err != nil {
			t.Fatal(err)
		}
		said.Result = nil
		if err := json.Unmarshal(bytes.ReplaceAll(text, []byte(id), []byte("SESSION")), &said.Result); err != nil {
			t.Fatal(err)
		}
	}
	return said.Result
}
