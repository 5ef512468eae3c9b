package bird

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinks says that links to folders are read as folders are: one to the databases,
// one to a database's folder, and one to the dataset.
func TestLinks(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	write := func(path, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(from, to string) {
		t.Helper()
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
	write(filepath.Join(elsewhere, "music", "music.sqlite"), "SQLite")
	write(filepath.Join(elsewhere, "set", "dev.json"), `[{"question_id": 0, "db_id": "music", "question": "?", "SQL": "SELECT 1"}]`)
	link(filepath.Join(elsewhere, "set", "dev_databases"), filepath.Join(dir, "databases"))
	link(filepath.Join(dir, "bird"), filepath.Join(elsewhere, "set"))
	if err := os.Mkdir(filepath.Join(dir, "databases"), 0o755); err != nil {
		t.Fatal(err)
	}
	link(filepath.Join(dir, "databases", "music"), filepath.Join(elsewhere, "music"))
	link(filepath.Join(dir, "databases", "art"), filepath.Join(elsewhere, "nowhere"))
	d, err := Load(Options{Dir: dir, AllDatabases: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(d.IDs(), ","); got != "music" {
		t.Errorf("the databases are %s", got)
	}
}

// TestMissingDatabase says where a database is to be that is missing, and which may be
// meant.
func TestMissingDatabase(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"music.sqlite", "put it at DIR/muzic.sqlite, or choose other databases; there is one called music"},
		{"music/music.sqlite", "put it at DIR/muzic/muzic.sqlite, or choose other databases; there is one called music"},
		{"weather/weather.sqlite", "put it at DIR/muzic/muzic.sqlite, or choose other databases"},
		{"weather.db", "put it at DIR/muzic.sqlite, or choose other databases"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{path: "SQLite", filepath.Join(dir, "questions.json"): `[{"db_id": "muzic", "question": "?", "SQL": "SELECT 1"}]`} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Load(Options{Dir: dir})
		if err == nil || !strings.HasSuffix(strings.ReplaceAll(err.Error(), dir, "DIR"), c.want) {
			t.Errorf("beside %s: %v", c.file, err)
		}
	}
}
