package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/vtab"
	"github.com/birdcall/birdcall/pkg/api"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestStatements runs the statements of docs/apis.md.
func TestStatements(t *testing.T) {
	s := httptest.NewServer(handler("secret"))
	defer s.Close()
	declared, err := api.Load(t.Context(), "apis.yaml", func(name string) (string, bool) {
		return map[string]string{"AGENCY_URL": s.URL, "AGENCY_KEY": "secret"}[name], true
	})
	if err != nil {
		t.Fatal(err)
	}
	defer declared.Close()
	d, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Attach(declared, false); err != nil {
		t.Fatal(err)
	}
	db, err := vtab.Open(t.Context(), d.Database("city_library"), sqlite.Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range []struct {
		sql, want string
		calls     int
	}{
		{"SELECT b.name, count(*) AS events, min(e.price) FROM branch b JOIN event e ON e.venue = b.code " +
			"WHERE b.district = 'Quayside' GROUP BY b.code ORDER BY 1", "[[Harbour Street 5 0.0] [Riverside 4 0.0]]", 2}, // two pages
		{"SELECT name, expected_visitors(code) FROM branch WHERE expected_visitors(code) > 40 ORDER BY 2 DESC", "[[Märchenhaus 69] [Riverside 48] [Book Van 47] [St. Brigid's 41]]", 7},
		{"SELECT count(*), sum(free), typeof(min(price)) FROM event", "[[23 6 real]]", 5},
		{"SELECT title, room FROM event LIMIT 2", "[[Story hour NULL] [Chess evening Room 1]]", 1},
	} {
		log := &vtab.Log{}
		result, err := db.Query(vtab.WithLog(t.Context(), log), c.sql)
		calls, _ := log.Calls()
		if err != nil || fmt.Sprint(result.Rows) != c.want || len(calls) != c.calls {
			t.Errorf("%s\n%v, %v, %d calls; want %s, %d calls", c.sql, result, err, len(calls), c.want, c.calls)
		}
	}
}

// TestDocs holds docs/apis.md to what is here.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../apis.md")
	if err != nil {
		t.Fatal(err)
	}
	declaration, err := os.ReadFile("apis.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "```yaml\n"+string(declaration)+"```") {
		t.Error("docs/apis.md has another declaration than apis.yaml")
	}
	if lines := strings.Count(string(declaration), "\n"); lines > 15 {
		t.Errorf("the declaration has %d lines", lines)
	}
}
