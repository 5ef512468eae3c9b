package askmodel

import (
	"slices"

	"github.com/birdcall/birdcall/internal/evaluation/toolnames"
	"github.com/birdcall/birdcall/pkg/evaluate"
	"github.com/birdcall/birdcall/pkg/observation"
	"github.com/birdcall/birdcall/pkg/spec"
	"github.com/birdcall/birdcall/pkg/tools"
)

// choose decides which tools the model is shown.
func (e *exchange) choose() {
	e.shown = e.sample
	if !e.Search {
		return
	}
	shown := *e.sample
	if e.Mode == evaluate.ReAct {
		shown.Tools = []spec.Tool{spec.SearchTool(len(e.sample.Tools))}
	} else {
		shown.Tools = toolnames.NewSearch(e.sample.DB, e.sample.Tools).Find(e.sample.Question + " " + e.sample.Evidence)
	}
	e.shown = &shown
}

// look answers a call of search_tools and adds the step. What it finds is shown
// outside of the text from then on, where tools are.
func (a *acting) look(text string, c tools.Call) (seen string, err error) {
	query, wrong := toolnames.Query(c.Arguments)
	if wrong != nil {
		return a.mistake(text, &c, wrong)
	}
	found := toolnames.NewSearch(a.sample.DB, a.sample.Tools).Find(query)
	o, err := observation.OfSearch(spec.OpenAI, found, len(a.sample.Tools))
	if err != nil {
		return "", err
	}
	for _, t := range found {
		if !slices.ContainsFunc(a.found, func(known spec.Tool) bool { return known.Name == t.Name }) {
			a.found = append(a.found, t)
		}
	}
	if seen, err = o.JSON(); err == nil {
		a.prediction.Steps = append(a.prediction.Steps, evaluate.Step{Text: text, Call: &c, Observation: seen})
	}
	return seen, err
}

// tools returns the tools outside of the text: the search, and the latest that it found, as
// many as the endpoint takes.
func (a *acting) tools() []spec.Tool {
	found := a.found
	if a.MaxTools > 0 {
		found = found[max(0, len(found)+len(a.shown.Tools)-a.MaxTools):]
	}
	return append(slices.Clone(a.shown.Tools), found...)
}
