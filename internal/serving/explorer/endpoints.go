package explorer

import (
	"net/http"
	"strings"

	"github.com/birdcall/birdcall/pkg/rest"
)

type endpointView struct {
	Name        string        `json:"name"`
	Path        string        `json:"path"`
	Summary     string        `json:"summary"`
	Description string        `json:"description"`
	Params      []paramView   `json:"params"`
	Examples    []exampleView `json:"examples"`
}

type paramView struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Type        string `json:"type"`
	Format      string `json:"format,omitempty"`
	List        bool   `json:"list,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

// exampleView is a question that an endpoint answers, and its call.
type exampleView struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	Query    string `json:"query"` // as in a URL, without the question mark
}

// endpoints answers with the endpoints of a database.
func (x *Explorer) endpoints(r *http.Request) (any, error) {
	id := r.FormValue("db")
	var db *rest.Database
	if x.opts.API != nil {
		db = x.opts.API.Database(id)
	}
	if db == nil {
		return nil, missing("database", "There are no endpoints for "+id+".")
	}
	out := make([]endpointView, len(db.Endpoints))
	at := map[*rest.Endpoint]*endpointView{}
	for i, e := range db.Endpoints {
		out[i] = endpointView{e.Name, e.Path, e.Summary, e.Description, []paramView{}, []exampleView{}}
		for _, p := range e.AllParams(x.opts.MaxRows) {
			out[i].Params = append(out[i].Params, paramView{p.Name, p.Description, string(p.Type), p.Format, p.List, p.Required})
		}
		at[e] = &out[i]
	}
	for _, q := range x.byDB[id].list {
		call, err := x.opts.API.Call(q)
		if err != nil {
			continue // a question without an endpoint
		}
		_, query, _ := strings.Cut(call.URL(), "?")
		e := at[call.Endpoint]
		e.Examples = append(e.Examples, exampleView{q.ID.String(), q.Text, query})
	}
	return map[string]any{"db": id, "endpoints": out}, nil
}
