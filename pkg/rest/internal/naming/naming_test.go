package naming

import (
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

func column(name, kind string, key int) engine.Column {
	return engine.Column{Name: name, Type: kind, Affinity: value.AffinityOf(kind), PrimaryKey: key}
}

// shop is the schema of the examples.
var shop = &engine.Schema{Tables: []*engine.Table{
	{Name: "item", RowID: true, IntegerPrimaryKey: "id", Columns: []engine.Column{
		column("id", "INTEGER", 1), column("name", "TEXT", 0), column("price", "REAL", 0),
		column("kind_id", "INTEGER", 0), column("spare_kind_id", "INTEGER", 0), column("a", "REAL", 0),
	}},
	{Name: "kind", RowID: true, IntegerPrimaryKey: "id", Columns: []engine.Column{column("id", "INTEGER", 1), column("kind", "TEXT", 0)}},
	{Name: "sales", RowID: true, Columns: []engine.Column{
		column("item", "INTEGER", 0), column("sold_date", "TEXT", 0), column("amount", "INTEGER", 0),
	}},
}}

var shopDatabase = &bird.Database{Tables: []*bird.Table{
	{Name: "item", Columns: []*bird.Column{{Name: "a", Description: bird.Description{Readable: "weight"}}}},
}}

func namer(t *testing.T, sql string) (*Namer, []Param) {
	t.Helper()
	tpl, err := template.New(engine.SQLite, sql, shop)
	if err != nil {
		t.Fatalf("%.80s: %v", sql, err)
	}
	n := New(tpl, NewVocabulary(shopDatabase, engine.SQLite))
	return n, n.Params()
}

// doubled uses the column below it twice on each of many levels.
func doubled() string {
	sql := "SELECT a FROM item"
	for range 60 {
		sql = "SELECT a + a AS a FROM (" + sql + ")"
	}
	return sql
}

func TestEndpointNames(t *testing.T) {
	for _, c := range []struct{ sql, name, params string }{
		{"SELECT name FROM item WHERE price > 5", "item_names_by_price", "price_above"},
		{"SELECT name FROM item WHERE price BETWEEN 1 AND 2", "item_names_by_price", "minimum_price maximum_price"},
		{"SELECT COUNT(*) FROM sales WHERE sold_date >= '2024-01-01'", "sale_count_by_sold_date", "from_sold_date"},
		{"SELECT * FROM item ORDER BY price DESC LIMIT 3", "items_with_highest_price", "limit"},
		{"SELECT name FROM item WHERE id NOT IN (SELECT item FROM sales)", "item_names_without_sales", ""},
		{"SELECT name FROM item WHERE price = (SELECT MAX(price) FROM item)", "item_names_with_highest_price", ""},
		{"SELECT name FROM item WHERE id = (SELECT item FROM sales ORDER BY amount DESC LIMIT 1)", "item_names_with_highest_sale_amount", ""},
		{"SELECT item, COUNT(*) FROM sales GROUP BY item ORDER BY COUNT(*) DESC LIMIT 1", "item_and_sale_count_with_most_sales", ""},
		{"SELECT name FROM item UNION SELECT item FROM sales ORDER BY name LIMIT 2", "item_names", "limit"},
		{"VALUES (1), (2)", "values", ""},
		{"SELECT price - a, price + a, price * 12 FROM item WHERE sold = 1 AND name = 'x' AND price < 7", "", ""},
	} {
		n, params := namer(t, c.sql)
		var names []string
		for _, p := range params {
			names = append(names, p.Name)
		}
		for name := range n.Endpoint(params, nil).Names {
			if len(name) > maxName {
				t.Errorf("%.80s: %s is longer than %d", c.sql, name, maxName)
			}
			if c.name != "" && name != c.name {
				t.Errorf("%.80s: %s, want %s", c.sql, name, c.name)
			}
			break
		}
		if got := strings.Join(names, " "); c.name != "" && got != c.params {
			t.Errorf("%.80s: parameters %q, want %q", c.sql, got, c.params)
		}
	}
}

func TestDescriptions(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT COUNT(*) FROM item", "How many items there are."},
		{"SELECT name, price FROM item WHERE price > 5 AND name = 'x'", "The names and prices of the items with the given name and whose price is above the given value."},
		{"SELECT DISTINCT name FROM item WHERE a IS NULL OR price <= 3", "The different names of the items either that have no weight, or whose price is at most the given value."},
		{"SELECT name FROM item WHERE name IN ('x', 'y') AND a IS NOT NULL", "The names of the items with one of the given names and that have a weight."},
		{"SELECT i.name FROM item i JOIN sales s ON s.item = i.id WHERE s.sold_date < '2024-01-01'",
			"The names of the items that have a sale whose sold date is before the given date."},
		{"SELECT k.kind FROM item i JOIN kind k ON k.id = i.kind_id WHERE i.name = 'x'", "The kinds of the items with the given name."},
		{"SELECT i.name FROM item i JOIN kind k ON k.id = i.spare_kind_id WHERE k.kind = 'x'", "The names of the items with the given spare kind."},
		{"SELECT i.name FROM item i JOIN sales s ON s.item = i.id ORDER BY s.amount DESC LIMIT 1", "The name of the item with the highest sale amount."},
		{"SELECT name FROM item ORDER BY a LIMIT 1", "The name of the item with the lowest weight (the lightest)."},
		{"SELECT name FROM item ORDER BY name LIMIT 4", "The names of the items, sorted by name in alphabetical order, up to the given number of them."},
		{"SELECT name FROM item ORDER BY price DESC LIMIT 1 OFFSET 3",
			"The name of the item with the highest price (the most expensive), after leaving out the given number of the first ones."},
		{"SELECT item, SUM(amount) FROM sales GROUP BY item HAVING COUNT(*) > 3",
			"The items and total amounts for each item of the sales, only those whose number of sales is above the given value."},
		{"SELECT i.name FROM sales s JOIN item i ON i.id = s.item GROUP BY i.id ORDER BY COUNT(*) DESC LIMIT 1", "The name of the item with the most sales."},
		{"SELECT CAST(SUM(CASE WHEN price > 5 THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM item WHERE name = 'x'",
			"The percentage of items whose price is above the given value among all items with the given name."},
		{"SELECT SUM(price) / SUM(a) FROM item", "The ratio of the total price to the total weight of the items."},
		{"SELECT i.name FROM item i LEFT JOIN sales s ON s.item = i.id WHERE s.item IS NULL", "The names of the items that have no sale."},
		{"SELECT i.name FROM item i LEFT JOIN sales s ON s.item = i.id WHERE s.amount IS NULL", "The names of the items that have a sale that has no amount."},
		{"SELECT name FROM item WHERE (price = 1 OR price = 2) AND name = 'x' AND a < 3",
			"The names of the items with the given name, whose weight is below the given value and either whose price is the given value, or whose price is the given second value."},
		{"SELECT name FROM item WHERE price - a > 0", "The names of the items whose price is above the weight."},
		{"SELECT name FROM item WHERE price > (SELECT AVG(price) FROM item WHERE a > 2)",
			"The names of the items whose price is above the average price of the items whose weight is above the given value."},
		{"SELECT name FROM item WHERE NOT EXISTS (SELECT 1 FROM sales WHERE sales.amount > 3)",
			"The names of the items for which there are no sales whose amount is above the given value."},
		{"SELECT COUNT(a) FROM item WHERE name LIKE 'x%'", "How many items there are whose name matches the given pattern and that have a weight."},
		{"SELECT COUNT(DISTINCT i.id) FROM item i JOIN sales s ON s.item = i.id WHERE s.amount = 1", "How many different items there are that have a sale with the given amount."},
		{"SELECT COUNT(i.id) FROM item i JOIN sales s ON s.item = i.id WHERE s.amount = 1",
			"How many items (counted once for each sale) there are that have a sale with the given amount."},
		{"SELECT name FROM item EXCEPT SELECT name FROM item WHERE price = 3", "The names of the items, except the names of the items with the given price."},
		{"SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM sales GROUP BY item)", "The highest number of sales, taken from the numbers of sales for each item of the sales."},
		{"SELECT group_concat(name) FROM item", "The list of names of the items."},
		{"SELECT json_group_array(name) FROM item", "The JSON list of names of the items."},
		{"SELECT group_concat(name) FROM item", "The list of names of the items."},
		{"SELECT json_group_array(name) FROM item", "The JSON list of names of the items."},
		{"SELECT name FROM item WHERE price BETWEEN 1 AND 2 AND name <> 'x'",
			"The names of the items whose price is between the given minimum and maximum, and whose name is not the given one."},
		{"SELECT strftime('%Y', sold_date) FROM sales WHERE strftime('%Y', sold_date) = '2024'",
			"The years of the sold date of the sales whose year of the sold date is the given one."},
	} {
		n, params := namer(t, c.sql)
		e := n.Endpoint(params, nil)
		if e.Bare != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.sql, e.Bare, c.want)
		}
	}
}

// However deep a statement is, its description is short enough and made in no
// time.
func TestDescriptionsAreBounded(t *testing.T) {
	n, params := namer(t, doubled())
	if e := n.Endpoint(params, nil); len(e.Description) > 2*maxSentence {
		t.Errorf("%d bytes", len(e.Description))
	}
}

func TestTellApart(t *testing.T) {
	for _, c := range []struct{ one, other, want string }{
		{"SELECT CAST(SUM(price > 5) AS REAL) * 100 / COUNT(*) FROM item WHERE a > 1", "SELECT CAST(SUM(a > 5) AS REAL) * 100 / COUNT(*) FROM item WHERE price > 1",
			"The first parameter is the price above."},
		{"SELECT i.name FROM item i JOIN sales s ON s.item = i.id WHERE s.amount = 1", "SELECT i.name FROM item i JOIN sales s ON s.item = i.kind_id WHERE s.amount = 1",
			"They belong together where the sale item is the item ID."},
		{"SELECT i.name FROM item i, sales s LIMIT 2", "SELECT i.name FROM sales s, item i LIMIT 2", "It is read from the items first."},
		{"SELECT price FROM item WHERE name LIKE 'a%'", "SELECT price FROM item WHERE name GLOB 'a*'",
			"In the item name pattern: % stands for any text, _ for any character; ASCII case does not matter."},
	} {
		var list []*Endpoint
		for _, sql := range []string{c.one, c.other} {
			n, params := namer(t, sql)
			list = append(list, n.Endpoint(params, []string{"x"}))
		}
		if got := len(EqualWords(list)); got != 1 {
			t.Errorf("%s: %d groups of equal words before", c.one, got)
		}
		TellApart(list)
		if groups := EqualWords(list); len(groups) > 0 || !strings.HasSuffix(list[0].Description, c.want) {
			t.Errorf("%s: %v, %s; want it to end in %s", c.one, groups, list[0].Description, c.want)
		}
	}
	same, params := namer(t, "SELECT name FROM item")
	list := []*Endpoint{same.Endpoint(params, nil), same.Endpoint(params, nil)}
	TellApart(list)
	if groups := EqualWords(list); len(groups) != 1 || !slices.Equal(groups[0], []int{0, 1}) {
		t.Errorf("nothing distinguishes equal statements, but %v", groups)
	}
}
