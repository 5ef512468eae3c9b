package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// TestHostsAndOrigins lists who may ask a service: by which Host, for a page of which
// Origin. A web page that a browser on this computer shows must not get at it by a name
// of its own, and must not open sessions.
func TestHostsAndOrigins(t *testing.T) {
	const open = `{"db": "bird_club", "sample_id": 87}`
	type request struct{ method, path, body string }
	routes := []request{
		{"GET", "/v1/bird/city_library/branch_names_by_branch_code?branch_code=007", ""},
		{"GET", "/v1/tables/bird_club", ""},
		{"GET", "/openapi.json", ""},
		{"GET", "/docs/", ""},
		{"GET", "/metrics", ""},
		{"GET", "/nothing", ""},
		{"POST", "/v1/query/city_library", `{"collection_name": "book", "properties": ["title"], "limit": 1}`},
		{"POST", "/v1/sessions", open},
		{"POST", "/seed_session", open},
	}
	health := []request{{"GET", "/healthz", ""}, {"GET", "/readyz", ""}}
	own := programtest.Serve(t, "--tables")
	host := strings.TrimPrefix(own.URL, "http://")
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	proxied := programtest.Serve(t, "--tables", "--any-host", "--origins", "https://friend.example")
	keyed := programtest.Serve(t, "--tables", "--api-keys", "secret-secret")
	for _, c := range []struct {
		name    string
		serve   *programtest.Server
		routes  []request
		header  []string
		refused bool
	}{
		{"its own address", own, routes, nil, false},
		{"localhost", own, routes, []string{"Host", "localhost:" + port}, false},
		{"a name that resolves here", own, routes, []string{"Host", "evil.example:" + port}, true},
		{"the unspecified address", own, routes, []string{"Host", "0.0.0.0:" + port}, true},
		{"a name, for health", own, health, []string{"Host", "evil.example"}, false},
		{"a page of its own", own, routes, []string{"Origin", own.URL}, false},
		{"a foreign page", own, routes, []string{"Origin", "https://evil.example", "Content-Type", "text/plain"}, true},
		{"a page of a file", own, routes, []string{"Origin", "null"}, true},
		{"a page of another port", own, routes, []string{"Origin", "http://localhost:1"}, true},
		{"behind a proxy", proxied, routes, []string{"Host", "birds.example"}, false},
		{"behind a proxy, its own page", proxied, routes, []string{"Host", "birds.example", "Origin", "https://birds.example"}, false},
		{"behind a proxy, a friend's page", proxied, routes, []string{"Host", "birds.example", "Origin", "https://friend.example"}, false},
		{"behind a proxy, a foreign page", proxied, routes, []string{"Host", "birds.example", "Origin", "https://evil.example"}, true},
		{"with a key", keyed, routes, []string{"Host", "birds.example", "X-Api-Key", "secret-secret"}, false},
	} {
		for _, r := range c.routes {
			status, _, body := c.serve.Do(t, r.method, r.path, r.body, c.header...)
			if (status == http.StatusForbidden) != c.refused || status >= 500 {
				t.Errorf("%s: %s %s: %d %.200s", c.name, r.method, r.path, status, body)
			}
		}
	}
}

// TestOtherAddresses asks a service that listens on all addresses by one that is no
// loopback, as in a container: http://birdcall:8080 is answered there.
func TestOtherAddresses(t *testing.T) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.To4() == nil || ip.IP.IsLoopback() {
			continue
		}
		// On this one address, not on all: nobody else is to reach a test.
		free, err := net.Listen("tcp", net.JoinHostPort(ip.IP.String(), "0"))
		if err != nil {
			continue
		}
		address := free.Addr().String()
		free.Close()
		s := programtest.StartServe(t, "--addr", address)
		s.URL = "http://" + address
		s.WaitReady(t)
		for _, header := range [][]string{{"Host", "birdcall:8080"}, {"Host", "birdcall:8080", "Origin", "http://elsewhere.example"}} {
			if status, _, body := s.Do(t, "GET", "/v1/bird/city_library/branch_names_by_branch_code?branch_code=007", "", header...); status != http.StatusOK {
				t.Errorf("%v: %d %s", header, status, body)
			}
			if status, _, _ := s.Do(t, "GET", "/v1/tasks", "", header...); status != http.StatusForbidden {
				t.Errorf("%v: control is open: %d", header, status)
			}
		}
		s.Stop(t) // the log is written with some delay
		if !strings.Contains(s.Log(), "the service is open to all who reach its address") {
			t.Errorf("no warning:\n%s", s.Log())
		}
		return
	}
	t.Skip("needs an address that is no loopback")
}

// TestContainerFiles says what the image and compose.yaml do for safety: the service is
// published for this computer alone, trusts public certificate authorities, and has
// nothing in it that was built elsewhere.
func TestContainerFiles(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"compose.yaml", `- "127.0.0.1:8080:8080"`},
		{"Dockerfile", "COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/\nCOPY --from=build /out/ /\n"},
		{"Dockerfile", "COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/\nCOPY --from=build-convert /out-convert/ /\n"},
		{".dockerignore", "bin\n"},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", c.file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), c.want) {
			t.Errorf("%s does not have %q", c.file, c.want)
		}
	}
}
