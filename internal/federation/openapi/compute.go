package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/pkg/value"
)

// Call computes the function for each list of arguments, at most Many at a time in
// one call of the API, and returns a result for each, in their order. Calls are
// made at the same time, as many as the API allows. Where the API refuses a call for
// several lists of arguments, it is asked for fewer of them, so that the others have
// their results.
func (f *function) Call(ctx context.Context, m *apis.Meter, args [][]value.Value) []apis.Result {
	results := make([]apis.Result, len(args))
	var asked [][]sent
	var places []int // of what is asked, in the results
	for i, list := range args {
		values, ok := f.send(list)
		if !f.Accepts(list) || !ok {
			results[i].Err = fmt.Errorf("function %s: it cannot be asked for these arguments", f.Name)
			continue
		}
		asked, places = append(asked, values), append(places, i)
	}
	turns := make(chan struct{}, f.source.service.concurrent)
	var wait sync.WaitGroup
	for at := 0; at < len(asked); at += f.Many {
		end := min(at+f.Many, len(asked))
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			f.compute(ctx, m, asked[at:end], func(i int, r apis.Result) {
				if r.Err != nil {
					r.Err = fmt.Errorf("function %s: %w", f.Name, r.Err)
				}
				results[places[at+i]] = r
			})
		})
	}
	wait.Wait()
	return results
}

// compute makes one call for some lists of arguments, or several if the API refuses
// it. put is called for each of them.
func (f *function) compute(ctx context.Context, m *apis.Meter, asked [][]sent, put func(int, apis.Result)) {
	results, err := f.ask(ctx, m, asked)
	if err != nil && len(asked) > 1 && errors.Is(err, fetch.ErrRefused) {
		half := len(asked) / 2
		f.compute(ctx, m, asked[:half], put)
		f.compute(ctx, m, asked[half:], func(i int, r apis.Result) { put(half+i, r) })
		return
	}
	for i := range asked {
		if err != nil {
			put(i, apis.Result{Err: err})
		} else {
			put(i, results[i])
		}
	}
}

// ask makes one call.
func (f *function) ask(ctx context.Context, m *apis.Meter, asked [][]sent) ([]apis.Result, error) {
	c := f.source.compute
	values := map[int][]sent{}
	for _, list := range asked {
		for i, s := range list {
			values[i] = append(values[i], s)
		}
	}
	var results []apis.Result
	err := f.source.service.client.Do(ctx, counter{m}, c.request(values), func(resp *fetch.Response) (int, error) {
		results = make([]apis.Result, len(asked))
		if resp.Status == http.StatusNotFound || resp.Status == http.StatusNoContent {
			return 0, nil // there is no such thing, and so no result
		}
		d, err := c.decoder.decode(resp.Body)
		if err == nil {
			err = f.match(asked, d.rows, results)
		}
		if err != nil {
			return 0, fetch.Malformed(err)
		}
		return len(d.rows), nil
	})
	return results, err
}

// match finds the row of each list of arguments: by the key that the rows have, or
// by their order.
func (f *function) match(asked [][]sent, rows [][]value.Value, results []apis.Result) error {
	keyed := f.source.compute.decoder.width > 1
	if !keyed {
		if len(rows) != len(asked) && (f.Many > 1 || len(rows) > 1) {
			return fmt.Errorf("there are %d results for %d calls of the function", len(rows), len(asked))
		}
		for i, row := range rows {
			results[i].Value = row[0]
		}
		return nil
	}
	byKey := make(map[string]value.Value, len(rows))
	for _, row := range rows {
		texts := make([]string, len(row)-1)
		for i, v := range row[1:] {
			texts[i] = keyText(v)
		}
		byKey[strings.Join(texts, "\x00")] = row[0]
	}
	for i, list := range asked {
		texts := make([]string, len(list))
		for j, s := range list {
			texts[j] = s.text
			if !s.quoted {
				texts[j] = keyText(value.AffinityNumeric.Apply(value.Str(s.text)))
			}
		}
		v, ok := byKey[strings.Join(texts, "\x00")]
		if !ok {
			results[i].Err = fmt.Errorf("the answer of %s has no result for the arguments %q", f.source.compute.op.id, slices.Clone(texts))
			continue
		}
		results[i].Value = v
	}
	return nil
}

// keyText returns a value of a key so that equal numbers have one text.
func keyText(v value.Value) string { return value.AsText(value.AffinityNumeric.Apply(noText(v))) }

// noText leaves a number as it is, and keeps a text from becoming one.
func noText(v value.Value) value.Value {
	if v.Kind() == value.Text {
		return value.Bytes(v.Raw())
	}
	return v
}
