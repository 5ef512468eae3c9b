package bird

import (
	"errors"
	"strings"
	"testing"
)

// TestAllDatabases lists the databases that a dataset has, with and without those
// that no question uses.
func TestAllDatabases(t *testing.T) {
	files := []string{"dev_tables.json", zooTables, "dev_databases/zoo/zoo.sqlite", "", "dev_databases/ark/ark.db", "", "dev_databases/notes/readme.txt", ""}
	with := tree(append(files, "dev.json", birdRecords)...)
	without := tree(append(files, "dev.json", "[]")...)
	plain := tree("questions.json", "[]", "zoo.sqlite", "", "ark/ark.sqlite3", "", "readme.txt", "")
	bare := tree("zoo.sqlite", "", "readme.txt", "")
	for _, test := range []struct {
		name      string
		opts      Options
		want      string // the ids of databases
		questions bool
		err       string
	}{
		{"those of questions only", Options{FS: with}, "zoo", true, ""},
		{"those of questions first", Options{FS: with, AllDatabases: true}, "zoo ark", true, ""},
		{"without a question", Options{FS: without, AllDatabases: true}, "ark zoo", false, ""},
		{"one of them", Options{FS: without, AllDatabases: true, Databases: []string{"zoo"}}, "zoo", false, ""},
		{"plain layout", Options{FS: plain, AllDatabases: true}, "ark zoo", false, ""},
		{"no question file", Options{FS: bare, AllDatabases: true}, "zoo", false, ""},
		{"no question file is wanted", Options{FS: bare}, "", false, "no dataset is recognized"},
		{"questions are missing", Options{FS: without}, "", false, "it holds no questions"},
		{"no such database", Options{FS: without, AllDatabases: true, Databases: []string{"zo"}}, "", false, "did you mean zoo?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := Load(test.opts)
			if test.err != "" {
				if e := (*Error)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got error %v, want %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, db := range d.Databases {
				ids = append(ids, db.ID)
			}
			if got := strings.Join(ids, " "); got != test.want || (len(d.Questions) > 0) != test.questions {
				t.Errorf("got databases %q and %d questions, want %q", got, len(d.Questions), test.want)
			}
		})
	}
}
