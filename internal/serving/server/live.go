package server

import (
	"errors"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"

	"github.com/birdcall/birdcall/internal/serving/explorer"
	"github.com/birdcall/birdcall/internal/serving/mcpserver"
	"github.com/birdcall/birdcall/internal/serving/sessions"
	"github.com/birdcall/birdcall/pkg/episode"
	"github.com/birdcall/birdcall/pkg/rest"
)

// live is what agents call: sessions, over HTTP and MCP.
type live struct {
	env      *episode.Environment
	sessions *sessions.API
	mcp      *mcpserver.Server
	explorer *explorer.Explorer
}

// newLive makes the environment of the dataset's tasks.
func (s *Server) newLive() (*live, error) {
	o := s.opts
	env, err := episode.New(episode.Options{
		Dataset: o.Dataset, Samples: o.Samples, Endpoints: s.api, AsOf: o.AsOf, Immutable: o.Immutable, Limits: o.Episodes,
		Failed: func(err error) { o.Logger.Error("a session failed", "error", err) },
	})
	if err != nil {
		return nil, err
	}
	page, err := explorer.New(env, explorer.Options{API: s.api, Samples: o.Samples, Evaluation: o.Evaluation, MaxRows: s.service.MaxRows(), Failed: s.failed})
	if err != nil {
		return nil, errors.Join(err, env.Close())
	}
	return &live{
		env: env, explorer: page,
		sessions: sessions.New(env, sessions.Options{
			URL: o.URL, Fail: s.service.Fail, Failed: s.failed, Warn: s.warned,
			Send: s.service.SendCounted, MaxRows: s.service.MaxRows(), MaxBytes: o.MaxBytes,
		}),
		mcp: mcpserver.New(env, mcpserver.Options{Version: o.Version, Logger: o.Logger, TrustHost: o.AnyHost, Origins: o.Origins}),
	}, nil
}

// register adds the routes of sessions and of the explorer: agent lets the clients of
// sessions pass, and control those who may know gold. The explorer's page has no data;
// it is shown where somebody may have them.
func (l *live) register(g *gin.RouterGroup, agent, control gin.HandlerFunc, shown bool) {
	l.sessions.Agent(g.Group("", agent))
	l.sessions.Control(g.Group("", control))
	g.Any("/mcp/*place", agent, gin.WrapH(l.mcp.Handler()))
	page, data := gin.WrapH(l.explorer.Page()), gin.WrapH(l.explorer.Data())
	if shown {
		g.Match(rest.Methods, "/", page)
	}
	g.Any("/explorer/*what", func(c *gin.Context) {
		if shown && !strings.HasPrefix(c.Param("what"), "/data/") {
			page(c)
			return
		}
		if control(c); !c.IsAborted() {
			data(c)
		}
	})
}

// describeLive adds the routes of sessions to an OpenAPI document.
func (s *Server) describeLive(doc *openapi3.T) {
	header := ""
	if len(s.control) > 0 {
		header = controlHeader
	}
	s.live.sessions.Describe(doc, header)
	s.describeFind(doc)
}

// missing answers requests that no route does, but for those that call a tool of
// their session.
func (l *live) missing(c *gin.Context) {
	if !l.sessions.Tool(c) {
		notFound(c, l.env.Dataset())
	}
}

// shown returns a path for logs: what opens a session is cut short.
func shown(r *http.Request) string {
	const enough = 8 // characters distinguish sessions
	path := r.URL.Path
	for _, before := range []string{"/v1/sessions/", "/mcp/s/"} {
		id, ok := strings.CutPrefix(path, before)
		if !ok {
			continue
		}
		id, after, _ := strings.Cut(id, "/")
		if len(id) > enough {
			id = id[:enough] + "…"
		}
		return strings.TrimSuffix(before+id+"/"+after, "/")
	}
	return path
}
