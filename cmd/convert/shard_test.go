package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestShards says what shards and merge print, and that they end in the files of
// one run.
func TestShards(t *testing.T) {
	one, many := t.TempDir(), t.TempDir()
	flags := []string{"--variant", "rest", "--format", "jsonl", "--license", "mit"}
	wantText, _, code := execute(t, append(flags, "--out", one)...)
	if code != 0 {
		t.Fatalf("one run: exit code %d", code)
	}
	flags = append(flags, "--out", many)
	for i, want := range []string{"44", "44", "43"} {
		stdout, stderr, code := execute(t, append(flags, "--shard", fmt.Sprintf("%d/3", i))...)
		last := fmt.Sprintf("Shard %d/3, %s of 131 questions, is written to %s.shard-%d-of-3\n", i, want, filepath.Join(many, "rest"), i)
		if code != 0 || stderr != "" || !strings.HasSuffix(stdout, last) || !strings.Contains(stdout, "verified") {
			t.Errorf("shard %d: exit code %d, %s, %s", i, code, stdout, stderr)
		}
	}
	stdout, stderr, code := execute(t, append([]string{"merge"}, flags...)...)
	if want := strings.ReplaceAll(wantText, one, many); code != 0 || stderr != "" || stdout != want {
		t.Errorf("merge: exit code %d, %s\n%s, want\n%s", code, stderr, stdout, want)
	}
	same(t, filepath.Join(one, "rest"), filepath.Join(many, "rest"))
}

// same compares two folders, which have no folders of their own.
func same(t *testing.T, want, got string) {
	t.Helper()
	read := func(dir string) map[string]string {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files[e.Name()] = string(data)
		}
		return files
	}
	a, b := read(want), read(got)
	if len(a) != len(b) {
		t.Errorf("%s has %d files, and %s has %d", want, len(a), got, len(b))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
}

// TestShardErrors lists command lines that are refused.
func TestShardErrors(t *testing.T) {
	out := t.TempDir()
	if _, _, code := execute(t, "--out", out, "--shard", "0/2", "--db", "bird_club", "--quiet"); code != 0 {
		t.Fatal(code)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--shard", "2/2"}, "--shard: there is no shard 2/2: those of 2 are 0/2 to 1/2"},
		{[]string{"--shard", "two"}, `--shard: "two" is no shard: write which one, from 0, and of how many, such as 0/7`},
		{[]string{"--shard", "0/2", "--at-least", "3"}, "give it to convert merge"},
		{[]string{"coverage", "--shard", "0/2"}, "--shard: coverage writes no samples"},
		{[]string{"describe", "--shard", "0/2", out}, "--shard: describe reads what is written already"},
		{[]string{"merge", "--shard", "0/2"}, "--shard: merge takes all shards"},
		{[]string{"merge", "--out", t.TempDir()}, "missing: there is no shard here"},
		{[]string{"merge", "--out", out}, "is of another conversion: its questions are others"},
		{[]string{"merge", "--out", out, "--db", "bird_club"}, "missing: shard 1/2; run convert with --shard 1/2"},
		{[]string{"merge", "--out", out, "--db", "bird_club", "--timeout", "31s"}, "--timeout was 30s, and is 31s for this merge"},
		{[]string{"merge", out}, "name folders that convert --shard wrote"},
	} {
		stdout, stderr, code := execute(t, c.args...)
		if code != 2 || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%v: exit code %d, %s%s, want %s", c.args, code, stdout, stderr, c.want)
		}
	}
}

// manifestFlag is an argument in a list of a manifest.
var manifestFlag = regexp.MustCompile(`(?m)^ +- (merge|--[a-z].*)$`)

// TestKubernetes runs what the manifests of deploy/kubernetes have pods run,
// on the sample.
func TestKubernetes(t *testing.T) {
	out, one := t.TempDir(), t.TempDir()
	run := func(manifest, index string) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "kubernetes", manifest))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"--quiet"}
		for _, m := range manifestFlag.FindAllStringSubmatch(string(text), -1) {
			arg := strings.NewReplacer("/data/out", out, "$(JOB_COMPLETION_INDEX)", index).Replace(m[1])
			if !strings.HasPrefix(arg, "--dataset=") {
				args = append(args, arg)
			}
		}
		if _, stderr, code := execute(t, args...); code != 0 || len(args) < 4 {
			t.Fatalf("%s: %v: exit code %d, %s", manifest, args, code, stderr)
		}
	}
	for i := range 7 {
		run("convert.yaml", fmt.Sprint(i))
	}
	run("merge.yaml", "")
	if _, _, code := execute(t, "--out", one, "--quiet"); code != 0 {
		t.Fatal(code)
	}
	same(t, filepath.Join(one, "slot"), filepath.Join(out, "slot"))
}

// TestSlurm says with which arguments the scripts of deploy/slurm run convert.
func TestSlurm(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	for _, c := range []struct {
		script string
		env    []string
		want   string
	}{
		{"convert.sbatch", []string{"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_COUNT=7", "SLURM_CPUS_PER_TASK=4"}, "--variant sel --out a b --shard 3/7 --jobs 4"},
		{"convert.sbatch", []string{"SLURM_ARRAY_TASK_ID=3", "SLURM_ARRAY_TASK_COUNT=1", "SHARDS=7"}, "--variant sel --out a b --shard 3/7 --jobs 1"},
		{"merge.sbatch", nil, "merge --variant sel --out a b"},
	} {
		script := exec.CommandContext(t.Context(), sh, filepath.Join("..", "..", "deploy", "slurm", c.script), "--variant", "sel", "--out", "a b")
		script.Env = append([]string{"CONVERT=echo"}, c.env...)
		got, err := script.Output()
		if err != nil || string(got) != c.want+"\n" {
			t.Errorf("%s with %v: %q, %v, want %q", c.script, c.env, got, err, c.want)
		}
	}
}
