package sample

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"
)

func load(t *testing.T) *bird.Dataset {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: FS()})
	if err != nil {
		t.Fatal(err)
	}
	return dataset
}

func open(t *testing.T, db *bird.Database) *sqlite.DB {
	t.Helper()
	opened, err := sqlite.Open(context.Background(), sqlite.Location{FS: db.FS, Name: db.Name}, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

func TestEveryQuestionHasAnAnswer(t *testing.T) {
	dataset := load(t)
	databases := map[string]*sqlite.DB{}
	for _, db := range dataset.Databases {
		databases[db.ID] = open(t, db)
	}
	for i, q := range dataset.Questions {
		if q.ID != bird.Number(i) {
			t.Errorf("question %d has the id %s", i, q.ID)
		}
		if q.Difficulty != "simple" && q.Difficulty != "moderate" && q.Difficulty != "challenging" {
			t.Errorf("question %d is rated %q", i, q.Difficulty)
		}
		answer, err := databases[q.DB].Query(context.Background(), q.SQL)
		if err != nil {
			t.Errorf("question %d: %v", i, err)
		} else if len(answer.Rows) == 0 {
			t.Errorf("question %d has no answer", i)
		}
	}
	if len(dataset.Warnings) > 0 {
		t.Errorf("warnings: %v", dataset.Warnings)
	}
}

func TestEveryColumnIsDescribed(t *testing.T) {
	for _, db := range load(t).Databases {
		schema, err := open(t, db).Schema(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range schema.Tables {
			for _, column := range table.Columns {
				d := db.Describe(table.Name, column.Name)
				if d.Readable == "" || d.DataFormat == "" {
					t.Errorf("%s: %s.%s has the description %+v", db.ID, table.Name, column.Name, d)
				}
			}
		}
	}
	// One text of each encoding.
	for _, test := range []struct{ db, table, column, want string }{
		{"city_library", "branch", "Seats (Reading Room)", "number of seats – 0 means there is no reading room"},
		{"city_library", "loan", "due", "day by which it had to be back"},
		{"city_library", "book", "isbn", "ten digit book number"},
	} {
		for _, db := range load(t).Databases {
			if got := db.Describe(test.table, test.column).Description; db.ID == test.db && got != test.want {
				t.Errorf("%s.%s is described as %q, want %q", test.table, test.column, got, test.want)
			}
		}
	}
}

// The constructs that occur in datasets of this kind, each with a pattern that
// shows it in a question's SQL.
var constructs = []struct{ name, pattern string }{
	{"equals", `= '`}, {"not equals", `<> '`}, {"not equals, C style", `!= '`},
	{"less", ` < \d`}, {"greater", ` > \d`}, {"at most", ` <= `}, {"at least", ` >= `},
	{"alias of a table", `FROM \w+ AS T1`}, {"alias without AS", `FROM author A, `},
	{"inner join", `INNER JOIN`}, {"plain join", `\w JOIN `}, {"left join", `LEFT JOIN`}, {"left outer join", `LEFT OUTER JOIN`},
	{"comma join", `FROM \w+ AS T1, `}, {"self join", `member AS T1 INNER JOIN member AS T2`},
	{"three tables", `(?s)JOIN.*JOIN`}, {"four tables", `(?s)(JOIN.*){3}`}, {"five tables", `(?s)(JOIN.*){4}`},
	{"join with a derived table", `JOIN \(SELECT`}, {"columns compared", `T1\.branch_code = T2\.branch_code`},
	{"and", ` AND `}, {"or in parentheses", `\([^()]* OR [^()]*\) AND`}, {"not", `NOT \(`},
	{"in list", ` IN \('`}, {"not in list", `NOT IN \('`}, {"not in subquery", `NOT IN \(SELECT`}, {"not exists", `NOT EXISTS \(`},
	{"between", ` BETWEEN '`}, {"not between", `NOT BETWEEN`}, {"like", ` LIKE '`}, {"not like", `NOT LIKE`},
	{"is null", `IS NULL`}, {"is not null", `IS NOT NULL`}, {"is not a value", `IS NOT '`},
	{"count rows", `COUNT\(\*\)`}, {"count values", `COUNT\("?\w+"?\)`}, {"count distinct", `COUNT\(DISTINCT `},
	{"sum", `SUM\(\w+\)`}, {"avg", `AVG\(`}, {"min", `MIN\(`}, {"max", `MAX\(`},
	{"sum of a case", `SUM\(CASE WHEN`}, {"count of a case", `COUNT\(CASE WHEN`}, {"case without else", `THEN \w+ END`},
	{"case with null", `ELSE NULL END`}, {"case of a value", `CASE "`},
	{"iif", `IIF\(`}, {"sum of an iif", `SUM\(IIF\(`}, {"sum of a comparison", `SUM\(\w+ >= 15\)`}, {"sum of an equality", `SUM\(\w+ = '`},
	{"cast to real", `AS REAL\)`}, {"cast to float", `AS FLOAT\)`}, {"cast to integer", `AS INTEGER\)`}, {"cast to int", `AS INT\)`},
	{"percentage", `\* 100(\.0)? /`}, {"difference of scalar subqueries", `SELECT \(SELECT .*\) - \(SELECT`},
	{"concatenation", `\|\|`}, {"substr", `SUBSTR\(`}, {"substring", `SUBSTRING\(`}, {"instr", `INSTR\(`}, {"length", `LENGTH\(`},
	{"replace", `REPLACE\(`}, {"round", `ROUND\(`}, {"abs", `ABS\(`}, {"coalesce", `COALESCE\(`}, {"nullif", `NULLIF\(`},
	{"strftime", `STRFTIME\('%Y'`}, {"date", `DATE\(`}, {"date with a modifier", `DATE\('[^']*', '-70 years'\)`}, {"julianday", `JULIANDAY\(`},
	{"datetime of now", `DATETIME\('now'\)`}, {"current timestamp", `CURRENT_TIMESTAMP`}, {"age in years", `STRFTIME\('%Y', 'now'\) - STRFTIME`},
	{"group by one", `GROUP BY \w+ ORDER`}, {"group by several", `GROUP BY \w+, \w+`}, {"group by an expression", `GROUP BY STRFTIME\(`},
	{"group by an alias", `GROUP BY year`}, {"having", `HAVING COUNT\(`},
	{"order by a column", `ORDER BY published`}, {"order by an alias", `ORDER BY turnover DESC`}, {"order by an ordinal", `ORDER BY [12]\b`},
	{"order by an expression", `ORDER BY LENGTH\(`}, {"order by an aggregate", `ORDER BY COUNT\(`}, {"ascending", ` ASC `}, {"descending", ` DESC`},
	{"order by two keys", ` DESC, \w+`},
	{"limit", `LIMIT 1$`}, {"limit with a comma", `LIMIT 2, 4`}, {"limit with offset", `LIMIT 3 OFFSET 3`},
	{"distinct", `SELECT DISTINCT`}, {"derived table", `FROM \(SELECT`}, {"derived table with a limit", `LIMIT 10\)`},
	{"derived tables nested", `FROM \(SELECT [^()]*SUM\(kg\)[^()]*FROM order_line`}, {"common table expression", `^WITH `}, {"two of them", `\), per AS \(`},
	{"union", `UNION SELECT`}, {"union all", `UNION ALL`}, {"except", `EXCEPT`}, {"intersect", `INTERSECT`},
	{"rank", ` RANK\(\) OVER \(ORDER`}, {"dense rank", `DENSE_RANK\(\)`}, {"row number", `ROW_NUMBER\(\) OVER \(PARTITION BY`},
	{"aggregate as a window", `SUM\(\w+\) OVER`}, {"lag", `LAG\(`},
	{"bare column beside max", `SELECT id, MAX\(`}, {"bare column beside min", `SELECT Name, MIN\(`},
	{"scalar subquery in where", ` = \(SELECT MIN`}, {"scalar subquery as argument", `IIF\(\(SELECT`},
	{"quoted identifier", `"Seats \(Reading Room\)"`}, {"backquoted identifier", "`Pages \\(total\\)`"}, {"bracketed identifier", `\[Dewey/Class\]`},
	{"double-quoted text", `= "NA"`}, {"keyword as a name", "FROM `order`|FROM \"order\""}, {"escaped apostrophe", `'%''%'`},
	{"constant column", `SELECT 'neither', COUNT`}, {"correlated subquery", `WHERE T2\.isbn = T1\.isbn`},
}

func TestConstructsAreCovered(t *testing.T) {
	questions := load(t).Questions
	for _, c := range constructs {
		pattern := regexp.MustCompile(c.pattern)
		found := false
		for _, q := range questions {
			found = found || pattern.MatchString(q.SQL)
		}
		if !found {
			t.Errorf("no question has %s (%s)", c.name, c.pattern)
		}
	}
}

// dump lists the rows of all tables, with their types.
func dump(t *testing.T, db *sqlite.DB) string {
	t.Helper()
	schema, err := db.Schema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, table := range schema.Tables {
		fmt.Fprintf(&b, "%+v\n", *table)
		answer, err := db.Query(context.Background(), "SELECT * FROM "+sqlite.Quote(table.Name))
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range answer.Rows {
			fmt.Fprintf(&b, "%+v\n", row)
		}
	}
	return b.String()
}

func TestDatabasesMatchTheirSQL(t *testing.T) {
	for _, db := range load(t).Databases {
		script, err := os.ReadFile(filepath.Join("schema", db.ID+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), db.ID+".sqlite")
		fresh, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fresh.Exec("BEGIN; " + string(script) + "; COMMIT"); err != nil {
			t.Fatal(err)
		}
		if err := fresh.Close(); err != nil {
			t.Fatal(err)
		}
		built, err := sqlite.Open(context.Background(), sqlite.Location{Path: path}, sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(dump(t, built), dump(t, open(t, db))); diff != "" {
			t.Errorf("%s differs from its SQL; run go generate:\n%s", db.ID, diff)
		}
		if err := built.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSampleIsSmall(t *testing.T) {
	var size int64
	err := fs.WalkDir(FS(), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		size += info.Size()
		return err
	})
	if err != nil || size > 600_000 {
		t.Errorf("the sample has %d bytes (%v)", size, err)
	}
}
