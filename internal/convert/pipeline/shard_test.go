package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/artifact/export"
	"github.com/birdcall/birdcall/internal/convert/shard"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/db/fingerprint"
	"github.com/birdcall/birdcall/internal/testkit/thorough"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/spec"
)

// sampleOptions are those of a conversion of the embedded sample into dir.
func sampleOptions(t *testing.T, dir, variant string, how Writing) Options {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Dataset: dataset, Variant: variant, Out: dir, Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2,
		AsOf: bird.DefaultAsOf, Writing: how, Program: "test",
	}
}

// runShards works on all shards of a conversion and returns their folders.
func runShards(t *testing.T, opts Options, n int) []string {
	t.Helper()
	var folders []string
	for i := range n {
		number := shard.Number{Index: i, Of: n}
		if _, err := RunShard(t.Context(), opts, number); err != nil {
			t.Fatalf("shard %s: %v", number, err)
		}
		folders = append(folders, shard.Folder(opts.Folder(), number))
	}
	return folders
}

// TestMergedShards says that shards merge to the bytes of a single run, in every
// variant, whatever is asked of the records: what shards have found does not
// depend on that, but for the chats.
func TestMergedShards(t *testing.T) {
	type way struct {
		name string
		Writing
	}
	plain := []way{
		{"as they are", Writing{MaxTools: spec.DefaultMaxTools}},
		{"a shortlist", Writing{Shortlist: 50, Seed: 3, Spec: spec.Anthropic}},
		{"few tools", Writing{MaxTools: 5, Seed: 4, Format: export.Lines, Obfuscate: true}},
		{"the nearest", Writing{Shortlist: 25, By: spec.Near, Obfuscate: true}},
		{"tools once", Writing{Once: true, Spec: spec.Gemini, Format: export.Parquet}},
	}
	chats := []way{
		{"chats", Writing{Messages: true, Spec: spec.OpenAI, Format: export.Parquet, License: "mit", Source: "a test"}},
		{"hidden chats", Writing{Messages: true, Spec: spec.OpenAIStrict, Format: export.Lines, Obfuscate: true}},
	}
	for i, variant := range variant.Single() {
		for _, c := range thorough.Every([]struct {
			shards int
			ways   []way
		}{
			{1, plain[:1]},
			{2, thorough.Every(chats, 2, i/2)},
			{64, plain[:1]},
			{7, thorough.Every(plain, 2, i/2)},
		}, 2, i) {
			folders := runShards(t, sampleOptions(t, t.TempDir(), variant, Writing{Messages: c.shards == 2}), c.shards)
			for _, w := range c.ways {
				name, how := w.name, w.Writing
				merged := sampleOptions(t, t.TempDir(), variant, how)
				if _, err := Merge(t.Context(), merged, folders); err != nil {
					t.Errorf("%s, %d shards, %s: %v", variant, c.shards, name, err)
				}
				if diff := cmp.Diff(single(t, variant, name, how), files(t, merged.Out)); diff != "" {
					t.Errorf("%s, %d shards, %s (-single +merged):\n%.2000s", variant, c.shards, name, diff)
				}
			}
		}
	}
}

// singles are the files of single runs, by variant and way.
var singles = map[string]map[string]string{}

func single(t *testing.T, variant, name string, how Writing) map[string]string {
	t.Helper()
	key := variant + " " + name
	if singles[key] == nil {
		opts := sampleOptions(t, t.TempDir(), variant, how)
		if _, err := Run(t.Context(), opts); err != nil {
			t.Fatal(err)
		}
		singles[key] = files(t, opts.Out)
	}
	return singles[key]
}

// TestMergedFailures says that failures and their reasons are merged as well,
// in a database that is cut into pieces, and names that two databases would both
// take.
func TestMergedFailures(t *testing.T) {
	dataset := plain(t, `CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'y')`,
		"SELECT a FROM t", "SELECT nosuch FROM t", "SELECT b FROM t WHERE a = 1", "SELECT b FROM t WHERE a = 2",
		"SELECT value FROM json_each('[1]')", "SELECT abs(-9223372036854775808)", "SELECT random()", "SELECT a FROM t ", "SELECT max(a) FROM t WHERE b LIKE 'y%'")
	other := *dataset.Databases[0]
	other.ID = "e"
	dataset.Databases = append(dataset.Databases, &other)
	for _, q := range dataset.Questions[:3] {
		q.ID, q.DB = bird.Number(len(dataset.Questions)), "e"
		dataset.Questions = append(dataset.Questions, q)
	}
	for _, variant := range variant.Single() {
		opts := Options{Dataset: dataset, Variant: variant, Toolset: slot.Auto, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf, Writing: Writing{Messages: true}}
		one, many := opts, opts
		one.Out, many.Out = t.TempDir(), t.TempDir()
		want, err := Run(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		folders := runShards(t, withOut(many, t.TempDir()), 5)
		if _, err := Merge(t.Context(), many, folders); err != nil {
			t.Fatal(err)
		}
		if len(want.Failures) < 2 {
			t.Errorf("%s: %d questions fail", variant, len(want.Failures))
		}
		if diff := cmp.Diff(files(t, one.Out), files(t, many.Out)); diff != "" {
			t.Errorf("%s (-single +merged):\n%s", variant, diff)
		}
	}
}

func withOut(o Options, out string) Options {
	o.Out = out
	return o
}

// TestRefusedShards lists shards that do not belong together, or are not what
// was written.
func TestRefusedShards(t *testing.T) {
	opts := sampleOptions(t, t.TempDir(), record.SLOT, Writing{})
	good := runShards(t, opts, 3)
	of2 := runShards(t, opts, 2)
	full := withOut(opts, t.TempDir())
	full.Toolset = slot.Full
	fullShards := runShards(t, full, 3)
	late := withOut(opts, t.TempDir())
	late.Dataset = only(opts.Dataset, []shard.Part{{DB: "bird_club"}})
	lateShards := runShards(t, late, 3)
	newer := withOut(opts, t.TempDir())
	newer.Program = "another"
	newerShards := runShards(t, newer, 3)

	// damaged returns a copy of a shard with a file changed.
	damaged := func(name string, change func(string) string) string {
		dir := filepath.Join(t.TempDir(), "slot.shard-0-of-3")
		if err := os.CopyFS(dir, os.DirFS(good[0])); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(change(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	replace := func(old, now string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, now, 1) }
	}
	manifest, err := os.ReadFile(filepath.Join(good[0], shard.ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	_, state, _ := strings.Cut(string(manifest), `"sha256": "`) // of the first part's database
	part := filepath.Base(glob(t, good[0], "*"+outcomesEnd))
	// sealed returns a copy of a shard with its manifest changed, as a program would
	// have written it.
	sealed := func(change func(string) string) string {
		dir := damaged(shard.ManifestFile, change)
		path := filepath.Join(dir, shard.ManifestFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := &shard.Manifest{}
		if err := json.Unmarshal(text, m); err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if text, err = json.Marshal(m); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	// resealed returns a copy of a shard with a part's file changed, of which the
	// manifest has the sum.
	resealed := func(change func(string) string) string {
		dir := damaged(part, change)
		sum, err := fingerprint.OfFile(t.Context(), filepath.Join(dir, part))
		if err != nil {
			t.Fatal(err)
		}
		m := &shard.Manifest{}
		if err := json.Unmarshal(manifest, m); err != nil {
			t.Fatal(err)
		}
		for i := range m.Parts {
			if m.Parts[i].File == part {
				m.Parts[i].Sum = sum
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, shard.ManifestFile), text, 0o644); err != nil {
			t.Fatal(err)
		}
		return dir
	}

	for _, c := range []struct {
		name    string
		folders []string
		want    error
		text    string
	}{
		{"none", nil, shard.ErrMissing, "there is no shard here"},
		{"one is missing", good[:2], shard.ErrMissing, "shard 2/3; run convert with --shard 2/3"},
		{"two are missing", good[1:2], shard.ErrMissing, "shard 0/3, 2/3; run"},
		{"one is there twice", append(good[:3:3], good[1]), shard.ErrDoubled, "shard 1/3 is there twice: " + good[1] + " and " + good[1]},
		{"of another number", []string{good[0], of2[1], good[2]}, shard.ErrForeign, of2[1] + " is of another conversion: it is shard 1/2, and " + good[0] + " is 0/3"},
		{"of another toolset", []string{good[0], fullShards[1], good[2]}, shard.ErrForeign, fullShards[1] + " is of another conversion: --toolset was full, and is auto for this merge"},
		{"of other questions", []string{good[0], good[1], lateShards[2]}, shard.ErrForeign, lateShards[2] + " is of another conversion: its questions are others"},
		{"of another version", []string{newerShards[0], good[1], good[2]}, shard.ErrForeign, "the program was another, and is test"},
		{"no shard", []string{good[0], t.TempDir()}, os.ErrNotExist, "name folders that convert --shard wrote"},
		{"of a database that was written to", []string{sealed(replace(state[:64], strings.Repeat("0", 64))), good[1], good[2]}, shard.ErrForeign, "was another when the shard was made"},
		{"a manifest that is broken", []string{damaged(shard.ManifestFile, replace("{", "")), good[1], good[2]}, shard.ErrDamaged, "run convert with --shard"},
		{"a manifest with other parts", []string{sealed(replace(`"from": 0`, `"from": 1`)), good[1], good[2]}, shard.ErrDamaged, "its parts are others"},
		{"a manifest of a later form", []string{damaged(shard.ManifestFile, replace(`"format": 2`, `"format": 3`)), good[1], good[2]}, shard.ErrForeign, "its form is number 3"},
		{"a manifest with a tool more", []string{damaged(shard.ManifestFile, replace(`"used": [`, `"used": ["another_tool", `)), good[1], good[2]}, shard.ErrDamaged, "shard.json was changed after it was written; run convert with --shard 0/3 again"},
		{"a file with a word changed", []string{damaged(part, replace("SELECT", "SELECt")), good[1], good[2]}, shard.ErrDamaged, part + " was changed after it was written: its SHA-256 is not that of shard.json; run convert with --shard 0/3 again"},
		{"a file that is empty", []string{damaged(part, func(string) string { return "" }), good[1], good[2]}, shard.ErrDamaged, part + " was changed"},
		{"a file that is cut off, as its shard wrote it", []string{resealed(func(text string) string { return text[:len(text)/2] }), good[1], good[2]}, shard.ErrDamaged, "run convert with --shard 0/3 again"},
		{"a file with a question twice", []string{resealed(func(text string) string { first, _, _ := strings.Cut(text, "\n"); return first + "\n" + text }), good[1], good[2]}, shard.ErrDamaged, "is in the place of"},
		{"a file with more questions", []string{resealed(func(text string) string { return text + "{}" }), good[1], good[2]}, shard.ErrDamaged, "more questions"},
	} {
		merged := withOut(opts, t.TempDir())
		_, err := Merge(t.Context(), merged, c.folders)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.want, c.text)
		}
		if left := files(t, merged.Out); len(left) > 0 {
			t.Errorf("%s: files are left: %v", c.name, left)
		}
	}
}

// glob returns the first file of a folder that has such a name.
func glob(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s has no %s: %v", dir, pattern, err)
	}
	return found[0]
}

// TestShardStops says that a shard that is stopped leaves nothing.
func TestShardStops(t *testing.T) {
	opts := sampleOptions(t, t.TempDir(), record.SLOT, Writing{})
	ctx, cancel := context.WithCancel(t.Context())
	opts.Progress = cancel
	if _, err := RunShard(ctx, opts, shard.Number{Index: 0, Of: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	if left := files(t, opts.Out); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}
