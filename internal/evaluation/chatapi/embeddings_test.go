package chatapi

import (
	"reflect"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/scripted"
)

// TestVectors lists the forms of an answer.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		body string
		want [][]float32
		says string
	}{
		{`{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2.5]}]}`, [][]float32{{1, 2.5}, {3, 4}}, ""},
		{`{"data":[{"embedding":[1]},{"embedding":[2]}]}`, [][]float32{{1}, {2}}, ""},
		{`{"data":[{"embedding":[1]}]}`, nil, "the answer has 1 vectors, and 2 were asked for"},
		{`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, nil, "other numbers than the texts"},
		{`{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`, nil, "other numbers than the texts"},
		{`{"data":[{"embedding":[]},{"embedding":[]}]}`, nil, "without numbers"},
		{`{"data":[{"embedding":[1]},{"embedding":[1,2]}]}`, nil, "vectors of 1 and of 2 numbers"},
		{`{"data":[{"embedding":[1e300]},{"embedding":[1]}]}`, nil, "too large"},
		{`{"error":{"message":"no such model"}}`, nil, "no such model"},
		{`{}`, nil, "has 0 vectors"},
		{`<html>`, nil, "cannot be read"},
	} {
		got, err := vectors([]byte(c.body), 2)
		if c.says == "" && (err != nil || !reflect.DeepEqual(got, c.want)) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, %v, want %v %s", c.body, got, err, c.want, c.says)
		}
	}
}

// TestEmbeddings says how a request is written, and that errors name the flags that a
// program has.
func TestEmbeddings(t *testing.T) {
	s := &scripted.Server{Vectors: func(text string) []float64 { return []float64{float64(len(text))} }}
	flags := Flags{Address: "--embeddings", Key: "--embeddings-key-env", Model: "--embedding-model"}
	client, _ := testClient(t, s, Options{Flags: flags})
	got, err := client.Embeddings(t.Context(), "m", []string{"a", "<bb>"})
	if err != nil || !reflect.DeepEqual(got, [][]float32{{1}, {4}}) {
		t.Errorf("%v, %v", got, err)
	}
	if log := s.Log()[0]; log.Path != "/v1/embeddings" || string(log.Body) != `{"model":"m","input":["a","<bb>"],"encoding_format":"float"}` {
		t.Errorf("%s %s", log.Path, log.Body)
	}
	for fault, want := range map[scripted.Fault]string{
		scripted.NotFound:     "see --embedding-model and --embeddings",
		scripted.Unauthorized: "that --embeddings-key-env names",
	} {
		s.Plan = func(string, int, int) scripted.Fault { return fault }
		if _, err := client.Embeddings(t.Context(), "m", []string{"a"}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %s", fault, err, want)
		}
	}
	if _, err := New(Options{BaseURL: "nowhere", Flags: flags}); err == nil || !strings.HasPrefix(err.Error(), "--embeddings: it is no address") {
		t.Errorf("%v", err)
	}
}
