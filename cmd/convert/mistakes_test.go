package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// mistakeFolder makes a folder with what command lines name by mistake.
func mistakeFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one := func(db string) string {
		return `[{"question_id": 7, "db_id": "` + db + `", "question": "?", "SQL": "SELECT 1"}]`
	}
	write("file", "x")
	write("empty/x", "")
	write("none/questions.json", "[]")
	write("none/a.sqlite", "")
	write("torn/questions.json", `[{"db_id": "a"`)
	write("misspelt/questions.json", `[{"db_id": "a", "questoin": "?", "SQL": "SELECT 1"}]`)
	write("missing/questions.json", one("muzic"))
	write("missing/music.sqlite", "")
	write("packed/questions.json", one("a"))
	write("text/questions.json", one("a"))
	write("text/a.sqlite", "CREATE TABLE t(x);\n")
	packed, err := os.Create(filepath.Join(dir, "packed", "a.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(packed)
	if _, err := z.Write([]byte("SQLite format 3")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	write("full/slot/mine.txt", "x")
	return dir
}

// TestMistakes lists command lines as people type them by mistake, with what each is
// answered: what is wrong, where, and what to type. None writes anything.
func TestMistakes(t *testing.T) {
	dir, here := mistakeFolder(t), t.TempDir()
	for _, c := range []struct{ line, want string }{
		{"--vraiant slot", "unknown flag: --vraiant; did you mean --variant?"},
		{"-variant slot", "unknown flag: -variant; did you mean --variant?"},
		{"--output out", "unknown flag: --output; did you mean --out?"},
		{"--threads 4", "unknown flag: --threads; did you mean --jobs?"},
		{"slot", `unknown command "slot"; did you mean --variant slot?`},
		{"megre", `unknown command "megre"; did you mean convert merge?`},
		{"DIR/none", `files and folders are given with flags; did you mean --dataset DIR/none?`},
		{"--variant slots", `--variant "slots": did you mean slot?`},
		{"--shortlist-by nera", `--shortlist-by "nera": did you mean near?`},
		{"--dataset", "--dataset has no value: give folder of a dataset"},
		{"--jobs many", "--jobs many: give a whole number"},
		{"--timeout 30", "--timeout 30: give a duration such as 30s or 5m"},
		{"--question-memory 1GB", "--question-memory 1GB: give a whole number, for the bytes"},
		{"--max-value 0", "--max-value 0: give a number of bytes from 1"},
		{"--dataset DIR/nowhere", "find DIR/nowhere: no such file or directory; give the folder of a dataset"},
		{"--dataset DIR/file", "find DIR/file: not a directory; give the folder of a dataset, or a question file with --questions"},
		{"--dataset DIR/empty", "find DIR/empty: no dataset is recognized; expected dev.json"},
		{"--dataset DIR/none", "read DIR/none/questions.json: it holds no questions"},
		{"--dataset DIR/torn", "read DIR/torn/questions.json, record 0"},
		{"--dataset DIR/misspelt", `it has no text called question, but one called "questoin"`},
		{"--dataset DIR/missing", "the database file is missing: muzic; put it at DIR/missing/muzic.sqlite, or choose other databases; there is one called music"},
		{"--dataset DIR/packed", "DIR/packed/a.sqlite: not a readable SQLite database: it is compressed by gzip; unpack it with gunzip"},
		{"--dataset DIR/text", "it is a text; if that is SQL, make a database of it with sqlite3"},
		{"--db bird_clob", "no question uses that database: bird_clob; did you mean bird_club?"},
		{"--split tset", "there is no such split: tset; choose one of dev"},
		{"--out DIR/file", "DIR/file is a file and no folder"},
		{"--out DIR/full", "it holds files of something else"},
		{"find x --hide Customer.Emial", "find: the hidden column \"Customer.Emial\" fits no column, so that nothing would be hidden; did you mean customer.Email?"},
		{"find x --db bird_clob", "the dataset has no such database; use one of city_library"},
		{"find x --kinds vlaue", `--kinds "vlaue": did you mean value?`},
		{"find", "an argument is missing; write convert find QUESTION"},
		{"sql SELECT 1", `too many arguments, from "1" on; write convert sql STATEMENT`},
		{"describe DIR/full", "name a folder that convert wrote, such as out/slot"},
		{"merge DIR/empty", "name folders that convert --shard wrote"},
		{"--shard 3/3", "there is no shard 3/3: those of 3 are 0/3 to 2/3"},
		{"--as-of yesterday", `--as-of "yesterday": write it as 2025-01-01`},
	} {
		program := programtest.Command(t, "convert", strings.Fields(strings.ReplaceAll(c.line, "DIR", dir))...)
		program.Dir = here
		got := programtest.RunCommand(t, program)
		text := strings.ReplaceAll(got.Stderr, dir, "DIR")
		if got.Code != 2 || !strings.Contains(text, c.want) || got.Stdout != "" {
			t.Errorf("convert %s: exit code %d, %s%s, want %s", c.line, got.Code, text, got.Stdout, c.want)
		}
	}
	if found, err := filepath.Glob(filepath.Join(here, "*", "*")); err != nil || len(found) > 0 {
		t.Errorf("something was written: %v, %v", found, err)
	}
}

// TestFailures says that the first message of each kind of failure is printed with its
// question, and that a conversion without samples ends with 1.
func TestFailures(t *testing.T) {
	dir := writeDataset(t, map[string]string{"a": "CREATE TABLE t(x)"}, []question{{"a", "SELECT y FROM t"}, {"a", "SELECT z FROM t"}})
	got := programtest.Run(t, "convert", "--dataset", dir, "--out", t.TempDir())
	if got.Code != 1 || !strings.Contains(got.Stdout, "   2 sql_error: SQL (0, 1)\n     0: no such column: y") || !strings.Contains(got.Stderr, "no question is verified") {
		t.Errorf("%+v", got)
	}
}

// TestEscapes says that no character of a dataset that a terminal obeys reaches it.
func TestEscapes(t *testing.T) {
	dir := writeDataset(t, map[string]string{"a": "CREATE TABLE t(x)"}, []question{{"a", "SELECT x FROM t"}})
	text := `[{"question_id": "\u001b[31mred\u202e", "db_id": "a", "question": "?", "SQL": "SELECT \u001b]0;title\u0007 FROM t"},
		{"question_id": "b\u009b", "db_id": "a", "question": "?", "SQL": "SELECT nosuch(1, '\u001b[2J') FROM t"},
		{"question_id": "c", "db_id": "a", "question": "?", "SQL": "SELECT \"\u001b[2J\u202e\".x FROM t"},
		{"question_id": "d", "db_id": "a", "question": "?", "SQL": "SELECT x FROM t", "evidnce\u001b": 1}]`
	if err := os.WriteFile(filepath.Join(dir, "questions.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--out", t.TempDir()}, {"--out", t.TempDir(), "--variant", "rest"}, {"--out", t.TempDir(), "--variant", "query"},
		{"coverage"}, {"--db", "\x1b[31m"}, {"\x1b[31m"}, {"--\x1b[31m"},
	} {
		got := programtest.Run(t, "convert", append([]string{"--dataset", dir}, args...)...)
		if strings.ContainsAny(got.Stdout+got.Stderr, "\x1b\x07\u009b\u202e") || got.Stdout+got.Stderr == "" {
			t.Errorf("%q: %q %q", args, got.Stdout, got.Stderr)
		}
	}
}
