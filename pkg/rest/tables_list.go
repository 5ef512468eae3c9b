package rest

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// tableRoutes are the tables of a database.
type tableRoutes struct {
	path   string // of the list
	list   []byte
	tables map[string]*route // by the tables' names
	names  []string
}

// listedTable is a table in the list.
type listedTable struct {
	Name       string         `json:"name"`
	Path       string         `json:"path"`
	View       bool           `json:"view"`
	PrimaryKey []string       `json:"primary_key"`
	Columns    []listedColumn `json:"columns"`
}

// listedColumn is a column in the list.
type listedColumn struct {
	Name      string `json:"name"`
	Parameter string `json:"parameter,omitempty"`
	Type      string `json:"type"`
	JSONType  string `json:"json_type,omitempty"`
	NotNull   bool   `json:"not_null"`
}

// tableRoutes returns the routes of the databases' tables.
func (s *Service) tableRoutes() []*tableRoutes {
	if !s.api.tables {
		return nil
	}
	var all []*tableRoutes
	for _, d := range s.api.Databases {
		to := &tableRoutes{path: d.tablesPath, tables: map[string]*route{}}
		for _, e := range d.Tables {
			to.tables[e.table.info.Name] = newRoute(d, e)
			to.names = append(to.names, e.table.info.Name)
		}
		to.list = d.listTables()
		all = append(all, to)
	}
	return all
}

// listTables returns the list of a database's tables as JSON.
func (d *Database) listTables() []byte {
	list := make([]listedTable, len(d.Tables))
	for i, e := range d.Tables {
		list[i] = listedTable{Name: e.table.info.Name, Path: e.Path, View: e.table.info.View, PrimaryKey: e.table.info.Key()}
		for j, c := range e.Columns {
			field := e.table.columns[j]
			one := listedColumn{Name: c.Name, NotNull: c.NotNull, Type: e.table.info.Column(c.Name).Type}
			if field.param >= 0 {
				one.Parameter = e.Params[field.param].Name
			}
			if d.db.Dialect().DynamicTypes {
				one.JSONType = declaredType(one.Type)
			} else if len(c.Types) > 0 {
				one.JSONType = string(c.Types[0])
			}
			list[i].Columns = append(list[i].Columns, one)
		}
	}
	text, _ := json.Marshal(map[string]any{"tables": list}) // strings can be written
	return append(text, '\n')
}

// declaredType returns the type in JSON of what a declared type of SQLite asks for,
// or "" if it asks for nothing.
func declaredType(declared string) string {
	if value.AffinityOf(declared) <= value.AffinityBlob {
		return ""
	}
	return value.DType(declared)
}

// registerTables adds the tables to a router.
func (s *Service) registerTables(r gin.IRoutes) {
	for _, to := range s.tableRoutes() {
		r.Match(Methods, to.path, func(c *gin.Context) { s.serveList(c.Writer, c.Request, to) })
		r.Match(Methods, to.path+"/*table", func(c *gin.Context) {
			s.serveTable(c.Writer, c.Request, to, strings.TrimPrefix(c.Param("table"), "/"))
		})
	}
}

// tableOf returns the tables that a path below a prefix is about and the name of the
// one, or nil.
func tableOf(all map[string]*tableRoutes, prefix, path string) (to *tableRoutes, name string) {
	rest, ok := strings.CutPrefix(path, prefix+"/")
	segment, name, isOne := strings.Cut(rest, "/")
	if !ok || !isOne {
		return nil, ""
	}
	return all[prefix+"/"+segment], name
}

// serveList answers with the list of tables, which is that of the start.
func (s *Service) serveList(w http.ResponseWriter, req *http.Request, to *tableRoutes) {
	if as, ok := negotiate(req.Header["Accept"]); !ok || as != asJSON {
		WriteProblem(w, req, &Problem{Status: http.StatusNotAcceptable, Title: "No such format", Detail: "Ask for " + mediaTypes[asJSON] + " in the Accept header."})
		return
	}
	vary(w.Header())
	if isKnown(w, req, quote(xxhash.Sum64(to.list))) {
		return
	}
	w.Header()["Content-Type"] = contentTypeHeaders[asJSON]
	s.Send(w, req, to.list)
}

// serveTable answers with rows of a table.
func (s *Service) serveTable(w http.ResponseWriter, req *http.Request, to *tableRoutes, name string) {
	table := to.tables[name]
	if table == nil {
		WriteProblem(w, req, &Problem{Status: http.StatusNotFound, Title: "No such table",
			Detail: "The database has no table or view of that name that can be read; " + spelling.Suggest(name, to.names) + "."})
		return
	}
	s.serve(w, req, table)
}
