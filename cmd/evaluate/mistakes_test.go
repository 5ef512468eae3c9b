package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestMistakes lists command lines as people type them by mistake, with what each is
// answered: what is wrong, where, and what to type.
func TestMistakes(t *testing.T) {
	slot, dir := convertOne(t), t.TempDir()
	for name, text := range map[string]string{
		"file": "x", "none.jsonl": "", "good.jsonl": `{"sample_id": 1, "calls": []}`, "stranger.jsonl": `{"sample_id": 9999, "calls": []}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	places := strings.NewReplacer("SLOT", slot, "OUT", filepath.Dir(slot), "DIR", dir)
	back := strings.NewReplacer(slot, "SLOT", filepath.Dir(slot), "OUT", dir, "DIR")
	for _, c := range []struct{ line, want string }{
		{"", "no --dataset: give a folder that convert wrote, such as out/slot"},
		{"--dataset SLOT", "no --predictions: give a file of what a model answered, or ask a model with evaluate run"},
		{"--dataset SLOT --prediction DIR/good.jsonl", "unknown flag: --prediction; did you mean --predictions?"},
		{"DIR/good.jsonl", "files and folders are given with flags; did you mean --predictions DIR/good.jsonl?"},
		{"copmare", `unknown command "copmare"; did you mean evaluate compare?`},
		{"--dataset OUT --predictions DIR/good.jsonl", "OUT/report.json: no such file or directory; name a folder that convert wrote, such as SLOT"},
		{"--dataset DIR/nowhere --predictions DIR/good.jsonl", "name a folder that convert wrote, such as out/slot"},
		{"--dataset DIR/file --predictions DIR/good.jsonl", "not a directory; name a folder that convert wrote"},
		{"--dataset SLOT --predictions DIR/nowhere", "DIR/nowhere: no such file or directory; give a file of what a model answered, as JSON lines or a JSON array"},
		{"--dataset SLOT --predictions DIR", "is a directory; give a file of what a model answered"},
		{"--dataset SLOT --predictions DIR/none.jsonl", "DIR/none.jsonl: there is no prediction in it, which is a line of JSON with a sample_id"},
		{"--dataset SLOT --predictions DIR/file", "DIR/file, line 1: unreadable prediction: it is no JSON object"},
		{"--dataset SLOT --predictions DIR/stranger.jsonl --no-execute", "nothing to score: none of 1 predictions can be used; DIR/stranger.jsonl, line 1: prediction for no sample"},
		{"--dataset SLOT --predictions DIR/good.jsonl --rules exat", `--rules "exat": did you mean exact?`},
		{"--dataset SLOT --predictions DIR/good.jsonl --by databse", `--by "databse": did you mean database?`},
		{"--dataset SLOT --predictions DIR/good.jsonl --databases DIR/nowhere", "find DIR/nowhere: no such file or directory; give the folder of a dataset"},
		{"--dataset SLOT --predictions DIR/good.jsonl --out DIR/file", "choose another --out"},
		{"--dataset SLOT --predictions DIR/good.jsonl --timeout 5", "--timeout 5: give a duration such as 30s or 5m"},
		{"query --dataset SLOT --predictions DIR/good.jsonl", "has samples of the variant slot; give a folder of convert --variant query, or score it with evaluate"},
		{"compare", "no reports are given: name them, such as score/*/report.json"},
		{"compare DIR/good.jsonl", "give a score/MODEL/report.json"},
		{"compare DIR/nowhere.json", "DIR/nowhere.json: no such file or directory; give a score/MODEL/report.json"},
		{"run --dataset SLOT", "no --model: give the endpoint's name of a model"},
		{"run --dataset SLOT --model x --mode raect", `--mode "raect": did you mean react?`},
		{"run --dataset SLOT --model x --url http://127.0.0.1:1", "unknown flag: --url; did you mean --base-url?"},
	} {
		program := programtest.Command(t, "evaluate", strings.Fields(places.Replace(c.line))...)
		program.Dir = t.TempDir()
		got := programtest.RunCommand(t, program)
		if text := back.Replace(got.Stderr); got.Code != 2 || !strings.Contains(text, c.want) || got.Stdout != "" {
			t.Errorf("evaluate %s: exit code %d, %s%s, want %s", c.line, got.Code, text, got.Stdout, c.want)
		}
	}
}
