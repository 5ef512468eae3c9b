package explorer

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/convert/pipeline"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport"
	"github.com/birdcall/birdcall/internal/text/toolname"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/record"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/tools"
)

// key opens the data of the tests' service.
const key = "let me see"

// fixtures are the folders that the tests read, made once.
var fixtures struct {
	dir  string
	once sync.Once
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	if fixtures.dir != "" {
		_ = os.RemoveAll(fixtures.dir) // of the system's temporary files
	}
	os.Exit(code)
}

// library is the sample's library with one more question, which no sequence of
// calls answers.
func library(t testing.TB) *bird.Dataset {
	t.Helper()
	dataset, err := bird.Load(bird.Options{FS: sample.FS(), Databases: []string{"city_library"}})
	if err != nil {
		t.Fatal(err)
	}
	dataset.Questions = append(dataset.Questions, bird.Question{
		ID: bird.Number(900), DB: "city_library", Text: "Count to three.", Difficulty: "simple",
		SQL: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
	})
	return dataset
}

// folders makes the samples of SLOT and REST and an evaluation, and returns where
// they are. Questions of SEL are left to be converted when they are asked for.
func folders(t testing.TB) (samples []string, evaluation string) {
	t.Helper()
	fixtures.once.Do(func() { fixtures.err = makeFolders(t) })
	if fixtures.err != nil {
		t.Fatal(fixtures.err)
	}
	return []string{filepath.Join(fixtures.dir, record.REST), filepath.Join(fixtures.dir, record.SLOT)}, filepath.Join(fixtures.dir, "evaluated")
}

func makeFolders(t testing.TB) error {
	var err error
	if fixtures.dir, err = os.MkdirTemp("", "explorer"); err != nil {
		return err
	}
	ctx := context.Background()
	for _, variant := range []string{record.SLOT, record.REST} {
		_, err := pipeline.Run(ctx, pipeline.Options{
			Dataset: library(t), Variant: variant, Out: fixtures.dir, Timeout: time.Minute, Jobs: 2, AsOf: bird.DefaultAsOf,
			Writing: pipeline.Writing{Format: "json", Spec: "function"},
		})
		if err != nil {
			return err
		}
	}
	d, err := evaluate.Load(ctx, filepath.Join(fixtures.dir, record.SLOT))
	if err != nil {
		return err
	}
	report, err := evaluate.Score(ctx, d, predictions(d), nil, evaluate.Options{Model: "none"})
	if err != nil {
		return err
	}
	_, err = scorereport.Write(filepath.Join(fixtures.dir, "evaluated", "score"), report, scorereport.Options{})
	return err
}

// predictions are the gold calls of the first samples, with a mistake in some.
func predictions(d *evaluate.Dataset) []evaluate.Prediction {
	const some = 9
	var out []evaluate.Prediction
	for i, s := range d.Samples[:some] {
		p := evaluate.Prediction{DB: s.DB, ID: s.ID, Model: "none", Simulated: true}
		for _, c := range s.Listed {
			if i%3 == 1 {
				c.Name += "_rows"
			}
			if i%3 == 2 {
				c.Arguments = append(tools.Arguments{}, c.Arguments...).Set(toolname.ArgDataSource, "<script>alert(1)</script>")
			}
			p.Calls = append(p.Calls, c)
		}
		out = append(out, p)
	}
	return out
}

// serve returns the page, its data behind the key, and the endpoints as one
// handler. The environment is closed with the test.
func serve(t testing.TB, o Options) http.Handler {
	t.Helper()
	return serveDataset(t, library(t), o)
}

func serveDataset(t testing.TB, dataset *bird.Dataset, o Options) http.Handler {
	t.Helper()
	api, err := rest.Open(t.Context(), dataset, rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	service := rest.NewService(api, rest.ServiceOptions{})
	env, err := episode.New(episode.Options{Dataset: dataset, Samples: o.Samples, Endpoints: api, Failed: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := env.Close(); err != nil {
			t.Error(err)
		}
		if err := api.Close(); err != nil {
			t.Error(err)
		}
	})
	o.API = api
	o.Failed = func(r *http.Request, err error) { t.Errorf("%s: %v", r.URL, err) }
	x, err := New(env, o)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", x.Page())
	mux.Handle("/v1/", service.Handler())
	data := x.Data()
	mux.HandleFunc("/explorer/data/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Control-Key") != key {
			rest.WriteProblem(w, r, &rest.Problem{Status: http.StatusUnauthorized, Title: "No control key"})
			return
		}
		data.ServeHTTP(w, r)
	})
	return mux
}

// whole has everything that the explorer can show.
func whole(t testing.TB) http.Handler {
	samples, evaluation := folders(t)
	return serve(t, Options{Samples: samples, Evaluation: evaluation})
}
