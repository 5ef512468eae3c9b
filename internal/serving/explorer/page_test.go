package explorer

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/pkg/episode"
)

func TestPage(t *testing.T) {
	h := serve(t, Options{})
	for _, c := range []struct {
		method, target string
		status         int
		kind           string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8"},
		{"HEAD", "/", 200, "text/html; charset=utf-8"},
		{"GET", "/explorer/main.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "/explorer/style.css", 200, "text/css; charset=utf-8"},
		{"GET", "/explorer/icon.svg", 200, "image/svg+xml"},
		{"GET", "/explorer/htm/standalone.module.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "/explorer", 302, ""},
		{"GET", "/explorer/", 302, ""},
		{"GET", "/explorer/index.html", 404, "application/problem+json"},
		{"GET", "/explorer/data.go", 404, "application/problem+json"},
		{"GET", "/other", 404, "application/problem+json"},
		{"POST", "/", 405, "application/problem+json"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.target, nil))
		if w.Code != c.status || c.kind != "" && w.Header().Get("Content-Type") != c.kind {
			t.Errorf("%s %s: status %d, %s; want %d, %s", c.method, c.target, w.Code, w.Header().Get("Content-Type"), c.status, c.kind)
		}
		if w.Code == http.StatusOK && w.Header().Get("Content-Security-Policy") != policy {
			t.Errorf("%s: policy %q", c.target, w.Header().Get("Content-Security-Policy"))
		}
	}
}

// A file that is known is not sent again.
func TestPageCached(t *testing.T) {
	h := serve(t, Options{})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/explorer/main.js", nil))
	r := httptest.NewRequest("GET", "/explorer/main.js", nil)
	r.Header.Set("If-None-Match", "W/"+w.Header().Get("ETag"))
	again := httptest.NewRecorder()
	h.ServeHTTP(again, r)
	if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("status %d and %d bytes", again.Code, again.Body.Len())
	}
}

// Every file that the page names is there, none is elsewhere, and none has what
// the policy forbids.
func TestPageIsWhole(t *testing.T) {
	files, err := readPage()
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:src|href)="(explorer/[^"]+)"|from "(\./[^"]+)"`)
	loaded := map[string]bool{"/": true}
	for at, f := range files {
		for _, m := range named.FindAllStringSubmatch(f.text, -1) {
			target := "/" + m[1]
			if m[2] != "" {
				target = path.Join(path.Dir(at), m[2])
			}
			loaded[target] = true
			if _, ok := files[target]; !ok {
				t.Errorf("%s names %s, which is not there", at, target)
			}
		}
		if strings.Contains(f.text, "://") && !strings.Contains(at, "/htm/") && at != "/explorer/icon.svg" {
			t.Errorf("%s names another place", at)
		}
		for _, forbidden := range []string{"<style", " style=\"", "<script>", "eval(", "new Function", "dangerouslySetInnerHTML", "innerHTML ="} {
			if strings.Contains(f.text, forbidden) && !strings.Contains(at, "/htm/") {
				t.Errorf("%s has %s", at, forbidden)
			}
		}
	}
	for at := range files {
		if !loaded[at] {
			t.Errorf("nothing names %s", at)
		}
	}
}

func TestNewErrors(t *testing.T) {
	env, err := episode.New(episode.Options{Dataset: library(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer env.Close()
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "report.json"), []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Samples: []string{filepath.Join(broken, "none")}}, "name a folder that convert wrote"},
		{Options{Samples: []string{broken}}, "is not as convert writes it"},
		{Options{Evaluation: filepath.Join(broken, "none")}, "name the folder that evaluate was given"},
		{Options{Evaluation: broken}, "has no score/MODEL/report.json"},
	} {
		if _, err := New(env, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}
