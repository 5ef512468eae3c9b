package bird

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// tree makes a file system of name and content pairs.
func tree(pairs ...string) fstest.MapFS {
	files := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		files[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return files
}

const (
	birdRecords   = `[{"question_id": 7, "db_id": "zoo", "question": "How many?", "evidence": "none", "SQL": "SELECT 1", "difficulty": "simple"}]`
	trainRecords  = `[{"db_id": "zoo", "question": "How many?", "evidence": "", "SQL": "SELECT 1"}]`
	spiderRecords = `[{"db_id": "zoo", "query": "SELECT 1", "sql": {"select": []}, "question": "How many?"}]`
	plainLines    = "{\"id\": \"q1\", \"db\": \"zoo\", \"question\": \"How many?\", \"sql\": \"SELECT 1\"}\n\n"
)

func TestLayouts(t *testing.T) {
	tests := []struct {
		name, split, questions string
		files                  fstest.MapFS
		layout                 Layout
		wantSplit, database    string
	}{
		{
			name:   "BIRD dev",
			files:  tree("dev.json", birdRecords, "dev_tables.json", "[]", "dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDDev, wantSplit: "dev", database: "dev_databases/zoo/zoo.sqlite",
		},
		{
			name:   "BIRD train",
			files:  tree("train.json", trainRecords, "train_tables.json", "[]", "train_databases/zoo/zoo.sqlite", ""),
			layout: BIRDTrain, wantSplit: "train", database: "train_databases/zoo/zoo.sqlite",
		},
		{
			name:   "BIRD mini-dev, two folders down",
			files:  tree("minidev/MINIDEV/mini_dev_sqlite.json", birdRecords, "minidev/MINIDEV/dev_tables.json", "[]", "minidev/MINIDEV/dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDMiniDev, wantSplit: "mini_dev", database: "minidev/MINIDEV/dev_databases/zoo/zoo.sqlite",
		},
		{
			name: "BIRD mini-dev in three dialects: SQLite's unless asked",
			files: tree("mini_dev_sqlite.json", birdRecords, "mini_dev_postgresql.json", "", "mini_dev_mysql.json", "",
				"dev_tables.json", "[]", "dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDMiniDev, wantSplit: "mini_dev", database: "dev_databases/zoo/zoo.sqlite",
		},
		{
			name: "the one for Postgres", split: "mini_dev_postgresql",
			files: tree("mini_dev_sqlite.json", "", "mini_dev_postgresql.json", birdRecords,
				"dev_tables.json", "[]", "dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDMiniDev, wantSplit: "mini_dev_postgresql", database: "dev_databases/zoo/zoo.sqlite",
		},
		{
			name: "BIRD mini-dev's questions elsewhere, over the databases of BIRD dev", questions: "mini/mini_dev_mysql.json",
			files: tree("dev.json", "", "mini/mini_dev_mysql.json", birdRecords,
				"dev_tables.json", "[]", "dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDMiniDev, wantSplit: "mini_dev_mysql", database: "dev_databases/zoo/zoo.sqlite",
		},
		{
			name: "BIRD dev and train in one folder: dev unless asked",
			files: tree("dev/dev.json", birdRecords, "dev/dev_tables.json", "[]", "dev/dev_databases/zoo/zoo.sqlite", "",
				"train/train.json", trainRecords, "train/train_databases/zoo/zoo.sqlite", ""),
			layout: BIRDDev, wantSplit: "dev", database: "dev/dev_databases/zoo/zoo.sqlite",
		},
		{
			name: "the other of the two", split: "train",
			files: tree("dev/dev.json", birdRecords, "dev/dev_databases/zoo/zoo.sqlite", "",
				"train/train.json", trainRecords, "train/train_tables.json", "[]", "train/train_databases/zoo/zoo.sqlite", ""),
			layout: BIRDTrain, wantSplit: "train", database: "train/train_databases/zoo/zoo.sqlite",
		},
		{
			name:   "Spider",
			files:  tree("dev.json", spiderRecords, "train_spider.json", spiderRecords, "tables.json", "[]", "database/zoo/zoo.sqlite", ""),
			layout: Spider, wantSplit: "dev", database: "database/zoo/zoo.sqlite",
		},
		{
			name: "Spider's test set has its own databases", split: "test",
			files: tree("test.json", spiderRecords, "tables.json", "[]", "test_tables.json", "[]",
				"database/zoo/zoo.sqlite", "", "test_database/zoo/zoo.sqlite", ""),
			layout: Spider, wantSplit: "test", database: "test_database/zoo/zoo.sqlite",
		},
		{
			name:   "plain lines",
			files:  tree("questions.jsonl", plainLines, "zoo.db", ""),
			layout: Plain, wantSplit: "questions", database: "zoo.db",
		},
		{
			name:   "plain array, database in a folder",
			files:  tree("questions.json", "\ufeff["+plainLines+"]", "zoo/zoo.sqlite3", ""),
			layout: Plain, wantSplit: "questions", database: "zoo/zoo.sqlite3",
		},
		{
			name: "a question file of another name", questions: "hard.json",
			files:  tree("dev.json", birdRecords, "hard.json", trainRecords, "dev_tables.json", "[]", "dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDDev, wantSplit: "hard", database: "dev_databases/zoo/zoo.sqlite",
		},
		{
			name: "a plain question file of another name", questions: "mine.jsonl",
			files:  tree("mine.jsonl", plainLines, "zoo.sqlite", ""),
			layout: Plain, wantSplit: "mine", database: "zoo.sqlite",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, err := Load(Options{FS: test.files, Split: test.split, Questions: test.questions})
			if err != nil {
				t.Fatal(err)
			}
			if d.Layout != test.layout || d.Split != test.wantSplit {
				t.Errorf("got layout %q, split %q; want %q, %q", d.Layout, d.Split, test.layout, test.wantSplit)
			}
			if got := d.Database("zoo"); got == nil || got.Name != test.database || got.FS == nil {
				t.Errorf("got database %+v, want %s", got, test.database)
			}
			q := d.Questions[0]
			if q.Text != "How many?" || q.SQL != "SELECT 1" || q.DB != "zoo" {
				t.Errorf("got question %+v", q)
			}
			if len(d.Warnings) > 0 {
				t.Errorf("got warnings %v", d.Warnings)
			}
		})
	}
}

func TestOnDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, tree("dev.json", birdRecords, "dev_databases/zoo/zoo.sqlite", "")); err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string]Options{
		"folder":            {Dir: dir},
		"question file":     {Questions: filepath.Join(dir, "dev.json")},
		"file in a folder":  {Dir: dir, Questions: "dev.json"},
		"with its database": {Dir: dir, Databases: []string{"zoo"}},
	} {
		d, err := Load(opts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := filepath.Join(dir, "dev_databases", "zoo", "zoo.sqlite"); d.Databases[0].Path != want || d.Databases[0].FS != nil {
			t.Errorf("%s: got %+v, want %s", name, d.Databases[0], want)
		}
		if d.Questions[0].File != "dev.json" {
			t.Errorf("%s: got file %q", name, d.Questions[0].File)
		}
		if len(d.Warnings) != 1 || !strings.HasSuffix(d.Warnings[0].File, "dev_tables.json") {
			t.Errorf("%s: got warnings %v, want one on dev_tables.json", name, d.Warnings)
		}
		if got, want := d.Warnings[0].String(), d.Warnings[0].File+": there is no such file, so readable names are missing"; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestIDsStayAsTheyAre(t *testing.T) {
	files := tree("zoo.sqlite", "", "questions.json", `[
		{"question_id": 12345678901234567890, "db_id": "zoo", "question": "a", "sql": "b"},
		{"id": "x-\"1", "db_id": "zoo", "question": "a", "sql": "b"},
		{"db_id": "zoo", "question": "a", "sql": "b"},
		{"question_id": null, "db_id": "zoo", "question": "a", "sql": "b"}]`)
	d, err := Load(Options{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	var ids []ID
	for i, q := range d.Questions {
		ids = append(ids, q.ID)
		if q.Record != i {
			t.Errorf("record %d says it is %d", i, q.Record)
		}
	}
	got, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	if want := `[12345678901234567890,"x-\"1",2,3]`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if ids[2] != Number(2) || ids[1].String() != `x-"1` {
		t.Errorf("got %v", ids)
	}
}

// TestRecordsTwice checks that a repeated record counts once, whatever the order of its
// fields, and that the other records keep their places.
func TestRecordsTwice(t *testing.T) {
	d, err := Load(Options{FS: tree("zoo.sqlite", "", "questions.json", `[
		{"id": 7, "db": "zoo", "question": "a", "sql": "b", "evidence": "c"},
		{"id": 7, "evidence": "c", "sql": "b", "db": "zoo", "question": "a"},
		{"id": 8, "db": "zoo", "question": "a", "sql": "c"}]`)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range d.Questions {
		got = append(got, fmt.Sprintf("%s is record %d", q.ID, q.Record))
	}
	for _, w := range d.Warnings {
		got = append(got, w.String())
	}
	want := []string{
		"7 is record 0", "8 is record 2",
		"questions.json: record 1 says the same as record 0 (the first is 0), question 7, and is left out",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	question := func(id, db string) string {
		return `{"id": ` + id + `, "db": "` + db + `", "question": "a", "sql": "b"}`
	}
	tests := []struct {
		name  string
		files fstest.MapFS
		opts  Options
		want  error
		text  string
	}{
		{"nothing there", tree("readme.txt", ""), Options{}, ErrNoDataset, "expected dev.json beside dev_databases"},
		{"no folder given", nil, Options{}, ErrNoDataset, "give the dataset's folder"},
		{
			"several, none called dev", tree("train_spider.json", "[]", "train_others.json", "[]", "database/a", ""), Options{},
			ErrAmbiguous, "train_spider.json, train_others.json; choose a split: train_spider, train_others",
		},
		{
			"two called dev", tree("a/dev.json", "[]", "a/dev_databases/x", "", "b/dev.json", "[]", "b/dev_databases/x", ""), Options{},
			ErrAmbiguous, "a/dev.json, b/dev.json; name the question file",
		},
		{
			"an array beside lines", tree("questions.json", "[]", "questions.jsonl", "", "zoo.sqlite", ""), Options{},
			ErrAmbiguous, "find .: several question files fit: questions.json, questions.jsonl; use --questions FILE, or remove one of them",
		},
		{
			"an array beside lines, their split chosen", tree("questions.json", "[]", "questions.jsonl", "", "zoo.sqlite", ""), Options{Split: "questions"},
			ErrAmbiguous, "questions.json, questions.jsonl; use --questions FILE, or remove one of them",
		},
		{
			"an array beside lines and another split", tree("questions.json", "[]", "questions.jsonl", "", "test.json", "", "tables.json", "", "database/a", ""), Options{},
			ErrAmbiguous, "test.json, questions.json, questions.jsonl; choose a split: test, questions",
		},
		{
			"wrong split", tree("dev.json", "[]", "dev_databases/x", ""), Options{Split: "train"},
			ErrUnknownSplit, "train; choose one of dev",
		},
		{
			"wrong question file", tree("dev.json", "[]", "dev_databases/x", ""), Options{Questions: "dve.json"},
			fs.ErrNotExist, "read dve.json: file does not exist; check the name",
		},
		{
			"wrong database", tree("questions.json", "["+question("1", "zoo")+","+question("2", "park")+"]"), Options{Databases: []string{"zoos"}},
			ErrUnknownDatabase, "zoos; did you mean zoo?",
		},
		{
			"unlike any database", tree("questions.json", "["+question("1", "zoo")+","+question("2", "park")+"]"), Options{Databases: []string{"financial"}},
			ErrUnknownDatabase, "financial; there are zoo, park",
		},
		{
			"missing database", tree("questions.json", "["+question("1", "zoo")+","+question("2", "park")+"]", "zoo.sqlite", ""), Options{},
			ErrMissingDatabase, "read questions.json, record 1 (the first is 0): the database file is missing: park; put it at park.sqlite",
		},
		{
			"same id twice", tree("questions.json", "["+question("1", "zoo")+","+question("2", "zoo")+","+question(`"1"`, "zoo")+"]"), Options{},
			ErrDuplicateID, "record 2 (the first is 0): two questions have the same id: 1 is also the id of record 0, which says something else; give every",
		},
		{
			"same id twice, after a record that is left out", tree("questions.json", "["+question("1", "zoo")+","+question("1", "zoo")+","+question("2", "zoo")+","+question("2", "park")+"]"), Options{},
			ErrDuplicateID, "record 3 (the first is 0): two questions have the same id: 2 is also the id of record 2, which",
		},
		{"bad record after one that is left out", tree("questions.json", "["+question("1", "zoo")+","+question("1", "zoo")+", 5]"), Options{}, ErrRecord, "record 2 "},
		{"bad JSON", tree("questions.json", "["+question("1", "zoo")+", {]"), Options{}, ErrRecord, "record 1 "},
		{"bad line", tree("questions.jsonl", question("1", "zoo")+"\n{\n"), Options{}, ErrRecord, "record 1 "},
		{"not a record", tree("questions.json", "["+question("1", "zoo")+", 5]"), Options{}, ErrRecord, "record 1 "},
		{"bad id", tree("questions.json", "["+question("[1]", "zoo")+"]"), Options{}, ErrRecord, "must be a number or a string, not [1]"},
		{"a database elsewhere", tree("questions.json", "["+question("1", "../zoo")+"]", "zoo.sqlite", ""), Options{}, ErrRecord, `its database "../zoo" has a character`},
		{"no SQL", tree("questions.json", `[{"db": "zoo", "question": "a"}]`), Options{}, ErrRecord, "no text called SQL or sql or query; correct"},
		{"no question", tree("questions.json", `[{"db": "zoo", "sql": "a", "question": 5}]`), Options{}, ErrRecord, "no text called question"},
		{"cut off", tree("questions.json", "["+question("1", "zoo")), Options{}, nil, "cut off"},
		{"no array", tree("questions.json", "5"), Options{}, nil, "not with ["},
		{"empty", tree("questions.json", ""), Options{}, nil, "it holds no questions"},
		{
			"bad tables file", tree("questions.json", "["+question("1", "zoo")+"]", "zoo.sqlite", "", "tables.json", `[{}, {"db_id": 5}]`), Options{},
			ErrRecord, "read tables.json, record 1",
		},
		{
			"tables file with a column of no table",
			tree("questions.json", "["+question("1", "zoo")+"]", "zoo.sqlite", "", "tables.json", `[{"db_id": "zoo", "column_names_original": [[0, "x"]]}]`), Options{},
			ErrRecord, `column "x" belongs to table 0 of 0`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.files != nil {
				test.opts.FS = test.files
			}
			_, err := Load(test.opts)
			var typed *Error
			if !errors.As(err, &typed) || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got error %v, want %v with %q", err, test.want, test.text)
			}
		})
	}
}

// TestSeveralFilesOfOneName checks that a named question file is combined with the
// databases next to it.
func TestSeveralFilesOfOneName(t *testing.T) {
	files := tree("a/dev.json", birdRecords, "a/dev_databases/zoo/zoo.sqlite", "", "b/dev.json", birdRecords, "b/dev_databases/zoo/zoo.sqlite", "")
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"a", "b"} {
		for _, opts := range []Options{
			{FS: files, Questions: folder + "/dev.json"},
			{Dir: dir, Questions: filepath.Join(folder, "dev.json")},
			{Dir: dir, Questions: filepath.Join(dir, folder, "dev.json")},
		} {
			d, err := Load(opts)
			if err != nil {
				t.Fatal(err)
			}
			at := d.Databases[0].Name + filepath.ToSlash(d.Databases[0].Path)
			if want := folder + "/dev_databases/zoo/zoo.sqlite"; !strings.HasSuffix(at, want) {
				t.Errorf("%s: got %s, want %s", opts.Questions, at, want)
			}
		}
	}
}

func TestMissingFolder(t *testing.T) {
	_, err := Load(Options{Dir: filepath.Join(t.TempDir(), "none")})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "give the folder of a dataset") {
		t.Errorf("got error %v", err)
	}
}

func TestDatabaseFilter(t *testing.T) {
	files := tree("a.db", "", "b.db", "", "questions.json", `[
		{"db": "b", "question": "1", "sql": "b"}, {"db": "a", "question": "2", "sql": "b"}, {"db": "b", "question": "3", "sql": "b"}]`)
	d, err := Load(Options{FS: files, Databases: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, q := range d.Questions {
		order = append(order, q.Text)
	}
	for _, db := range d.Databases {
		order = append(order, db.ID)
	}
	if diff := cmp.Diff([]string{"1", "2", "3", "b", "a"}, order); diff != "" {
		t.Error(diff)
	}
	if d, err = Load(Options{FS: files, Databases: []string{"a"}}); err != nil || len(d.Questions) != 1 || len(d.Databases) != 1 {
		t.Errorf("got %+v, %v", d, err)
	}
}
