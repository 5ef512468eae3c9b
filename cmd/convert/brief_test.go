package main

import "testing"

// TestBrief says how the URLs of calls are shown.
func TestBrief(t *testing.T) {
	for url, want := range map[string]string{
		"http://api.example/birds":                  "/birds",
		"http://api.example/birds?":                 "/birds",
		"http://api.example/birds?id=1":             "/birds?id=1",
		"http://api.example/birds?id=1&&page=2":     "/birds?id=1&page=2",
		"http://api.example/birds?id=1&id=2&id=3":   "/birds?id=1 (and 2 more)",
		"http://api.example/birds?id=1&page=2&id=3": "/birds?id=1 (and 1 more)&page=2",
		"http://[": "http://[",
	} {
		if got := brief(url); got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
}
