package spec_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/slot"
)

// samples are the records of the embedded sample, by variant. Those of REST are
// read as the others are: what they have besides is not looked at here.
var samples = sync.OnceValues(func() (map[string][]*record.Slot, error) {
	dataset, err := bird.Load(bird.Options{FS: sample.FS()})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "spec")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := map[string][]*record.Slot{}
	for _, variant := range variant.Single() {
		_, err = pipeline.Run(context.Background(), pipeline.Options{
			Dataset: dataset, Variant: variant, Out: dir, Toolset: slot.Full, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
		})
		if err != nil {
			return nil, err
		}
		for _, db := range dataset.Databases {
			data, err := os.ReadFile(filepath.Join(dir, variant, db.ID+".json"))
			if err != nil {
				return nil, err
			}
			var records []*record.Slot
			if err := json.Unmarshal(data, &records); err != nil {
				return nil, err
			}
			out[variant] = append(out[variant], records...)
		}
	}
	return out, nil
})

// eachRecord runs a test on every record of the embedded sample, in every
// variant.
func eachRecord(t *testing.T, check func(t *testing.T, r *record.Slot)) {
	t.Helper()
	all, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range variant.Single() {
		t.Run(variant, func(t *testing.T) {
			for _, r := range all[variant] {
				check(t, r)
			}
		})
	}
}

// asJSON returns a value as a reader of the written files sees it.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// compiled keeps schemas by their text, since most samples share them.
var compiled = map[string]*jsonschema.Schema{}

func compile(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	if s := compiled[string(text)]; s != nil {
		return s
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("test:schema", asJSON(t, schema)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("test:schema")
	if err != nil {
		t.Fatal(err)
	}
	compiled[string(text)] = s
	return s
}

// read compiles a schema that others publish.
func read(t *testing.T, path string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var namePattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,63}$`)
