package rest_test

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/golden"
)

// The names of the sample's endpoints, for reading; and each is valid and
// unique over all databases, as are the parameters of each endpoint.
func TestNames(t *testing.T) {
	dataset, api := openSample(t)
	valid := regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]{0,63}$`)
	seen := map[string]bool{}
	var got bytes.Buffer
	for i := range dataset.Questions {
		call, err := api.Call(&dataset.Questions[i])
		if err != nil {
			t.Fatal(err)
		}
		e := call.Endpoint
		fmt.Fprintf(&got, "%s\n  %s\n  %s\n", dataset.Questions[i].SQL, call.URL(), e.Description)
		if seen[e.Name] || !valid.MatchString(e.Name) {
			t.Errorf("name %q", e.Name)
		}
		seen[e.Name] = true
		params := map[string]bool{}
		for _, p := range e.AllParams(0) {
			if params[p.Name] || !valid.MatchString(p.Name) {
				t.Errorf("%s: parameter %q", e.Name, p.Name)
			}
			params[p.Name] = true
		}
	}
	golden.Equal(t, "testdata/names.txt", got.String())
}
