package main

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
	"github.com/birdcall/birdcall/internal/testkit/programtest"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
	"github.com/birdcall/birdcall/pkg/find"
)

// TestFind lists command lines of convert find with parts of what they print, or what
// they fail with.
func TestFind(t *testing.T) {
	const question = "Which branch is called Riverside?"
	file := filepath.Join(t.TempDir(), "mine.sqlite")
	text, err := os.ReadFile(filepath.Join("..", "..", "data", "bird", "dev_databases", "city_library", "city_library.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args        []string
		want        []string
		not, failed string
	}{
		{[]string{question}, []string{"confidence", "\nDatabases\n", "city_library.branch", "\nValues of city_library\n", "branch.name  Riverside", "\nTools\n"}, "", ""},
		{[]string{question, "--kinds", "value"}, []string{"\nValues of city_library\n", "Riverside"}, "\nTables\n", ""},
		{[]string{question, "--db", "city_library", "--k", "1"}, []string{"city_library.branch"}, "bird_club", ""},
		{[]string{question, "--db", "bird_club", "--kinds", "database,table"}, []string{"bird_club"}, "city_library", ""},
		{[]string{question, "--hide", "branch.name", "--kinds", "value"}, nil, "branch.name", ""},
		{[]string{question, "--variant", "sel", "--kinds", "tool"}, []string{"city_library.get_branch_names"}, "", ""},
		{[]string{question, "--db", file}, []string{"mine.branch"}, "", ""},
		{[]string{" "}, nil, "", "the question is empty"},
		{[]string{strings.Repeat("x", find.MaxText+1)}, nil, "", "have 4001 bytes; give at most 4000"},
		{[]string{question, "--k", "0"}, nil, "", "--k 0: give a number from 1 to 100"},
		{[]string{question, "--kinds", "row"}, nil, "", `--kinds "row": use database, table, column, value, tool`},
		{[]string{question, "--db", "nowhere"}, nil, "", "--db nowhere: the dataset has no such database"},
		{[]string{question, "--db", "bird_club,city_library"}, nil, "", "--db: name one database"},
		{[]string{question, "--rebuild", "--index", "-"}, nil, "", "--rebuild: with --index -"},
		{[]string{question, "--index", ""}, nil, "", "--index is empty"},
		{[]string{question, "--variant", "slot"}, nil, "", `--variant "slot": use rest, sel`},
		{[]string{question, "--out", "x"}, nil, "", "--out: find has no use for it"},
		{[]string{question, "--embeddings", "http://127.0.0.1:1"}, nil, "", "--embedding-model"},
	} {
		stdout, stderr, code := execute(t, append([]string{"find"}, c.args...)...)
		if c.failed != "" {
			if code != 2 || !strings.Contains(stderr, c.failed) {
				t.Errorf("%v: exit code %d, %q, want %q", c.args, code, stderr, c.failed)
			}
			continue
		}
		if code != 0 || c.not != "" && strings.Contains(stdout, c.not) {
			t.Errorf("%v: exit code %d, %s, with %q\n%s", c.args, code, stderr, c.not, stdout)
		}
		for _, want := range c.want {
			if !strings.Contains(stdout, want) {
				t.Errorf("%v: no %q in\n%s", c.args, want, stdout)
			}
		}
		for line := range strings.Lines(stdout) {
			if n := len([]rune(strings.TrimSpace(line))); n > 80 {
				t.Errorf("%v: a line has %d characters: %s", c.args, n, line)
			}
		}
	}
}

// TestFindJSON says that the result is JSON, and that the index of a folder is found
// again and says the same.
func TestFindJSON(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "index")
	args := []string{"find", "Which branch is called Riverside?", "--json", "--index", folder}
	var first string
	for _, more := range []string{"", "", "--rebuild", "--jobs=1"} {
		all := args
		if more != "" {
			all = append(all[:len(all):len(all)], more)
		}
		stdout, stderr, code := execute(t, all...)
		var got find.Result
		if err := json.Unmarshal([]byte(stdout), &got); code != 0 || err != nil || len(got.Databases) == 0 || got.Databases[0].DB != "city_library" {
			t.Fatalf("%s: exit code %d, %s, %v: %s", more, code, stderr, err, stdout)
		}
		if first == "" {
			first = stdout
		}
		if stdout != first {
			t.Errorf("%s: %s\nwant %s", more, stdout, first)
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) == 0 {
		t.Errorf("%v: %d files", err, len(files))
	}
}

// TestFindEmbeddings says that an endpoint is asked for the vectors of names and of the
// question, once for each, and of no stored value.
func TestFindEmbeddings(t *testing.T) {
	s := &scripted.Server{Vectors: func(text string) []float64 { return []float64{float64(strings.Count(text, "e")), 1} }}
	server := httptest.NewServer(s)
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "index")
	args := []string{"find", "Which branch has the fewest seats?", "--index", folder, "--embeddings", server.URL + "/v1", "--embedding-model", "m"}
	first, stderr, code := execute(t, args...)
	asked := len(s.Log())
	if code != 0 || asked < 2 || !strings.Contains(first, "city_library.branch") {
		t.Fatalf("exit code %d after %d requests, %s: %s", code, asked, stderr, first)
	}
	for _, r := range s.Log() {
		if strings.Contains(string(r.Body), "Riverside") || strings.Contains(string(r.Body), "Lighthouse") {
			t.Errorf("a stored value is sent: %.300s", r.Body)
		}
	}
	if again, _, _ := execute(t, args...); again != first || len(s.Log()) != asked+1 {
		t.Errorf("%d requests more, want 1 for the question:\n%s\nwant\n%s", len(s.Log())-asked, again, first)
	}
	if files, err := filepath.Glob(filepath.Join(folder, "vectors-*.bin")); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestFindPage runs the commands of docs/find.md that are convert's, and holds what they
// print against what is there. Run with -update, it writes it there.
func TestFindPage(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "find.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end, name = "```console\n", "```\n", "$ convert "
	var out strings.Builder
	for i, block := range strings.Split(string(page), begin) {
		if i > 0 {
			out.WriteString(begin)
		}
		command, after, _ := strings.Cut(block, end)
		command, _, _ = strings.Cut(command, "\n")
		if i == 0 || !strings.HasPrefix(command, name) {
			out.WriteString(block)
			continue
		}
		stdout, stderr, code := execute(t, arguments(command[len(name):])...)
		if code != 0 {
			t.Errorf("%s: exit code %d, %s", command, code, stderr)
		}
		out.WriteString(command + "\n" + stderr + stdout + end + after)
	}
	golden.Equal(t, path, out.String())
}

// arguments splits a command line at spaces but for those between quotation marks.
func arguments(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// TestAnswerableAgreesWithReason asks a database of one's own. A question of whose words
// nothing is unknown can be answered, one that cannot be has words that are not known or
// are in values alone, and none is known in one sentence and not in the other.
func TestAnswerableAgreesWithReason(t *testing.T) {
	file := programtest.Database(t, "shop", `
		CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT, email TEXT);
		INSERT INTO customer VALUES (1, 'Müller', 'Österreich', 'm@example.com'), (2, 'chin', 'Peru', 'c@example.com');
		CREATE TABLE sale (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, amount REAL);
		INSERT INTO sale VALUES (1, 1, 9.5)`)
	for question, want := range map[string]string{
		"What is the email of customer Müller from Österreich?": "It can be answered here: known in shop: email, customer, Müller, Österreich",
		"How many galaxies touch their chin?":                   "It cannot be answered here, as it seems: known in shop: none of its words; only in stored values: chin; not known: galaxies, touch",
		"How many customers are there?":                         "It can be answered here: known in shop: customers",
	} {
		got := programtest.Run(t, "convert", "find", question, "--db", file, "--kinds", "database")
		said, _, _ := strings.Cut(got.Stdout, "\nDatabases")
		said = strings.TrimSpace(regexp.MustCompile(` \(confidence [0-9.]+\)`).ReplaceAllString(strings.Join(strings.Fields(said), " "), ""))
		if said != want {
			t.Errorf("%s\n got %q %s\nwant %q", question, said, got.Stderr, want)
		}
	}
}
