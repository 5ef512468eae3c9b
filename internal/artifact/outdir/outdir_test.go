package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree holds files by their paths: a text, "-> " and a link's target, or
// "folder" for an empty one.
type tree map[string]string

func (files tree) make(t *testing.T, dir string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			if to, isLink := strings.CutPrefix(text, "-> "); isLink {
				err = os.Symlink(to, path)
			} else if text == "folder" {
				err = os.Mkdir(path, 0o755)
			} else {
				err = os.WriteFile(path, []byte(text), 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// read returns the files below a folder, links not followed.
func read(t *testing.T, dir string) tree {
	t.Helper()
	files := tree{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		switch {
		case e.Type() == fs.ModeSymlink:
			to, err := os.Readlink(path)
			files[filepath.ToSlash(name)] = "-> " + to
			return err
		case e.IsDir():
			if entries, err := os.ReadDir(path); err != nil || len(entries) == 0 {
				files[filepath.ToSlash(name)] = "folder"
			}
			return nil
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// listOf is the text of a folder's list.
func listOf(names ...string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("    %q", name)
	}
	return "{\n  \"format\": 1,\n  \"files\": [\n" + strings.Join(quoted, ",\n") + "\n  ]\n}\n"
}

// write runs what a conversion runs: it writes new.json and both.json into
// out/slot. Then is called before the folder takes its place.
func write(dir string, then func()) error {
	d, err := Open(filepath.Join(dir, "out", "slot"))
	if err != nil {
		return err
	}
	defer d.Discard()
	for _, name := range []string{"new.json", "both.json"} {
		if err := d.Bytes(name, []byte("new")); err != nil {
			return err
		}
	}
	then()
	return d.Publish()
}

// The files that an earlier run wrote and those that write writes.
func oldIn(folder string, more ...string) tree {
	files := tree{folder + "/old.json": "old", folder + "/both.json": "old", folder + "/" + ListFile: listOf("both.json", "old.json")}
	return files.with(more...)
}

func newIn(folder string, more ...string) tree {
	files := tree{folder + "/new.json": "new", folder + "/both.json": "new", folder + "/" + ListFile: listOf("both.json", "new.json")}
	return files.with(more...)
}

// with adds pairs of a path and a text.
func (files tree) with(pairs ...string) tree {
	for i := 0; i < len(pairs); i += 2 {
		files[pairs[i]] = pairs[i+1]
	}
	return files
}

// TestWrite lists what a run may find, and what it leaves.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name         string
		before, want tree
	}{
		{"nothing", tree{}, newIn("out/slot")},
		{"an empty folder", tree{"out/slot": "folder"}, newIn("out/slot")},
		{"an older folder", oldIn("out/slot"), newIn("out/slot")},
		{"an older folder that lacks a file", tree{"out/slot/" + ListFile: listOf("gone.json")}, newIn("out/slot")},
		{"files beside the folder", oldIn("out/slot", "out/thesis.txt", "mine", "out/sel/x", "y"), newIn("out/slot", "out/thesis.txt", "mine", "out/sel/x", "y")},

		{"a link for out", oldIn("there/slot", "out", "-> there"), newIn("there/slot", "out", "-> there")},
		{"a link for out/slot", oldIn("there", "out/slot", "-> ../there"), newIn("there", "out/slot", "-> ../there")},
		{"a link to an empty folder", tree{"there": "folder", "out/slot": "-> ../there"}, newIn("there", "out/slot", "-> ../there")},

		{"a run that was killed while it wrote", oldIn("out/slot", "out/.slot.building/x.json", "x", "out/.slot.lock", "1 host\n"), newIn("out/slot")},
		{"a run that was killed between the renames", oldIn("out/.slot.old", "out/.slot.building/x.json", "x"), newIn("out/slot")},
		{"a run that was killed while it removed the old folder", oldIn("out/slot", "out/.slot.old/"+ListFile, listOf("x.json", "y.json"), "out/.slot.old/y.json", "y"), newIn("out/slot")},
		{"a run that was killed before it removed the empty old folder", oldIn("out/slot", "out/.slot.old", "folder"), newIn("out/slot")},
		{"an empty folder in the place of one that was killed for", oldIn("out/.slot.old", "out/slot", "folder"), newIn("out/slot")},
	} {
		dir := t.TempDir()
		c.before.make(t, dir)
		if err := write(dir, func() {}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, read(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestRefused lists folders that are not written to. Nothing in them changes.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		before tree
		is     error
		says   string
	}{
		{
			"someone's file", oldIn("out/slot", "out/slot/thesis.txt", "mine"), ErrForeign,
			"out/slot: it holds files of something else: thesis.txt; move them away, or choose another --out",
		},
		{"many of them", oldIn("out/slot", "out/slot/a", "", "out/slot/b", "", "out/slot/c/d", "", "out/slot/e", ""), ErrForeign, ": a, b, c and 1 more; move"},
		{"a folder in the place of a file", tree{"out/slot/x.json/y": "", "out/slot/" + ListFile: listOf("x.json")}, ErrForeign, ": x.json; move"},
		{"a link in the place of a file", tree{"out/slot/x.json": "-> ../y", "out/slot/" + ListFile: listOf("x.json")}, ErrForeign, ": x.json; move"},
		{
			"a folder without a list", tree{"out/slot/report.json": "{}"}, ErrForeign,
			"or of a version that kept no .birdcall.json: report.json; remove the folder or move it away",
		},
		{"someone's file, found again after a kill", oldIn("out/.slot.old", "out/.slot.old/thesis.txt", "mine"), ErrForeign, ": thesis.txt; move"},

		{"a broken list", tree{"out/slot/" + ListFile: "{"}, nil, ".birdcall.json: it is broken: "},
		{"a list of a later version", tree{"out/slot/" + ListFile: `{"format": 2}`}, nil, "it has format 2, and this version knows 1; move the folder away"},
		{"a list that leads out", tree{"out/x": "", "out/slot/" + ListFile: `{"format": 1, "files": ["../x"]}`}, nil, `"../x" is no name of a file in this folder`},
		{"a list that is a folder", tree{"out/slot/.birdcall.json/x": ""}, nil, "it is no regular file"},

		{"out is a file", tree{"out": "x"}, nil, "out is a file and no folder"},
		{"out/slot is a file", tree{"out/slot": "x"}, nil, "slot is a file and no folder"},
		{"out is a link to nothing", tree{"out": "-> nowhere"}, ErrLink, "out: it is a link to nothing: nowhere; make that folder"},
		{"out/slot is a link to nothing", tree{"out/slot": "-> nowhere"}, ErrLink, "slot: it is a link to nothing: nowhere; make that folder"},
		{"out/slot is a link to itself", tree{"out/slot": "-> slot"}, ErrLink, "it is a link to nothing: slot"},
	} {
		dir := t.TempDir()
		c.before.make(t, dir)
		ran := false
		err := write(dir, func() { ran = true })
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.says)
		}
		if ran {
			t.Errorf("%s: the work was done before it was refused", c.name)
		}
		if c.name == "someone's file, found again after a kill" {
			c.before = oldIn("out/slot", "out/slot/thesis.txt", "mine") // it is back in its place
		}
		if diff := cmp.Diff(c.before, read(t, dir)); diff != "" {
			t.Errorf("%s: files changed (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestMeanwhile lists what may come into the old folder while the new one is
// in the making. It moves along.
func TestMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name       string
		come, want tree
		says       string
	}{
		{"a file", tree{"out/slot/thesis.txt": "mine"}, newIn("out/slot", "out/slot/thesis.txt", "mine"), ""},
		{"a folder", tree{"out/slot/a/b": "mine"}, newIn("out/slot", "out/slot/a/b", "mine"), ""},
		{
			"a file with the name of a new one", tree{"out/slot/new.json": "mine"},
			newIn("out/slot", "out/.slot.old/new.json", "mine", "out/.slot.old/old.json", "old", "out/.slot.old/"+ListFile, listOf("both.json", "old.json")),
			"has a file of that name: it is kept as ",
		},
	} {
		dir := t.TempDir()
		oldIn("out/slot").make(t, dir)
		err := write(dir, func() { c.come.make(t, dir) })
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.says)
		}
		if diff := cmp.Diff(c.want, read(t, dir)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if err := write(dir, func() {}); err == nil {
			t.Errorf("%s: the next run does not stop at it", c.name)
		}
	}
}

// TestUnfinished says that what is not published leaves no trace.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	oldIn("out/slot").make(t, dir)
	d, err := Open(filepath.Join(dir, "out", "slot"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.JSON("new.json", "new"); err != nil {
		t.Fatal(err)
	}
	d.Discard()
	if diff := cmp.Diff(oldIn("out/slot"), read(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
