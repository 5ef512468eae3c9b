package explorer

import (
	"net/http"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/spec"
)

type toolsView struct {
	System string     `json:"system"`
	Counts sizeView   `json:"size"`
	List   []toolView `json:"list"`
}

type sizeView struct {
	Tools   int    `json:"tools"`
	Tokens  int    `json:"tokens"` // of the list
	System  int    `json:"system_tokens"`
	Bytes   int    `json:"bytes"`
	Counter string `json:"counter"`
}

type toolView struct {
	Name   string `json:"name"`
	About  string `json:"about"`
	Tokens int    `json:"tokens"`
	Text   string `json:"text"` // JSON in the format that was asked for
}

// tools answers with the tools of a question as a model is given them.
func (x *Explorer) tools(r *http.Request) (any, error) {
	format, err := spec.Parse(r.FormValue("format"))
	if err != nil {
		return nil, missing("format", err.Error()+".")
	}
	task, err := x.env.Task(r.Context(), r.FormValue("variant"), r.FormValue("db"), r.FormValue("id"))
	if err != nil {
		return nil, err
	}
	list, err := format.List(task.Tools)
	if err != nil {
		return nil, err
	}
	whole, err := jsontext.Marshal(list, "")
	if err != nil {
		return nil, err
	}
	v := toolsView{System: task.System, List: []toolView{}, Counts: sizeView{
		Tools: len(list), Tokens: spec.Tokens(whole), System: spec.Tokens([]byte(task.System)), Bytes: len(whole), Counter: spec.Counter,
	}}
	for i, one := range list {
		text, err := jsontext.Marshal(one, "  ")
		if err != nil {
			return nil, err
		}
		v.List = append(v.List, toolView{task.Tools[i].Name, task.Tools[i].Description, spec.Tokens(text), string(text)})
	}
	return v, nil
}
