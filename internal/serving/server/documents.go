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

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/pkg/rest"
)

//go:embed docs/*.html docs/*.js docs/*.css
var pages embed.FS

// documents are the OpenAPI documents and the page that shows them. A document
// is made when it is first asked for and when the data have changed since, as
// it takes reading them once.
type documents struct {
	api     *rest.API
	service *rest.Service
	opts    rest.DocumentOptions
	extend  func(*openapi3.T) // of the document of all databases
	caching string            // what may keep the answers

	functions []byte // the document of the functions; nil if they are not answered

	making chan struct{} // holds an element while made is looked at or changed
	made   map[document]made
}

// made is the text of a document and the version of the data that it describes.
type made struct {
	version string
	text    []byte
}

// document is that of a database, or of all for "".
type document struct {
	id          string
	withoutData bool // without data
}

func newDocuments(api *rest.API, s *rest.Service, keys, rate bool, extend func(*openapi3.T)) *documents {
	d := &documents{api: api, service: s, extend: extend, making: make(chan struct{}, 1), opts: rest.DocumentOptions{MaxRows: s.MaxRows(), Rate: rate}, made: map[document]made{}, caching: "no-cache"}
	if keys {
		d.opts.APIKey, d.caching = keyHeader, "private, no-cache"
	}
	return d
}

// register adds the routes: reader lets clients have the documents, visitor the
// page, which is that of / too if it is the home.
func (d *documents) register(g gin.IRoutes, reader, visitor gin.HandlerFunc, home bool) {
	g.Match(rest.Methods, "/openapi.json", reader, func(c *gin.Context) { d.serve(c, "") })
	for _, db := range d.api.Databases {
		g.Match(rest.Methods, "/openapi/"+db.Segment+".json", reader, func(c *gin.Context) { d.serve(c, db.ID) })
	}
	if d.functions != nil {
		g.Match(rest.Methods, functionsDocument, reader, func(c *gin.Context) { d.send(c, "application/json; charset=utf-8", d.functions) })
	}
	toPage := func(c *gin.Context) { c.Redirect(http.StatusFound, "/docs/") }
	if home {
		g.Match(rest.Methods, "/", visitor, toPage)
	}
	g.Match(rest.Methods, "/docs", visitor, toPage)
	g.Match(rest.Methods, "/docs/*file", visitor, d.page)
}

// serve answers with the document of a database, or of all for "".
func (d *documents) serve(c *gin.Context, id string) {
	text, err := d.document(c.Request.Context(), document{id, c.GetBool(withoutData)})
	if err != nil {
		d.service.Fail(c.Writer, c.Request, err)
		return
	}
	d.send(c, "application/json; charset=utf-8", text)
}

func (d *documents) document(ctx context.Context, which document) ([]byte, error) {
	select {
	case d.making <- struct{}{}:
		defer func() { <-d.making }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var ids []string
	opts := d.opts
	opts.WithoutData, opts.Extend = which.withoutData, d.extend
	if which.id != "" {
		ids, opts.Extend = []string{which.id}, nil
	}
	version, err := d.api.Version(ctx, ids...)
	if err != nil {
		return nil, err
	}
	if one, ok := d.made[which]; ok && one.version == version {
		return one.text, nil
	}
	text, err := d.api.Document(ctx, opts, ids...)
	if err == nil {
		d.made[which] = made{version, text}
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
		rest.NotFound(c.Writer, c.Request)
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
	for _, db := range d.api.Databases {
		all = append(all, entry{"/openapi/" + db.Segment + ".json", db.ID})
	}
	all = append(all, entry{"/openapi.json", "all databases"})
	if d.functions != nil {
		all = append(all, entry{functionsDocument, "functions"})
	}
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
