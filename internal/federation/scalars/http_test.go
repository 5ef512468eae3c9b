package scalars

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestHandler(t *testing.T) {
	h := Handler()
	for _, c := range []struct {
		method, target string
		status         int
		body           string // all of it, or a part of a problem
	}{
		{"GET", "is_prime?number=7", 200, `{"data":[{"number":7,"truth":true}]}`},
		{"GET", "is_prime?number=7&number=8&number=7.0&number=1.30e1&number=-0", 200,
			`{"data":[{"number":7,"truth":true},{"number":8,"truth":false},{"number":7.0,"truth":true},{"number":1.30e1,"truth":true},{"number":-0,"truth":false}]}`},
		{"GET", "is_prime?number=9223372036854775783", 200, `{"data":[{"number":9223372036854775783,"truth":true}]}`},
		{"GET", "count_syllables?string=&string=M%C3%A4rchen%20%22a%22", 200, `{"data":[{"string":"","count":0},{"string":"Märchen \"a\"","count":3}]}`},
		{"GET", "is_divisible?number=9&divisor=3&number=9&divisor=2", 200, `{"data":[{"number":9,"divisor":3,"truth":true},{"number":9,"divisor":2,"truth":false}]}`},
		{"GET", "get_latitude_of_place?place=Madrid&place=x", 200, `{"data":[{"place":"Madrid","latitude":40.42},{"place":"x","latitude":null}]}`},
		{"GET", "calculate_distance?place1=Lyon&place2=Lyon", 200, `{"data":[{"place1":"Lyon","place2":"Lyon","distance":0.0}]}`},
		{"HEAD", "is_prime?number=7", 200, `{"data":[{"number":7,"truth":true}]}`}, // a server drops the body
		{"GET", "is_prime", 400, `"number","reason":"it is missing"`},
		{"GET", "is_prime?number=7&n=8", 400, `"reason":"it is unknown","hint":"use one of number"`},
		{"GET", "is_prime?number=%zz", 400, `broken % escape`},
		{"GET", "is_divisible?number=9&divisor=3&divisor=2", 200, `{"data":[{"number":9,"divisor":3,"truth":true},{"number":9,"divisor":2,"truth":false}]}`},
		{"GET", "is_divisible?number=9&number=8&number=7&divisor=3&divisor=2", 400, `divisor: it is given 2 times, and another parameter 3 times; give it once, or 3 times`},
		{"GET", "is_prime?" + strings.Repeat("number=7&", 101), 400, `it is given 101 times`},
		{"GET", "is_prime?number=seven", 422, `is no number`},
		{"GET", "is_prime?number=007", 422, `is no number`},
		{"GET", "is_prime?number=+7", 422, `is no number`},
		{"GET", "is_prime?number=null", 422, `is no number`},
		{"GET", "is_prime?number=Inf", 422, `is no number`},
		{"GET", "is_prime?number=9223372036854775808", 422, `beyond what 64 bits hold`},
		{"GET", "is_prime?number=1e400", 422, `beyond what 64 bits hold`},
		{"GET", "is_divisible?number=9&divisor=0", 422, `"parameter":"divisor","reason":"it is 0, which divides nothing"`},
		{"GET", "count_characters?string=%ff", 422, `it is not UTF-8`},
		{"GET", "is_prim?number=7", 404, `is_prime`},
		{"GET", "", 404, `No such function`},
		{"POST", "is_prime?number=7", 405, `Use GET or HEAD.`},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, Path+c.target, nil))
		got := strings.TrimSuffix(w.Body.String(), "\n")
		if w.Code != c.status || c.status == 200 && got != c.body || !strings.Contains(got, c.body) {
			t.Errorf("%s %s: %d %s, want %d %s", c.method, c.target, w.Code, got, c.status, c.body)
		}
		if kind := w.Header().Get("Content-Type"); w.Code >= 400 && kind != "application/problem+json" {
			t.Errorf("%s: a problem of type %s", c.target, kind)
		}
	}
}

// TestDocument reads the document as others do, and holds every answer of the
// operations against it.
func TestDocument(t *testing.T) {
	h := Handler()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", nil))
	doc, err := openapi3.NewLoader().LoadFromData(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, f := range Functions() {
		op := doc.Paths.Value(Path + f.Name).Get
		if op.OperationID != f.Name || len(op.Parameters) != len(f.Args) {
			t.Errorf("%s is %s with %d parameters", f.Name, op.OperationID, len(op.Parameters))
		}
		var query []string
		for _, a := range f.Args {
			text := map[Type]string{Text: "Graz", Number: "7.5"}[a.Type]
			query = append(query, a.Name+"="+text, a.Name+"=7")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", Path+f.Name+"?"+strings.Join(query, "&"), nil))
		var body any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", f.Name, w.Code, w.Body)
		}
		if err := op.Responses.Value("200").Value.Content.Get("application/json").Schema.Value.VisitJSON(body); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
