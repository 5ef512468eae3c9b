package mcpserver

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/birdcall/birdcall/internal/convert/variant"
	"github.com/birdcall/birdcall/internal/db/recent"
	"github.com/birdcall/birdcall/pkg/episode"
)

// DefaultListed is how many tools are listed at most: models choose badly out of
// more, and one client shows them no more.
const DefaultListed = 40

// cacheTTL is how long clients may keep lists of tools, which do not change while the
// service runs.
const cacheTTL = 5 * time.Minute

// Options of New. A zero field means its default.
type Options struct {
	Version string       // of the program; default "devel"
	Logger  *slog.Logger // gets what clients must not see; default: none
	// TrustHost answers requests whatever host they name, which a service behind a
	// proxy needs. Without it, those that arrive on a loopback address have to name
	// one, so that no web page reaches the service under its own name.
	TrustHost bool
	Origins   []string // of web pages that may call the service; "*" for all
	Listed    int      // tools in a list; where there are more, they are searched; default DefaultListed
}

// Server serves the tools of an environment's episodes. Make it with New.
type Server struct {
	env   *episode.Environment
	opts  Options
	mcp   *mcp.Server
	boxes recent.Cache[any, *toolbox]
}

// New returns a server of the tools in env.
func New(env *episode.Environment, o Options) *Server {
	o.Version, o.Listed = cmp.Or(o.Version, "devel"), cmp.Or(o.Listed, DefaultListed)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Server{env: env, opts: o, boxes: recent.New[any, *toolbox](maxToolboxes)}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "birdcall", Title: "Birdcall", Version: o.Version}, &mcp.ServerOptions{
		// No changes are announced, so that no connection has to be kept open.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { *c = cacheable() },
	})
	s.mcp.AddReceivingMiddleware(s.receive)
	return s
}

// cacheable lets a client, but nobody in between, keep an answer.
func cacheable() mcp.Cacheable {
	return mcp.Cacheable{TTLMs: int(cacheTTL.Milliseconds()), CacheScope: "private"}
}

// Handler answers at /mcp/s/{id} and at /mcp/{variant}/{db}. Keys, rates and bounds
// of requests are for the caller to put around it.
func (s *Server) Handler() http.Handler {
	streamable := http.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, PropagateRequestCancellation: true, DisableLocalhostProtection: s.opts.TrustHost,
	}))
	if !slices.Contains(s.opts.Origins, "*") {
		streamable = sameOrigin(s.opts.Origins).Handler(streamable)
	}
	streamable = inOrder(streamable)
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp/s/{id}", func(w http.ResponseWriter, r *http.Request) {
		at := endpoint{episode: r.PathValue("id")}
		streamable.ServeHTTP(w, r.WithContext(at.in(r.Context())))
	})
	mux.HandleFunc("/mcp/{variant}/{db}", func(w http.ResponseWriter, r *http.Request) {
		at := endpoint{variant: r.PathValue("variant"), db: r.PathValue("db")}
		streamable.ServeHTTP(w, r.WithContext(at.in(r.Context())))
	})
	return mux
}

// sameOrigin refuses requests that web pages of other origins have a browser send.
func sameOrigin(trusted []string) *http.CrossOriginProtection {
	c := http.NewCrossOriginProtection()
	for _, origin := range trusted {
		// One that is no origin is not that of any page.
		_ = c.AddTrustedOrigin(origin)
	}
	return c
}

// endpoint is what a client is connected to: an episode, or the tools of a database.
type endpoint struct {
	episode     string // its id, or ""
	variant, db string
}

// sessions reports whether calls at an endpoint name their session.
func (p endpoint) sessions() bool {
	return p.episode == "" && variant.Of(p.variant).HasSessions()
}

type endpointKey struct{}

// in returns a context that says to which endpoint its request was made: the SDK hands
// over nothing else from the handler to its middleware.
func (p endpoint) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, endpointKey{}, p)
}

func endpointOf(ctx context.Context) endpoint {
	p, _ := ctx.Value(endpointKey{}).(endpoint)
	return p
}
