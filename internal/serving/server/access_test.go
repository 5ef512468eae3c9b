package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

// refusal is why New refuses options.
func refusal(t *testing.T, opts Options) error {
	t.Helper()
	var err error
	if opts.Dataset, err = bird.Load(bird.Options{FS: sample.FS()}); err != nil {
		t.Fatal(err)
	}
	s, err := New(context.Background(), opts)
	if err == nil {
		_ = s.Close()
	}
	return err
}

func TestOptionsAreChecked(t *testing.T) {
	for name, c := range map[string]struct {
		opts Options
		want error
	}{
		"an empty key":          {Options{APIKeys: []string{"secret", ""}}, ErrKeys},
		"only an empty key":     {Options{APIKeys: []string{""}}, ErrKeys},
		"a key of spaces":       {Options{APIKeys: []string{" \t", "secret"}}, ErrKeys},
		"a key of two lines":    {Options{APIKeys: []string{"secret\nsecond"}}, ErrKeys},
		"a rate of NaN":         {Options{Rate: math.NaN()}, ErrRate},
		"an endless rate":       {Options{Rate: math.Inf(1)}, ErrRate},
		"a rate below 0":        {Options{Rate: -1}, ErrRate},
		"memory for no answer":  {Options{AnswerMemory: 16 << 20}, ErrMemory},
		"no key":                {Options{}, nil},
		"long answers":          {Options{MaxBytes: 1 << 30}, nil},
		"a key and a line end":  {Options{APIKeys: []string{"secret\n"}}, nil},
		"memory for one answer": {Options{AnswerMemory: 2000, MaxBytes: 1000}, nil},
	} {
		err := refusal(t, c.opts)
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error shows a key: %v", name, err)
		}
	}
}

func TestKeys(t *testing.T) {
	s := start(t, Options{APIKeys: []string{"first", " second\n", "two words"}})
	for _, c := range []struct {
		header string
		want   int
	}{
		{"X-Api-Key: first", 200},
		{"X-Api-Key: second", 200},
		{"X-Api-Key:  second ", 200},
		{"X-Api-Key: two words", 200},
		{"Authorization: Bearer second", 200},
		{"Authorization: bearer second", 200},
		{"Authorization: BEARER   second", 200},
		{"Authorization: Basic second", 401},
		{"Authorization: second", 401},
		{"Authorization: Bearer", 401},
		{"X-Api-Key: ", 401},
		{"X-Api-Key: firs", 401},
		{"X-Api-Key: First", 401},
		{"X-Api-Key: first,second", 401},
		{"X-Other: first", 401},
	} {
		w := ask(s, "GET", point, c.header)
		if w.Code != c.want {
			t.Errorf("%s: %d, want %d", c.header, w.Code, c.want)
		}
		if w.Code == 401 && w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("%s: nobody learns how to authenticate", c.header)
		}
	}
	// No cache on the way may give one client's answer to another.
	if got := ask(s, "GET", point, "X-Api-Key: first").Header().Get("Cache-Control"); got != "private" {
		t.Errorf("Cache-Control %q", got)
	}
}

// Without a key there is nothing to see but that the service is there.
func TestWhatIsBehindTheKey(t *testing.T) {
	closed := start(t, Options{APIKeys: []string{"secret"}})
	public := start(t, Options{APIKeys: []string{"secret"}, PublicDocs: true})
	for _, c := range []struct {
		method, target              string
		without, with, withoutInPub int
	}{
		{"GET", point, 401, 200, 401},
		{"GET", point + "&x=1", 401, 400, 401},
		{"GET", "/metrics", 401, 200, 401},
		{"GET", "/openapi.json", 401, 200, 200},
		{"GET", "/openapi/bird_club.json", 401, 200, 200},
		{"GET", "/docs", 401, 302, 302},
		{"GET", "/docs/", 401, 200, 200},
		{"GET", "/docs/documents.json", 401, 200, 200},
		{"GET", "/docs/start.js", 401, 200, 200},
		{"GET", "/docs/nothing.js", 401, 404, 404},
		{"GET", "/", 401, 302, 302},
		{"GET", "/v1/bird/city_library/nothing", 401, 404, 401},
		{"GET", "/nothing", 401, 404, 401},
		{"POST", point, 401, 405, 401},
		{"GET", "/healthz", 200, 200, 200},
		{"GET", "/readyz", 200, 200, 200},
	} {
		for _, one := range []struct {
			s    *Server
			key  string
			want int
		}{
			{closed, "", c.without}, {closed, "wrong", c.without}, {closed, "secret", c.with},
			{public, "", c.withoutInPub}, {public, "wrong", 0}, {public, "secret", c.with},
		} {
			w := ask(one.s, c.method, c.target, "X-Api-Key: "+one.key)
			if one.want != 0 && w.Code != one.want {
				t.Errorf("%s %s, public %v, key %q: %d, want %d", c.method, c.target, one.s == public, one.key, w.Code, one.want)
			}
			if w.Code == 401 && (strings.Contains(w.Body.String(), "listed in") || strings.Contains(w.Body.String(), "such as")) {
				t.Errorf("%s without a key: %s", c.target, w.Body)
			}
		}
	}
	if w := ask(public, "GET", "/openapi.json", "X-Api-Key: wrong"); w.Code != 401 {
		t.Errorf("public documents with a wrong key: %d", w.Code)
	}
}

// Public documents say nothing of the data but to who has a key.
func TestPublicDocuments(t *testing.T) {
	s := start(t, Options{APIKeys: []string{"secret"}, PublicDocs: true})
	for _, target := range []string{"/openapi.json", "/openapi/city_library.json"} {
		bare, whole := ask(s, "GET", target), ask(s, "GET", target, "X-Api-Key: secret")
		for _, word := range []string{`"example"`, `"007"`, `"enum":["Northside"`, "leading zeros belong to the code"} {
			if strings.Contains(bare.Body.String(), word) {
				t.Errorf("%s shows everybody %s", target, word)
			}
		}
		if !strings.Contains(whole.Body.String(), "leading zeros belong to the code") || !strings.Contains(bare.Body.String(), `"apiKey"`) {
			t.Errorf("%s is not whole", target)
		}
		if tag := bare.Header().Get("ETag"); tag == whole.Header().Get("ETag") || bare.Header().Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: tag %s, %v", target, tag, bare.Header())
		}
	}
}

// Requests without a right key count for their address, and those with one for
// the key.
func TestRateOfKeys(t *testing.T) {
	s := start(t, Options{APIKeys: []string{"first", "second"}, Rate: 0.001, PublicDocs: true})
	from := func(remote, target, key string) int {
		r := httptest.NewRequest("GET", target, nil)
		r.RemoteAddr = remote
		r.Header.Set("X-Api-Key", key)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if (w.Code == 429) != (w.Header().Get("Retry-After") != "") {
			t.Errorf("%d with Retry-After %q", w.Code, w.Header().Get("Retry-After"))
		}
		return w.Code
	}
	for i, c := range []struct {
		remote, target, key string
		want                int
	}{
		{"192.0.2.1:1", point, "wrong", 401},
		{"192.0.2.1:2", point, "other", 429},
		{"192.0.2.1:3", point, "", 429},
		{"192.0.2.1:3", "/nothing", "", 429},
		{"192.0.2.1:3", "/openapi.json", "wrong", 429},
		{"192.0.2.1:4", point, "first", 200}, // nobody is locked out
		{"192.0.2.1:4", point, "first", 429},
		{"192.0.2.9:4", point, "first", 429}, // a key is one client everywhere
		{"192.0.2.1:4", point, "second", 200},
		{"[::ffff:192.0.2.1]:5", point, "", 429},
		{"192.0.2.2:1", point, "", 401},
		{"192.0.2.2:1", "/openapi.json", "", 200}, // open to all, and counted apart
		{"192.0.2.2:1", "/openapi.json", "", 429},
		{"192.0.2.2:1", "/docs/start.js", "", 200},
		{"[2001:db8:0:1::1]:1", point, "", 401},
		{"[2001:db8:0:1:ffff::2]:1", point, "", 429},
		{"[2001:db8:0:2::1]:1", point, "", 401},
		{"[fe80::1%eth0]:1", point, "", 401},
		{"[fe80::2%eth1]:1", point, "", 429},
		{"192.0.2.1:1", "/healthz", "", 200},
	} {
		if got := from(c.remote, c.target, c.key); got != c.want {
			t.Errorf("%d: %s %s with key %q: %d, want %d", i, c.remote, c.target, c.key, got, c.want)
		}
	}
}

// A table full of clients refuses new ones only.
func TestBucketsAreBounded(t *testing.T) {
	b := newBuckets(1)
	now := b.swept
	for i := range 10_000 {
		if b.take(fmt.Sprint(i), now) != 0 {
			t.Fatalf("client %d is refused", i)
		}
	}
	if b.take("new", now) == 0 || b.take("0", now) != 0 || len(b.of) != 10_000 {
		t.Errorf("%d clients are remembered", len(b.of))
	}
	if now = now.Add(releaseAfter); b.take("new", now) != 0 || len(b.of) != 1 {
		t.Errorf("%d clients are remembered after a while", len(b.of))
	}
}

// Whatever a client or the operator does with a key, nobody reads it.
func TestKeysStaySecret(t *testing.T) {
	const secret, tried = "s3cret-key", "tr1ed-key"
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := start(t, Options{APIKeys: []string{secret}, Logger: logger, Rate: 1, Origins: []string{"*"}})
	var answers strings.Builder
	for range 5 {
		for _, key := range []string{secret, tried} {
			for _, target := range []string{point, point + "&x=1", "/nothing", "/metrics", "/openapi.json"} {
				for _, header := range []string{"X-Api-Key: " + key, "Authorization: Bearer " + key} {
					w := ask(s, http.MethodGet, target, header, "Origin: https://a.example")
					fmt.Fprint(&answers, w.Header(), w.Body)
				}
			}
		}
	}
	for _, text := range []string{log.String(), answers.String()} {
		if strings.Contains(text, secret) || strings.Contains(text, tried) {
			t.Error("a key is shown")
		}
	}
	if !strings.Contains(log.String(), `"status":401`) || !strings.Contains(log.String(), `"status":429`) {
		t.Error("the log has no refusals")
	}
}

// The documents mention the answers that keys and rates bring, where there are
// any.
func TestDocumentsTellOfKeysAndRates(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want []string
	}{
		{Options{}, []string{"200", "400", "406", "422", "503", "504"}},
		{Options{APIKeys: []string{"secret"}, Rate: 1000}, []string{"200", "400", "401", "406", "422", "429", "503", "504"}},
	} {
		var doc struct {
			Paths map[string]struct {
				Get struct{ Responses map[string]any }
			}
		}
		w := ask(start(t, c.opts), "GET", "/openapi/bird_club.json", "X-Api-Key: secret")
		if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil || len(doc.Paths) == 0 {
			t.Fatalf("%v in %.200s", err, w.Body)
		}
		for path, one := range doc.Paths {
			if got := slices.Sorted(maps.Keys(one.Get.Responses)); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", path, got, c.want)
			}
		}
	}
}
