package shard

import (
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/pkg/bird"
)

// TestStateOfQuestions says that any change of the questions is another state.
func TestStateOfQuestions(t *testing.T) {
	change := map[string]func(*bird.Dataset){
		"nothing":    func(*bird.Dataset) {},
		"a text":     func(d *bird.Dataset) { d.Questions[1].Text = "?" },
		"a hint":     func(d *bird.Dataset) { d.Questions[1].Evidence = "?" },
		"a space":    func(d *bird.Dataset) { d.Questions[1].SQL = "SELECT  1" },
		"the order":  func(d *bird.Dataset) { d.Questions[0], d.Questions[1] = d.Questions[1], d.Questions[0] },
		"one less":   func(d *bird.Dataset) { d.Questions = d.Questions[1:] },
		"a database": func(d *bird.Dataset) { d.Questions[1].DB = "b" },
	}
	same := StateOfQuestions(dataset(2))
	for name, f := range change {
		d := dataset(2)
		f(d)
		if got := StateOfQuestions(d); (got == same) != (name == "nothing") {
			t.Errorf("%s: %s, and without it %s", name, got, same)
		}
	}
}

// TestStateOfTables says which changes of what is known of tables are another state.
func TestStateOfTables(t *testing.T) {
	state := func(column engine.Column, tables ...*bird.Table) string {
		t.Helper()
		s, err := StateOfTables(&bird.Database{ID: "a", Tables: tables}, &engine.Schema{Tables: []*engine.Table{{Name: "t", Columns: []engine.Column{column}}}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	same := state(engine.Column{Name: "x", Type: "integer"})
	if got := state(engine.Column{Name: "x", Type: "integer"}); got != same {
		t.Errorf("the same tables: %s and %s", got, same)
	}
	for name, got := range map[string]string{
		"a type":        state(engine.Column{Name: "x", Type: "text"}),
		"a name":        state(engine.Column{Name: "y", Type: "integer"}),
		"a description": state(engine.Column{Name: "x", Type: "integer"}, &bird.Table{Name: "t"}),
	} {
		if got == same {
			t.Errorf("%s is another, and the state is the same", name)
		}
	}
}
