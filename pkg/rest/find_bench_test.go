package rest_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/tfidf"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest"
)

// found counts the questions whose endpoint a search finds first, or among the
// first five.
type found struct{ questions, endpoints, first, five int }

func (f *found) add(other found) {
	f.questions += other.questions
	f.endpoints += other.endpoints
	f.first += other.first
	f.five += other.five
}

func (f found) percent() (first, five float64) {
	return 100 * float64(f.first) / float64(f.questions), 100 * float64(f.five) / float64(f.questions)
}

// BenchmarkFind measures how often plain TF-IDF finds a question's endpoint by
// the question's words alone, among all endpoints of its database. What is
// searched are the endpoints' words as a model gets them in its tools: name and
// description, and beside them ("with parameters") the descriptions of the
// parameters. Nothing of the questions is indexed: neither their texts nor their
// values. The dataset is the folder that BIRDCALL_DATASET names, or the
// embedded sample.
func BenchmarkFind(b *testing.B) {
	load := bird.Options{Dir: os.Getenv("BIRDCALL_DATASET")}
	if load.Dir == "" {
		load.FS = sample.FS()
	}
	dataset, err := bird.Load(load)
	if err != nil {
		b.Fatal(err)
	}
	api, err := rest.Open(context.Background(), dataset, rest.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer api.Close()
	for b.Loop() {
		var words, all found
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "\n\tquestions\tendpoints\tfirst %\tof five %\tfirst % with parameters\tof five %\t")
		row := func(name string, words, all found) {
			first, five := words.percent()
			firstAll, fiveAll := all.percent()
			fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t\n", name, words.questions, words.endpoints, first, five, firstAll, fiveAll)
		}
		for _, d := range api.Databases {
			a, p := find(b, api, dataset, d, wordsOf), find(b, api, dataset, d, wordsWithParams)
			if a.questions > 0 {
				row(d.ID, a, p)
			}
			words.add(a)
			all.add(p)
		}
		row("total", words, all)
		w.Flush()
		first, five := all.percent()
		b.ReportMetric(first, "%-first")
		b.ReportMetric(five, "%-of-five")
	}
}

func find(b *testing.B, api *rest.API, dataset *bird.Dataset, d *rest.Database, text func(*rest.Endpoint) string) found {
	b.Helper()
	docs := make([]string, len(d.Endpoints))
	for i, e := range d.Endpoints {
		docs[i] = text(e)
	}
	index := tfidf.New(docs)
	f := found{endpoints: len(docs)}
	for i := range dataset.Questions {
		q := &dataset.Questions[i]
		if q.DB != d.ID {
			continue
		}
		f.questions++
		call, err := api.Call(q)
		if err != nil {
			continue // there is nothing to find
		}
		ranked := index.Rank(q.Text, 5)
		at := slices.IndexFunc(ranked, func(n int) bool { return d.Endpoints[n] == call.Endpoint })
		if at == 0 {
			f.first++
		}
		if at >= 0 {
			f.five++
		}
	}
	return f
}

func wordsOf(e *rest.Endpoint) string { return e.Name + " " + e.Description }

func wordsWithParams(e *rest.Endpoint) string {
	var b strings.Builder
	b.WriteString(wordsOf(e))
	for _, p := range e.Params {
		b.WriteString(" " + p.Description)
	}
	return b.String()
}
