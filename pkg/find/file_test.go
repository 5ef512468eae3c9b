package find_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"time"

	_ "modernc.org/sqlite"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

// folder returns the sample as a dataset on disk, without the indexes that are embedded
// in it.
func folder(t *testing.T) *bird.Dataset {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, sample.FS()); err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, db := range dataset.Databases {
		if err := os.Remove(db.Path + ".find"); err != nil {
			t.Fatal(err)
		}
	}
	return dataset
}

func execSQL(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// long is the time of a file that nobody has written since
var long = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// TestOpenFile lists what may happen to a file of the index, or to its database, with
// whether Open then makes the file anew. What is found is always what Build finds.
func TestOpenFile(t *testing.T) {
	replaced := func(t *testing.T, file string, change func([]byte) []byte) {
		writeFile(t, file, change(readFile(t, file)))
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, file, database string)
		hidden []string // the second time; nothing is hidden the first time
		again  bool
		found  string // a value that is stored then
	}{
		{"nothing", func(*testing.T, string, string) {}, nil, false, "Riverside"},
		{"the file is gone", func(t *testing.T, file, _ string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}, nil, true, "Riverside"},
		{"it is empty", func(t *testing.T, file, _ string) { writeFile(t, file, nil) }, nil, true, "Riverside"},
		{"it is something else", func(t *testing.T, file, _ string) { writeFile(t, file, []byte("birdcall")) }, nil, true, "Riverside"},
		{"it is cut off", func(t *testing.T, file, _ string) {
			replaced(t, file, func(b []byte) []byte { return b[:len(b)-1] })
		}, nil, true, "Riverside"},
		{"it ends in its stamp", func(t *testing.T, file, _ string) {
			replaced(t, file, func(b []byte) []byte { return b[:20] })
		}, nil, true, "Riverside"},
		{"a byte is another one", func(t *testing.T, file, _ string) {
			replaced(t, file, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, nil, true, "Riverside"},
		{"it is of another version", func(t *testing.T, file, _ string) {
			replaced(t, file, func(b []byte) []byte { return bytes.Replace(b, []byte("find 1\n"), []byte("find 2\n"), 1) })
		}, nil, true, "Riverside"},
		{"its values are of another version", func(t *testing.T, file, _ string) {
			replaced(t, file, func(b []byte) []byte {
				return bytes.Replace(b, []byte("bcvals\x00\x01"), []byte("bcvals\x00\xff"), 1)
			})
		}, nil, true, "Riverside"},
		{"another column is hidden", func(*testing.T, string, string) {}, []string{"branch.district"}, true, "Riverside"},
		{"a column of another database is hidden", func(*testing.T, string, string) {}, []string{"bird_club.site.name"}, false, "Riverside"},
		{"a transaction", func(t *testing.T, _, database string) {
			execSQL(t, database, "UPDATE branch SET name = 'Seaside' WHERE name = 'Riverside'").Close()
		}, nil, true, "Seaside"},
		{"a transaction in the log", func(t *testing.T, _, database string) {
			execSQL(t, database, "PRAGMA journal_mode = wal", "UPDATE branch SET name = 'Seaside' WHERE name = 'Riverside'")
		}, nil, true, "Seaside"},
		{"the file is copied", func(t *testing.T, _, database string) {
			replaced(t, database, slices.Clone[[]byte])
			if err := os.Chtimes(database, long, long); err != nil {
				t.Fatal(err)
			}
		}, nil, false, "Riverside"},
		{"another file of the same size and header", func(t *testing.T, _, database string) {
			replaced(t, database, func(b []byte) []byte {
				return bytes.ReplaceAll(b, []byte("Riverside"), []byte("Lakesides"))
			})
		}, nil, true, "Lakesides"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dataset := folder(t)
			dataset.Databases = slices.DeleteFunc(dataset.Databases, func(d *bird.Database) bool { return d.ID == "coffee_roastery" })
			dir := filepath.Join(t.TempDir(), "a", "find")
			if _, err := find.Open(t.Context(), dataset, find.Options{Dir: dir}); err != nil {
				t.Fatal(err)
			}
			file, other := filepath.Join(dir, "city_library.find"), filepath.Join(dir, "bird_club.find")
			c.change(t, file, dataset.Database("city_library").Path)
			for _, f := range []string{file, other} {
				if err := os.Chtimes(f, long, long); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			opts := find.Options{Dir: dir, Hidden: c.hidden}
			opened, err := find.Open(t.Context(), dataset, opts)
			if err != nil {
				t.Fatal(err)
			}
			if again := isWritten(t, file); again != c.again {
				t.Errorf("written again: %v, want %v", again, c.again)
			}
			built, err := find.Build(t.Context(), dataset, opts)
			if err != nil {
				t.Fatal(err)
			}
			got, want := askFor(t, opened, c.found), askFor(t, built, c.found)
			if got != want || !strings.Contains(got, `"value":"`+c.found+`"`) {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// isWritten reports whether a file was written since its time was set.
func isWritten(t *testing.T, path string) bool {
	t.Helper()
	about, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return !about.ModTime().Equal(long)
}

// askFor returns what is found for a text, as JSON.
func askFor(t *testing.T, x *find.Index, text string) string {
	t.Helper()
	r, err := x.Find(t.Context(), find.Query{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestOpenLogBeginsAnew writes to a log that stays as long as it was, as a checkpoint has
// it written from its beginning again.
func TestOpenLogBeginsAnew(t *testing.T) {
	dataset := folder(t)
	path := dataset.Database("city_library").Path
	db := execSQL(t, path, "PRAGMA journal_mode = wal", "UPDATE branch SET name = 'Seaside' WHERE name = 'Riverside'", "UPDATE book SET price = 1", "UPDATE book SET price = 2", "PRAGMA wal_checkpoint(RESTART)", "UPDATE branch SET name = 'Lakeside' WHERE name = 'Hillcrest'")
	before := len(readFile(t, path+"-wal"))
	opts := find.Options{Dir: t.TempDir()}
	if _, err := find.Open(t.Context(), dataset, opts); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "UPDATE branch SET name = 'Bayside' WHERE name = 'Seaside'"); err != nil {
		t.Fatal(err)
	}
	if after := len(readFile(t, path+"-wal")); after != before {
		t.Fatalf("the log has %d bytes, and had %d", after, before)
	}
	x, err := find.Open(t.Context(), dataset, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got := askFor(t, x, "Bayside"); !strings.Contains(got, `"value":"Bayside"`) {
		t.Errorf("the value is not found: %s", got)
	}
}

// TestOpenFilesAreEqual says that the files are the same for any number of workers, and
// that one more database leaves those of the others as they are.
func TestOpenFilesAreEqual(t *testing.T) {
	dataset := folder(t)
	first, last := dataset.Databases[:2], dataset.Databases[2]
	want := map[string][]byte{}
	for _, workers := range []int{0, 1, 2, 8} {
		dir := t.TempDir()
		few := &bird.Dataset{Databases: slices.Clone(first)}
		if _, err := find.Open(t.Context(), few, find.Options{Dir: dir, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, last.ID+".find")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%v", err)
		}
		for _, d := range first {
			if err := os.Chtimes(filepath.Join(dir, d.ID+".find"), long, long); err != nil {
				t.Fatal(err)
			}
		}
		few.Databases = append(few.Databases, last)
		if _, err := find.Open(t.Context(), few, find.Options{Dir: dir, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		for _, d := range dataset.Databases {
			file := filepath.Join(dir, d.ID+".find")
			if isWritten(t, file) != (d == last) {
				t.Errorf("%d workers: %s was written: %v", workers, d.ID, d != last)
			}
			got := readFile(t, file)
			if want[d.ID] == nil {
				want[d.ID] = got
			}
			if !bytes.Equal(got, want[d.ID]) {
				t.Errorf("%d workers: the file of %s is another one", workers, d.ID)
			}
		}
	}
}

// TestOpenPlaces lists where the files of an index are.
func TestOpenPlaces(t *testing.T) {
	for _, c := range []struct {
		name            string
		dir             string
		build           bool
		beside, written bool // next to the database, and in the folder "index"
	}{
		{"by default", "", false, true, false},
		{"in a folder", "index", false, false, true},
		{"in memory", find.InMemory, false, false, false},
		{"Build", "index", true, false, false},
	} {
		dataset := folder(t)
		t.Chdir(t.TempDir())
		open := find.Open
		if c.build {
			open = find.Build
		}
		for _, rebuild := range []bool{false, true} {
			if _, err := open(t.Context(), dataset, find.Options{Dir: c.dir, Rebuild: rebuild}); err != nil {
				t.Fatal(err)
			}
			db := dataset.Databases[0]
			for path, want := range map[string]bool{db.Path + ".find": c.beside, filepath.Join("index", db.ID+".find"): c.written, filepath.Join("-", db.ID+".find"): false} {
				err := os.Chtimes(path, long, long)
				if there := err == nil; there != want {
					t.Errorf("%s: %s is there: %v, want %v", c.name, path, there, want)
				}
			}
		}
		if c.written {
			if _, err := open(t.Context(), dataset, find.Options{Dir: c.dir, Rebuild: true}); err != nil || !isWritten(t, filepath.Join("index", dataset.Databases[0].ID+".find")) {
				t.Errorf("%s: Rebuild does not write: %v", c.name, err)
			}
		}
	}
}

// TestOpenWithoutFolder says that an index that cannot be saved is there, with a warning
// for each database.
func TestOpenWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, nil)
	warned := make(chan string, 10)
	x := sampleIndex(t, find.Options{Dir: filepath.Join(file, "index"), Warn: func(text string) { warned <- text }})
	if got := askFor(t, x, "Riverside"); !strings.Contains(got, `"value":"Riverside"`) {
		t.Errorf("%s", got)
	}
	if len(warned) != 3 || !strings.Contains(<-warned, "cannot be saved, and will be built again the next time") {
		t.Errorf("%d warnings", len(warned))
	}
	sampleIndex(t, find.Options{Dir: filepath.Join(file, "index")}) // nobody is warned
}

// TestOpenOnServer says that a database on a server is read each time, into no file.
func TestOpenOnServer(t *testing.T) {
	s := pgtest.Start(t)
	s.Exec(`CREATE SCHEMA shop; CREATE TABLE shop.customer (id int PRIMARY KEY, name text, secret text); INSERT INTO shop.customer VALUES (1, 'Riverside', 'hush')`)
	opts := find.Options{Source: s.URL("postgres", "postgres", "?sslmode=disable"), AllowWriter: true, Dir: t.TempDir(), Hidden: []string{"customer.secret"}}
	dataset := &bird.Dataset{Databases: []*bird.Database{{ID: "shop"}}}
	for _, name := range []string{"Riverside", "Seaside"} {
		s.Exec("UPDATE shop.customer SET name = '" + name + "'")
		x, err := find.Open(t.Context(), dataset, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := askFor(t, x, name+" of the customer"); !strings.Contains(got, `"value":"`+name+`"`) {
			t.Errorf("%s is not found: %s", name, got)
		}
		if got := askFor(t, x, "hush of the customer"); strings.Contains(got, `"value"`) {
			t.Errorf("what is hidden is found: %s", got)
		}
		sql, changes, err := x.RepairSQL(t.Context(), "shop", "SELECT id FROM customer WHERE name = '"+strings.ToUpper(name)+"'")
		if want := "SELECT id FROM customer WHERE name = '" + name + "'"; err != nil || sql != want || len(changes) != 1 {
			t.Errorf("%s, want %s; %v, %v", sql, want, changes, err)
		}
	}
	if files, err := os.ReadDir(opts.Dir); err != nil || len(files) > 0 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// TestOpenErrors lists what is refused.
func TestOpenErrors(t *testing.T) {
	dataset := folder(t)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	broken := &bird.Dataset{Databases: []*bird.Database{{ID: "none", Path: filepath.Join(t.TempDir(), "none.sqlite")}}}
	for _, c := range []struct {
		name    string
		ctx     context.Context
		dataset *bird.Dataset
		opts    find.Options
		want    string
	}{
		{"no dataset", t.Context(), nil, find.Options{}, "no dataset"},
		{"no databases", t.Context(), &bird.Dataset{}, find.Options{}, "no databases"},
		{"a nonexistent file", t.Context(), broken, find.Options{}, "none.sqlite"},
		{"cancelled", done, dataset, find.Options{Dir: find.InMemory}, "canceled"},
		{"a tool of no database", t.Context(), dataset, find.Options{Tools: []find.Tool{{DB: "nowhere"}}}, `of the database "nowhere", which the dataset does not have`},
		{"a hidden column of no table", t.Context(), dataset, find.Options{Hidden: []string{"name"}}, `"name" is of no database`},
		{"a hidden column of another database", t.Context(), dataset, find.Options{Hidden: []string{"nowhere.branch.name"}}, `"nowhere.branch.name" is of no database`},
		{"a hidden column that does not exist", t.Context(), dataset, find.Options{Hidden: []string{"branch.nam"}}, `"branch.nam" fits no column, so that nothing would be hidden; did you mean branch.name?`},
		{"a hidden column that is not complete", t.Context(), dataset, find.Options{Hidden: []string{"branch."}}, `"branch." is not complete`},
		{"an empty hidden column", t.Context(), dataset, find.Options{Hidden: []string{""}}, `"" is not complete`},
	} {
		for _, open := range []func(context.Context, *bird.Dataset, find.Options) (*find.Index, error){find.Open, find.Build} {
			if _, err := open(c.ctx, c.dataset, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
		}
	}
}

// TestHidden says that values of hidden columns are in no file of the index, and in no
// hit, reason and repair.
func TestHidden(t *testing.T) {
	const stored, column = "Märchenhaus", `"column":"name"`
	for _, c := range []struct {
		hidden []string
		hides  bool
	}{
		{nil, false},
		{[]string{"branch.district"}, false},
		{[]string{"bird_club.site.name"}, false},
		{[]string{"bird_club.*.*"}, false},
		{[]string{"branch.name"}, true},
		{[]string{"BRANCH.Name"}, true},
		{[]string{"branch.*"}, true},
		{[]string{"*.name"}, true},
		{[]string{"*.*"}, true},
		{[]string{"*"}, true},
		{[]string{"city_library.branch.name"}, true},
		{[]string{"*.branch.name"}, true},
		{[]string{"city_library.*.*"}, true},
		{[]string{"branch.district", "branch.name"}, true},
	} {
		dir := t.TempDir()
		x := sampleIndex(t, find.Options{Hidden: c.hidden, Dir: dir})
		r, err := x.Find(t.Context(), find.Query{Text: "Which branch is Märchenhaus or marchenhaus?", K: find.MaxK})
		if err != nil {
			t.Fatal(err)
		}
		var shown strings.Builder
		for _, h := range r.Values {
			shown.WriteString(h.Reason + " " + h.Value.Raw() + "\n")
		}
		for _, list := range [][]find.Hit{r.Databases, r.Tables, r.Columns, r.Tools} {
			for _, h := range list {
				shown.WriteString(h.Reason + "\n")
			}
		}
		if hides := !strings.Contains(shown.String(), stored); hides != c.hides {
			t.Errorf("%v: hidden from hits: %v\n%s", c.hidden, hides, shown.String())
		}
		if text, err := json.Marshal(r.Columns); err != nil || !strings.Contains(string(text), column) {
			t.Errorf("%v: the column's name is not found: %s, %v", c.hidden, text, err)
		}
		sql, changes, err := x.RepairSQL(t.Context(), "city_library", "SELECT code FROM branch WHERE name = 'Marchenhaus'")
		if hides := !strings.Contains(sql, stored) && len(changes) == 0; err != nil || hides != c.hides {
			t.Errorf("%v: hidden from repair: %v; %v, %v", c.hidden, hides, changes, err)
		}
		if hides := !bytes.Contains(readFile(t, filepath.Join(dir, "city_library.find")), []byte(stored)); hides != c.hides {
			t.Errorf("%v: hidden from the file: %v", c.hidden, hides)
		}
	}
}
