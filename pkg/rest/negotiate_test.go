package rest

import "testing"

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		accept []string
		want   string // "" for none
	}{
		{nil, "application/json"},
		{[]string{""}, "application/json"},
		{[]string{"*/*"}, "application/json"},
		{[]string{"text/csv"}, "text/csv"},
		{[]string{"TEXT/CSV"}, "text/csv"},
		{[]string{"application/jsonl"}, "application/x-ndjson"},
		{[]string{"image/png"}, ""},
		{[]string{"image/png, */*;q=0.1"}, "application/json"},
		{[]string{"text/csv, application/json"}, "text/csv"}, // the first of equals
		{[]string{"text/csv;q=0.5, application/json;q=0.6"}, "application/json"},
		{[]string{"text/csv;q=0.5", "application/json;q=0.6"}, "application/json"},
		{[]string{"text/csv;header=present;q=0.7, */*;q=0.6"}, "text/csv"},
		// 0 is no, whatever else allows the format.
		{[]string{"*/*;q=0"}, ""},
		{[]string{"text/csv;q=0"}, ""},
		{[]string{"text/csv;Q=0.000"}, ""},
		{[]string{"text/csv ; q = 0"}, ""},
		{[]string{"application/json;q=0, */*"}, "application/x-ndjson"},
		{[]string{"application/*;q=0, */*"}, "text/csv"},
		{[]string{"application/json;q=0, text/csv"}, "text/csv"},
		{[]string{"text/*;q=0.5, text/csv;q=0, */*;q=0.1"}, "application/json"},
		{[]string{"application/json;q=0, application/json;q=0.3"}, "application/json"},
		// What is no weight is no.
		{[]string{"text/csv;q=NaN"}, ""},
		{[]string{"text/csv;q=-1"}, ""},
		{[]string{"text/csv;q=2"}, ""},
		{[]string{"text/csv;q="}, ""},
	} {
		got, ok := negotiate(c.accept)
		if ok != (c.want != "") || ok && mediaTypes[got] != c.want {
			t.Errorf("%q: %s %v, want %q", c.accept, mediaTypes[got], ok, c.want)
		}
	}
}

func TestTakesGzip(t *testing.T) {
	for accept, want := range map[string]bool{
		"":                          false,
		"gzip":                      true,
		"GZIP":                      true,
		"x-gzip":                    true,
		"br, gzip":                  true,
		"gzip;q=0.5":                true,
		"gzip; q=0.5":               true,
		"gzip;q=0.001":              true,
		"*":                         true,
		"*;q=0.1":                   true,
		"br, *":                     true,
		"gzip, identity":            true,
		"gzip;q=0":                  false,
		"gzip; q=0":                 false,
		"gzip;q=0.0":                false,
		"gzip; Q=0.000":             false,
		"gzip;q=0, *":               false,
		"*;q=0":                     false,
		"*;q=0, gzip":               true,
		"identity":                  false,
		"br":                        false,
		"identity, gzip;q=0.5":      false,
		"identity, *;q=0.5":         false,
		"identity;q=0.5, gzip":      true,
		"identity;q=0, gzip;q=0.01": true,
		"gzip;q=NaN":                false,
	} {
		if got := takesGzip([]string{accept}); got != want {
			t.Errorf("%q: %v", accept, got)
		}
	}
	if takesGzip(nil) {
		t.Error("a client that says nothing gets gzip")
	}
}
