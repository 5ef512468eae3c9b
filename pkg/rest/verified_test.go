package rest

import (
	"bytes"
	"context"
	"net/http/httptest"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// TestKnownAnswers asks the endpoints of the sample's questions, once with the rows of
// the questions' SQL at hand and once without. Both answers are the same, byte by byte,
// and most questions have the program of their endpoint.
func TestKnownAnswers(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	x, err := NewConverter(ctx, dataset, ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	handler := x.unlimited().Handler()
	ask := func(url string) []byte {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", url, nil))
		return w.Body.Bytes()
	}
	used := 0
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		call, err := x.API.Call(q)
		if err != nil {
			t.Fatal(err)
		}
		d := x.API.Database(q.DB)
		sql, _, err := d.language().FixClock(q.SQL, x.asOf)
		if err != nil {
			t.Fatal(err)
		}
		gold, err := d.db.Answer(ctx, sql)
		if err != nil {
			t.Fatal(err)
		}
		want := ask(call.URL())
		forget := x.verified.add(ctx, d, call.Endpoint, sql, gold)
		got := ask(call.URL())
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %s\nwant %s", q.ID, got, want)
		}
		// Rows that nothing in the database has show whether these are handed over.
		for _, a := range x.verified.answers[call.Endpoint] {
			a.rows = append([][]value.Value{make([]value.Value, len(gold.Columns))}, a.rows...)
		}
		if !bytes.Equal(ask(call.URL()), want) {
			used++
		}
		forget()
		if len(x.verified.answers) != 0 || !bytes.Equal(ask(call.URL()), want) {
			t.Errorf("%s: its answer is kept", q.ID)
		}
	}
	if used*10 < len(dataset.Questions)*6 {
		t.Errorf("%d of %d questions have their endpoint's program", used, len(dataset.Questions))
	}
}

// TestKnownAnswersAreOfTheirArguments asks an endpoint with other arguments than those
// of the answer that is at hand.
func TestKnownAnswersAreOfTheirArguments(t *testing.T) {
	d := dataset(t, []string{"CREATE TABLE good (id INTEGER, name TEXT)", "INSERT INTO good VALUES (1, 'One'), (2, 'Two')"},
		"SELECT name FROM good WHERE id = 1", "SELECT name FROM good WHERE id = 2")
	ctx := context.Background()
	x, err := NewConverter(ctx, d, ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	one, err := x.API.Call(&d.Questions[0])
	if err != nil {
		t.Fatal(err)
	}
	two, err := x.API.Call(&d.Questions[1])
	if err != nil {
		t.Fatal(err)
	}
	if one.Endpoint != two.Endpoint {
		t.Fatal("the questions have two endpoints")
	}
	db := x.API.Databases[0]
	gold, err := db.db.Answer(ctx, d.Questions[0].SQL)
	if err != nil {
		t.Fatal(err)
	}
	defer x.verified.add(ctx, db, one.Endpoint, d.Questions[0].SQL, gold)()
	for _, c := range []struct {
		call Call
		want string
	}{{one, `"One"`}, {two, `"Two"`}} {
		body, err := x.answer(ctx, c.call.URL())
		if err != nil || !bytes.Contains(body, []byte(c.want)) {
			t.Errorf("%s: %s %v, want %s", c.call.URL(), body, err, c.want)
		}
	}
}
