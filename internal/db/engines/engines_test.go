package engines_test

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/engines"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/testkit/programtest"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/find"
	"github.com/birdcall/birdcall/pkg/rest"
)

// folder is a toy engine: the SQLite files of a folder as a server, in its own package
// and with one line in the list.
type folder string

func (f folder) Database(ctx context.Context, id string) (engine.Database, error) {
	db, err := sqlite.Open(ctx, sqlite.Location{Path: filepath.Join(string(f), id+".sqlite")}, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	return db.Pooled(sqlite.PoolOptions{}), nil
}

func (f folder) Ping(context.Context, string) error {
	_, err := os.Stat(string(f))
	return err
}

func (f folder) Close() {}

// TestNewEngine makes endpoints of questions and tables, a record and an index on
// databases of an engine that nothing knows but the list.
func TestNewEngine(t *testing.T) {
	known := engines.List
	t.Cleanup(func() { engines.List = known })
	engines.List = slices.Concat(known, []engine.Engine{{
		Schemes: []string{"folder"},
		Open: func(url string, _ engine.Options) (engine.Source, error) {
			return folder(strings.TrimPrefix(url, "folder://")), nil
		},
	}})
	file := programtest.Database(t, "shop", `CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob')`)
	dataset := &bird.Dataset{
		Databases: []*bird.Database{{ID: "shop"}},
		Questions: []bird.Question{{DB: "shop", Text: "What is the id of Bob?", SQL: "SELECT id FROM customer WHERE name = 'Bob'"}},
	}
	source := "folder://" + filepath.ToSlash(filepath.Dir(file))

	api, err := rest.Open(t.Context(), dataset, rest.Options{Source: source, Tables: true})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	call, err := api.Call(&dataset.Questions[0])
	if err != nil {
		t.Fatal(err)
	}
	handler := rest.NewService(api, rest.ServiceOptions{}).Handler()
	for path, want := range map[string]string{
		call.Endpoint.Path + "?customer_name=Bob": `{"id":2}`,
		"/v1/tables/shop/customer?name=Ann":       `{"id":1,"name":"Ann"}`,
	} {
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, httptest.NewRequest("GET", path, nil))
		if !strings.Contains(got.Body.String(), want) {
			t.Errorf("%s: %d %s, want %s", path, got.Code, got.Body, want)
		}
	}

	converter := api.Converter(rest.ConverterOptions{})
	defer converter.Close()
	record, err := converter.Convert(t.Context(), &dataset.Questions[0])
	if err != nil || len(record.Calls) != 1 || record.Calls[0].Name != call.Endpoint.Name {
		t.Errorf("the record is %+v, %v; want a call of %s", record, err, call.Endpoint.Name)
	}

	x, err := find.Open(t.Context(), dataset, find.Options{Source: source})
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Find(t.Context(), find.Query{Text: "Who is bob?"})
	if err != nil || len(found.Values) != 1 || found.Values[0].Value.Raw() != "Bob" {
		t.Errorf("found %v, %v; want Bob", found.Values, err)
	}
}

// TestOpen lists URLs, and which engine they are for.
func TestOpen(t *testing.T) {
	for _, c := range []struct{ url, says string }{
		{"postgres://reader@localhost/shop", ""},
		{"postgresql://reader@localhost/shop", ""},
		{"mysql://reader@localhost/shop", "it does not start with postgres://"},
		{"shop", "it does not start with postgres://"},
	} {
		source, err := engines.Open(c.url, engine.Options{})
		switch {
		case err == nil:
			source.Close()
			if c.says != "" {
				t.Errorf("%s is opened, want %q", c.url, c.says)
			}
		case c.says == "" || !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: %v, want %q", c.url, err, c.says)
		}
	}
}
