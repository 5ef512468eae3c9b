package slot_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// open makes a database from a script.
func open(t *testing.T, script string) *slot.Database {
	t.Helper()
	path := filepath.Join(t.TempDir(), "d.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
	d, err := slot.Open(t.Context(), &bird.Database{ID: "d", Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestConvertFails lists why a question has no record.
func TestConvertFails(t *testing.T) {
	d := open(t, `CREATE TABLE t(a INTEGER, b TEXT); CREATE INDEX i ON t(a, b);
		INSERT INTO t VALUES (4, 'd'), (1, 'a'), (3, 'e'), (2, 'c'), (5, 'b')`)
	for _, c := range []struct {
		sql, construct string
		opts           slot.Options
		want           error
	}{
		{"SELECT nosuch FROM t", "", slot.Options{}, slot.ErrSQL},
		{"DELETE FROM t", "", slot.Options{}, slot.ErrSQL},
		{"", "", slot.Options{}, slot.ErrSQL},
		{"SELECT '" + strings.Repeat("x", 1<<17) + "'", "", slot.Options{}, slot.ErrSQL},
		{"SELECT value FROM json_each('[1]')", "table-valued function", slot.Options{}, slot.ErrUnsupported},
		{"SELECT b FROM t WHERE a IN (1, 2)", "IN", slot.Options{Toolset: slot.Paper}, slot.ErrUnsupported},
		{"SELECT b FROM (SELECT b, a FROM t WHERE a > 0 LIMIT 2) ORDER BY b", "", slot.Options{}, slot.ErrOpen},
	} {
		_, err := slot.NewConverter(d, c.opts).Convert(t.Context(), &bird.Question{SQL: c.sql})
		var why *slot.Error
		if !errors.As(err, &why) || !errors.Is(err, c.want) || why.Construct != c.construct {
			t.Errorf("%.60s: got %v, want %v, %q", c.sql, err, c.want, c.construct)
		}
	}
	const cross = "SELECT count(*) FROM t AS x JOIN (SELECT a FROM t LIMIT 5) AS y"
	var limit *tools.LimitError
	if _, err := slot.NewConverter(d, slot.Options{MaxRows: 10}).Convert(t.Context(), &bird.Question{SQL: cross}); !errors.As(err, &limit) {
		t.Errorf("more rows than allowed: got %v", err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if _, err := slot.NewConverter(d, slot.Options{}).Convert(ctx, &bird.Question{SQL: cross}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, slot.ErrSQL) {
		t.Errorf("no time left: got %v", err)
	}
	if _, err := slot.NewConverter(d, slot.Options{}).Convert(t.Context(), nil); err == nil {
		t.Error("no question gives no error")
	}
	if _, err := slot.NewConverter(nil, slot.Options{}).Convert(t.Context(), &bird.Question{SQL: cross}); err == nil {
		t.Error("no database gives no error")
	}
	if _, err := slot.NewConverter(d, slot.Options{Toolset: "half"}).Convert(t.Context(), &bird.Question{SQL: cross}); err == nil || !strings.Contains(err.Error(), `"half"`) {
		t.Errorf("an unknown toolset: got %v", err)
	}
	other := &record.Slot{Initialization: tools.Start{Tables: []tools.StartTable{{Original: "elsewhere", Modified: "elsewhere"}}}}
	if diff := cmp.Diff(d.Keys(), d.Keys(other)); diff != "" {
		t.Errorf("a record of another database:\n%s", diff)
	}
	if _, err := slot.Open(t.Context(), nil); err == nil {
		t.Error("opening nothing gives no error")
	}
	if _, err := slot.Open(t.Context(), &bird.Database{ID: "none", Path: filepath.Join(t.TempDir(), "none.sqlite")}); err == nil {
		t.Error("opening a file that is not there gives no error")
	}
}

// TestRecordRun runs the records of the sample again, from their written form alone.
// They give the rows that were verified, and have the labels that a reader expects.
func TestRecordRun(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range dataset.Databases {
		d, err := slot.Open(t.Context(), info)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for _, toolset := range []slot.Toolset{slot.Full, slot.Paper} {
			converter := slot.NewConverter(d, slot.Options{Toolset: toolset})
			for _, q := range dataset.Questions {
				if q.DB != info.ID {
					continue
				}
				r, err := converter.Convert(t.Context(), &q)
				if toolset == slot.Paper && errors.Is(err, slot.ErrUnsupported) {
					continue
				}
				if err != nil {
					t.Errorf("%v: %v", q.ID, err)
					continue
				}
				_, want := convertRows(t, converter, &q)
				got, err := slot.Run(t.Context(), r, converter.NewSession())
				if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
					t.Errorf("%v: got %v, %v, want %v", q.ID, got, err, want)
				}
				var labels tools.Labels
				for _, c := range r.Calls {
					if want := labels.Next(c); c.Label != want {
						t.Errorf("%v: the label %s is %s by the rule that the tools state", q.ID, c.Label, want)
					}
				}
				if diff := cmp.Diff(converter.Tools(r), r.Tools); diff != "" {
					t.Errorf("%v: tools (-made +listed):\n%s", q.ID, diff)
				}
			}
		}
	}
	if _, err := slot.Run(t.Context(), &record.Slot{}, nil); err == nil {
		t.Error("no session gives no error")
	}
}

// TestCollate lists statements in which a COLLATE decides, or does not decide, which
// values are equal.
func TestCollate(t *testing.T) {
	const schema = `
		CREATE TABLE p(name TEXT, nc TEXT COLLATE NOCASE, n INTEGER);
		CREATE VIEW v AS SELECT nc AS text, +nc AS plus, nc || '' AS made, n FROM p;
		INSERT INTO p VALUES ('Bob', 'Bob', 1), ('BOB', 'BOB', 2), ('al', 'al', 3), ('Al', 'Al', 4)`
	converter := slot.NewConverter(open(t, schema), slot.Options{})
	for _, sql := range []string{
		"SELECT name, count(*) FROM p GROUP BY name COLLATE NOCASE",
		"SELECT name COLLATE NOCASE AS z, count(*) FROM p GROUP BY z",
		"SELECT name COLLATE NOCASE, count(*) FROM p GROUP BY 1",
		"SELECT nc FROM p GROUP BY nc COLLATE BINARY",
		"SELECT DISTINCT name COLLATE NOCASE FROM p",
		"SELECT DISTINCT nc COLLATE BINARY FROM p",
		"SELECT DISTINCT max(name) COLLATE NOCASE FROM p GROUP BY n",
		"SELECT name COLLATE NOCASE FROM p UNION SELECT name FROM p",
		"SELECT name COLLATE NOCASE FROM p UNION ALL SELECT name FROM p ORDER BY 1",
		"SELECT count(*) FROM (SELECT name COLLATE NOCASE AS z FROM p) WHERE z = 'BOB'",
		"WITH w AS (SELECT max(name) COLLATE NOCASE AS z FROM p) SELECT count(*) FROM w WHERE z = 'BOB'",
		"SELECT min(name COLLATE NOCASE) FROM p",
		"SELECT count(DISTINCT name COLLATE NOCASE) FROM p",
		"SELECT nullif(name COLLATE NOCASE, 'BOB') FROM p",
		"SELECT max(name COLLATE BINARY) > 'b' FROM p",
		"SELECT n FROM p WHERE 'x' || (name COLLATE NOCASE) = 'xBOB'",
		"SELECT n FROM p ORDER BY substr(name COLLATE NOCASE, 1)",
		"SELECT n, rank() OVER (ORDER BY name COLLATE NOCASE) FROM p",
		"SELECT count(*) FROM v WHERE text = 'BOB'",
		"SELECT count(*) FROM v WHERE plus = 'BOB'",
		"SELECT count(*) FROM v WHERE made = 'BOB'",
		"SELECT count(DISTINCT text), count(DISTINCT plus), count(DISTINCT made) FROM v",
		"SELECT max(nc) FILTER (WHERE n < 3), count(*) FROM p",
		"SELECT n FROM p WHERE (SELECT nc FROM p WHERE n = 1) = name ORDER BY n",
		"SELECT a.n, b.n FROM p AS a JOIN p AS b ON a.name = b.nc ORDER BY 1, 2",
		"SELECT a.n, b.n FROM p AS a LEFT JOIN p AS b ON b.nc = a.name ORDER BY 1, 2",
		"SELECT name COLLATE NOCASE FROM p ORDER BY 1, n",
		"SELECT name COLLATE NOCASE FROM p UNION ALL SELECT name FROM p",
		"SELECT sum(n COLLATE NOCASE), max(nc COLLATE NOCASE) IS NULL FROM p",
		"SELECT n FROM p WHERE name COLLATE NOCASE = 'BOB'",
		"SELECT n FROM p ORDER BY CASE WHEN name COLLATE NOCASE = 'bob' THEN 1 ELSE 0 END, n",
		"SELECT count(*) FROM p GROUP BY n % 2 HAVING sum(CASE name COLLATE NOCASE WHEN 'bob' THEN 1 END) > 0",
		"SELECT n FROM p WHERE EXISTS (SELECT name COLLATE NOCASE FROM p WHERE n > 1)",
		"SELECT n FROM p WHERE name = (SELECT name COLLATE NOCASE FROM p WHERE n = 2)",
		"SELECT count(*) FROM (SELECT DISTINCT nc COLLATE NOCASE AS z FROM p)",
	} {
		if _, err := converter.Convert(t.Context(), &bird.Question{SQL: sql}); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

// first returns the sample's first question and its database.
func first(t *testing.T) (*bird.Question, *slot.Database) {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	q := &dataset.Questions[0]
	d, err := slot.Open(t.Context(), dataset.Database(q.DB))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return q, d
}

// convertRows converts a question, and returns the rows of the calls' answer, too.
func convertRows(t *testing.T, converter *slot.Converter, q *bird.Question) (*record.Slot, [][]value.Value) {
	t.Helper()
	var session slot.Session
	r, err := converter.Convert(t.Context(), q, slot.WithWatch(func(in slot.Session) slot.Session {
		session = in
		return in
	}))
	if err != nil {
		t.Fatalf("%v: %v", q.ID, err)
	}
	label := r.Initialization.Label
	if n := len(r.Calls); n > 0 {
		label = r.Calls[n-1].Label
	}
	table, ok := session.Table(label)
	if !ok {
		t.Fatalf("%v: no result %s", q.ID, label)
	}
	rows, err := table.Rows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r, rows
}

// TestWithGold gives a converter the right rows and wrong rows.
func TestWithGold(t *testing.T) {
	q, d := first(t)
	converter := slot.NewConverter(d, slot.Options{WithoutTools: true})
	want, rows := convertRows(t, converter, q)
	got, err := converter.Convert(t.Context(), q, slot.WithGold(rows))
	if err != nil {
		t.Fatal(err)
	}
	text := func(r *record.Slot) string {
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if want.Tools != nil || got.Tools != nil {
		t.Error("the records list tools")
	}
	if diff := cmp.Diff(text(want), text(got)); diff != "" {
		t.Errorf("(-SQL run +rows known):\n%s", diff)
	}
	if _, err := converter.Convert(t.Context(), q, slot.WithGold(append(rows, rows...))); !errors.Is(err, slot.ErrMismatch) {
		t.Errorf("with other rows than the SQL's: %v, want %v", err, slot.ErrMismatch)
	}
}

// TestMapFails checks that Convert returns the error of a CallMapper.
func TestMapFails(t *testing.T) {
	q, d := first(t)
	want := errors.New("no such function")
	_, err := slot.NewConverter(d, slot.Options{Map: func([]record.Key, []tools.Call, *tools.Session) (slot.MappedCalls, error) {
		return slot.MappedCalls{}, want
	}}).Convert(t.Context(), q)
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}
