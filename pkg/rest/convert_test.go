package rest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// Every question of the sample is answered over HTTP as by its SQL.
func TestConverterVerifiesTheSample(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	x, err := rest.NewConverter(context.Background(), dataset, rest.ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		r, err := x.Convert(context.Background(), q)
		if err != nil {
			t.Errorf("%s: %v", q.ID, err)
			continue
		}
		if q.ID.String() == "46" {
			got, err := json.Marshal(r.Calls)
			want := `[{"name":"bean_names_by_origin","arguments":{"origins":["Ethiopia","Kenya","India"]},"path":"/v1/bird/coffee_roastery/bean_names_by_origin"}]`
			if err != nil || string(got) != want {
				t.Errorf("%s %v, want %s", got, err, want)
			}
		}
	}
	endpoints := 0
	for _, d := range x.API.Databases {
		endpoints += len(d.Endpoints)
	}
	if endpoints > len(dataset.Questions) {
		t.Errorf("%d endpoints for %d questions", endpoints, len(dataset.Questions))
	}
}

// A question that is not of the dataset has no record.
func TestConvertForeignQuestions(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"bird_club"}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := rest.NewConverter(context.Background(), dataset, rest.ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	copied := dataset.Questions[0]
	for _, c := range []struct {
		q    *bird.Question
		says string
	}{
		{&bird.Question{DB: "nosuch", SQL: "SELECT 1"}, `no database "nosuch"`},
		{&copied, "not one of the dataset"},
	} {
		if _, err := x.Convert(context.Background(), c.q); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.q.DB, err, c.says)
		}
	}
	if _, err := rest.Open(context.Background(), nil, rest.Options{}); err == nil {
		t.Error("no dataset is opened")
	}
}

// Questions whose SQL differs in the order of joins and conditions share an
// endpoint, and each gives its own values for the parameters.
func TestQuestionsAlikeShareAnEndpoint(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	dataset.Questions = nil
	for i, sql := range []string{
		"SELECT b.title FROM book b JOIN book_author ba ON ba.isbn = b.isbn JOIN author a ON a.author_id = ba.author_id WHERE a.birth_year > 1900 AND ba.role = 'author' AND b.price < 20",
		"SELECT b.title FROM author a JOIN book_author ba ON a.author_id = ba.author_id JOIN book b ON b.isbn = ba.isbn WHERE b.price < 15 AND a.birth_year > 1950 AND ba.role = 'translator'",
	} {
		dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: sql})
	}
	x, err := rest.NewConverter(context.Background(), dataset, rest.ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if got := len(x.API.Database("city_library").Endpoints); got != 1 {
		t.Errorf("%d endpoints", got)
	}
	for i, want := range []string{
		`{"author_year_of_birth_above":1900,"book_author_role":"author","price_below":20}`,
		`{"author_year_of_birth_above":1950,"book_author_role":"translator","price_below":15}`,
	} {
		r, err := x.Convert(context.Background(), &dataset.Questions[i])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(r.Calls[0].Arguments); err != nil || string(got) != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
}

// No tool and no document shows a question's own values but as values of a
// column, among all of them.
func TestNoAnswersInTools(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	// The same questions with other values have the same tools.
	texts := map[bool]string{}
	for _, other := range []bool{false, true} {
		dataset.Questions = nil
		for i, sql := range []string{
			"SELECT title FROM book WHERE price > 5 ORDER BY price LIMIT 3 OFFSET 2",
			"SELECT name FROM branch WHERE code = '007' AND name LIKE 'N%'",
			"SELECT name FROM author WHERE country IN ('Germany', 'Denmark')",
		} {
			if other {
				sql = strings.NewReplacer("5", "6", "3", "4", "2", "8", "007", "001", "N%", "S%", "Germany", "Chile").Replace(sql)
			}
			dataset.Questions = append(dataset.Questions, bird.Question{ID: bird.Number(i), DB: "city_library", SQL: sql})
		}
		api, err := rest.Open(context.Background(), dataset, rest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tools, err := api.Database("city_library").Tools(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		document, err := api.Document(context.Background(), rest.DocumentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(tools)
		if err != nil {
			t.Fatal(err)
		}
		texts[other] = string(text) + string(document)
		if err := api.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if texts[false] != texts[true] {
		t.Error("the tools depend on the values")
	}
}
