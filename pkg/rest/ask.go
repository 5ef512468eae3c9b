package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/birdcall/birdcall/internal/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Refused is a request that an endpoint does not answer with rows. Its text
// tells a model what was wrong and what would do.
type Refused struct{ Problem Problem }

// Error returns the problem in words.
func (e *Refused) Error() string {
	text := strings.TrimSuffix(e.Problem.Title, ".")
	if e.Problem.Detail != "" {
		text += ": " + e.Problem.Detail
	}
	for _, p := range e.Problem.Errors {
		text += fmt.Sprintf("; %s: %s", p.Parameter, p.Reason)
		if p.Hint != "" {
			text += " (" + p.Hint + ")"
		}
	}
	return text
}

// Ask asks an endpoint over HTTP as the call of a tool does, and returns the rows
// and the text that it answers with. Arguments are sent as they are, whether the
// endpoint has them or not; null is one that is left out. The error is a *Refused
// where the call is at fault, and else the context's or that of the network.
func (x *Converter) Ask(ctx context.Context, db string, c tools.Call) ([][]value.Value, string, error) {
	d := x.API.Database(db)
	if d == nil {
		return nil, "", fmt.Errorf("the dataset has no database %q", db)
	}
	path := ""
	for _, e := range d.Endpoints {
		if e.Name == c.Name {
			path = e.Path
		}
	}
	if path == "" {
		return nil, "", &Refused{Problem{Title: "No such endpoint", Detail: fmt.Sprintf("%s has no endpoint %q", db, c.Name)}}
	}
	query, err := queryOf(c.Arguments)
	if err != nil {
		return nil, "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, x.base+path+query, nil)
	if err != nil {
		return nil, "", err
	}
	resp, err := x.client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, "", err
	}
	if resp.StatusCode != http.StatusOK {
		refused := &Refused{}
		if err := json.Unmarshal(body, &refused.Problem); err != nil {
			return nil, "", errors.Join(fmt.Errorf("%s answers with status %d", c.Name, resp.StatusCode), err)
		}
		return nil, "", refused
	}
	rows, err := decodeAnswer(body)
	return rows, strings.TrimSuffix(string(body), "\n"), err
}

// queryOf writes arguments as the query string of a request, with a parameter for
// each value of a list.
func queryOf(args tools.Arguments) (string, error) {
	var b strings.Builder
	for _, a := range args {
		list, ok := a.Value.([]any)
		if !ok {
			list = []any{a.Value}
		}
		for _, v := range list {
			if v == nil {
				continue
			}
			text, ok := v.(string)
			if !ok {
				data, err := jsontext.Marshal(v, "")
				if err != nil {
					return "", err
				}
				text = string(data)
			}
			b.WriteByte("?&"[min(b.Len(), 1)])
			b.WriteString(url.QueryEscape(a.Name) + "=" + url.QueryEscape(text))
		}
	}
	return b.String(), nil
}
