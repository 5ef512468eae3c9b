package rest_test

import (
	"errors"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
)

// TestClient asks a service's endpoints within the program, as calls of tools, and
// shows what a model is shown for calls that are wrong.
func TestClient(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		t.Fatal(err)
	}
	api, err := rest.Open(t.Context(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	client := rest.NewService(api, rest.ServiceOptions{MaxRows: 2}).Client()
	origins := func(v any) tools.Arguments { return tools.Arguments{{Name: "origins", Value: v}} }
	for _, c := range []struct {
		call tools.Call
		text string // of the answer, or of the error
	}{
		{tools.Call{Name: "bean_names_by_origin", Arguments: origins([]any{"Ethiopia", "Kenya"})},
			`{"data":[{"name":"Yirga Mist"},{"name":"Guji Sun"}],"count":2,"truncated":true,"next_offset":2}`},
		{tools.Call{Name: "bean_names_by_origin", Arguments: tools.Arguments{{Name: "origin", Value: 1}}},
			`Bad parameter: origin: there is no such parameter (use origins, limit and offset); origins: it is missing (give a text, up to 10 times)`},
		{tools.Call{Name: "bean_names"}, `No such endpoint: coffee_roastery has no endpoint "bean_names"`},
	} {
		rows, text, err := client.Ask(t.Context(), "coffee_roastery", c.call)
		var refused *rest.Refused
		if errors.As(err, &refused) {
			text = err.Error()
		} else if err != nil || len(rows) != 2 {
			t.Fatal(rows, err)
		}
		if text != c.text {
			t.Errorf("%v: got\n%s, want\n%s", c.call, text, c.text)
		}
	}
}

// TestConverterOfService says that a converter on open endpoints makes the records
// that one of its own makes, and leaves them open.
func TestConverterOfService(t *testing.T) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"coffee_roastery"}})
	if err != nil {
		t.Fatal(err)
	}
	api, err := rest.Open(t.Context(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	own, err := rest.NewConverter(t.Context(), dataset, rest.ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	on := api.Converter(rest.ConverterOptions{})
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		want, err := own.Convert(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := on.Convert(t.Context(), q)
		if err != nil || got.Result != want.Result || len(got.Tools) != len(want.Tools) {
			t.Errorf("%s: %v, %s, want %s", q.ID, err, got.Result, want.Result)
		}
	}
	if err := on.Close(); err != nil {
		t.Error(err)
	}
	if _, err := api.Version(t.Context()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}
