package rest_test

import (
	"context"
	"encoding/json"
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
		r, _, err := x.Convert(context.Background(), q)
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
	for _, d := range x.Catalog.Databases {
		endpoints += len(d.Endpoints)
	}
	if endpoints > len(dataset.Questions) {
		t.Errorf("%d endpoints for %d questions", endpoints, len(dataset.Questions))
	}
}
