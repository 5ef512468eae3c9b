package rest_test

import (
	"context"
	"fmt"
	"os"
	"slices"
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
// description, beside them ("with parameters") the descriptions of the
// parameters, and beside these ("with values") the values of enums, which are
// all values of a column. Nothing of the questions is indexed: neither their texts nor their
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
		var totals [3]found
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "\n\tquestions\tendpoints\tfirst %\tof five %\twith parameters\tof five %\twith values\tof five %\t")
		row := func(name string, all [3]found) {
			fmt.Fprintf(w, "%s\t%d\t%d\t", name, all[0].questions, all[0].endpoints)
			for _, one := range all {
				first, five := one.percent()
				fmt.Fprintf(w, "%.1f\t%.1f\t", first, five)
			}
			fmt.Fprintln(w)
		}
		for _, d := range api.Databases {
			one := find(b, api, dataset, d)
			if one[0].questions > 0 {
				row(d.ID, one)
			}
			for i := range totals {
				totals[i].add(one[i])
			}
		}
		row("total", totals)
		w.Flush()
		first, five := totals[1].percent()
		b.ReportMetric(first, "%-first")
		b.ReportMetric(five, "%-of-five")
	}
}

// find searches the endpoints of a database by less and by more of their words.
func find(b *testing.B, api *rest.API, dataset *bird.Dataset, d *rest.Database) (all [3]found) {
	b.Helper()
	tools, err := d.Tools(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var docs [3][]string
	for i, e := range d.Endpoints {
		text := e.Name + " " + e.Description
		docs[0] = append(docs[0], text)
		values := ""
		for _, p := range e.Params {
			text += " " + p.Description
			values += " " + enumOf(tools[i].Parameters["properties"].(map[string]any)[p.Name])
		}
		docs[1] = append(docs[1], text)
		docs[2] = append(docs[2], text+values)
	}
	for i := range all {
		all[i] = search(api, dataset, d, tfidf.New(docs[i]))
	}
	return all
}

func search(api *rest.API, dataset *bird.Dataset, d *rest.Database, index *tfidf.Index) found {
	f := found{endpoints: len(d.Endpoints)}
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
		at := slices.IndexFunc(index.Rank(q.Text, 5), func(n int) bool { return d.Endpoints[n] == call.Endpoint })
		if at == 0 {
			f.first++
		}
		if at >= 0 {
			f.five++
		}
	}
	return f
}

// enumOf returns the values that a parameter's schema lists.
func enumOf(schema any) string {
	object, _ := schema.(map[string]any)
	if items, ok := object["items"].(map[string]any); ok {
		object = items
	}
	text := ""
	list, _ := object["enum"].([]any)
	for _, v := range list {
		text += fmt.Sprint(v) + " "
	}
	return text
}
