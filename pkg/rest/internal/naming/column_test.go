package naming

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestColumns says what columns are called, by their name and what the dataset says of
// them.
func TestColumns(t *testing.T) {
	for _, c := range []struct{ name, readable, description, want string }{
		{"price", "", "", "price"},
		{"id", "", "", "ID"},
		{"A2", "", "", "A2"},
		{"A2", "", "district name", "district name"},
		{"A2", "", "the number of municipalities with inhabitants below five hundred in the district", "A2"},
		{"A2", "region", "", "region"},
		{"price", "", "what it costs", "price"},
		{"isPromo", "", "", "is-promo flag"},
		{"", "", "", "value"},
		{"___", "", "", "value"},
	} {
		db := &bird.Database{Tables: []*bird.Table{{Name: "t", Columns: []*bird.Column{{Name: c.name, Description: bird.Description{Readable: c.readable, Description: c.description}}}}}}
		if got := NewVocabulary(db, engine.SQLite).column("t", c.name); got != c.want {
			t.Errorf("%q, %q, %q: %q, want %q", c.name, c.readable, c.description, got, c.want)
		}
	}
}

// TestLimits says how a number of rows is called where a description has no room left.
func TestLimits(t *testing.T) {
	n, params := namer(t, doubled()+" LIMIT 3")
	const want = "up to the given number of them."
	if got := n.Endpoint(params, nil).Bare; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end in %q", got, want)
	}
}
