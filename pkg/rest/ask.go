package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// Refused is a request that an endpoint does not answer with rows. Its text
// says to a model what was wrong and what would do.
type Refused struct{ Problem Problem }

// Error returns the problem in words.
func (e *Refused) Error() string {
	text := strings.TrimSuffix(e.Problem.Title, ".")
	if len(e.Problem.Errors) == 0 && e.Problem.Detail != "" {
		return text + ": " + e.Problem.Detail
	}
	for i, p := range e.Problem.Errors { // the detail is the first of them
		text += [...]string{": ", "; "}[min(i, 1)] + p.Parameter + ": " + p.Reason
		if p.Hint != "" {
			text += " (" + p.Hint + ")"
		}
	}
	return text
}

// Client calls endpoints as the calls of tools do. Several goroutines may use it
// at once. Service.Client makes one.
type Client struct {
	API *API

	http *http.Client
	base string // what comes before the paths of endpoints
}

// Client returns a client that asks the service within the program.
func (s *Service) Client() *Client {
	return &Client{API: s.api, base: "http://in.process", http: &http.Client{Transport: inProcess{s.Handler()}}}
}

// Ask asks an endpoint over HTTP as the call of a tool does, and returns the rows
// and the text that it answers with. Arguments are sent as they are, whether the
// endpoint has them or not; null is one that is left out. The error is a *Refused
// where the call is at fault, and else the context's or that of the network.
func (c *Client) Ask(ctx context.Context, db string, call tools.Call) ([][]value.Value, string, error) {
	d := c.API.Database(db)
	if d == nil {
		return nil, "", fmt.Errorf("the dataset has no database %q", db)
	}
	i := slices.IndexFunc(d.Endpoints, func(e *Endpoint) bool { return e.Name == call.Name })
	if i < 0 {
		return nil, "", &Refused{Problem{Title: "No such endpoint", Detail: fmt.Sprintf("%s has no endpoint %q", db, call.Name)}}
	}
	query, err := queryOf(call.Arguments)
	if err != nil {
		return nil, "", err
	}
	status, body, err := c.get(ctx, d.Endpoints[i].Path+query)
	if err != nil {
		return nil, "", err
	}
	if status != http.StatusOK {
		refused := &Refused{}
		if err := json.Unmarshal(body, &refused.Problem); err != nil {
			return nil, "", errors.Join(fmt.Errorf("%s answers with status %d", call.Name, status), err)
		}
		return nil, "", refused
	}
	rows, err := decodeAnswer(body)
	return rows, strings.TrimSuffix(string(body), "\n"), err
}

// get returns the status and the body of an answer.
func (c *Client) get(ctx context.Context, url string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+url, nil)
	if err != nil {
		return 0, nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, body, err
}

// inProcess is a transport without a network.
type inProcess struct{ handler http.Handler }

// RoundTrip has the handler answer the request.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	resp := w.Result()
	resp.Request = r
	return resp, nil
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
