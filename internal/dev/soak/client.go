package main

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// client asks the service one question after the other.
type client struct {
	base   string
	random *rand.Rand
	record *record
	seen   map[string]int64 // the stamp that the next answer must have at least, by database
	http   http.Client
	paths  []endpoint
}

// endpoint is what the OpenAPI document says of one.
type endpoint struct {
	path, db string
	params   []parameter
}

type parameter struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Schema   struct {
		Type string `json:"type"`
	} `json:"schema"`
}

func (c *client) run(ctx context.Context, hostile bool) {
	c.http.Timeout = 20 * time.Second
	for ctx.Err() == nil {
		switch {
		case len(c.paths) == 0:
			c.learn(ctx)
		case !hostile:
			c.good(ctx)
		default:
			c.hostile(ctx)
		}
		pause(ctx, time.Duration(c.random.IntN(5))*time.Millisecond)
	}
}

// get asks for a path and returns the answer's status and body, or 0 if the
// service was not there.
func (c *client) get(ctx context.Context, path string, headers ...string) (int, http.Header, []byte) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
	if err != nil {
		return 0, nil, nil
	}
	for _, h := range headers {
		name, text, _ := strings.Cut(h, ": ")
		req.Header.Set(name, text)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		c.record.lost(ctx, err)
		pause(ctx, 20*time.Millisecond)
		return 0, nil, nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.record.lost(ctx, err)
		return 0, nil, nil
	}
	c.record.status(path, resp.StatusCode, body)
	return resp.StatusCode, resp.Header, body
}

// learn reads the endpoints from the OpenAPI document.
func (c *client) learn(ctx context.Context) {
	status, _, body := c.get(ctx, "/openapi.json")
	var doc struct {
		Paths map[string]struct {
			Get struct {
				Tags       []string    `json:"tags"`
				Parameters []parameter `json:"parameters"`
			} `json:"get"`
		} `json:"paths"`
	}
	if status != http.StatusOK || json.Unmarshal(body, &doc) != nil {
		return
	}
	for path, p := range doc.Paths {
		if !strings.HasPrefix(path, "/v1/bird/") {
			continue // it is of sessions
		}
		c.paths = append(c.paths, endpoint{path, p.Get.Tags[0], p.Get.Parameters})
	}
}

// good asks a question as it was meant and looks at the answer.
func (c *client) good(ctx context.Context) {
	e := c.paths[c.random.IntN(len(c.paths))]
	if strings.Contains(e.path, "count") && c.random.IntN(50) > 0 {
		return // it takes until the time is over
	}
	q := url.Values{}
	for _, p := range e.params {
		if p.Required {
			value := "7" // a number of rows, an id, a bound
			if p.Schema.Type == "string" {
				value = "%1%"
			}
			q.Set(p.Name, value)
		}
	}
	target := e.path + "?" + q.Encode()
	c.seen[e.db] = max(c.seen[e.db], c.record.committed(e.db))
	status, header, body := c.get(ctx, target)
	if status != http.StatusOK {
		return
	}
	h := fnv.New64a()
	_, _ = h.Write(body)
	c.record.tag(target+" "+strings.TrimPrefix(header.Get("Etag"), "W/"), h.Sum64())
	var answer struct {
		Data []map[string]any `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		c.record.fail("%s: the answer is no JSON: %v", target, err)
		return
	}
	c.record.looked(len(answer.Data))
	for _, row := range answer.Data {
		for name, v := range row {
			n, _ := v.(float64)
			switch {
			case strings.Contains(name, "stamp"):
				if int64(n) < c.seen[e.db] {
					c.record.fail("%s: stamp %v after %d", target, n, c.seen[e.db])
				}
				if first, _ := answer.Data[0][name].(float64); first != n {
					c.record.fail("%s: stamps %v and %v in one answer", target, first, n)
				}
				c.seen[e.db] = int64(n)
			case strings.Contains(name, "sum") || strings.Contains(name, "total"):
				if n != sum {
					c.record.fail("%s: the sum is %v", target, n)
				}
			}
		}
	}
	if tag := header.Get("Etag"); tag != "" && c.random.IntN(5) == 0 {
		c.get(ctx, target, "If-None-Match: "+tag)
	}
}

// bad are values that have broken services.
var bad = []string{"'", "' OR '1'='1", "\x00", "日本語", "%", "-1", "1e308", "9223372036854775808", strings.Repeat("x", 70_000), "", "NaN", "\xff", "1; DROP TABLE account"}

// hostile asks what nobody should.
func (c *client) hostile(ctx context.Context) {
	e := c.paths[c.random.IntN(len(c.paths))]
	q := url.Values{}
	for _, p := range e.params {
		if c.random.IntN(3) > 0 {
			q.Add(p.Name, bad[c.random.IntN(len(bad))])
		}
	}
	target := e.path + "?" + q.Encode()
	switch c.random.IntN(8) {
	case 0: // leaves
		short, cancel := context.WithTimeout(ctx, time.Duration(c.random.IntN(3000))*time.Microsecond)
		req, _ := http.NewRequestWithContext(short, http.MethodGet, c.base+target, nil)
		if resp, err := c.http.Do(req); err == nil {
			resp.Body.Close()
		}
		cancel()
	case 1: // speaks badly, slowly, and reads nothing
		if conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://")); err == nil {
			_, _ = io.WriteString(conn, []string{"GET", "GET / HTTP/1.1\r\nHost:", "\x16\x03\x01\x00", "GET " + e.path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"}[c.random.IntN(4)])
			pause(ctx, time.Duration(c.random.IntN(50))*time.Millisecond)
			_ = conn.Close()
		}
	case 2:
		c.get(ctx, "/openapi.json", "Accept-Encoding: gzip;q=0")
	case 3:
		c.get(ctx, target, "Accept: image/png", "If-None-Match: *")
	default:
		c.get(ctx, target)
	}
}
