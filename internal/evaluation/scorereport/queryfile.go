package scorereport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/birdcall/birdcall/internal/evaluation/queryscore"
	"github.com/birdcall/birdcall/internal/evaluation/scorereport/page"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/table"
)

// queryFile has all scores of a model's queries.
const queryFile = "query.json"

// QueryReport is what a query.json holds: all evaluations of a model's queries, in
// the order of their toolsets, tools and calls.
type QueryReport struct {
	Model       string               `json:"model"`
	Evaluations []*queryscore.Report `json:"evaluations"`
}

// WriteQueries adds the scores of queries to the folder dir. They replace those of the
// same model, toolset, tool and choice of calls. It returns the files that it wrote,
// each of which appears whole, by a rename.
func WriteQueries(dir string, r *queryscore.Report) ([]string, error) {
	return locked(dir, r.Model, func(home string) ([]string, error) {
		all, err := ReadQueries(filepath.Join(home, queryFile))
		if errors.Is(err, fs.ErrNotExist) {
			all, err = &QueryReport{Model: r.Model}, nil
		}
		if err != nil {
			return nil, err
		}
		if err := sameModel(home, all.Model, r.Model); err != nil {
			return nil, err
		}
		all.put(r)
		name := filepath.Join(home, queryName(r))
		return writeEach([]content{
			{filepath.Join(home, queryFile), all.encode},
			{name + ".md", func(b *bytes.Buffer) error { writeQueryMarkdown(b, r); return nil }},
			{name + ".html", func(b *bytes.Buffer) error { return writeQueryPage(b, r) }},
		})
	})
}

// ReadQueries reads a query.json.
func ReadQueries(path string) (*QueryReport, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	q := &QueryReport{}
	if err := json.Unmarshal(data, q); err != nil {
		return nil, fmt.Errorf("%s: it is no report of evaluate query: %w; remove it, and evaluate the model again", path, err)
	}
	if q.Evaluations == nil || slices.Contains(q.Evaluations, nil) {
		return nil, fmt.Errorf("%s: it is no report of evaluate query, which has evaluations; remove it, and evaluate the model again", path)
	}
	return q, nil
}

// queryName is the name of a report's files: two reports with the same one are of
// the same thing.
func queryName(r *queryscore.Report) string {
	return "query_" + r.Toolset + "_" + cmp.Or(r.Shape, "public") + "_" + string(r.Calls)
}

func (q *QueryReport) put(r *queryscore.Report) {
	q.Evaluations = slices.DeleteFunc(q.Evaluations, func(old *queryscore.Report) bool { return queryName(old) == queryName(r) })
	q.Evaluations = append(q.Evaluations, r)
	slices.SortFunc(q.Evaluations, func(a, b *queryscore.Report) int { return cmp.Compare(queryName(a), queryName(b)) })
}

func (q *QueryReport) encode(b *bytes.Buffer) error {
	text, err := jsontext.Marshal(q, "  ")
	b.Write(text)
	b.WriteByte('\n')
	return err
}

func writeQueryMarkdown(b *bytes.Buffer, r *queryscore.Report) {
	fmt.Fprintf(b, "# Queries of %s\n", table.Escape(r.Model))
	if r.Simulated {
		fmt.Fprintf(b, "\n%s\n", table.Escape(simulatedNote))
	}
	for _, t := range queryTables(r) {
		fmt.Fprintln(b)
		t.Markdown(b)
	}
	for _, part := range queryLines(r) {
		fmt.Fprintf(b, "\n## %s\n\n", part.title)
		for _, line := range part.lines {
			fmt.Fprintf(b, "- %s\n", table.Escape(line))
		}
	}
}

func writeQueryPage(b *bytes.Buffer, r *queryscore.Report) error {
	p := &page.Page{Title: "Queries of " + r.Model, Subtitle: queryHeading(r)}
	if r.Simulated {
		p.Warnings = append(p.Warnings, simulatedNote)
	}
	p.Sections = append(p.Sections, page.Section{ID: "scores", Title: "Scores", Tables: queryTables(r)})
	for i, part := range queryLines(r) {
		p.Sections = append(p.Sections, page.Section{ID: fmt.Sprintf("lines-%d", i), Title: part.title, Lines: part.lines})
	}
	return page.Write(b, p)
}
