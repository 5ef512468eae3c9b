package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/text/table"
	"github.com/birdcall/birdcall/pkg/find"
)

// writeFound prints what was found, the kinds that have hits one after the other.
func writeFound(w io.Writer, r *find.Result, width int) error {
	out := bufio.NewWriter(w)
	verdict := "It can be answered here"
	if !r.Answerable {
		verdict = "It cannot be answered here, as it seems"
	}
	table.Paragraph(out, fmt.Sprintf("%s (confidence %.2f): %s", verdict, r.Confidence, r.Reason), "", width)
	for _, of := range []struct {
		title string
		hits  []find.Hit
	}{{"Databases", r.Databases}, {"Tables", r.Tables}, {"Columns", r.Columns}} {
		writeHits(out, of.title, of.hits, width)
	}
	writeValues(out, r.Values, width)
	writeHits(out, "Tools", r.Tools, width)
	if len(r.Parts) > 0 {
		t := table.Table{Title: "\nParts", Columns: []table.Column{{Name: "score"}, {Name: "database", Words: true}, {Name: "text", Words: true}}}
		for _, p := range r.Parts {
			t.Add(score(p.Score), p.DB, p.Text)
		}
		t.Text(out, width)
	}
	return out.Flush()
}

func writeHits(w io.Writer, title string, hits []find.Hit, width int) {
	if len(hits) == 0 {
		return
	}
	t := table.Table{Title: "\n" + title, Columns: []table.Column{{Name: "score"}, {Name: "name", Words: true}, {Name: "why", Words: true}}}
	for _, h := range hits {
		t.Add(score(h.Score), nameOf(h), h.Reason)
	}
	t.Text(w, width)
}

// writeValues prints values, without the database in each line where it is the same.
func writeValues(w io.Writer, hits []find.ValueHit, width int) {
	if len(hits) == 0 {
		return
	}
	title, db := "\nValues", hits[0].DB
	if slices.ContainsFunc(hits, func(h find.ValueHit) bool { return h.DB != db }) {
		db = ""
	} else {
		title += " of " + db
	}
	t := table.Table{Title: title, Columns: []table.Column{{Name: "score"}, {Name: "column", Words: true}, {Name: "value", Words: true}, {Name: "words", Words: true}, {Name: "why", Words: true}}}
	const limit = 60 // characters of a value
	for _, h := range hits {
		column, words := h.Table+"."+h.Column, h.Span
		if db == "" {
			column = h.DB + "." + column
		}
		if words == h.Value.String() {
			words = "" // nothing that the value does not say
		}
		t.Add(score(h.Score), column, table.Cut(table.Plain(h.Value.String()), limit), words, h.Reason)
	}
	t.Text(w, width)
}

// nameOf returns the name of a hit with those of what it is in.
func nameOf(h find.Hit) string {
	parts := []string{h.DB}
	for _, name := range []string{h.Table, h.Column, h.Tool} {
		if name != "" {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, ".")
}

func score(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }
