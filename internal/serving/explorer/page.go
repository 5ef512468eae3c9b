package explorer

import (
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/birdcall/birdcall/pkg/rest"
)

//go:embed page/*.html page/*.js page/*.css page/*.svg page/htm/*.js
var static embed.FS

// policy allows the page's own files and requests, and nothing else: no inline
// script or style, nothing that makes code of text, nothing from elsewhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// file is a file of the page with its headers.
type file struct{ kind, tag, text string }

// kinds are the media types of the page's files.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
}

// readPage reads the files of the page by the path that they are asked for.
func readPage() (map[string]file, error) {
	out := map[string]file{}
	err := fs.WalkDir(static, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := static.ReadFile(name)
		if err != nil {
			return err
		}
		h := fnv.New64a()
		h.Write(text)
		at := "/explorer/" + strings.TrimPrefix(name, "page/")
		if path.Base(name) == "index.html" {
			at = "/"
		}
		out[at] = file{kinds[path.Ext(name)], fmt.Sprintf("%q", fmt.Sprintf("%x", h.Sum64())), string(text)}
		return nil
	})
	return out, err
}

// Page returns the handler of the page, which is at /, and of its files under
// /explorer/. They are the same for everybody and hold no data.
func (x *Explorer) Page() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			rest.NotAllowed(w, r)
			return
		}
		if r.URL.Path == "/explorer" || r.URL.Path == "/explorer/" {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		f, ok := x.page[r.URL.Path]
		if !ok {
			rest.NotFound(w, r)
			return
		}
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-cache")
		header.Set("ETag", f.tag)
		header.Set("Content-Type", f.kind)
		if strings.TrimPrefix(r.Header.Get("If-None-Match"), "W/") == f.tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(f.text)) // a client that is gone
	})
}
