package rest_test

import (
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// TestAnswers lists statements of one database, each with an endpoint, and which of
// them answer the first, by their numbers.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name       string
		statements []string
		want       string
	}{
		{"the same parameter, other rows", []string{
			"SELECT title FROM book WHERE price < 10",
			"SELECT title FROM book WHERE price > 10",
			"SELECT isbn FROM book WHERE price < 10",
		}, ""},
		{"a parameter of another name", []string{
			"SELECT name FROM branch WHERE code = '007'",
			"SELECT branch.name FROM branch WHERE lower(code) = '007'",
			"SELECT name FROM branch WHERE name = 'Märchenhaus'",
		}, "1"},
		{"another order of columns, and more of them", []string{
			"SELECT code, name FROM branch WHERE code = '007'",
			"SELECT name, code FROM branch WHERE code = '007'",
			"SELECT code AS number, name, name AS again FROM branch WHERE code = '007'",
			"SELECT name FROM branch WHERE code = '007'",
		}, "1 2"},
		{"the first by a limit", []string{
			"SELECT title FROM book ORDER BY price, isbn LIMIT 1",
			"SELECT title FROM book ORDER BY price, isbn LIMIT 3",
			"SELECT title FROM book ORDER BY price DESC, isbn LIMIT 3 OFFSET 2",
		}, "1"},
		{"more parameters than there are values for", []string{
			"SELECT count(*) FROM book WHERE price < 500",
			"SELECT count(*) FROM book WHERE price < 500 AND language <> 'xx'",
			"SELECT count(price) FROM book",
			"SELECT count(isbn) FROM book WHERE NOT price >= 500",
		}, "2 3"},
		{"values change places", []string{
			"SELECT title FROM book WHERE language = 'en' AND title <> 'x'",
			"SELECT title FROM book WHERE NOT (title = 'x' OR language <> 'en')",
			"SELECT title FROM book WHERE language <> 'en' AND title = 'x'",
		}, "1"},
	} {
		dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"city_library"}})
		if err != nil {
			t.Fatal(err)
		}
		dataset.Questions = nil
		for i, sql := range c.statements {
			dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: sql})
		}
		x, err := rest.NewConverter(t.Context(), dataset, rest.ConverterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		r, err := x.Convert(t.Context(), &dataset.Questions[0])
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, e := range x.API.Database("city_library").Endpoints[1:] {
			isAnswer, err := x.Answers(t.Context(), r, e.Name)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, e.Name, err)
			}
			if isAnswer {
				got = append(got, e.Questions[0].String())
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v answer too, want %q", c.name, got, c.want)
		}
		if _, err := x.Answers(t.Context(), r, "no_such"); err == nil {
			t.Errorf("%s: an endpoint that is not there answers", c.name)
		}
	}
}
