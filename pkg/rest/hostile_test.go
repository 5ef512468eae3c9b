package rest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	sample "github.com/birdcall/birdcall/data/bird"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
	"github.com/birdcall/birdcall/pkg/verify"
)

// hostile are values that have broken services.
var hostile = []string{
	"'", `"`, "''", "`", "\\", "%", "_", "?1", ":name", "@x", "$1", "--", "/*", ";",
	"' OR '1'='1", `" OR ""="`, "x' UNION SELECT sql FROM sqlite_schema --", "'; DROP TABLE branch; --",
	"1); ATTACH 'made.db' AS x; --", "' || load_extension('x') || '", "CURRENT_TIMESTAMP", "NULL", "true",
	"\x00", "a\x00b", "\xff\xfe", "日本語", "👩‍👩‍👧", "Å vs A\u030a", "\u202eabc", "\ufeff", "\r\nX-Injected: 1", "<script>alert(1)</script>",
	"", " ", " 1", "1 ", "+1", "-1", "007", "1e3", "1e309", "-1e309", "NaN", "Inf", "0x10", "1_000", "1.", ".5", "٣",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "170141183460469231731687303715884105728",
	"{}", "[]", "../../etc/passwd", "file:///etc/passwd",
	strings.Repeat("%", maxPattern), strings.Repeat("x", maxPattern+1), strings.Repeat("'", maxText), strings.Repeat("x", maxText+1), strings.Repeat("x", 1<<20),
}

// onDisk copies the sample to a folder, and returns a function that reports
// whether anything in it has changed.
func onDisk(t *testing.T) (*bird.Dataset, func() string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, sample.FS()); err != nil {
		t.Fatal(err)
	}
	dataset, err := bird.Load(bird.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	state := func() string {
		h := sha256.New()
		err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				fmt.Fprintln(h, path)
				return err
			}
			data, err := fs.ReadFile(os.DirFS(dir), path)
			fmt.Fprintln(h, path, len(data))
			h.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	return dataset, state
}

// Whatever a parameter holds, the service neither fails nor writes, and what
// it answers is what the statement with that very value gives.
func TestHostileValues(t *testing.T) {
	dataset, state := onDisk(t)
	api, err := Open(context.Background(), dataset, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	service := NewService(api, ServiceOptions{})
	server := httptest.NewServer(service.Handler())
	defer server.Close()
	before := state()
	counts := map[int]int{}
	for _, d := range api.Databases {
		for n, e := range d.Endpoints {
			params := e.Params
			if n < 3 {
				params = e.AllParams(0) // paging is the same for all
			}
			for i, p := range params {
				for _, text := range hostile {
					query := e.queryWith(i, p, text)
					status, body := fetch(t, server.URL+e.Path+"?"+query)
					counts[status]++
					switch status {
					case http.StatusOK:
						e.checkAnswer(t, d, query, body)
					case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestHeaderFieldsTooLarge:
						// A problem may quote the value itself.
						if low := strings.ToLower(string(body)); !strings.Contains(text, "SELECT") && (strings.Contains(low, "select ") || strings.Contains(low, "sqlite")) {
							t.Errorf("%s %s=%.40q: the answer mentions SQL: %s", e.Name, p.Name, text, body)
						}
					default:
						t.Errorf("%s %s=%.40q: status %d: %s", e.Name, p.Name, text, status, body)
					}
				}
			}
		}
	}
	if after := state(); after != before {
		t.Error("the dataset's folder has changed")
	}
	if counts[200] < 1000 || counts[400] < 1000 {
		t.Errorf("statuses %v: too few of some", counts)
	}
}

// queryWith is the first question's query string with another value for
// parameter i.
func (e *Endpoint) queryWith(i int, p *Param, text string) string {
	query := url.Values{}
	for j, q := range e.Params {
		if i != j {
			for _, v := range q.first {
				query.Add(q.Name, value.AsText(v))
			}
		}
	}
	query.Set(p.Name, text)
	return query.Encode()
}

func fetch(t *testing.T, url string) (int, []byte) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body
}

// checkAnswer holds an answer against the statement run with the same values,
// decoded by the standard library.
func (e *Endpoint) checkAnswer(t *testing.T, d *Database, query string, body []byte) {
	t.Helper()
	given, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	var r request
	r.reset(e)
	for i, p := range e.Params {
		for _, text := range given[p.Name] {
			v := value.Str(text)
			if p.Type != String {
				v, _ = number(text)
				if p.Type == Integer && v.Kind() != value.Integer {
					t.Errorf("%s: %q passes for an integer", e.Name, text)
				}
			}
			r.given[i] = append(r.given[i], v)
		}
	}
	r.bind(e, bird.DefaultAsOf)
	want, err := d.db.(*sqlite.Pooled).Query(context.Background(), e.SQL, r.args...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeAnswer(body)
	if err != nil {
		t.Errorf("%s?%s: %v", e.Name, query, err)
		return
	}
	if (given.Has("limit") && e.rows < 0) || (given.Has("offset") && e.skip < 0) {
		return // a page of it
	}
	if v := verify.Compare(want.Rows, got, verify.Options{Ordered: true}); !v.Equal {
		t.Errorf("%s?%.200s: %s", e.Name, query, v.Reason)
	}
}
