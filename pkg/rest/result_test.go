package rest_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// TestColumns says what is known of the columns of an answer: the table's
// column that is given as it is, through any subqueries.
func TestColumns(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"city_library"}})
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct{ sql, want string }{
		{"SELECT isbn, title AS t FROM book", "isbn=book.isbn t=book.title"},
		{"SELECT * FROM (SELECT isbn FROM book) AS b", "isbn=book.isbn"},
		{"SELECT x.* FROM (SELECT * FROM (SELECT isbn, count(*) AS n FROM book GROUP BY 1)) AS x", "isbn=book.isbn n"},
		{"WITH b(code) AS (SELECT isbn FROM book) SELECT * FROM b", "code=book.isbn"},
		{"SELECT isbn FROM book UNION SELECT 'x'", "isbn"},
		// The names are the query's own.
		{"SELECT AVG(price) AS avgPrice FROM book", "avgPrice"},
		{"SELECT price AS \"Number of Pages (all)\" FROM book", "Number of Pages (all)=book.price"},
		{"SELECT \"Pages (TOTAL)\", \"Dewey/Class\" FROM book", "Pages (total)=book.Pages (total) Dewey/Class=book.Dewey/Class"},
		{"SELECT ISBN, (b.TITLE), 1 AS 'a,\"b' FROM book b", "isbn=book.isbn title=book.title a,\"b"},
		{"SELECT COUNT(*) AS x, MAX(price) AS x, MIN(price) AS x_2, 1 AS X FROM book", "x x_3 x_2 X"},
		{"SELECT a.title, b.title FROM book a JOIN book b ON a.isbn < b.isbn", "title=book.title title_2=book.title"},
		{"SELECT * FROM (SELECT a.isbn, b.isbn FROM book a, book b)", "isbn=book.isbn isbn_2=book.isbn"},
		{"SELECT value FROM json_each('[1]')", "value"},
		{"SELECT * FROM json_each('[1]') LIMIT 1", "key value type atom id parent fullkey path"},
		{"SELECT *, count(*) FROM json_each('[1]')", "key value type atom id parent fullkey path row_count"},
		{"WITH RECURSIVE n AS (SELECT 1 AS myStep UNION ALL SELECT myStep + 1 FROM n WHERE myStep < 3) SELECT myStep FROM n", "myStep"},
		// An expression without an alias has words.
		{"SELECT COUNT(*), MAX(price) FROM book", "book_count highest_price"},
		{"SELECT \"price * 2\" FROM (SELECT price * 2 FROM book)", "price_times_2"},
		{"SELECT \"no such column\" FROM book", "no_such_column"},
		{"SELECT price AS '' FROM book", "price=book.price"},
		{"VALUES (1, 2)", "column1 column2"},
	}
	dataset.Questions = nil
	for i, c := range cases {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: c.sql})
	}
	api, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = api.Close() }()
	for i, c := range cases {
		call, err := api.Call(&dataset.Questions[i])
		if err != nil {
			t.Errorf("%s: %v", c.sql, err)
			continue
		}
		var got []string
		for _, column := range call.Endpoint.Columns {
			text := column.Name
			if column.Column != nil {
				text += fmt.Sprintf("=%s.%s", column.Column.Table, column.Column.Name)
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.sql, strings.Join(got, " "), c.want)
		}
	}
}

// TestSegments says how databases are in paths whose ids would not: as
// wildcards of a route, or with escapes.
func TestSegments(t *testing.T) {
	ids := map[string]string{"city_library": "x:y", "coffee_roastery": "x_y", "bird_club": "Café *"}
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	for _, db := range dataset.Databases {
		db.ID = ids[db.ID]
	}
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		q.DB = ids[q.DB]
	}
	api, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = api.Close() }()
	handler := rest.NewService(api, rest.ServiceOptions{}).Handler()
	for id, want := range map[string]string{"x:y": "x_y_2", "x_y": "x_y", "Café *": "Caf___"} {
		d := api.Database(id)
		if d.Segment != want {
			t.Errorf("%s is %s, want %s", id, d.Segment, want)
		}
		for i := range dataset.Questions {
			if q := &dataset.Questions[i]; q.DB == id {
				call, err := api.Call(q)
				if err != nil {
					t.Fatal(err)
				}
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, httptest.NewRequest("GET", call.URL(), nil))
				if w.Code != 200 {
					t.Errorf("%s: %d %s", call.URL(), w.Code, w.Body)
				}
			}
		}
	}
}
