package find_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/tools"
)

// sampleIndex opens the index of the embedded sample.
func sampleIndex(t testing.TB, opts find.Options) *find.Index {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	x, err := find.Open(context.Background(), dataset, opts)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestRepairSQL lists conditions with what becomes of their texts.
func TestRepairSQL(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	for _, c := range []struct {
		name, db, sql string
		from, to      string // of the statement; "" where nothing changes
		reason        string
	}{
		{"it is stored", "city_library", "SELECT code FROM branch WHERE name = 'Riverside'", "", "", ""},
		{"a typo", "city_library", "SELECT code FROM branch WHERE name = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"another case", "city_library", "SELECT isbn FROM book WHERE title = 'a quiet lighthouse'", "'a quiet lighthouse'", "'A Quiet Lighthouse'", "the same words"},
		{"no accents", "city_library", "SELECT author_id FROM author WHERE name = 'Bernd Kluver'", "'Bernd Kluver'", "'Bernd Klüver'", "the same words"},
		{"a typo in two words", "city_library", "SELECT isbn FROM book WHERE title = 'The Long Lighthuose'", "'The Long Lighthuose'", "'The Long Lighthouse'", "one letter differs"},
		{"more words than are stored", "city_library", "SELECT code FROM branch WHERE name = 'Harbour Street branch'", "'Harbour Street branch'", "'Harbour Street'", "the value most like it"},
		{"the meaning of a code", "city_library", "SELECT title FROM book WHERE language = 'English'", "'English'", "'en'", "en: English"},
		{"the meaning of a code of one letter", "bird_club", "SELECT ring FROM ringing WHERE sex = 'female'", "'female'", "'F'", "F: female"},
		{"a meaning of two words", "bird_club", `SELECT code FROM species WHERE "Red List" = 'Near Threatened'`, "'Near Threatened'", "'NT'", "NT: near threatened"},
		{"a meaning that is behind", "city_library", "SELECT author_id FROM author WHERE name = 'unknown people'", "'unknown people'", "'anonymous'", "anonymous: unknown people"},
		{"not equal", "city_library", "SELECT code FROM branch WHERE name <> 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"the text first", "city_library", "SELECT code FROM branch WHERE 'Rivreside' = name", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"IS", "city_library", "SELECT code FROM branch WHERE name IS 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"one of a list", "city_library", "SELECT code FROM branch WHERE name IN ('Hillcrest', 'Rivreside')", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"CASE of a column", "city_library", "SELECT CASE name WHEN 'Rivreside' THEN 1 ELSE 0 END FROM branch", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"CASE of a condition", "city_library", "SELECT sum(CASE WHEN name = 'Rivreside' THEN 1 END) FROM branch", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"an alias of the table", "city_library", "SELECT T2.loan_id FROM branch AS T1 JOIN loan AS T2 ON T2.branch_code = T1.code WHERE T1.name = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"an alias of the column", "city_library", "SELECT name AS n FROM branch WHERE n = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"a derived table", "city_library", "SELECT n FROM (SELECT name AS n FROM branch) WHERE n = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"a common table expression", "city_library", "WITH b(n) AS (SELECT name FROM branch) SELECT n FROM b WHERE n = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"a subquery", "city_library", "SELECT count(*) FROM loan WHERE branch_code = (SELECT code FROM branch WHERE name = 'Rivreside')", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"the second arm of a compound", "city_library", "SELECT code FROM branch UNION SELECT code FROM branch WHERE name = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"HAVING", "city_library", "SELECT name FROM branch GROUP BY name HAVING name = 'Rivreside'", "'Rivreside'", "'Riverside'", "one letter differs"},
		{"in double quotation marks", "city_library", `SELECT code FROM branch WHERE name = "Rivreside"`, `"Rivreside"`, "'Riverside'", "one letter differs"},
		{"an apostrophe that is stored", "city_library", "SELECT author_id FROM author WHERE name = 'Kaye Omalley'", "'Kaye Omalley'", "'Kaye O''Malley'", "the same words"},
		{"an apostrophe in the text", "city_library", "SELECT code FROM branch WHERE name = 'River''side'", "'River''side'", "'Riverside'", "the same words"},
		{"comments and spaces stay", "city_library", "SELECT  code /* 'Rivreside' */\nFROM branch -- name = 'x'\nWHERE name='Rivreside' ;", "name='Rivreside'", "name='Riverside'", "one letter differs"},
		{"a name in quotation marks", "city_library", `SELECT code FROM "branch" WHERE "name" = 'Rivreside'`, "'Rivreside'", "'Riverside'", "one letter differs"},

		{"nothing is meant", "city_library", "SELECT code FROM branch WHERE name = 'Zanzibar'", "", "", ""},
		{"the empty text", "city_library", "SELECT code FROM branch WHERE district = ''", "", "", ""},
		{"another code", "city_library", "SELECT name FROM branch WHERE code = '006'", "", "", ""},
		{"another number in the words", "city_library", "SELECT isbn FROM book WHERE title = '1985 Miles'", "", "", ""},
		{"a number", "city_library", "SELECT title FROM book WHERE copies = 999", "", "", ""},
		{"a pattern", "city_library", "SELECT code FROM branch WHERE name LIKE 'Rivreside'", "", "", ""},
		{"greater", "city_library", "SELECT code FROM branch WHERE name > 'Rivreside'", "", "", ""},
		{"of an expression", "city_library", "SELECT code FROM branch WHERE upper(name) = 'RIVERSIDE'", "", "", ""},
		{"what is shown", "city_library", "SELECT 'Rivreside', name FROM branch", "", "", ""},
		{"no condition", "city_library", "SELECT count(*) FROM branch", "", "", ""},
		{"an outer column with other values", "city_library", "SELECT name FROM branch WHERE district = 'Rivreside'", "", "", ""},
		{"a nonexistent column", "city_library", "SELECT code FROM branch WHERE nowhere = 'Rivreside'", "", "", ""},
	} {
		want, changes := c.sql, 0
		if c.from != "" {
			want, changes = strings.Replace(c.sql, c.from, c.to, 1), 1
			if strings.Contains(c.sql, "/* "+c.from) {
				t.Fatalf("%s: the text is in a comment first", c.name)
			}
		}
		got, list, err := x.RepairSQL(t.Context(), c.db, c.sql)
		if err != nil || got != want || len(list) != changes {
			t.Errorf("%s: %s\n got %s\nwant %s\n%v %v", c.name, c.sql, got, want, list, err)
			continue
		}
		if changes > 0 && list[0].Reason != c.reason {
			t.Errorf("%s: because of %q, want %q", c.name, list[0].Reason, c.reason)
		}
		if again, list, err := x.RepairSQL(t.Context(), c.db, got); err != nil || again != got || len(list) > 0 {
			t.Errorf("%s: repaired again it is %s, %v, %v", c.name, again, list, err)
		}
	}
}

// TestRepairSQLChanges says what is said of several changes, in the order of the text.
func TestRepairSQLChanges(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	_, changes, err := x.RepairSQL(t.Context(), "city_library", "SELECT b.title FROM book b, branch WHERE branch.name IN ('riverside', 'North Gat', 'Zanzibar') AND b.LANGUAGE = 'Irish'")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.String())
	}
	want := []string{
		`branch.name stores no "riverside"; "Riverside" is meant (the same words)`,
		`branch.name stores no "North Gat"; "North Gate" is meant (one letter differs)`,
		`book.language stores no "Irish"; "ga" is meant (ga: Irish)`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestRepairErrors lists what is refused.
func TestRepairErrors(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	const sql = "SELECT code FROM branch WHERE name = 'Rivreside'"
	if _, _, err := x.RepairSQL(t.Context(), "city_libraryy", sql); !errors.Is(err, find.ErrDatabase) || !strings.Contains(err.Error(), "city_library") {
		t.Errorf("another database: %v", err)
	}
	if _, _, err := x.RepairSQL(t.Context(), "city_library", "SELECT FROM WHERE"); err == nil {
		t.Error("a statement that cannot be read has no error")
	}
	if _, _, err := x.RepairSQL(done, "city_library", sql); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, _, err := x.RepairCall(t.Context(), "nowhere", tools.Call{}, nil); !errors.Is(err, find.ErrDatabase) {
		t.Errorf("a call of another database: %v", err)
	}
}

// TestRepairFilter lists calls that filter tables, whose keys say the column.
func TestRepairFilter(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	for _, c := range []struct{ name, call, want string }{
		{"a filter", `{"name": "filter_data", "arguments": {"data_source": "$starting_table_var$", "key_name": "branch_name", "value": "Rivreside", "condition": "equal_to"}}`, "Riverside"},
		{"a bound filter", `{"name": "select_data_not_equal_to", "arguments": {"key_name": "book_language", "value": "German"}}`, "de"},
		{"a pattern", `{"name": "filter_data", "arguments": {"key_name": "branch_name", "value": "Rivreside", "condition": "like"}}`, "Rivreside"},
		{"a result", `{"name": "filter_data", "arguments": {"key_name": "branch_name", "value": "$Rivreside$", "condition": "equal_to"}}`, "$Rivreside$"},
		{"a key of no column", `{"name": "filter_data", "arguments": {"key_name": "name", "value": "Rivreside", "condition": "equal_to"}}`, "Rivreside"},
		{"another tool", `{"name": "transform_data", "arguments": {"key_name": "branch_name", "value": "Rivreside", "condition": "equal_to"}}`, "Rivreside"},
	} {
		var call tools.Call
		if err := json.Unmarshal([]byte(c.call), &call); err != nil {
			t.Fatal(err)
		}
		got, _, err := x.RepairCall(t.Context(), "city_library", call, nil)
		if v, _ := got.Arguments.Get("value"); err != nil || v != c.want {
			t.Errorf("%s: %v, %v; want %s", c.name, v, err, c.want)
		}
	}
}

// TestRepairCall lists arguments of a call with what becomes of them. The call that is
// repaired stays as it is.
func TestRepairCall(t *testing.T) {
	x := sampleIndex(t, find.Options{})
	columns := map[string]find.Column{
		"branch": {Table: "branch", Name: "name"}, "language": {Table: "BOOK", Name: "Language"}, "nowhere": {Table: "branch", Name: "nothing"},
	}
	for _, c := range []struct{ name, arguments, want string }{
		{"a typo", `{"branch": "Rivreside"}`, `{"branch":"Riverside"}`},
		{"a code, and names in another case", `{"language": "German"}`, `{"language":"de"}`},
		{"a list", `{"branch": ["Riverside", "hillcrest", 7, null]}`, `{"branch":["Riverside","Hillcrest",7,null]}`},
		{"both", `{"language": "de", "branch": "Rivreside"}`, `{"language":"de","branch":"Riverside"}`},
		{"an argument of no column", `{"other": "Rivreside", "nowhere": "Rivreside"}`, `{"other":"Rivreside","nowhere":"Rivreside"}`},
		{"no text", `{"branch": 4, "language": {"of": "English"}}`, `{"branch":4,"language":{"of":"English"}}`},
		{"none", `{}`, `{}`},
	} {
		call := tools.Call{Name: "f", Label: "x"}
		if err := json.Unmarshal([]byte(c.arguments), &call.Arguments); err != nil {
			t.Fatal(err)
		}
		before, err := json.Marshal(call)
		if err != nil {
			t.Fatal(err)
		}
		got, changes, err := x.RepairCall(t.Context(), "city_library", call, columns)
		if err != nil || got.Name != "f" || got.Label != "x" {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		text, err := json.Marshal(got.Arguments)
		if err != nil || string(text) != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.name, text, c.want, err)
		}
		if changed := string(text) != compact(t, c.arguments); changed != (len(changes) > 0) {
			t.Errorf("%s: %v", c.name, changes)
		}
		if after, err := json.Marshal(call); err != nil || string(after) != string(before) {
			t.Errorf("%s: the call was changed to %s (%v)", c.name, after, err)
		}
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var a tools.Arguments
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// FuzzRepairSQL says that a statement that SQLite can prepare can be prepared when it
// was repaired, that each change is of the statement, and that a repaired statement
// stays.
func FuzzRepairSQL(f *testing.F) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		f.Fatal(err)
	}
	for _, q := range dataset.Questions {
		if q.DB == "city_library" {
			f.Add(q.SQL)
			f.Add(strings.NewReplacer("e", "", "'00", "'0").Replace(q.SQL))
			f.Add(strings.ToLower(q.SQL))
		}
	}
	f.Add("SELECT name n, * FROM branch b JOIN branch USING (name) WHERE 'hilcrest' = n OR b.name IS NOT \"O''Mally\"")
	x := sampleIndex(f, find.Options{})
	info := dataset.Database("city_library")
	db, err := sqlite.Open(context.Background(), sqlite.Location{FS: info.FS, Name: info.Name}, sqlite.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	f.Fuzz(func(t *testing.T, sql string) {
		got, changes, err := x.RepairSQL(t.Context(), info.ID, sql)
		if err != nil {
			return
		}
		if len(changes) == 0 && got != sql {
			t.Fatalf("%q became %q without a change", sql, got)
		}
		if len(changes) == 0 || !prepares(t, db, sql) {
			return
		}
		if !prepares(t, db, got) {
			t.Fatalf("%q became %q, which SQLite does not prepare", sql, got)
		}
		if again, more, err := x.RepairSQL(t.Context(), info.ID, got); err != nil || again != got {
			t.Fatalf("%q became %q and then %q: %v, %v", sql, got, again, more, err)
		}
	})
}

func prepares(t *testing.T, db *sqlite.DB, sql string) bool {
	t.Helper()
	s, err := db.Prepare(t.Context(), sql)
	return err == nil && s != nil
}
