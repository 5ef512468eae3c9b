package vtab_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/value"
)

// build creates a database file.
func build(t testing.TB, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCalls lists statements with their answers and the calls that they take.
func TestCalls(t *testing.T) {
	const estimate = "estimate: 1000"
	for _, c := range []struct {
		about, sql, of string
		want           string
		calls          map[string]int
	}{
		{"a key", "SELECT name FROM birds WHERE id = 5", "", "[[bird 5]]", map[string]int{"/birds": 1}},
		{"a nonexistent key", "SELECT name FROM birds WHERE id = 5000", "", "[]", map[string]int{"/birds": 1}},
		{"NULL equals nothing", "SELECT name FROM birds WHERE id = NULL", "", "[]", map[string]int{}},
		{"a list", "SELECT count(*) FROM birds WHERE id IN (1, 2, 3, 2, '3', NULL, 4000)", "", "[[3]]", map[string]int{"/birds": 1}},
		{"equalities with OR", "SELECT count(*) FROM birds WHERE id = 1 OR id = 2 OR id = 77", "", "[[3]]", map[string]int{"/birds": 1}},
		{"a list from the database", "SELECT count(*) FROM birds WHERE id IN (SELECT bird FROM sighting WHERE n < 250)", estimate, "[[250]]", map[string]int{"/birds": 3}},
		{"a join by 358 keys, 100 at a time", "SELECT count(*), min(name) FROM sighting JOIN birds ON id = bird", estimate, "[[358 bird 1]]", map[string]int{"/birds": 4}},
		{"the same twice", "SELECT count(*) FROM sighting JOIN birds a ON a.id = bird JOIN birds b ON b.id = bird", estimate, "[[358]]", map[string]int{"/birds": 4}},
		{"a listing where it takes fewer calls", "SELECT count(*) FROM sighting JOIN birds ON id = bird", "estimate: 300", "[[358]]", map[string]int{"/birds": 10}},
		{"a listing", "SELECT count(*), count(DISTINCT family) FROM birds", "", "[[1000 10]]", map[string]int{"/birds": 10}},
		{"two readings of one listing", "SELECT count(*) FROM birds WHERE name > (SELECT max(name) FROM birds WHERE name < 'bird 5')", "", "[[555]]", map[string]int{"/birds": 10}},
		{"the first rows", "SELECT name FROM birds LIMIT 2 OFFSET 1", "", "[[bird 2] [bird 3]]", map[string]int{"/birds": 1}},
		{"the first rows of a join", "SELECT name FROM sighting JOIN birds ON id = bird LIMIT 3", estimate, "[[bird 1] [bird 3] [bird 5]]", map[string]int{"/birds": 1}},
		{"the first rows of a join, which come late", "SELECT name FROM sighting JOIN birds ON id = bird WHERE name LIKE '%601' LIMIT 3", estimate, "[[bird 601]]", map[string]int{"/birds": 4}},
		{"the first rows for which a function is true", "SELECT n FROM sighting WHERE length_of(n) = 2 LIMIT 2", "", "[[10] [11]]", map[string]int{"/length": 1}},
		{"one value of a filter", "SELECT count(*) FROM birds WHERE family = 'family 3'", "", "[[100]]", map[string]int{"/birds": 1}},
		{"both filters", "SELECT name FROM birds WHERE family = 'family 3' AND id IN (3, 4, 13)", "", "[[bird 3] [bird 13]]", map[string]int{"/birds": 1}},
		{"another collation is not asked for", "SELECT count(*) FROM birds WHERE family = 'FAMILY 3' COLLATE NOCASE", "", "[[100]]", map[string]int{"/birds": 10}},
		{"a number for a text is not asked for", "SELECT count(*) FROM birds WHERE name = 5", "", "[[0]]", map[string]int{"/birds": 10}},
		{"a chain of keys", "SELECT degrees FROM birds JOIN weather ON place = name WHERE id IN (7, 77)", "", "[[6] [7]]", map[string]int{"/birds": 1, "/weather": 1}},
		{"a required key from a join", "SELECT count(*), max(degrees) FROM sighting JOIN weather USING (place)", "", "[[358 8]]", map[string]int{"/weather": 2}},
		{"a left join", "SELECT count(*), count(name) FROM sighting LEFT JOIN birds ON id = bird AND name LIKE '%5' WHERE n < 20", "", "[[20 4]]", map[string]int{"/birds": 1}},
		{"not exists", "SELECT count(*) FROM sighting WHERE n < 90 AND NOT EXISTS (SELECT 1 FROM birds WHERE id = bird AND family = 'family 1')", "", "[[72]]", map[string]int{"/birds": 1}},
		{"a function, once for each argument", "SELECT max(length_of(place)) FROM sighting WHERE length_of(place) > 7", "", "[[8]]", map[string]int{"/length": 1}},
		{"a function of a function", "SELECT DISTINCT length_of(length_of(place)) FROM sighting", "", "[[1]]", map[string]int{"/length": 2}},
		{"a function only where the rest is true", "SELECT count(*) FROM sighting WHERE length_of('x' || n) = 2 AND place = 'place 7' AND n < 10", "", "[[1]]", map[string]int{"/length": 1}},
		{"a function of NULL", "SELECT length_of(NULL)", "", "[[NULL]]", map[string]int{}},
		{"keys one after another", "WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL SELECT 2 * id FROM up JOIN birds ON id = i) SELECT max(i) FROM up", estimate, "[[1024]]", map[string]int{"/birds": 17}},
		{"keys one after another, of a table of unknown length", "WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL SELECT 3 * id FROM up JOIN birds ON id = i) SELECT max(i) FROM up", "", "[[2187]]", map[string]int{"/birds": 11}},
		{"what nobody reads", "SELECT count(*) FROM sighting", "", "[[358]]", map[string]int{}},
	} {
		b := newBirds(t)
		db := b.open(t, "", c.of, false)
		log := &vtab.Log{}
		result, err := db.Query(vtab.WithLog(t.Context(), log), c.sql)
		calls := b.count()
		if err != nil || fmt.Sprint(result.Rows) != c.want || !maps.Equal(calls, c.calls) {
			t.Errorf("%s: %s\ngot  %v %v, %v\nwant %v %v", c.about, c.sql, result, calls, err, c.want, c.calls)
		}
		sum := 0
		for _, n := range calls {
			sum += n
		}
		if made, _ := log.Calls(); len(made) == 0 && sum > 0 {
			t.Errorf("%s: the log has %d calls, and %d were made", c.about, len(made), sum)
		}
	}
}

// TestCallsOfFunctions counts the texts that a function is called with: none that
// the rest of the condition leaves out.
func TestCallsOfFunctions(t *testing.T) {
	b := newBirds(t)
	db := b.open(t, "", "", false)
	if _, err := db.Query(t.Context(), "SELECT count(*) FROM sighting WHERE length_of('x' || n) = 2 AND place = 'place 7'"); err != nil {
		t.Fatal(err)
	}
	if calls := b.asked(); len(calls) != 1 || strings.Count(calls[0], "text=") != 18 {
		t.Errorf("%v, want one call with 18 texts", calls)
	}
}

// TestKeep reads tables again, within and after the time for which they are kept.
func TestKeep(t *testing.T) {
	for _, c := range []struct {
		about, of string
		fixed     bool
		want      []map[string]int // calls of each reading
	}{
		{"for a statement", "", false, []map[string]int{{"/birds": 2, "/length": 1}, {"/birds": 2, "/length": 1}}},
		{"for good", ", cache: forever", false, []map[string]int{{"/birds": 2, "/length": 1}, {}}},
		{"for a while", ", cache: 1h", false, []map[string]int{{"/birds": 2, "/length": 1}, {}}},
		{"for a moment", ", cache: 1ms", false, []map[string]int{{"/birds": 2, "/length": 1}, {"/birds": 2, "/length": 1}}},
		{"as long as the database is open", "", true, []map[string]int{{"/birds": 2, "/length": 1}, {}}},
	} {
		b := newBirds(t)
		db := b.open(t, c.of, "", c.fixed)
		for i, want := range c.want {
			time.Sleep(2 * time.Millisecond)
			const sql = "SELECT length_of(name), (SELECT name FROM birds WHERE id = 4) FROM birds WHERE id = 3"
			if _, err := db.Query(t.Context(), sql); err != nil {
				t.Fatal(err)
			}
			if got := b.count(); !maps.Equal(got, want) {
				t.Errorf("%s: reading %d: %v, want %v", c.about, i, got, want)
			}
		}
	}
}

// TestErrors lists statements that fail, and what is said of them.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		about, sql, broken string
		want               []string
	}{
		{"a call by a key", "SELECT name FROM birds WHERE id = 5", "/birds", []string{"table birds", "listBirds", "status 400", "1 attempt"}},
		{"a listing", "SELECT count(*) FROM birds", "/birds", []string{"table birds", "listBirds", "status 400"}},
		{"a function", "SELECT length_of('x')", "/length", []string{"length_of", "status 400"}},
		{"a type that it does not take", "SELECT length_of(x'00')", "", []string{"function length_of", "x'00'"}},
		{"a required key", "SELECT * FROM weather", "", []string{"weather", "only for values of place"}},
	} {
		b := newBirds(t)
		db := b.open(t, "", "", false)
		b.broken[c.broken] = 1
		_, err := db.Query(t.Context(), c.sql)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", c.about, err, want)
			}
		}
		// A failure is not kept.
		if _, err := db.Query(t.Context(), c.sql); c.broken != "" && err != nil {
			t.Errorf("%s, again: %v", c.about, err)
		}
	}
}

// TestTorn says that a listing in which a row comes twice is no answer: another row
// may be missing.
func TestTorn(t *testing.T) {
	b := newBirds(t)
	b.shift = 1
	db := b.open(t, "", "key: [id]", false)
	if _, err := db.Query(t.Context(), "SELECT count(*) FROM birds"); err == nil || !strings.Contains(err.Error(), "came twice") {
		t.Errorf("%v, want that a row came twice", err)
	}
	if result, err := db.Query(t.Context(), "SELECT name FROM birds WHERE id = 3"); err != nil || fmt.Sprint(result.Rows) != "[[bird 3]]" {
		t.Errorf("%v, %v", result, err)
	}
}

// TestErrorThatIsNotNeeded says that a call that fails costs nothing if the answer
// does not need it: the first run asks for the lengths of all names, as no bird is
// known.
func TestErrorThatIsNotNeeded(t *testing.T) {
	b := newBirds(t)
	db := b.open(t, "", "", false)
	b.broken["/length"] = 100
	const sql = "SELECT count(*) FROM sighting WHERE CASE WHEN (SELECT name FROM birds WHERE id = bird) IS NULL THEN length_of(place) END = 1"
	if result, err := db.Query(t.Context(), sql); err != nil || fmt.Sprint(result.Rows) != "[[0]]" {
		t.Errorf("%v, %v", result, err)
	}
}

// TestCancel ends a statement while the API takes its time.
func TestCancel(t *testing.T) {
	b := newBirds(t)
	b.delay = 2 * time.Second
	db := b.open(t, "", "", false)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := db.Query(ctx, "SELECT count(*) FROM birds")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

// TestAtOnce runs statements at the same time: no more calls at once than the
// declaration allows, and each has its own answer.
func TestAtOnce(t *testing.T) {
	b := newBirds(t)
	b.delay = time.Millisecond
	db := b.open(t, ", cache: forever", "", false)
	var wait sync.WaitGroup
	for i := range 20 {
		wait.Go(func() {
			result, err := db.Query(t.Context(), "SELECT name, length_of(name) FROM birds WHERE id = ?1 OR family = ?2", value.Int(int64(i+1)), value.Str(fmt.Sprint("family ", i%10)))
			if err != nil || len(result.Rows) < 100 {
				t.Errorf("%d: %v, %v", i, result, err)
			}
		})
	}
	wait.Wait()
	if b.peak > 8 {
		t.Errorf("%d calls at once, want 8 at most", b.peak)
	}
}
