package rest

import (
	"net/http"
	"net/http/httptest"
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
