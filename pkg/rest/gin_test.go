package rest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
)

// Endpoints answer under a group's prefix as they do without one, and leave the
// mode of gin, which all engines of a program share, to the program.
func TestRegister(t *testing.T) {
	api, endpoints := ofQueries(t, "SELECT title FROM book WHERE isbn = 'x'")
	mode := gin.Mode()
	defer gin.SetMode(mode)
	gin.SetMode(gin.TestMode)
	service := NewService(api, ServiceOptions{})
	handler := service.Handler()
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	service.Register(engine.Group("/a/b"))
	if got := gin.Mode(); got != gin.TestMode {
		t.Errorf("the mode became %s", got)
	}
	path := endpoints[0].Path
	for _, c := range []struct {
		method, query string
		status        int
	}{
		{"GET", "?isbn=1", 200}, {"HEAD", "?isbn=1", 200}, {"GET", "?isbn=1&isbn=2", 400}, {"GET", "", 400},
		{"POST", "?isbn=1", 405}, {"GET", "/?isbn=1", 404},
	} {
		for target, h := range map[string]http.Handler{path: handler, "/a/b" + path: engine} {
			if target != path && c.status == 404 {
				continue // which is the engine's own to answer, by a redirect
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(c.method, target+c.query, nil))
			if w.Code != c.status {
				t.Errorf("%s %s%s: %d, want %d: %s", c.method, target, c.query, w.Code, c.status, w.Body)
			}
		}
	}
}

// TestPrefix serves endpoints and tables below other prefixes, in a router of a user
// that has its own routes, and by Handler; documents have the same paths.
func TestPrefix(t *testing.T) {
	for _, c := range []struct{ prefix, tables, endpoints, listed, wrong string }{
		{"", "", "/v1/bird/", "/v1/tables/", ""},
		{"/library", "", "/library/", "/v1/tables/", ""},
		{"/api/data/", "/api/tables", "/api/data/", "/api/tables/", ""},
		{"/", "/rows", "/", "/rows/", ""},
		{"library", "", "", "", "is no path"},
		{"/a//b", "", "", "", "is no path"},
		{"/:db", "", "", "", "is no path"},
		{"/x", "/x/", "", "", "have the same prefix"},
	} {
		d := dataset(t, []string{"CREATE TABLE book (isbn TEXT, title TEXT)", "INSERT INTO book VALUES ('1', 'A')"}, "SELECT title FROM book WHERE isbn = 'x'")
		api, err := Open(t.Context(), d, Options{Tables: true, Prefix: c.prefix, TablesPrefix: c.tables})
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q, %q: %v, want %q", c.prefix, c.tables, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		document, err := api.Document(t.Context(), DocumentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		service := NewService(api, ServiceOptions{})
		engine := gin.New()
		engine.GET("/health", func(c *gin.Context) { c.Status(http.StatusOK) })
		service.Register(engine)
		endpoint, segment := api.Databases[0].Endpoints[0], api.Databases[0].Segment
		for target, want := range map[string]string{
			c.endpoints + segment + "/" + endpoint.Name: `{"title":"A"}`,
			c.listed + segment + "/book":                `{"isbn":"1","title":"A"}`,
			c.listed + segment:                          `"path":"` + c.listed + segment + `/book"`,
		} {
			if !strings.Contains(string(document), `"`+target+`"`) {
				t.Errorf("the document has no path %s", target)
			}
			for name, h := range map[string]http.Handler{"engine": engine, "handler": service.Handler()} {
				w := httptest.NewRecorder()
				query := "?isbn=1"
				if target == c.listed+segment {
					query = ""
				}
				h.ServeHTTP(w, httptest.NewRequest("GET", target+query, nil))
				if !strings.Contains(w.Body.String(), want) {
					t.Errorf("%s of the %s: %d %s, want %s", target, name, w.Code, w.Body, want)
				}
			}
		}
		if err := api.Close(); err != nil {
			t.Error(err)
		}
	}
}
