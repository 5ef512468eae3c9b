package told

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

func TestMissing(t *testing.T) {
	schema := &sqlite.Schema{Tables: []*sqlite.Table{
		{Name: "item", Columns: []sqlite.Column{{Name: "name", Affinity: value.AffinityText}, {Name: "price", Affinity: value.AffinityReal}, {Name: "A1"}}},
		{Name: "sale", Columns: []sqlite.Column{{Name: "item"}, {Name: "amount"}}},
	}}
	db := &bird.Database{Tables: []*bird.Table{{Name: "item", Columns: []*bird.Column{{Name: "A1", Description: bird.Description{Readable: "no. of pages"}}}}}}
	for _, c := range []struct{ sql, text, want string }{
		{"SELECT name FROM item WHERE price > 5", "The names of the items whose price is above the given value.", ""},
		{"SELECT name FROM item WHERE price > 5", "The names of the items.", "comparison >, the column item.price"},
		{"SELECT name FROM item WHERE price IS NOT NULL", "The names of the items.", "IS NOT NULL, the column item.price"},
		{"SELECT name FROM item WHERE price IS NOT NULL", "The names of the items that have a price.", ""},
		{"SELECT name FROM item WHERE A1 < 5", "The names of the items whose number of pages is below the given value.", ""},
		{"SELECT name FROM item WHERE name NOT LIKE 'a%'", "The names of the items whose name matches the given pattern.", "NOT"},
		{"SELECT name FROM item WHERE lower(name) || 'x' = name || 'abc'", "The names of the items whose name is the name.", ""},
		{"SELECT name FROM item WHERE price + 7 = A1", "The names of the items whose price is the pages.", "the column item.A1"},
		{"SELECT name FROM item WHERE name = ''", "The names of the items whose name is given.", "the empty text"},
		{"SELECT name FROM item ORDER BY price LIMIT 1", "The name of an item.", "ORDER BY, the column item.price"},
		{"SELECT name FROM item ORDER BY price LIMIT 7", "The names of the items with the lowest price.", "LIMIT"},
		{"SELECT DISTINCT name FROM item", "The names of the items.", "DISTINCT"},
		{"SELECT AVG(price), SUM(A1), MAX(name) FROM item", "Of the items: price, pages, name.", "AVG, SUM, the column item.A1, MAX"},
		{"SELECT COUNT(*) FROM item WHERE name IN (SELECT name FROM item WHERE price = 3)", "How many items there are with a given name.", "the column item.price"},
		{"SELECT i.name FROM item i JOIN sale s ON s.item = i.name", "The names of the items that have a sale.", ""},
		{"SELECT i.name FROM item i JOIN sale s ON s.item = i.name WHERE s.amount = i.price", "The names of the items that have a sale.", "the column sale.amount, the column item.price"},
		{"SELECT SUM(CASE WHEN price > 3 THEN 1 ELSE 0 END) FROM item", "How many items there are.", "comparison >, the column item.price"},
		{"SELECT price / A1 FROM item", "The price of the items.", "division"},
		{"SELECT name FROM item LIMIT 3 OFFSET 4", "The names of the items.", "LIMIT, OFFSET"},
	} {
		tpl, err := template.New(engine.SQLite, c.sql, schema)
		if err != nil {
			t.Fatalf("%s: %v", c.sql, err)
		}
		if got := strings.Join(Missing(tpl, db, c.text), ", "); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.sql, c.text, got, c.want)
		}
	}
}
