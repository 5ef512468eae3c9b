package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/bird"
)

// shopSQL makes a schema with a value of each kind, ties, and comments.
const shopSQL = `
CREATE SCHEMA shop;
CREATE TYPE shop.mood AS ENUM ('happy', 'sad');
CREATE TABLE shop.customer (id int PRIMARY KEY, name text NOT NULL, mood shop.mood, born date, active boolean);
COMMENT ON COLUMN shop.customer.born IS 'the day of birth';
INSERT INTO shop.customer VALUES (1, 'Ada', 'happy', '1990-01-02', true), (2, 'Bo', 'sad', NULL, false), (3, 'Cy', 'happy', '1985-12-31', true);
CREATE TABLE shop.sale (id bigint PRIMARY KEY, customer int REFERENCES shop.customer, price numeric(10,2), weight real, at timestamptz, tags text[], note jsonb, raw bytea, took interval);
INSERT INTO shop.sale VALUES
	(9007199254740993, 1, 12.50, 0.1, '2024-02-29 23:59:59.5+01', '{a,NULL}', '{"a": 1}', '\x00ff', '1 day 02:00:00'),
	(2, 1, 12.50, 1, '2024-01-01 00:00:00Z', '{}', '[1.0]', '', NULL),
	(3, 2, 7.00, 'NaN', NULL, NULL, 'null', NULL, NULL),
	(4, 3, 99.99, 'Infinity', 'infinity', '{b}', NULL, NULL, NULL);
CREATE ROLE reader LOGIN;
GRANT USAGE ON SCHEMA shop TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
`

// shop starts a server with the schema, and returns its URL for reader and a dataset
// with those statements.
func shop(t *testing.T, statements ...string) (url string, dataset *bird.Dataset) {
	t.Helper()
	server := pgtest.Start(t)
	server.Exec(shopSQL)
	dataset = &bird.Dataset{Databases: []*bird.Database{{ID: "shop"}}}
	for i, sql := range statements {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "shop", Text: "?", SQL: sql})
	}
	return server.URL("reader", "postgres", "?sslmode=disable"), dataset
}

// TestPostgresRecords lists statements of Postgres' with the gold answers of their
// records, and what the records say of ties: t for an answer that SQL leaves open,
// and the runs of rows that may change places.
func TestPostgresRecords(t *testing.T) {
	cases := []struct{ sql, gold, ties string }{
		{"SELECT id, price, weight, at, tags, note, raw, took FROM sale WHERE price = 12.5 AND id > 2",
			`[[9007199254740993,12.50,0.1,"2024-02-29T22:59:59.5Z",["a",null],{"a": 1},{"blob":"00ff"},"P1DT2H"]]`, ""},
		{"SELECT weight FROM sale WHERE id IN (3, 4)", `[{"real":"NaN"},{"real":"Inf"}]`, ""},
		{"SELECT coalesce(note->'missing', 'null'::jsonb), note FROM sale WHERE id IN (3, 4) ORDER BY id", `[[null,null],[null,null]]`, ""},
		{"SELECT json ' {\"a\": 1} ', json ' null ' FROM sale WHERE id = 2", `[[{"a": 1},null]]`, ""},
		{"SELECT active, mood FROM customer WHERE born < '1990-01-01'", `[[true,"happy"]]`, ""},
		{"SELECT count(*) FROM sale WHERE weight > 0.1", "4", ""}, // as a real the literal would be another number, and the answer 3
		{"SELECT extract(year FROM now())", "2025", ""},
		{"SELECT id FROM sale ORDER BY price DESC, id", "[4,2,9007199254740993,3]", ""},
		{"SELECT id FROM sale ORDER BY price DESC", "[4,9007199254740993,2,3]", " [[1 2]]"},
		{"SELECT id FROM sale ORDER BY price DESC LIMIT 1", "4", ""},
		{"SELECT id FROM sale ORDER BY price DESC LIMIT 2", "[4,9007199254740993]", "t"},
		{"SELECT id FROM sale ORDER BY price DESC LIMIT 3", "[4,9007199254740993,2]", " [[1 2]]"},
		{"SELECT id FROM sale ORDER BY id LIMIT 2 OFFSET 1", "[3,4]", "t"}, // WITH TIES would not say
		{"SELECT customer AS who, sum(price) AS total FROM sale GROUP BY customer ORDER BY total DESC LIMIT 2", "[[3,99.99],[1,25.00]]", ""},
		{"SELECT DISTINCT price FROM sale ORDER BY 1", "[7.00,12.50,99.99]", ""},
		{"SELECT string_agg(name, ', ') FROM customer WHERE mood = 'happy'", `"Ada, Cy"`, "t"},
		{"SELECT string_agg(name, ', ' ORDER BY name) FROM customer WHERE mood = 'happy'", `"Ada, Cy"`, ""},
		{"SELECT name, row_number() OVER (ORDER BY mood) FROM customer WHERE id < 3", `[["Ada",1],["Bo",2]]`, "t"},
		{"SELECT name FROM customer WHERE id = (SELECT customer FROM sale ORDER BY price LIMIT 1)", `"Bo"`, "t"},
	}
	var statements []string
	for _, c := range cases {
		statements = append(statements, c.sql)
	}
	url, dataset := shop(t, statements...)
	x, err := NewConverter(t.Context(), dataset, ConverterOptions{Source: url})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for i, c := range cases {
		r, err := x.Convert(t.Context(), &dataset.Questions[i])
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		gold, err := json.Marshal(r.GoldAnswer)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(gold), strings.ReplaceAll(c.gold, `": `, `":`); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.sql, got, want)
		}
		ties := ""
		if r.TieDependent {
			ties = "t"
		}
		if r.Gold.Ties != nil {
			ties += fmt.Sprint(" ", r.Gold.Ties)
		}
		if ties != c.ties {
			t.Errorf("%s: ties %q, want %q", c.sql, ties, c.ties)
		}
	}
}

// TestPostgresAnswers lists requests with their answers: what is asked for is bound
// as it is given.
func TestPostgresAnswers(t *testing.T) {
	url, dataset := shop(t,
		"SELECT id FROM sale WHERE price > 10.5",
		"SELECT id FROM sale ORDER BY id LIMIT 2",
		"SELECT name FROM customer WHERE born = '1990-01-02'",
		"SELECT name FROM customer WHERE mood = 'sad'",
		"SELECT 100 / count(*) FROM customer WHERE id > 2",
		"SELECT to_char(now(), 'YYYY')",
	)
	api, err := Open(t.Context(), dataset, Options{Source: url})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	handler := NewService(api, ServiceOptions{}).Handler()
	for _, c := range []struct {
		question int
		query    string
		status   int
		want     string
	}{
		{0, "?price=12.499999999999999999999999", 200, `{"data":[{"id":9007199254740993},{"id":2},{"id":4}],"count":3,"truncated":false}`},
		{0, "?price=12.500000000000000000000001", 200, `{"data":[{"id":4}],"count":1,"truncated":false}`},
		{0, "?price=1&limit=1", 200, `{"data":[{"id":9007199254740993}],"count":1,"truncated":true,"next_offset":1}`},
		{0, "?price=NaN", 400, `\"NaN\" is not a number`},
		{1, "?limit=3", 200, `{"data":[{"id":2},{"id":3},{"id":4}],"count":3,"truncated":true,"next_offset":3}`},
		{1, "?limit=5", 200, `"count":4,"truncated":false}`},
		{1, "?limit=2&offset=3", 200, `{"data":[{"id":9007199254740993}],"count":1,"truncated":false}`},
		{2, "?born=1985-12-31", 200, `{"data":[{"name":"Cy"}],"count":1,"truncated":false}`},
		{2, "?born=never", 422, "With these values the query cannot be computed"},
		{3, "?mood=angry", 422, "With these values the query cannot be computed"},
		{3, "?mood=sad%27%20OR%20%27a%27=%27a", 422, "With these values the query cannot be computed"},
		{4, "?id=3", 422, "With these values the query cannot be computed"},
		{5, "?as_of=1999-12-31", 200, `"1999"`},
	} {
		call, err := api.Call(&dataset.Questions[c.question])
		if err != nil {
			t.Fatal(err)
		}
		query := c.query
		for i, p := range call.Endpoint.Params {
			// The names are not what is tested.
			for _, short := range []string{"price", "born", "mood", "id"} {
				if i == 0 {
					query = strings.Replace(query, "?"+short+"=", "?"+p.Name+"=", 1)
				}
			}
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, call.Endpoint.Path+query, nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s%s: %d %s\nwant %d %s", call.Endpoint.Path, query, w.Code, w.Body, c.status, c.want)
		}
	}
}

// TestPostgresDocument says what the OpenAPI document says of columns and
// parameters of a server: the types that it has itself, the labels of an enum, and
// the comments of the database.
func TestPostgresDocument(t *testing.T) {
	url, dataset := shop(t,
		"SELECT s.id, price, at, tags, note, active FROM sale AS s, customer WHERE mood = 'sad'",
		"SELECT name FROM customer WHERE born > '1990-01-02'",
	)
	api, err := Open(t.Context(), dataset, Options{Source: url})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	text, err := api.Document(context.Background(), DocumentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"enum":["happy","sad"]`, `Day of birth.`, `"at":{"type":["string","null"]}`, `"id":{"type":["integer","null"]}`,
		`"price":{"type":["number","null"]}`, `"tags":{"type":["array","null"]}`, `"note":{"$ref":"#/components/schemas/Value"}`, `"active":{"type":["boolean","null"]}`,
		`the database server does not answer`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the document has no %s", want)
		}
	}
	if t.Failed() {
		t.Logf("%s", text)
	}
}
