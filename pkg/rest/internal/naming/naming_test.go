package naming

import (
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// shop is the schema of the examples.
var shop = &sqlite.Schema{Tables: []*sqlite.Table{
	{Name: "item", RowID: true, IntegerPrimaryKey: "id", Columns: []sqlite.Column{
		{Name: "id", Type: "INTEGER", Affinity: value.AffinityInteger, PrimaryKey: 1},
		{Name: "name", Type: "TEXT", Affinity: value.AffinityText},
		{Name: "price", Type: "REAL", Affinity: value.AffinityReal},
		{Name: "a", Type: "REAL", Affinity: value.AffinityReal},
	}},
	{Name: "sales", RowID: true, Columns: []sqlite.Column{
		{Name: "item", Type: "INTEGER", Affinity: value.AffinityInteger},
		{Name: "sold_date", Type: "TEXT", Affinity: value.AffinityText},
	}},
}}

func TestEndpointNames(t *testing.T) {
	doubled := "SELECT a FROM item" // each level uses the column below twice
	for range 60 {
		doubled = "SELECT a + a AS a FROM (" + doubled + ")"
	}
	for _, c := range []struct{ sql, name, params string }{
		{"SELECT name FROM item WHERE price > 5", "item_names_by_price", "price_above"},
		{"SELECT name FROM item WHERE price BETWEEN 1 AND 2", "item_names_by_price", "minimum_price maximum_price"},
		{"SELECT COUNT(*) FROM sales WHERE sold_date >= '2024-01-01'", "sale_count_by_sold_date", "from_sold_date"},
		{"SELECT * FROM item ORDER BY price DESC LIMIT 3", "items_with_highest_price", "limit"},
		{"SELECT name FROM item WHERE id NOT IN (SELECT item FROM sales)", "item_names_without_sales", ""},
		{"SELECT name FROM item WHERE price = (SELECT MAX(price) FROM item)", "item_names_with_highest_price", ""},
		{"SELECT item, COUNT(*) FROM sales GROUP BY item ORDER BY COUNT(*) DESC LIMIT 1", "item_and_sale_count_with_most_sales", ""},
		{"SELECT name FROM item UNION SELECT item FROM sales ORDER BY name LIMIT 2", "item_names_with_lowest_item_name", "limit"},
		{"VALUES (1), (2)", "values", ""},
		{doubled, "item_a" + strings.Repeat("_plus_item_a", 4) + "_plus_item", ""},
	} {
		tpl, err := template.New(c.sql, shop)
		if err != nil {
			t.Errorf("%.80s: %v", c.sql, err)
			continue
		}
		n := New(tpl, &bird.Database{})
		params := n.Params()
		var names []string
		for _, p := range params {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != c.params {
			t.Errorf("%.80s: parameters %q, want %q", c.sql, got, c.params)
		}
		for name := range n.Endpoint(params, nil).Names {
			if name != c.name {
				t.Errorf("%.80s: %s, want %s", c.sql, name, c.name)
			}
			break
		}
	}
}
