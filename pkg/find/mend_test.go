package find

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/search/valueindex"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestMendLeftOut says that texts are mended in a column whose long texts are not indexed,
// as a short one cannot be among these; and not in one of too many texts, of which the
// text may be one that is not indexed.
func TestMendLeftOut(t *testing.T) {
	defer func(most int) { maxTexts = most }(maxTexts)
	maxTexts = 100
	path := filepath.Join(t.TempDir(), "texts.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"CREATE TABLE few (v TEXT); CREATE TABLE many (v TEXT)",
		"INSERT INTO few VALUES ('Riverside'), ('" + strings.Repeat("x", valueindex.MaxBytes+1) + "')",
		"INSERT INTO many VALUES ('Riverside')",
		fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < %d) INSERT INTO many SELECT char(97+i%%26, 97+i/26) FROM n", maxTexts),
	} {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := Build(t.Context(), &bird.Dataset{Databases: []*bird.Database{{ID: "texts", Path: path}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]bool{"few": true, "many": false} {
		if _, ok := x.mend(t.Context(), 0, Column{table, "v"}, "Rivreside"); ok != want {
			t.Errorf("%s: mended %v, want %v", table, ok, want)
		}
	}
}
