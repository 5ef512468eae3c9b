package convert

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/slot"
)

// shop has a column of each type and awkward names. No order is of 1999.
const shop = `
CREATE TABLE "order" (
	id INTEGER PRIMARY KEY, customer TEXT NOT NULL, note TEXT COLLATE NOCASE, price REAL, amount INTEGER, paid BOOLEAN, placed DATE, "ends at" TEXT
);
INSERT INTO "order" VALUES
	(1, 'Ann', 'gift', 20, 1, 1, '2010-07-19', '2010-07-20 10:00:00'),
	(2, 'Bob', 'GIFT', 12.5, 3, 0, '2010-08-01', '2011-01-01 00:00:00'),
	(3, 'Ann', NULL, NULL, 2, 1, '2011-02-03', '2011-02-04 08:30:00'),
	(4, 'Cleo', '50%_off', 12.5, 2, NULL, NULL, '2011-02-05 08:30:00');
CREATE TABLE customer (name TEXT, city TEXT);
INSERT INTO customer VALUES ('Ann', 'Cork'), ('Bob', NULL)`

func open(t *testing.T, set query.Toolset) *Converter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), shop); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), &bird.Database{ID: "shop", Path: path}, Options{Toolset: set})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// same are statements with the arguments besides the collection of the query that
// says the same in each toolset, or with the construct that is refused: "!name".
var same = []struct{ sql, full, paper string }{
	{
		`SELECT * FROM "order"`, ``, ``,
	},
	{
		`SELECT note, id, note FROM "order" WHERE price = '12.5'`,
		`"filters":[{"property_name":"price","operator":"=","value":12.5}],"properties":["note","id"]`,
		`"integer_property_filter":{"property_name":"price","operator":"=","value":12.5}`,
	},
	{
		`SELECT rowid FROM "order" WHERE 'Ann' = customer AND 2 <= amount AND paid = 1`,
		`"filters":[{"property_name":"customer","operator":"=","value":"Ann"},{"property_name":"amount","operator":">=","value":2},{"property_name":"paid","operator":"=","value":true}],"properties":["id"]`,
		`"integer_property_filter":{"property_name":"amount","operator":">=","value":2},"text_property_filter":{"property_name":"customer","operator":"=","value":"Ann"},"boolean_property_filter":{"property_name":"paid","operator":"=","value":true}`,
	},
	{
		`SELECT id FROM "order" WHERE NOT (price BETWEEN 10 AND 15 OR NOT paid)`,
		`"filters":[{"any_of":[{"property_name":"price","operator":"<","value":10},{"property_name":"price","operator":">","value":15}]},{"property_name":"paid","operator":"=","value":true}],"properties":["id"]`,
		`!OR`,
	},
	{
		`SELECT id FROM "order" WHERE customer = 'Bob' OR price > 13 AND note LIKE 'g%'`,
		`"filters":[{"any_of":[{"property_name":"customer","operator":"=","value":"Bob"},{"all_of":[{"property_name":"price","operator":">","value":13},{"property_name":"note","operator":"LIKE","value":"g%"}]}]}],"properties":["id"]`,
		`!OR`,
	},
	{
		`SELECT id FROM "order" WHERE amount NOT IN (1, 2) AND note IS NOT NULL AND customer IN ('Bob')`,
		`"filters":[{"property_name":"amount","operator":"NOT IN","value":[1,2]},{"property_name":"note","operator":"IS NOT NULL"},{"property_name":"customer","operator":"=","value":"Bob"}],"properties":["id"]`,
		`!NOT IN`,
	},
	{
		`SELECT id FROM "order" WHERE strftime('%Y', placed) = '2010' AND date("ends at") > '2010-07-20'`,
		`"filters":[{"property_name":"placed","date_part":"year","operator":"=","value":2010},{"property_name":"ends at","date_part":"date","operator":">","value":"2010-07-20"}],"properties":["id"]`,
		`!function strftime`,
	},
	{
		`SELECT id FROM "order" WHERE substr("ends at", 1, 7) = '2011-02'`,
		`"filters":[{"property_name":"ends at","operator":"LIKE","value":"2011-02%"}],"properties":["id"]`,
		`"text_property_filter":{"property_name":"ends at","operator":"LIKE","value":"2011-02%"}`,
	},
	{
		`SELECT id FROM "order" WHERE CAST(strftime('%m', placed) AS INTEGER) < 8`,
		`"filters":[{"property_name":"placed","date_part":"month","operator":"<","value":8}],"properties":["id"]`,
		`!function strftime`,
	},
	{
		`SELECT COUNT(*) FROM "order" WHERE customer = 'Ann'`,
		`"filters":[{"property_name":"customer","operator":"=","value":"Ann"}],"aggregations":[{"metrics":"COUNT"}]`,
		`"text_property_filter":{"property_name":"customer","operator":"=","value":"Ann"},"integer_property_aggregation":{"property_name":"id","metrics":"COUNT"}`,
	},
	{
		`SELECT AVG(price), MAX(price), AVG(price) FROM "order" LIMIT 1`,
		`"aggregations":[{"property_name":"price","metrics":"MEAN"},{"property_name":"price","metrics":"MAX"}]`,
		`!two aggregations of one type`,
	},
	{
		`SELECT COUNT(DISTINCT note), MIN(customer) FROM "order"`,
		`"aggregations":[{"property_name":"note","metrics":"COUNT","distinct":true},{"property_name":"customer","metrics":"MIN"}]`,
		`!DISTINCT`,
	},
	{
		`SELECT SUM(CASE WHEN price > 15 THEN 1 ELSE 0 END) FROM "order"`,
		`"filters":[{"property_name":"price","operator":">","value":15}],"aggregations":[{"metrics":"COUNT"}]`,
		`"integer_property_filter":{"property_name":"price","operator":">","value":15},"integer_property_aggregation":{"property_name":"id","metrics":"COUNT"}`,
	},
	{
		`SELECT SUM(IIF(customer = 'Ann', amount, 0)) FROM "order"`,
		`"filters":[{"property_name":"customer","operator":"=","value":"Ann"}],"aggregations":[{"property_name":"amount","metrics":"SUM"}]`,
		`"text_property_filter":{"property_name":"customer","operator":"=","value":"Ann"},"integer_property_aggregation":{"property_name":"amount","metrics":"SUM"}`,
	},
	{
		`SELECT customer, COUNT(note) FROM "order" GROUP BY customer`,
		`"aggregations":[{"property_name":"note","metrics":"COUNT"}],"groupby_properties":["customer"]`,
		`"text_property_aggregation":{"property_name":"note","metrics":"COUNT"},"groupby_property":"customer"`,
	},
	{
		`SELECT customer AS c FROM "order" GROUP BY 1 ORDER BY COUNT(*) DESC, c LIMIT 1 OFFSET 1`,
		`"aggregations":[{"metrics":"COUNT"}],"groupby_properties":["customer"],"order_by":[{"metrics":"COUNT","direction":"descending"},{"property_name":"customer","direction":"ascending"}],"limit":1,"offset":1`,
		`!LIMIT`,
	},
	{
		`SELECT DISTINCT customer FROM "order"`,
		`"properties":["customer"],"distinct":true`,
		`"groupby_property":"customer"`,
	},
	{
		`SELECT customer FROM "order" GROUP BY customer, paid`,
		`"properties":["customer","paid"],"distinct":true`,
		`!GROUP BY`,
	},
	{
		`SELECT id FROM "order" ORDER BY price DESC, id LIMIT 2`,
		`"properties":["id"],"order_by":[{"property_name":"price","direction":"descending"},{"property_name":"id","direction":"ascending"}],"limit":2`,
		`!LIMIT`,
	},
	{`SELECT id FROM "order" JOIN customer ON name = customer`, `!JOIN`, `!JOIN`},
	{`SELECT id FROM "order", customer`, `!JOIN`, `!JOIN`},
	{`SELECT id FROM "order" UNION SELECT 1`, `!UNION`, `!UNION`},
	{`WITH o AS (SELECT 1) SELECT * FROM o`, `!WITH`, `!WITH`},
	{`SELECT 1`, `!no FROM`, `!no FROM`},
	{`SELECT id FROM (SELECT id FROM "order")`, `!subquery in FROM`, `!subquery in FROM`},
	{`SELECT id FROM "order" WHERE price = (SELECT MAX(price) FROM "order")`, `!subquery`, `!subquery`},
	{`SELECT id FROM "order" WHERE customer IN (SELECT name FROM customer)`, `!subquery`, `!subquery`},
	{`SELECT price * amount FROM "order"`, `!arithmetic`, `!arithmetic`},
	{`SELECT upper(note) FROM "order"`, `!function upper`, `!function upper`},
	{`SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM "order"`, `!window function`, `!window function`},
	{`SELECT CASE WHEN paid THEN 'y' ELSE 'n' END FROM "order"`, `!CASE`, `!CASE`},
	{`SELECT customer FROM "order" GROUP BY customer HAVING COUNT(*) > 1`, `!HAVING`, `!HAVING`},
	{`SELECT id, COUNT(*) FROM "order"`, `!bare column`, `!bare column`},
	{`SELECT COUNT(*) FROM "order" GROUP BY amount % 2`, `!GROUP BY expression`, `!GROUP BY expression`},
	{`SELECT id FROM "order" ORDER BY abs(price)`, `!ORDER BY expression`, `!ORDER BY`},
	{`SELECT id FROM "order" ORDER BY price NULLS LAST`, `!NULLS FIRST`, `!ORDER BY`},
	{`SELECT id FROM "order" WHERE amount > price`, `!comparison of columns`, `!comparison of columns`},
	{`SELECT id FROM "order" WHERE price > 'cheap'`, `!comparison of types`, `!comparison of types`},
	{`SELECT id FROM "order" WHERE note LIKE '50!%%' ESCAPE '!'`, `!ESCAPE`, `!ESCAPE`},
	{`SELECT id FROM "order" WHERE note GLOB 'g*'`, `!GLOB`, `!GLOB`},
	{`SELECT group_concat(note) FROM "order"`, `!function group_concat`, `!function group_concat`},
	{`SELECT AVG(paid) FROM "order"`, `!aggregate of a boolean`, `!aggregate of a boolean`},
	{`SELECT id FROM "order" WHERE nowhere = 1`, `!unknown column`, `!unknown column`},
	{`SELECT SUM(CASE WHEN amount > 9 THEN price ELSE 0 END) FROM "order"`, `!objects that the condition holds for`, `!objects that the condition holds for`},
	{`SELECT id FROM "order" WHERE amount = 1 OR (price > 1 AND (paid OR note = 'a'))`, `!OR in AND in OR`, `!OR in AND in OR`},
}

// TestConvert converts the statements, each of which is verified or refused.
func TestConvert(t *testing.T) {
	for _, set := range []query.Toolset{query.Full, query.Paper} {
		c := open(t, set)
		for i, s := range same {
			want := s.full
			if set == query.Paper {
				want = s.paper
			}
			got := ""
			r, err := c.Convert(context.Background(), &bird.Question{ID: bird.Number(i), DB: "shop", SQL: s.sql})
			why := (*slot.Error)(nil)
			switch {
			case err == nil:
				text, err := jsontext.Marshal(r.Calls[0].Arguments, "")
				if err != nil {
					t.Fatal(err)
				}
				got = string(text)
			case errors.As(err, &why) && errors.Is(err, slot.ErrUnsupported):
				got = "!" + why.Construct
			default:
				got = err.Error()
			}
			whole := want
			if want == "" || want[0] != '!' {
				whole = `{"collection_name":"order"`
				if want != "" {
					whole += "," + want
				}
				whole += "}"
			}
			if got != whole {
				t.Errorf("%s, %s:\n%s, want\n%s", set, s.sql, got, whole)
			}
		}
	}
}

// TestRecord says what a record has besides the call.
func TestRecord(t *testing.T) {
	c := open(t, query.Paper)
	r, err := c.Convert(t.Context(), &bird.Question{ID: bird.Number(7), DB: "shop", Text: "How much?", SQL: `SELECT SUM(price), customer FROM "order" WHERE paid GROUP BY customer`})
	if err != nil {
		t.Fatal(err)
	}
	text, err := jsontext.Marshal(r.AnswerFrom, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := `[{"of":"values","place":0},{"of":"groups","property":"customer"}]`; string(text) != want {
		t.Errorf("the answer is from %s, want %s", text, want)
	}
	want := query.Components{Filters: []query.Type{query.Boolean}, Aggregations: []query.Type{query.Number}, Grouped: true}
	if !reflect.DeepEqual(r.Components, want) || r.Complexity != query.Complex || r.Source != query.FromSQL {
		t.Errorf("%+v, %s, %s", r.Components, r.Complexity, r.Source)
	}
	if got := fmt.Sprint(r.GoldAnswer); got != "[[20.0 Ann]]" {
		t.Errorf("the answer is %s", got)
	}
}
