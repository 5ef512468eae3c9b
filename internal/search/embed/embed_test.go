package embed

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/evaluation/chatapi"
	"github.com/birdcall/birdcall/internal/testkit/scripted"
)

// lengths gives each text the vector of its length and its first byte.
func lengths(text string) []float64 { return []float64{float64(len(text)), float64(text[0]), 0.5} }

// serve returns a client of a server that has vectors, and where the test may change
// what it does.
func serve(t *testing.T, s *scripted.Server) *chatapi.Client {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c, err := chatapi.New(chatapi.Options{BaseURL: server.URL + "/v1", Key: "sk-0123456789abcdef", Attempts: 2, FirstWait: 1, MaxWait: 1, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, asker Asker, file string) *Embedder {
	t.Helper()
	e, err := New(Options{Asker: asker, Model: "m", File: file, Warn: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestEmbed asks for texts one after the other and says how many requests the endpoint
// gets: what is kept is not asked for again, and of equal texts only one.
func TestEmbed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "find", FileName("m"))
	s := &scripted.Server{Vectors: lengths}
	client := serve(t, s)
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("text %03d", i)
	}
	long := strings.Repeat("é", maxText)
	e := open(t, client, file)
	for _, c := range []struct {
		name     string
		again    bool // with what the file has alone
		texts    []string
		requests int
	}{
		{"none", false, nil, 0},
		{"two and one of them again", false, []string{"a", "bb", "a"}, 1},
		{"the same", false, []string{"bb", "a"}, 0},
		{"from the file", true, []string{"bb", "a"}, 0},
		{"one more", false, []string{"bb", "a", "ccc"}, 1},
		{"a question", false, []string{"what?"}, 1},
		{"the question again", false, []string{"what?"}, 0},
		{"the question is in no file", true, []string{"what?"}, 1},
		{"what is kept, alone", false, []string{"ccc"}, 0},
		{"in batches", false, many, 3},
		{"in batches, from the file", true, many, 0},
		{"long ones", false, slices.Repeat([]string{long + "a", long + "b"}, 10), 1},
		{"empty ones", false, []string{"", " "}, 1},
	} {
		if c.again {
			e = open(t, client, file)
		}
		before := len(s.Log())
		got, err := e.Embed(t.Context(), c.texts)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if n := len(s.Log()) - before; n != c.requests {
			t.Errorf("%s: %d requests, want %d", c.name, n, c.requests)
		}
		want := [][]float32{}
		for _, text := range c.texts {
			v := lengths(cut(text))
			want = append(want, []float32{float32(v[0]), float32(v[1]), float32(v[2])})
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
	one, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Other runs that ask for the same in another order write the same bytes.
	other := filepath.Join(t.TempDir(), "other")
	texts := append([]string{"", " ", "ccc", "bb", "a", long + "a", long + "b"}, many...)
	slices.Reverse(texts)
	if _, err := open(t, client, other).Embed(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	if two, err := os.ReadFile(other); err != nil || string(one) != string(two) {
		t.Errorf("%v; %d bytes and %d", err, len(one), len(two))
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".*")); err != nil || left != nil {
		t.Errorf("%v, %v", left, err)
	}
}

// TestFaults lists what comes of what endpoints do. What was answered before is kept.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		faults   []scripted.Fault
		requests int
		want     string
	}{
		{[]scripted.Fault{scripted.RateLimited}, 2, ""},
		{[]scripted.Fault{scripted.Cut}, 2, ""},
		{[]scripted.Fault{scripted.NotJSON, scripted.NotJSON}, 2, "vectors of m: no answer after 2 of 2 attempts: the answer cannot be read"},
		{[]scripted.Fault{scripted.BadRequest}, 1, "vectors of m: 400 Bad Request"},
		{[]scripted.Fault{scripted.Unauthorized}, 1, "the endpoint refuses the key, or has none; put it into"},
	} {
		file := filepath.Join(t.TempDir(), "v")
		s := &scripted.Server{Vectors: lengths}
		client := serve(t, s)
		s.Plan = scripted.Each(map[string][]scripted.Fault{"a": c.faults})
		got, err := open(t, client, file).Embed(t.Context(), []string{"a", "b"})
		if len(s.Log()) != c.requests || c.want == "" && (err != nil || len(got) != 2) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d requests, %v, %v, want %s", c.faults, len(s.Log()), got, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "sk-01") {
			t.Errorf("%s: the error has the key: %v", c.faults, err)
		}
	}
}

// asker gives what a function does.
type asker func([]string) ([][]float32, error)

func (a asker) Embeddings(ctx context.Context, _ string, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return a(texts)
}

// TestLength says that all vectors have one length, in a file too, and that a run that
// is stopped keeps what it has.
func TestLength(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v")
	length, limit := 2, 1
	e := open(t, asker(func(texts []string) ([][]float32, error) {
		if limit--; limit < 0 {
			return nil, context.Canceled
		}
		out := make([][]float32, len(texts))
		for i := range out {
			out[i] = make([]float32, length)
		}
		return out, nil
	}), file)
	many := make([]string, maxTexts+1)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	if _, err := e.Embed(t.Context(), many); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if kept, got, err := load(file); err != nil || len(kept) != maxTexts || got != 2 {
		t.Errorf("%d vectors of %d numbers, %v", len(kept), got, err)
	}
	limit, length = 9, 3
	for _, texts := range [][]string{{"alone"}, {"x", "y"}} {
		if _, err := e.Embed(t.Context(), texts); err == nil || !strings.Contains(err.Error(), "one has 3 numbers, and those before have 2") {
			t.Errorf("%v", err)
		}
	}
	length = 0
	if _, err := open(t, e.opts.Asker, "").Embed(t.Context(), []string{"x"}); err == nil || !strings.Contains(err.Error(), "may have 1 to") {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, e.opts.Asker, "").Embed(ended, []string{"x", "y"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestBrokenFile says that a file that is of no use is replaced, with a warning.
func TestBrokenFile(t *testing.T) {
	good := write(map[key][]float32{{1}: {1, 2}, {2}: {3, 4}}, 2)
	if kept, length, err := read(good); err != nil || length != 2 || len(kept) != 2 || kept[key{2}][1] != 4 {
		t.Fatalf("%v %d %v", kept, length, err)
	}
	changed := slices.Clone(good)
	changed[len(changed)/2] ^= 1
	for name, text := range map[string][]byte{"empty": {}, "another": []byte("SQLite format 3"), "cut": good[:len(good)-5], "changed": changed} {
		file := filepath.Join(t.TempDir(), "v")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var warned []string
		e, err := New(Options{Model: "m", File: file, Asker: serve(t, &scripted.Server{Vectors: lengths}), Warn: func(text string) { warned = append(warned, text) }})
		if err != nil || len(warned) != 1 || !strings.Contains(warned[0], "cannot be used") {
			t.Errorf("%s: %v, %q", name, err, warned)
			continue
		}
		if _, err := e.Embed(t.Context(), []string{"a", "b"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if kept, _, err := load(file); err != nil || len(kept) != 2 {
			t.Errorf("%s: %v, %v", name, kept, err)
		}
	}
}

// FuzzRead reads files of every shape.
func FuzzRead(f *testing.F) {
	f.Add(write(map[key][]float32{{1}: {1, 2}}, 2))
	f.Add([]byte(form))
	f.Fuzz(func(t *testing.T, data []byte) {
		kept, length, err := read(data)
		if err != nil {
			return
		}
		if again, _, err := read(write(kept, length)); err != nil || len(again) != len(kept) {
			t.Errorf("%d vectors, then %d, %v", len(kept), len(again), err)
		}
	})
}
