package openapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
)

// service is an API of the declaration.
type service struct {
	name       string
	document   *document
	client     *fetch.Client
	keep       apis.Keep
	concurrent int
	auth       fetch.Options // Header and Query alone
}

// defaultConcurrent is how many calls of an API are made at a time.
const defaultConcurrent = 8

// secret reports whether a parameter is one that the auth of the API fills in.
func (s *service) secret(p *parameter) bool {
	return p.in == inQuery && s.auth.Query.Has(p.name) || p.in == inHeader && s.auth.Header.Get(p.name) != ""
}

// serviceLoader makes a service of its form.
type serviceLoader struct {
	*loader
	name   string
	form   apiForm
	failed bool
}

func (b *serviceLoader) fail(at place, format string, args ...any) {
	b.failed = true
	b.reader.fail(at, "api "+b.name+": "+format, args...)
}

var variable = regexp.MustCompile(`\$\{([^}]*)\}?`)

// expand fills in the environment's variables. Their values appear in no error.
func (b *serviceLoader) expand(t text) string {
	return variable.ReplaceAllStringFunc(t.s, func(found string) string {
		name := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		if !strings.HasSuffix(found, "}") || !isVariable(name) {
			b.fail(t.at, "%s is no variable of the environment; write one as ${NAME}", found)
			return ""
		}
		v, ok := b.getenv(name)
		switch {
		case !ok:
			b.fail(t.at, "the environment has no variable %s", name)
		case v == "":
			b.fail(t.at, "the variable %s of the environment is empty", name)
		}
		return v
	})
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func isVariable(name string) bool { return variableName.MatchString(name) }

// load reads the document and makes the client.
func (b *serviceLoader) load(ctx context.Context) *service {
	s := &service{name: b.name, concurrent: defaultConcurrent, keep: b.keep(b.form.cache, apis.Keep{})}
	if n := b.form.concurrent; n.given() {
		if s.concurrent = n.n; n.n == 0 {
			b.fail(n.at, "concurrent is 1 or more")
		}
	}
	if !b.form.openapi.given() {
		b.fail(b.form.at, "say under openapi where its document is: a file or a URL")
	}
	location := b.expand(b.form.openapi)
	b.authenticate(s)
	var server *url.URL
	if b.form.server.given() {
		server = b.server(b.expand(b.form.server), b.form.server)
	}
	if b.failed {
		return nil
	}
	at, err := url.Parse(location)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		at = nil
	}
	content, err := b.read(ctx, s, location, at, server)
	if err == nil {
		s.document, err = readDocument(content)
	}
	if err != nil {
		b.fail(b.form.openapi.at, "the document %s: %w", b.form.openapi.s, err)
		return nil
	}
	if server == nil {
		server = b.documentServer(s, at)
	}
	if b.failed {
		return nil
	}
	options := b.options(s, server)
	options.Header, options.Query = s.auth.Header, s.auth.Query
	s.client = fetch.New(options)
	return s
}

// options are those of the client, without secrets.
func (b *serviceLoader) options(s *service, server *url.URL) fetch.Options {
	o := fetch.Options{
		API: b.name, Server: server, Concurrent: s.concurrent, PerSecond: b.form.perSecond.f,
		Timeout: b.form.timeout.d, Retries: b.form.retries.n, MaxBody: int64(b.form.maxBody.n),
	}
	if b.form.retries.given() && o.Retries == 0 {
		o.Retries = -1
	}
	return o
}

// authenticate reads what goes along with each call.
func (b *serviceLoader) authenticate(s *service) {
	s.auth = fetch.Options{Header: http.Header{}, Query: url.Values{}}
	for _, form := range b.form.auth.all {
		v := b.expand(form.value)
		switch {
		case form.header.given() == form.query.given():
			b.fail(form.at, "auth needs either the header or the parameter of the URL (query) that has the value")
		case !form.value.given():
			b.fail(form.at, "auth needs a value, such as \"Bearer ${TOKEN}\"")
		case form.header.given() && !httpguts.ValidHeaderFieldName(form.header.s):
			b.fail(form.header.at, "%q is no name of a header", form.header.s)
		case form.header.given() && !httpguts.ValidHeaderFieldValue(v):
			b.fail(form.value.at, "the value cannot stand in a header; it may have a line end")
		case form.header.given():
			s.auth.Header.Set(form.header.s, v)
		default:
			s.auth.Query.Set(form.query.s, v)
		}
	}
}

// server parses the URL of a server, which is said as it is in the file.
func (b *serviceLoader) server(address string, said text) *url.URL {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		b.fail(said.at, "the server %s is no URL such as https://example.com/v1", said.s)
	case u.RawQuery != "" || u.Fragment != "":
		b.fail(said.at, "the server %s has parameters; those of each call stand under auth (query) or with", said.s)
	default:
		return u
	}
	return nil
}

// documentServer returns the server that the document names. What is secret goes to
// no other host than the one that the declaration names.
func (b *serviceLoader) documentServer(s *service, at *url.URL) *url.URL {
	address := s.document.serverURL()
	u, err := url.Parse(address)
	switch {
	case address == "" && at == nil:
		b.fail(b.form.at, "the document names no server; say it under server")
		return nil
	case err != nil:
		b.fail(b.form.at, "the server %q of the document is no URL; say it under server", address)
		return nil
	case at != nil:
		u = at.ResolveReference(u)
		if address == "" {
			u = at.ResolveReference(&url.URL{Path: "/"})
		}
		u.RawQuery = ""
	}
	if u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		b.fail(b.form.at, "the server %q of the document is no whole URL; say it under server", address)
		return nil
	}
	if at != nil && !sameOrigin(at, u) && len(s.auth.Header)+len(s.auth.Query) > 0 {
		b.fail(b.form.at, "the document names a server on another host, %s; say it under server if it may have what auth says", u.Host)
		return nil
	}
	return u
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host)
}

// read reads the document: a file, which is relative to the declaration, or what is
// at a URL. What auth says goes along only to the server's own host.
func (b *serviceLoader) read(ctx context.Context, s *service, location string, at, server *url.URL) ([]byte, error) {
	if at == nil {
		if !filepath.IsAbs(location) {
			location = filepath.Join(filepath.Dir(b.file), location)
		}
		return readFile(location, cmp.Or(int64(b.form.maxBody.n), maxDocument))
	}
	options := b.options(s, &url.URL{Scheme: at.Scheme, Host: at.Host, User: at.User})
	if server == nil || sameOrigin(at, server) {
		options.Header, options.Query = s.auth.Header, s.auth.Query
	}
	client := fetch.New(options)
	defer client.Close()
	var content []byte
	r := &fetch.Request{Operation: "openapi", Method: http.MethodGet, Path: at.EscapedPath(), Query: at.Query(), Header: http.Header{"Accept": {"application/json"}}}
	err := client.Do(ctx, counter{apis.NewMeter(apis.Limits{})}, r, func(resp *fetch.Response) (int, error) {
		content = resp.Body
		return 0, nil
	})
	if err != nil && location != b.form.openapi.s {
		// What is filled in may be a secret.
		return nil, fmt.Errorf("it cannot be read from there: %w", withoutURL(err))
	}
	return content, err
}
