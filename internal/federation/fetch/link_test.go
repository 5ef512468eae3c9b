package fetch

import (
	"net/http"
	"testing"
)

func TestNextLink(t *testing.T) {
	for _, test := range []struct {
		headers []string
		want    string
	}{
		{nil, ""},
		{[]string{`<https://a.test/?page=2>; rel="next"`}, "https://a.test/?page=2"},
		{[]string{`</?page=2>; rel=next`}, "/?page=2"},
		{[]string{`<a>; rel="prev", <b>; rel="next", <c>; rel="last"`}, "b"},
		{[]string{`<a>; rel="prev"`, `<b>;rel="next"`}, "b"},
		{[]string{`<a?x=1,2;3>; title="b, <c>; rel=\"next\""; rel="up", <d>; rel="last next"`}, "d"},
		{[]string{`<a>; REL="Next"`}, "a"},
		{[]string{`<a>; rel="next"; anchor="/other", <b>; rel="next"`}, "b"},
		{[]string{`<a>; rel="nextpage"`}, ""},
		{[]string{`<a>; rel = next ; x`}, "a"},
		{[]string{`<a>`, `<b`, `c>; rel="next"`, `<d>; rel="ne\xt"`}, "d"},
		{[]string{`<a>; rel="next`}, "a"},
	} {
		if got := nextLink(http.Header{"Link": test.headers}); got != test.want {
			t.Errorf("%q: %q, want %q", test.headers, got, test.want)
		}
	}
}

func FuzzNextLink(f *testing.F) {
	f.Add(`<a>; rel="prev", <b>; rel="next"; title="x, \"y", <c>`)
	f.Add(`<a>;;=;,,<`)
	f.Fuzz(func(_ *testing.T, text string) {
		nextLink(http.Header{"Link": {text}})
	})
}
