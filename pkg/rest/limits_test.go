package rest

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/record"
)

// TestRecordsSayWhichLimitsTheyNeed asks a service with its default limits, and
// one with those of the record, what the record says that is answered.
func TestRecordsSayWhichLimitsTheyNeed(t *testing.T) {
	tests := []struct {
		sql  string
		want record.Limits
	}{
		{"SELECT i FROM n WHERE i <= 10000", record.Limits{}},
		{"SELECT i FROM n WHERE i <= 10001", record.Limits{MaxRows: 10001}},
		{"SELECT i FROM n ORDER BY i LIMIT 5", record.Limits{}},
		{"SELECT i FROM n ORDER BY i LIMIT 20000", record.Limits{MaxRows: 20000}}, // of the same endpoint
		{"SELECT i + 0 AS more FROM n ORDER BY i LIMIT 12000", record.Limits{}},   // its own LIMIT is its limit
		{"SELECT picture FROM album WHERE id = 1", record.Limits{MaxValue: 2 << 20}},
		{"SELECT id FROM album WHERE id = 1", record.Limits{}},
		{"SELECT i, page FROM n, album WHERE id = 2 AND i < 200", record.Limits{MaxBytes: 1}}, // as many as there are
	}
	var queries []string
	for _, test := range tests {
		queries = append(queries, test.sql)
	}
	d := dataset(t, []string{
		"CREATE TABLE n (i INTEGER PRIMARY KEY)",
		"WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 20000) INSERT INTO n SELECT i FROM c",
		"CREATE TABLE album (id INTEGER PRIMARY KEY, picture BLOB, page TEXT)",
		"INSERT INTO album VALUES (1, zeroblob(1500000), ''), (2, NULL, hex(zeroblob(50000)))",
	}, queries...)
	ctx := context.Background()
	x, err := NewConverter(ctx, d, ConverterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	ask := func(limits record.Limits, path string) (bool, string) {
		c, err := Open(ctx, d, Options{Value: limits.MaxValue})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		w := httptest.NewRecorder()
		s := NewService(c, ServiceOptions{MaxRows: limits.MaxRows, MaxBytes: limits.MaxBytes})
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code == 200, strings.TrimSuffix(w.Body.String(), "\n")
	}
	for i, test := range tests {
		r, err := x.Convert(ctx, &d.Questions[i])
		if err != nil {
			t.Errorf("%s: %v", test.sql, err)
			continue
		}
		got := record.Limits{}
		if r.Limits != nil {
			got = *r.Limits
		}
		if test.want.MaxBytes > 0 {
			test.want.MaxBytes = len(r.Result) + 1 // and the end of the line
		}
		if got != test.want {
			t.Errorf("%s: needs %+v, want %+v", test.sql, got, test.want)
		}
		call, err := x.API.Call(&d.Questions[i])
		if err != nil {
			t.Fatal(err)
		}
		ok, body := ask(record.Limits{}, call.URL())
		if same := ok && body == r.Result; same != (r.Limits == nil) {
			t.Errorf("%s: by default the answer is the record's: %v", test.sql, same)
		}
		if ok, body := ask(got, call.URL()); !ok || body != r.Result {
			t.Errorf("%s: with %+v the answer is another one: %.100s", test.sql, got, body)
		}
	}
}
