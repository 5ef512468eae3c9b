package find_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
)

// TestOpenLargeTables says what is found of the tables of a server that are not read:
// large ones, and those that nobody can read without doing more. What the server knows of
// their values from ANALYZE is, and each such column has a warning.
func TestOpenLargeTables(t *testing.T) {
	s := pgtest.Start(t)
	s.Exec(`CREATE ROLE reader LOGIN; CREATE SCHEMA shop; GRANT USAGE ON SCHEMA shop TO reader; SET search_path = shop;
		CREATE TABLE note (id int, city text, filler text); ALTER TABLE note ALTER filler SET STORAGE PLAIN;
		INSERT INTO note SELECT n, CASE WHEN n % 2 = 0 THEN 'Riverside' ELSE 'city ' || n END, repeat('x', 7500) FROM generate_series(1, 8800) AS n;
		CREATE FUNCTION allowed(text) RETURNS boolean VOLATILE LANGUAGE sql AS 'SELECT true';
		CREATE TABLE person (name text); INSERT INTO person VALUES ('Ada'); ALTER TABLE person ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON person USING (allowed(name));
		CREATE TABLE shop (name text); INSERT INTO shop VALUES ('Seaside');
		GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader; ANALYZE`)
	var warned []string
	x, err := find.Open(t.Context(), &bird.Dataset{Databases: []*bird.Database{{ID: "shop"}}}, find.Options{
		Source: s.URL("reader", "postgres", "?sslmode=disable"), Warn: func(text string) { warned = append(warned, text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, found := range map[string]bool{"Riverside": true, "Seaside": true, "Ada": false} {
		if got := askFor(t, x, "notes of persons and shops about "+name); strings.Contains(got, `"value":"`+name+`"`) != found {
			t.Errorf("%s: %s", name, got)
		}
	}
	want := []string{
		"column city of table note of shop: its table is large; only the values that ANALYZE has kept are found",
		"column filler of table note of shop: its table is large; only the values that ANALYZE has kept are found",
		"column name of table person of shop: it cannot be read: the statement does more than read: it calls allowed(text), which is volatile: it may do anything, or answer differently each time; if it only reads, its owner can declare it STABLE",
	}
	if diff := cmp.Diff(want, warned); diff != "" {
		t.Errorf("warnings, want -, got +:\n%s", diff)
	}
	// A text that may be stored is left as it is.
	sql := "SELECT id FROM note WHERE city = 'city 8798'"
	if got, changes, err := x.RepairSQL(t.Context(), "shop", sql); err != nil || got != sql {
		t.Errorf("%s, %v, %v", got, changes, err)
	}
}
