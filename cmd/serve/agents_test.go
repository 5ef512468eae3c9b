package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
)

func TestAgentFlagsAreChecked(t *testing.T) {
	for args, want := range map[string]string{
		"--mcp http":                 `--mcp "http": the only value is stdio`,
		"--sample bird_club/83":      "--sample is for --mcp stdio",
		"--variant sel":              "--variant is for --mcp stdio",
		"--mcp stdio --variant slow": `--variant "slow": use slot, sel, rest or query`,
		"--mcp stdio --variant query --sample bird_club/83": "--sample: the variant query has one tool for all questions of a database; give --db instead",
		"--mcp stdio":                                "there are 3; add --sample DATABASE/ID or --db NAME",
		"--mcp stdio --sample 83":                    "--sample 83: write DATABASE/ID",
		"--mcp stdio --sample bird_club/0":           `--mcp stdio: the database bird_club has no question with the id "0"`,
		"--samples .":                                "--samples: . has no report.json",
		"--samples nowhere":                          "name what convert wrote, such as out/slot or out",
		"--evaluation .":                             "evaluat",
		"--control-keys , --db bird_club":            "--control-keys: ",
		"--control-addr nowhere":                     "choose another --control-addr",
		"--sessions 0":                               "--sessions must be greater than zero",
		"--call-time 0s":                             "--call-time must be greater than zero",
		"--db ./nothing.sqlite":                      "--db ./nothing.sqlite: there is no such file",
		"--db ./command.go,./nothing/command.sqlite": "there is no such file",
		"--db ./command.go,../serve/command.go":      "another file has the name command",
		"--db nope.sqlite":                           "--db nope.sqlite: there is no such file",
		"--db command.go,nope":                       "--db nope: there is no such file",
		"--mcp stdio --variant rest --db command.go": "not a readable SQLite database",
		"--db ./command.go":                          "not a readable SQLite database",
	} {
		if _, err := run(context.Background(), append(strings.Fields(args), "--addr", "127.0.0.1:0")...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// converse sends lines to --mcp stdio and returns those that come back.
func converse(t *testing.T, lines string, args ...string) []string {
	t.Helper()
	var out, log bytes.Buffer
	c := command()
	c.SetArgs(append([]string{"--mcp", "stdio"}, args...))
	c.SetIn(strings.NewReader(lines))
	c.SetOut(&out)
	c.SetErr(&log)
	if err := c.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, log.Bytes())
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestStdio has a client of a sample, of a database of the sample, and of a file of
// its own, which no dataset describes.
func TestStdio(t *testing.T) {
	text, err := sample.FS().(interface {
		ReadFile(string) ([]byte, error)
	}).ReadFile("dev_databases/bird_club/bird_club.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.sqlite")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	begin := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	call := func(id int, name, arguments string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, name, arguments)
	}
	for _, c := range []struct {
		args  string
		lines string
		want  string
	}{
		{"--sample bird_club/83", call(1, "aggregate_data", `{"data_source":"$starting_table_var$","aggregation_type":"count"}`), `"structuredContent":{"label":"COUNT","row_count":1,`},
		{"--db bird_club --variant sel", call(1, "open_session", `{"tables":["site"]}`), `"structuredContent":{"session":"`},
		{"--db " + file, call(1, "open_session", `{}`), `$species$ - the table species`},
		{"--variant query --db " + file, call(1, "query_database", `{"collection_name":"species","aggregations":[{"metrics":"COUNT"}]}`), `"structuredContent":{"values":[{"metrics":"COUNT","value":`},
	} {
		got := strings.Join(converse(t, begin+c.lines, strings.Fields(c.args)...), "\n")
		if !strings.Contains(got, `"serverInfo":{"name":"birdcall"`) || !strings.Contains(got, c.want) {
			t.Errorf("%s: %.1500s, want %s", c.args, got, c.want)
		}
	}
}
