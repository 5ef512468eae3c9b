package bird

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

const zooTables = `[{"db_id": "zoo", "table_names_original": ["animal"], "table_names": ["animals of the zoo"]}]`

// TestNoFiles lists which question file is taken, and what describes its tables,
// where the databases are elsewhere.
func TestNoFiles(t *testing.T) {
	for _, test := range []struct {
		name, split, questions string
		files                  fstest.MapFS
		layout                 Layout
		wantSplit              string
		readable               string // of the first table, "" for no table
		warnings               int
	}{
		{
			name:   "BIRD dev without databases",
			files:  tree("dev.json", birdRecords, "dev_tables.json", zooTables),
			layout: BIRDDev, wantSplit: "dev", readable: "animals of the zoo",
		},
		{
			name:   "their files are not looked at",
			files:  tree("dev.json", birdRecords, "dev_tables.json", zooTables, "dev_databases/zoo/zoo.sqlite", ""),
			layout: BIRDDev, wantSplit: "dev", readable: "animals of the zoo",
		},
		{
			name:   "descriptions in the folder of the databases",
			files:  tree("dev.json", birdRecords, "dev_tables.json", "[]", "dev_databases/zoo/database_description/Animal.csv", "original_column_name\nname\n"),
			layout: BIRDDev, wantSplit: "dev",
		},
		{
			name:   "BIRD mini-dev: the one for Postgres",
			files:  tree("mini_dev_sqlite.json", "", "mini_dev_postgresql.json", birdRecords, "mini_dev_mysql.json", ""),
			layout: BIRDMiniDev, wantSplit: "mini_dev_postgresql", warnings: 1,
		},
		{
			name: "unless another is asked for", split: "mini_dev",
			files:  tree("mini_dev_sqlite.json", birdRecords, "mini_dev_postgresql.json", "", "mini_dev_mysql.json", ""),
			layout: BIRDMiniDev, wantSplit: "mini_dev", warnings: 1,
		},
		{
			name:   "beside dev.json, that one",
			files:  tree("dev.json", birdRecords, "mini_dev_postgresql.json", "", "dev_tables.json", zooTables),
			layout: BIRDDev, wantSplit: "dev", readable: "animals of the zoo",
		},
		{
			name:   "Spider, by its tables file",
			files:  tree("dev.json", spiderRecords, "tables.json", zooTables),
			layout: Spider, wantSplit: "dev", readable: "animals of the zoo",
		},
		{
			name:   "Spider, by its folder",
			files:  tree("dev.json", spiderRecords, "tables.json", zooTables, "database/zoo/zoo.sqlite", ""),
			layout: Spider, wantSplit: "dev", readable: "animals of the zoo",
		},
		{
			name:   "plain",
			files:  tree("questions.jsonl", plainLines),
			layout: Plain, wantSplit: "questions",
		},
		{
			name: "a question file of another name", questions: "mine.jsonl",
			files:  tree("mine.jsonl", plainLines),
			layout: Plain, wantSplit: "mine",
		},
		{
			name: "a question file of another name beside a tables file", questions: "mine.jsonl",
			files:  tree("mine.jsonl", plainLines, "dev_tables.json", zooTables),
			layout: BIRDDev, wantSplit: "mine", readable: "animals of the zoo",
		},
		{
			name: "a layout's question file elsewhere", questions: "other/train.json",
			files:  tree("other/train.json", trainRecords, "train_tables.json", zooTables),
			layout: BIRDTrain, wantSplit: "train", warnings: 1, // for want of a tables file next to it
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := Load(Options{FS: test.files, Split: test.split, Questions: test.questions, NoFiles: true})
			if err != nil {
				t.Fatal(err)
			}
			if d.Layout != test.layout || d.Split != test.wantSplit || len(d.Warnings) != test.warnings {
				t.Errorf("got layout %q, split %q, warnings %v; want %q, %q, %d", d.Layout, d.Split, d.Warnings, test.layout, test.wantSplit, test.warnings)
			}
			db := d.Database("zoo")
			if db == nil || db.HasFile() || db.Path != "" || db.FS != nil || db.Name != "" {
				t.Fatalf("got database %+v, want one without a file", db)
			}
			if test.readable != "" && (len(db.Tables) == 0 || db.Tables[0].Readable != test.readable) {
				t.Errorf("got tables %v, want %s", db.Tables, test.readable)
			}
		})
	}
}

// A question file alone is a dataset where databases are elsewhere, and only there.
func TestQuestionFileAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(path, []byte(birdRecords), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(Options{Questions: path}); !errors.Is(err, ErrMissingDatabase) {
		t.Errorf("with files: got error %v", err)
	}
	d, err := Load(Options{Questions: path, NoFiles: true})
	if err != nil || len(d.Databases) != 1 || d.Databases[0].HasFile() {
		t.Errorf("without files: got %+v, %v", d, err)
	}
}

func TestNoFilesErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		opts  Options
		want  error
		text  string
	}{
		{"nothing there", tree("readme.txt", ""), Options{}, ErrNoDataset, "expected dev.json, train.json, mini_dev_postgresql.json, questions.json or questions.jsonl; name a question file"},
		{"wrong split", tree("dev.json", birdRecords), Options{Split: "train"}, ErrUnknownSplit, "train; choose one of dev"},
		{"wrong database", tree("dev.json", birdRecords), Options{Databases: []string{"zo"}}, ErrUnknownDatabase, "did you mean zoo?"},
		{"wrong question file", tree("dev.json", birdRecords), Options{Questions: "dve.json"}, os.ErrNotExist, "check the name"},
	} {
		test.opts.FS, test.opts.NoFiles = test.files, true
		if _, err := Load(test.opts); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: got error %v, want %v with %q", test.name, err, test.want, test.text)
		}
	}
}
