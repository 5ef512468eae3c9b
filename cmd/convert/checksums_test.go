package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// sampleFolder lays the embedded sample out on disk.
func sampleFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bird")
	if err := os.CopyFS(dir, sample.FS()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// change replaces a text in a file.
func change(t *testing.T, path, old, now string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s has no %s", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, now, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestShardThatWasChanged changes a word in each file of a shard: merge names it.
func TestShardThatWasChanged(t *testing.T) {
	for _, c := range []struct{ file, old, now string }{
		{"bird_club.outcomes.jsonl", "How many", "How  few"},
		{"shard.json", "aggregation_type/argmin", "aggregation_type/argmed"},
	} {
		flags := []string{"--out", t.TempDir(), "--db", "bird_club", "--quiet"}
		if got := programtest.Run(t, "convert", append(flags, "--shard", "0/1")...); got.Code != 0 {
			t.Fatalf("%+v", got)
		}
		change(t, filepath.Join(flags[1], "slot.shard-0-of-1", c.file), c.old, c.now)
		got := programtest.Run(t, "convert", append([]string{"merge"}, flags...)...)
		if got.Code != 2 || !strings.Contains(got.Stderr, c.file) || !strings.Contains(got.Stderr, "run convert with --shard 0/1 again") {
			t.Errorf("%s: %+v", c.file, got)
		}
	}
}

// TestShardOfDatabaseWithOtherRows changes rows between shards and merge, and nothing
// that the file's header would show.
func TestShardOfDatabaseWithOtherRows(t *testing.T) {
	dir := sampleFolder(t)
	flags := []string{"--dataset", dir, "--out", t.TempDir(), "--db", "bird_club", "--quiet"}
	if got := programtest.Run(t, "convert", append(flags, "--shard", "0/1")...); got.Code != 0 {
		t.Fatalf("%+v", got)
	}
	path := filepath.Join(dir, "dev_databases", "bird_club", "bird_club.sqlite")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1]++
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	got := programtest.Run(t, "convert", append([]string{"merge"}, flags...)...)
	if got.Code != 2 || !strings.Contains(got.Stderr, "the database bird_club was another when the shard was made") {
		t.Errorf("%+v", got)
	}
}

// TestOtherBuild says that two builds of the same version differ.
func TestOtherBuild(t *testing.T) {
	program := programtest.Command(t, "convert", "--version")
	binary, err := os.ReadFile(program.Path)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "convert")
	if err := os.WriteFile(other, append(binary, 0), 0o755); err != nil { // which the system does not look at
		t.Fatal(err)
	}
	one := programtest.RunCommand(t, program)
	c := exec.CommandContext(t.Context(), other, "--version")
	c.Env = programtest.Command(t, "convert").Env
	two := programtest.RunCommand(t, c)
	if one.Code != 0 || two.Code != 0 || one.Stdout == two.Stdout {
		t.Errorf("%+v and %+v", one, two)
	}
}

// TestData says that the report and the card name the data of each database.
func TestData(t *testing.T) {
	dir, out := sampleFolder(t), t.TempDir()
	path := filepath.Join(dir, "dev_databases", "bird_club", "bird_club.sqlite")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(file)
	want := hex.EncodeToString(sum[:])
	for _, c := range []struct {
		kind  string
		flags []string
	}{
		{"file", []string{"--dataset", dir, "--variant", "slot"}},
		{"file", []string{"--dataset", dir, "--variant", "rest"}},
		{"embedded", []string{"--variant", "query"}},
	} {
		got := programtest.Run(t, "convert", append(c.flags, "--out", out, "--db", "bird_club", "--format", "jsonl", "--license", "mit", "--quiet")...)
		if got.Code != 0 {
			t.Fatalf("%+v", got)
		}
		folder := filepath.Join(out, c.flags[len(c.flags)-1])
		var report struct {
			Data []struct {
				DB     string `json:"db_id"`
				Kind   string `json:"kind"`
				Bytes  int    `json:"bytes"`
				SHA256 string `json:"sha256"`
			} `json:"data"`
		}
		text, err := os.ReadFile(filepath.Join(folder, "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatal(err)
		}
		if d := report.Data; len(d) != 1 || d[0].DB != "bird_club" || d[0].Kind != c.kind || d[0].Bytes != len(file) || d[0].SHA256 != want {
			t.Errorf("%v: the report has %+v, want %s", c.flags, d, want)
		}
		card, err := os.ReadFile(filepath.Join(folder, "README.md"))
		if err != nil || !strings.Contains(string(card), "`"+want+"`") {
			t.Errorf("%v: the card has no %s: %v\n%s", c.flags, want, err, card)
		}
	}
}
