package server

import (
	"context"
	"embed"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

//go:embed docs/*.html docs/*.js docs/*.css
var pages embed.FS

// documents are the OpenAPI documents and the page that shows them. A document
// is made when it is first asked for, as it takes reading the data once.
type documents struct {
	catalog *rest.Catalog
	service *rest.Service
	failed  func(*http.Request, error)
	opts    rest.DocumentOptions
	caching string // what may keep the answers

	mu   sync.Mutex
	made map[document][]byte
}

// document is that of a database, or of all for "".
type document struct {
	id   string
	bare bool // without data
}

func newDocuments(c *rest.Catalog, s *rest.Service, keys bool, failed func(*http.Request, error)) *documents {
	d := &documents{catalog: c, service: s, failed: failed, opts: rest.DocumentOptions{MaxRows: s.MaxRows()}, made: map[document][]byte{}, caching: "no-cache"}
	if keys {
		d.opts.APIKey, d.caching = keyHeader, "private, no-cache"
	}
	return d
}

// register adds the routes: reader lets clients have the documents, visitor the
// page.
func (d *documents) register(g gin.IRoutes, reader, visitor gin.HandlerFunc) {
	g.Match(rest.Methods, "/openapi.json", reader, func(c *gin.Context) { d.serve(c, "") })
	for _, db := range d.catalog.Databases {
		g.Match(rest.Methods, "/openapi/"+db.Segment+".json", reader, func(c *gin.Context) { d.serve(c, db.ID) })
	}
	toPage := func(c *gin.Context) { c.Redirect(http.StatusFound, "/docs/") }
	g.Match(rest.Methods, "/", visitor, toPage)
	g.Match(rest.Methods, "/docs", visitor, toPage)
	g.Match(rest.Methods, "/docs/*file", visitor, d.page)
}

// serve answers with the document of a database, or of all for "".
func (d *documents) serve(c *gin.Context, id string) {
	text, err := d.document(c.Request.Context(), document{id, c.GetBool(bare)})
	switch {
	case err == nil:
		d.send(c, "application/json; charset=utf-8", text)
	case c.Request.Context().Err() != nil:
		c.Status(rest.StatusClientLeft)
	default:
		d.failed(c.Request, err)
		rest.WriteProblem(c.Writer, c.Request, &rest.Problem{Status: http.StatusInternalServerError, Title: "The service failed",
			Detail: "Try again later, and report the request id if it goes on."})
	}
}

func (d *documents) document(ctx context.Context, which document) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text := d.made[which]; text != nil {
		return text, nil
	}
	var ids []string
	if which.id != "" {
		ids = []string{which.id}
	}
	opts := d.opts
	opts.WithoutData = which.bare
	text, err := d.catalog.Document(ctx, opts, ids...)
	if err == nil {
		d.made[which] = text
	}
	return text, err
}

// page answers with a file of the API page.
func (d *documents) page(c *gin.Context) {
	name := strings.TrimPrefix(c.Param("file"), "/")
	switch name {
	case "":
		name = "index.html"
	case "documents.json":
		d.list(c)
		return
	}
	text, err := pages.ReadFile("docs/" + name)
	if err != nil {
		rest.NotFound(c)
		return
	}
	// Swagger UI writes styles into its elements.
	c.Header("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'")
	kind := map[string]string{".html": "text/html", ".js": "text/javascript", ".css": "text/css"}[path.Ext(name)]
	d.send(c, kind+"; charset=utf-8", text)
}

// list answers with what the page offers to choose from.
func (d *documents) list(c *gin.Context) {
	type entry struct {
		URL  string `json:"url"`
		Name string `json:"name"`
	}
	var all []entry
	for _, db := range d.catalog.Databases {
		all = append(all, entry{"/openapi/" + db.Segment + ".json", db.ID})
	}
	all = append(all, entry{"/openapi.json", "all databases"})
	text, _ := json.Marshal(all) // strings can be written
	d.send(c, "application/json; charset=utf-8", text)
}

// send writes a text that changes with the program or the data only.
func (d *documents) send(c *gin.Context, kind string, text []byte) {
	h := fnv.New64a()
	h.Write(text)
	tag := `"` + strconv.FormatUint(h.Sum64(), 16) + `"`
	c.Header("ETag", tag)
	c.Header("Cache-Control", d.caching)
	c.Writer.Header().Add("Vary", "Accept-Encoding")
	if strings.TrimPrefix(c.GetHeader("If-None-Match"), "W/") == tag {
		c.Status(http.StatusNotModified)
		return
	}
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Content-Type", kind)
	d.service.Send(c.Writer, c.Request, text)
}
