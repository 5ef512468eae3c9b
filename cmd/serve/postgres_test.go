package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/birdcall/birdcall/internal/testkit/pgtest"
	"github.com/birdcall/birdcall/internal/testkit/programtest"
)

// shop fills a server as deploy/postgres does, and returns the flags that serve it.
func shop(t *testing.T) (*pgtest.Server, []string) {
	t.Helper()
	server := pgtest.Start(t)
	folder := filepath.Join("..", "..", "deploy", "postgres")
	psql := filepath.Join(pgtest.Find(), "psql")
	if _, err := os.Stat(psql); err != nil {
		t.Skip("needs psql of Postgres")
	}
	files, err := filepath.Glob(filepath.Join(folder, "init", "*.sql"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files { // in the order of their names, as the image does
		fill := exec.CommandContext(t.Context(), psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, server.URL("postgres", "postgres", "?sslmode=disable"))
		fill.Env = append(os.Environ(), "READER_PASSWORD=s3cret")
		if out, err := fill.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", file, err, out)
		}
	}
	return server, []string{"--addr", "127.0.0.1:0", "--source", server.URL("reader", "postgres", "?sslmode=disable"), "--questions", filepath.Join(folder, "questions.jsonl")}
}

// TestShop serves the example of deploy/postgres as a new user does.
func TestShop(t *testing.T) {
	_, args := shop(t)
	client := serving(t, args...)
	for path, want := range map[string]string{
		"/v1/bird/shop/": "No such path",
		"/openapi.json":  "what the customer pays, in euros",

		"/v1/bird/shop/customer_names_by_city?city=Cork": `{"data":[{"name":"Ada"}],"count":1,"truncated":false}`, // as docs/postgres.md has it
		"/readyz": "ready",
	} {
		if got := fetch(t, client, path); !strings.Contains(got, want) {
			t.Errorf("%s: %.400s, want %s", path, got, want)
		}
	}
	answers := ""
	for _, line := range strings.Split(fetch(t, client, "/explorer/data/endpoints?db=shop"), `"path":"`)[1:] {
		path, _, _ := strings.Cut(line, `"`)
		_, query, _ := strings.Cut(line, `"query":"`)
		query, _, _ = strings.Cut(query, `"`)
		answers += fetch(t, client, path+"?"+strings.ReplaceAll(query, `\u0026`, "&"))
	}
	for _, want := range []string{
		`{"data":[{"id":1,"ordered_at":"2024-03-01T09:30:00Z","total":12.50},{"id":2,"ordered_at":"2024-03-05T17:00:00Z","total":8.00}]`,
		`{"data":[{"worth":99.90}]`, `{"data":[{"name":"Ada"}]`,
	} {
		if !strings.Contains(answers, want) {
			t.Errorf("no endpoint answers %s: %s", want, answers)
		}
	}
}

func fetch(t *testing.T, client *http.Client, path string) string {
	t.Helper()
	w, err := client.Get("http://127.0.0.1" + path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestServersThatAreRefused says how serve ends where a server cannot be used.
func TestServersThatAreRefused(t *testing.T) {
	server, args := shop(t)
	with := func(more ...string) []string { return append(args[:len(args):len(args)], more...) }
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a superuser":      {with("--source", server.URL("postgres", "postgres", "?sslmode=disable")), "the role may write: postgres is a superuser; use a role"},
		"no such schema":   {with("--source", server.URL("reader", "template1", "?sslmode=disable")), `there is no schema "shop"`},
		"no such role":     {with("--source", server.URL("nobody", "postgres", "?sslmode=disable")), `role "nobody" does not exist`},
		"nobody there":     {with("--source", "postgres://reader@127.0.0.1:1/postgres?sslmode=disable"), "the server is not available"},
		"queries of files": {with("--mcp", "stdio", "--variant", "query"), "--variant query works on database files"},
		"tables of files":  {with("--mcp", "stdio", "--variant", "slot"), "--variant slot works on database files"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := run(ctx, c.args...)
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out := &stopper{stop: cancel}
	if err := runTo(ctx, out, with("--allow-writer", "--source", server.URL("postgres", "postgres", "?sslmode=disable"))...); err != nil {
		t.Errorf("a superuser who is allowed: %v", err)
	}
}

// TestShopOverMCP has a client of the endpoints, which are the tools that there are.
func TestShopOverMCP(t *testing.T) {
	_, args := shop(t)
	const begin = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
	for _, more := range [][]string{{"--db", "shop"}, {"--sample", "shop/2", "--variant", "rest"}} {
		got := strings.Join(converse(t, begin, append(args[:len(args):len(args)], more...)...), "\n")
		if !strings.Contains(got, `"name":"`) || !strings.Contains(got, "inputSchema") {
			t.Errorf("%v: %.1000s", more, got)
		}
	}
}

// TestFindOnServer finds what a question about databases on a server is about, and
// nothing of a column that is hidden, and says what was written to since.
func TestFindOnServer(t *testing.T) {
	server, args := shop(t)
	args = append(args, "--find", "--find-index", "-")
	const path = "/v1/find?q=Which+customers+live+in+Cork"
	client := serving(t, args...)
	waitForFind(t, client, path)
	if got := fetch(t, client, path); !strings.Contains(got, `"column":"city","span":"Cork"`) || !strings.Contains(got, `"tool":"customer_names_by_city"`) || strings.Contains(got, `"stale"`) {
		t.Errorf("%s", got)
	}
	server.Exec(`INSERT INTO shop.customer SELECT 1000, name, city FROM shop.customer LIMIT 1`)
	pgtest.Wait(t, "the change to be seen", func() bool { return strings.Contains(fetch(t, client, path), `"stale":["shop"]`) })
	client = serving(t, append(args, "--find-hide", "customer.city")...)
	waitForFind(t, client, path)
	hidden := fetch(t, client, path)
	if strings.Contains(hidden, `"span":"Cork"`) || !strings.Contains(hidden, `"tool":"customer_names_by_city"`) {
		t.Errorf("%s", hidden)
	}
}

// waitForFind waits until the values of the databases are read.
func waitForFind(t *testing.T, client *http.Client, path string) {
	t.Helper()
	pgtest.Wait(t, "the values to be read", func() bool { return !strings.Contains(fetch(t, client, path), `"status":503`) })
}

// TestFindOfSlowServer serves a server one of whose tables takes minutes to read. The
// service is ready at once, says of questions that it is not yet, and ends when it is
// told to.
func TestFindOfSlowServer(t *testing.T) {
	server := pgtest.Start(t)
	server.Exec(`CREATE ROLE reader LOGIN; CREATE SCHEMA shop; GRANT USAGE ON SCHEMA shop TO reader; SET search_path = shop;
		CREATE TABLE customer (id int PRIMARY KEY, name text); INSERT INTO customer SELECT n, 'name ' || n FROM generate_series(1, 500) AS n;
		CREATE FUNCTION slow(int) RETURNS boolean STABLE LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN true; END $$;
		CREATE TABLE visit (id int PRIMARY KEY, place text); INSERT INTO visit SELECT n, 'place ' || n FROM generate_series(1, 500) AS n;
		ALTER TABLE visit ENABLE ROW LEVEL SECURITY; CREATE POLICY p ON visit USING (slow(id));
		GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader; ANALYZE customer`)
	questions := filepath.Join(t.TempDir(), "questions.jsonl")
	if err := os.WriteFile(questions, []byte(`{"id": 1, "db": "shop", "question": "Who is customer 7?", "sql": "SELECT name FROM customer WHERE id = 7"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := programtest.Serve(t, "--source", server.URL("reader", "postgres", "?sslmode=disable"), "--questions", questions, "--find", "--timeout", "30s")
	status, header, body := s.Do(t, "GET", "/v1/find?q=Who+is+name+7%3F", "")
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
		t.Errorf("while values are read: %d %v %s", status, header, body)
	}
	if status, _, body := s.Do(t, "GET", "/v1/bird/shop/customer_name_by_id?id=7", ""); status != http.StatusOK && status != http.StatusNotFound {
		t.Errorf("an endpoint: %d %s", status, body)
	}
	if took := s.Stop(t); took > 20*time.Second {
		t.Errorf("it ended after %v", took)
	}
}
