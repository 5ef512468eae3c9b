package rest_test

import (
	"context"
	"fmt"
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
		{"SELECT isbn, title AS t FROM book", "isbn=book.isbn book_title=book.title"},
		{"SELECT * FROM (SELECT isbn FROM book) AS b", "isbn=book.isbn"},
		{"SELECT x.* FROM (SELECT * FROM (SELECT isbn, count(*) AS n FROM book GROUP BY 1)) AS x", "isbn=book.isbn book_count"},
		{"WITH b(code) AS (SELECT isbn FROM book) SELECT * FROM b", "isbn=book.isbn"},
		{"SELECT isbn FROM book UNION SELECT 'x'", "isbn"},
	}
	dataset.Questions = nil
	for i, c := range cases {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: c.sql})
	}
	catalog, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = catalog.Close() }()
	for i, c := range cases {
		call, err := catalog.Call(&dataset.Questions[i])
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
