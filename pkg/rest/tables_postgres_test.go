package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestPostgresTables lists requests to tables of a server with their answers: a
// value is read as one of its column's type.
func TestPostgresTables(t *testing.T) {
	server := pgtest.Start(t)
	server.Exec(shopSQL + `
CREATE VIEW shop.spent AS SELECT customer, sum(price) AS total FROM shop.sale GROUP BY customer;
CREATE TABLE shop."Odd ""one""" ("limit" int, "A" text, a text);
INSERT INTO shop."Odd ""one""" VALUES (3, 'x', 'y'), (1, 'y', 'x'), (2, NULL, NULL);
CREATE TABLE shop.shape (at point);
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader;
`)
	api, err := Open(t.Context(), &bird.Dataset{Databases: []*bird.Database{{ID: "shop"}}}, Options{Source: server.URL("reader", "postgres", "?sslmode=disable"), Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	handler := NewService(api, ServiceOptions{}).Handler()
	for _, c := range []struct {
		path   string
		status int
		want   string
	}{
		{"customer?limit=1", 200, `{"data":[{"id":1,"name":"Ada","mood":"happy","born":"1990-01-02","active":true}],"count":1,"truncated":true,"next_offset":1}`},
		{"customer?mood=sad&mood=happy&active=true&is_null=born&offset=1", 200, `"count":0,"truncated":false`},
		{"customer?mood=happy&born=1985-12-31", 200, `{"data":[{"id":3,`},
		{"customer?is_null=born", 200, `{"data":[{"id":2,`},
		{"customer?mood=angry", 422, "no value of the column's type"},
		{"customer?id=x", 422, "no value of the column's type"},
		{"sale?id=9007199254740993", 200, `{"data":[{"id":9007199254740993,"customer":1,"price":12.50,"weight":0.1,`},
		{"sale?weight=0.1", 200, `"count":1,`},
		{"sale?price=12.5&price=7&price=1", 200, `"count":3,`},
		{"sale?raw=%5Cx00ff", 200, `"count":1,`},
		{"sale?note=1", 400, "there is no such parameter"},
		{"sale?is_null=note", 200, `{"data":[{"id":4,`},
		{"spent?total=99.99", 200, `{"data":[{"customer":3,"total":99.99}]`},
		{"Odd%20%22one%22%22", 404, "No such table"},
		{"Odd%20%22one%22?A=y", 200, `{"data":[{"limit":1,"A":"y","a":"x"}]`},
		{"Odd%20%22one%22?col:limit=3&col:limit=2", 200, `{"data":[{"limit":3,"A":"x","a":"y"},{"limit":2,"A":null,"a":null}]`},
		{"shape", 200, `{"data":[],"count":0`},
		{"shape?at=(1,2)", 422, "cannot be computed"},
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/tables/shop/"+c.path, nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s\nwant %d %s", c.path, w.Code, w.Body, c.status, c.want)
		}
	}
	text, err := api.Document(t.Context(), DocumentOptions{})
	if err != nil || !strings.Contains(string(text), `"/v1/tables/shop/Odd%20%22one%22"`) || !strings.Contains(string(text), `"Rows of customer"`) {
		t.Errorf("%v, the document is %.500s", err, text)
	}
}
