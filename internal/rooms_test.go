package internal_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/birdcall/birdcall/"

// besides are the folders that are no rooms.
var besides = []string{"cli", "dev", "mixed"}

// maxRooms is how many a newcomer can keep in mind.
const maxRooms = 12

// doc returns the doc comment of a package.
func doc(t *testing.T, file string) string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f.Doc.Text()
}

// rooms returns the rooms in the order of doc.go, where each may import those before
// it.
func rooms(t *testing.T) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(doc(t, "doc.go")) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "\t"), " "); ok && strings.HasPrefix(line, "\t") {
			out = append(out, name)
		}
	}
	return out
}

// roomOf returns the room of a package, or the folder in pkg, cmd, data or docs.
func roomOf(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, module), "/")
	if parts[0] == "internal" {
		return parts[1]
	}
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// packages returns the packages of the module with what each imports, tests aside.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
	list.Dir = ".."
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		out[words[0]] = words[1:]
	}
	return out
}

// importers returns what imports each room.
func importers(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for importer, imports := range packages(t) {
		for _, path := range imports {
			if from, to := roomOf(importer), roomOf(path); strings.HasPrefix(path, module+"internal/") && from != to {
				out[to] = append(out[to], from)
			}
		}
	}
	for room, list := range out {
		slices.Sort(list)
		out[room] = slices.Compact(list)
	}
	return out
}

// TestRooms says that the folders are the rooms that doc.go lists, that each says who
// imports it, and that they import each other in one direction.
func TestRooms(t *testing.T) {
	all := rooms(t)
	if len(all) > maxRooms {
		t.Errorf("%d rooms, at most %d", len(all), maxRooms)
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(besides, e.Name()) {
			folders = append(folders, e.Name())
		}
	}
	if d := cmp.Diff(slices.Sorted(slices.Values(all)), folders); d != "" {
		t.Errorf("rooms of doc.go and folders: %s", d)
	}
	actual := importers(t)
	for i, room := range all {
		text := doc(t, filepath.Join(room, "doc.go"))
		if !strings.Contains(text, "\nStart with ") {
			t.Errorf("%s/doc.go does not say where to start", room)
		}
		_, said, _ := strings.Cut(text, "Imported by: ")
		want := strings.Split(strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(said), ".")), " "), ", ")
		if d := cmp.Diff(want, actual[room]); d != "" {
			t.Errorf("importers that %s/doc.go lists, and those that there are: %s", room, d)
		}
		for _, from := range actual[room] {
			if at := slices.Index(all, from); at >= 0 && at < i {
				t.Errorf("%s imports %s, which comes after it in doc.go", from, room)
			}
		}
	}
}

// TestArchitecture says that docs/architecture.md names each package with its path,
// but for the rooms, whose names are in their headings.
func TestArchitecture(t *testing.T) {
	page, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for path := range packages(t) {
		if path = strings.TrimPrefix(path, module); strings.Contains(path, "/") && !strings.Contains(string(page), path) {
			t.Errorf("docs/architecture.md does not name %s", path)
		}
	}
}

// TestDocs says that each package in a room has a doc comment that begins with its
// name.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for _, file := range files {
		if dir := filepath.Dir(file); !strings.HasSuffix(file, "_test.go") {
			text := doc(t, file)
			documented[dir] = documented[dir] || strings.HasPrefix(text, "Package "+filepath.Base(dir)+" ") || strings.HasPrefix(text, "Command ")
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no doc comment that begins with its name", dir)
		}
	}
}
