package page

import (
	"crypto/sha256"
	_ "embed" // the template, the style and the script
	"encoding/base64"
	"html/template"
	"io"

	"github.com/birdcall/birdcall/internal/evaluation/scorereport/plot"
	"github.com/birdcall/birdcall/internal/text/table"
)

// Page is what a page shows.
type Page struct {
	Title    string
	Subtitle string
	Warnings []string // of what the scores do not mean
	Sections []Section
	Samples  *Samples // nil for a page without any
}

// Section is a part of a page.
type Section struct {
	ID      string // in links
	Title   string
	Lines   []string
	Tables  []*table.Table
	Figures []*plot.Figure
}

//go:embed page.tmpl
var source string

//go:embed page.css
var style string

//go:embed filter.js
var script string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"script": func() template.JS { return template.JS(script) },
	"policy": policy,
	"count":  table.Count,
	"side":   newSide,
}).Parse(source))

// policy is the Content-Security-Policy of a page.
func policy() string {
	return "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Write writes the page.
func Write(w io.Writer, p *Page) error {
	view, err := p.view()
	if err != nil {
		return err
	}
	return layout.Execute(w, view)
}

// view is a page with its figures drawn and its samples laid out.
type view struct {
	*Page
	Sections []sectionView
	Failed   *samplesView
}

type sectionView struct {
	Section
	Drawn []template.HTML
}

func (p *Page) view() (*view, error) {
	v := &view{Page: p}
	for _, s := range p.Sections {
		at := sectionView{Section: s}
		for _, f := range s.Figures {
			drawn, err := f.SVG()
			if err != nil {
				return nil, err
			}
			if drawn != "" {
				at.Drawn = append(at.Drawn, drawn)
			}
		}
		if len(at.Lines)+len(at.Tables)+len(at.Drawn) > 0 {
			v.Sections = append(v.Sections, at)
		}
	}
	if p.Samples != nil {
		v.Failed = p.Samples.view()
	}
	return v, nil
}
