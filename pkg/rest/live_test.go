package rest

import (
	"context"
	"database/sql"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestAnswersFollowTheData has another program write to a database that is
// served. Each answer is of one committed state, and its ETag distinguishes it from
// answers of others.
func TestAnswersFollowTheData(t *testing.T) {
	for _, journal := range []string{"DELETE", "WAL"} {
		t.Run(journal, func(t *testing.T) {
			d := dataset(t, []string{"PRAGMA journal_mode = " + journal, "CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO good VALUES (1, 'One')"},
				"SELECT name FROM good WHERE id = 1")
			ctx := context.Background()
			c, err := Open(ctx, d, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			h := NewService(c, ServiceOptions{}).Handler()
			call, err := c.Call(&d.Questions[0])
			if err != nil {
				t.Fatal(err)
			}
			get := func(tag string) *httptest.ResponseRecorder {
				r := httptest.NewRequest("GET", call.URL(), nil)
				r.Header.Set("If-None-Match", tag)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				return w
			}
			document := func() string {
				text, err := c.Document(ctx, DocumentOptions{})
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			w, err := sql.Open("sqlite", d.Databases[0].Path) // which waits for no lock
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			change := func(statement string) {
				t.Helper()
				if _, err := w.Exec(statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}

			first := get("")
			tag := first.Header().Get("Etag")
			if first.Code != 200 || !strings.Contains(first.Body.String(), `"One"`) || tag == "" {
				t.Errorf("at first %d %s, ETag %s", first.Code, first.Body, tag)
			}
			if again := get(tag); again.Code != 304 || again.Header().Get("Etag") != tag || again.Body.Len() > 0 {
				t.Errorf("again: %d, ETag %s, %d bytes", again.Code, again.Header().Get("Etag"), again.Body.Len())
			}
			version, _ := c.Version(ctx)
			if strings.Contains(document(), "1234567") {
				t.Error("the document mentions what is not there yet")
			}

			change("UPDATE good SET name = 'Uno'")
			change("INSERT INTO good VALUES (1234567, 'Many')")
			next := get(tag)
			if next.Code != 200 || !strings.Contains(next.Body.String(), `"Uno"`) || next.Header().Get("Etag") == tag {
				t.Errorf("after a change: %d %s, ETag %s", next.Code, next.Body, next.Header().Get("Etag"))
			}
			if now, _ := c.Version(ctx); now == version {
				t.Error("the version is the old one")
			}
			if !strings.Contains(document(), "1234567") {
				t.Error("the document's values are the old ones")
			}
			change("VACUUM")
			if again := get(next.Header().Get("Etag")); again.Code != 304 {
				t.Errorf("what is the same has another ETag: %d %s", again.Code, again.Body)
			}

			change("ALTER TABLE good RENAME COLUMN name TO title")
			if gone := get(""); gone.Code != 503 || gone.Header().Get("Retry-After") != "" || !strings.Contains(gone.Body.String(), "Other tables") {
				t.Errorf("without the column: %d %s", gone.Code, gone.Body)
			}
		})
	}
}

// TestAnswersWhileOthersWrite has another program hold the lock that keeps
// readers out.
func TestAnswersWhileOthersWrite(t *testing.T) {
	d := dataset(t, []string{"CREATE TABLE good (id INTEGER PRIMARY KEY, name TEXT)", "INSERT INTO good VALUES (1, 'One')"}, "SELECT name FROM good WHERE id = 1")
	c, err := Open(context.Background(), d, Options{Wait: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	call, err := c.Call(&d.Questions[0])
	if err != nil {
		t.Fatal(err)
	}
	w, err := sql.Open("sqlite", d.Databases[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.SetMaxOpenConns(1)
	h := NewService(c, ServiceOptions{}).Handler()
	for _, step := range []struct {
		statement string
		status    int
	}{{"BEGIN EXCLUSIVE", 503}, {"ROLLBACK", 200}} {
		if _, err := w.Exec(step.statement); err != nil {
			t.Fatal(err)
		}
		got := httptest.NewRecorder()
		h.ServeHTTP(got, httptest.NewRequest("GET", call.URL(), nil))
		if got.Code != step.status || (step.status == 503) != (got.Header().Get("Retry-After") != "") {
			t.Errorf("after %s: %d %v %s", step.statement, got.Code, got.Header(), got.Body)
		}
	}
}
