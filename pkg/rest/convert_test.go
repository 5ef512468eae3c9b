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
			got, err := json.Marshal(r.Output)
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
