package episode_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/tools"
)

// shop makes a file with a journal of a mode, and returns an environment of it and a
// connection that writes to it, which waits for no lock.
func shop(t *testing.T, mode string, limits episode.Limits) (*episode.Environment, *sql.DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.sqlite")
	w, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	w.SetMaxOpenConns(1)
	for _, s := range []string{
		"PRAGMA journal_mode = " + mode,
		"CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT, a INTEGER, b INTEGER)",
		"WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 500) INSERT INTO good SELECT n, 'good ' || n, n, n FROM i",
	} {
		if _, err := w.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	env := openWith(t, episode.Options{Dataset: &bird.Dataset{Databases: []*bird.Database{{ID: "shop", Path: path}}}, Limits: limits})
	return env, w, path
}

func write(t *testing.T, w *sql.DB, statement string) {
	t.Helper()
	if _, err := w.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// asked returns the result of a call as JSON.
func asked(t *testing.T, env *episode.Environment, args tools.Arguments) string {
	t.Helper()
	result, err := env.Query(t.Context(), "shop", args, episode.QueryOptions{Toolset: string(query.Full), MaxRows: 10})
	if err != nil {
		t.Fatal(err)
	}
	return string(result)
}

func with(args ...any) (out tools.Arguments) {
	for i := 0; i < len(args); i += 2 {
		out = append(out, tools.Argument{Name: args[i].(string), Value: args[i+1]})
	}
	return out
}

// sums asks for two sums that are equal in each committed state.
var sums = with("collection_name", "good", "aggregations", []any{
	with("property_name", "a", "metrics", "SUM"), with("property_name", "b", "metrics", "SUM"),
})

// Queries give the newest state, and no writer waits for them in between.
func TestQueryFollowsTheData(t *testing.T) {
	for _, mode := range []string{"DELETE", "WAL"} {
		env, w, path := shop(t, mode, episode.Limits{})
		find := with("collection_name", "good", "search_query", "one", "properties", []any{"id"})
		if got := asked(t, env, find); got != `{"objects":[],"count":0,"truncated":false}` {
			t.Errorf("%s: at first: %s", mode, got)
		}
		write(t, w, "UPDATE good SET name = 'The one' WHERE id = 7")
		if got := asked(t, env, find); got != `{"objects":[{"id":7}],"count":1,"truncated":false}` {
			t.Errorf("%s: after a change: %s", mode, got)
		}
		write(t, w, "CREATE TABLE other (x TEXT)")
		if got := asked(t, env, with("collection_name", "other")); got != `{"objects":[],"count":0,"truncated":false}` {
			t.Errorf("%s: a new table: %s", mode, got)
		}
		if mode == "WAL" {
			continue // which is replaced only when no program has it open
		}
		next, err := sql.Open("sqlite", path+".next")
		if err != nil {
			t.Fatal(err)
		}
		write(t, next, "CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT)")
		write(t, next, "INSERT INTO good VALUES (1, 'one more'), (2, 'One')")
		if err := errors.Join(next.Close(), os.Rename(path+".next", path)); err != nil {
			t.Fatal(err)
		}
		if got := asked(t, env, find); got != `{"objects":[{"id":2},{"id":1}],"count":2,"truncated":false}` {
			t.Errorf("%s: another file: %s", mode, got)
		}
	}
}

// All that a query reads is of one state, while others write.
func TestQueryReadsOneState(t *testing.T) {
	for _, mode := range []string{"DELETE", "WAL"} {
		env, w, _ := shop(t, mode, episode.Limits{})
		write(t, w, "PRAGMA busy_timeout = 10000")
		done := make(chan error, 1)
		go func() {
			for n := range 60 {
				if _, err := w.Exec(fmt.Sprintf("UPDATE good SET a = a + %d, b = b + %d WHERE id %% 7 = %d", n, n, n%7)); err != nil {
					done <- err
					return
				}
				time.Sleep(5 * time.Millisecond) // in which others get the lock
			}
			done <- nil
		}()
		for writing := true; writing; {
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
				writing = false
			default:
			}
			var result struct{ Values []struct{ Value json.Number } }
			text := asked(t, env, sums)
			if err := json.Unmarshal([]byte(text), &result); err != nil || len(result.Values) != 2 {
				t.Fatalf("%s: %v", text, err)
			}
			if a, b := result.Values[0].Value, result.Values[1].Value; a != b || a == "" {
				t.Fatalf("%s: the sums are %v and %v", mode, a, b)
			}
		}
	}
}

// Where nothing may be kept, each query reads again, and gives the same.
func TestQueryKeepsLittle(t *testing.T) {
	env, _, _ := shop(t, "DELETE", episode.Limits{Columns: 1})
	for range 3 {
		if got := asked(t, env, with("collection_name", "good", "search_query", "499", "properties", []any{"id"})); got != `{"objects":[{"id":499}],"count":1,"truncated":false}` {
			t.Error(got)
		}
	}
}
