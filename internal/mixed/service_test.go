package mixed

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/pkg/bird"
)

func loadSample(t *testing.T, databases ...string) *bird.Dataset {
	t.Helper()
	d, err := bird.Load(bird.Options{FS: sample.FS(), Databases: databases})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestService asks the service as two clients, whose requests for rows and values
// are counted apart.
func TestService(t *testing.T) {
	s, err := Serve(t.Context(), loadSample(t, "bird_club").Databases, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	one, other := s.Client("one"), s.Client("two")
	for _, c := range []struct {
		client *Client
		path   string
		status int
		want   string
	}{
		{one, "/openapi/bird_club.json", 200, `"/v1/tables/bird_club/species"`},
		{one, "/openapi/functions.json", 200, `"/v1/functions/is_prime"`},
		{one, "/v1/tables/bird_club/species?limit=1", 200, `{"data":[`},
		{one, "/v1/tables/bird_club/species?limit=2", 200, `"next_offset":2`},
		{other, "/v1/functions/is_prime?number=7", 200, `{"data":[{"number":7,"truth":true}]}`},
		{other, "/v1/tables/bird_club/nothing", 404, `"status":404`},
		{&Client{URL: s.base + "/nobody"}, "/v1/functions/is_prime?number=7", 404, `"status":404`},
	} {
		resp, err := http.Get(c.client.URL + c.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s: %d, %v, %.300s; want %d and %s", c.path, resp.StatusCode, err, body, c.status, c.want)
		}
	}
	if n := one.Requests()["/v1/tables/bird_club/species"]; n != 2 || one.Total() != 2 || other.Total() != 2 {
		t.Errorf("%v and %v were counted", one.Requests(), other.Requests())
	}
}

func TestServeFails(t *testing.T) {
	if _, err := Serve(t.Context(), []*bird.Database{{ID: "none", Path: "none.sqlite"}}, 0); err == nil {
		t.Error("a file that is not there gives no error")
	}
	functions := *loadSample(t, "bird_club").Databases[0]
	functions.ID = functionsName
	if _, err := Serve(t.Context(), []*bird.Database{&functions}, 0); err == nil || !strings.Contains(err.Error(), "rename") {
		t.Errorf("a database with the name of a document: %v", err)
	}
}
