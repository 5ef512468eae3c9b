package openapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/pkg/value"
)

// loadFunction declares a function of the document of books.
func loadFunction(t testing.TB, url, function string) *apis.Function {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "bookshop.json"), read(t, "testdata/bookshop.json"))
	write(t, filepath.Join(folder, "apis.yaml"), fmt.Sprintf("apis: {a: {openapi: bookshop.json, server: %q, retries: 0}}\nfunctions: {f: %s}\n", url, function))
	d, err := Load(context.Background(), filepath.Join(folder, "apis.yaml"), environment)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d.Database("").Functions[0]
}

// taxes answers for prices and countries, in its own order, with 10 % of the
// price. It knows no country XX, refuses calls with the price 13, and says nothing
// of the country ??.
func taxes(t *testing.T) (url string, calls func() int) {
	var mu sync.Mutex
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		mu.Unlock()
		prices, countries := r.URL.Query()["price"], r.URL.Query()["country"]
		var rows []string
		for i, price := range prices {
			p, err := strconv.ParseFloat(price, 64)
			switch {
			case err != nil || p == 13:
				http.Error(w, "this price brings bad luck", http.StatusUnprocessableEntity)
				return
			case countries[i] == "XX":
				continue
			}
			tax := strconv.FormatFloat(p/10, 'f', 2, 64)
			if countries[i] == "??" {
				tax = "null"
			}
			rows = append([]string{fmt.Sprintf(`{"price":%s,"country":%q,"tax":%s}`, price, countries[i], tax)}, rows...)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":[`+strings.Join(rows, ",")+`]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// TestCall computes a function for arguments, one and several at a time.
func TestCall(t *testing.T) {
	str, price := value.Str, value.Float
	args := [][]value.Value{
		{price(5), str("NL")}, {value.Int(20), str("DE")}, {price(13), str("NL")}, {price(5.5), str("XX")}, {price(7), str("??")},
		{price(5), str("DE")}, {str("30"), str("NL")}, {str("thirty"), str("NL")}, {value.NullValue(), str("NL")}, {price(8)},
	}
	for _, c := range []struct {
		declared, want string
		calls          int
	}{
		{"{operation: tax, args: [price, country], with: {year: 2024}, many: {max: 20}}", "0.5 2.0 error missing NULL 0.5 3.0 - - -", 7},
		{"{operation: tax, args: [price, country], with: {year: 2024}, many: {max: 3}}", "0.5 2.0 error missing NULL 0.5 3.0 - - -", 7},
		{"{operation: tax, args: [price, country], with: {year: 2024}, result: /data/0/tax}", "0.5 2.0 error NULL NULL 0.5 3.0 - - -", 7},
	} {
		url, calls := taxes(t)
		f := loadFunction(t, url, c.declared)
		meter := apis.NewMeter(apis.Limits{})
		var got []string
		for i, r := range f.Call(context.Background(), meter, args) {
			if r.Err != nil && !strings.HasPrefix(r.Err.Error(), "function f: ") {
				t.Errorf("the error does not say of what: %v", r.Err)
			}
			accepted := f.Accepts(args[i])
			switch {
			case !accepted && r.Err != nil:
				got = append(got, "-")
			case !accepted:
				t.Errorf("%v is computed, and is not accepted", args[i])
			case errors.Is(r.Err, fetch.ErrRefused):
				got = append(got, "error")
			case r.Err != nil && strings.Contains(r.Err.Error(), "has no result for the arguments"):
				got = append(got, "missing")
			case r.Err != nil:
				got = append(got, r.Err.Error())
			default:
				got = append(got, strings.TrimPrefix(show(r.Value), "real "))
			}
		}
		text := strings.ReplaceAll(strings.Join(got, " ")+" ", "2 ", "2.0 ")
		text = strings.TrimSpace(strings.ReplaceAll(text, " 3 ", " 3.0 "))
		if text != c.want || calls() != c.calls || len(meter.Calls()) != c.calls {
			t.Errorf("%s: got %s by %d calls, %d counted, want %s by %d", c.declared, text, calls(), len(meter.Calls()), c.want, c.calls)
		}
	}
}

// TestCallOrder lists answers that are matched by order, and single ones.
func TestCallOrder(t *testing.T) {
	const ordered = "{operation: tax, args: [price, country], with: {year: 2024}, many: {max: 2, key: []}}"
	const single = "{operation: scoreVariety}"
	for _, c := range []struct {
		declared string
		status   int
		body     string
		want     string
	}{
		{ordered, 200, `{"data":[{"tax":1},{"tax":2}]}`, "real 1, real 2"},
		{ordered, 200, `{"data":[{"tax":1},{}]}`, "real 1, NULL"},
		{ordered, 200, `{"data":[{"tax":1}]}`, "there are 1 results for 2 calls of the function"},
		{ordered, 200, `{"rows":[]}`, "there is nothing at /data, where the rows should be"},
		{ordered, 503, `{}`, "the server failed"},
		{single, 200, `{"score":5}`, "real 5, real 5"},
		{single, 200, `{}`, "NULL, NULL"},
		{single, 200, `null`, "NULL, NULL"},
		{single, 200, `[1,2]`, "NULL, NULL"},
		{single, 200, `5`, "row 1 at its top is a number instead of an object"},
		{single, 404, `{}`, "the request was refused"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		args := [][]value.Value{{value.Int(1), value.Str("a")}, {value.Int(2), value.Str("b")}}
		var f *apis.Function
		if c.declared == single {
			d, err := load(context.Background(), "testdata/x.yaml", []byte(fmt.Sprintf("apis: {a: {openapi: orchard.yaml, server: %q, retries: 0}}\nfunctions: {f: %s}\n", s.URL, single)), environment)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			f, args = d.Database("").Functions[0], [][]value.Value{{value.Str("a")}, {value.Str("b")}}
		} else {
			f = loadFunction(t, s.URL, c.declared)
		}
		results := f.Call(context.Background(), apis.NewMeter(apis.Limits{}), args)
		got := show(results[0].Value) + ", " + show(results[1].Value)
		if err := results[0].Err; err != nil {
			got = err.Error()
		}
		if got != c.want && (results[0].Err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s: got %s, want %s", c.body, got, c.want)
		}
		s.Close()
	}
}

// TestFunctionAccepts lists arguments that a function can be computed for.
func TestFunctionAccepts(t *testing.T) {
	f := loadFunction(t, "http://127.0.0.1:1", "{operation: tax, args: [price, country], with: {year: 2024}, result: /data/0/tax}")
	for _, c := range []struct {
		price, country value.Value
		want           string
	}{
		{value.Int(5), value.Str("NL"), "5 NL"},
		{value.Float(5), value.Int(7), "5 7"},
		{value.Float(0.5), value.Float(7), "0.5 7.0"},
		{value.Str("5"), value.Str(""), "5 "},
		{value.Str("5"), value.Str("05"), "5 05"},
		{value.Str("5.0"), value.Str("x"), ""},
		{value.Str("05"), value.Str("x"), ""},
		{value.Str("x"), value.Str("x"), ""},
		{value.NullValue(), value.Str("x"), ""},
		{value.Int(5), value.Bytes("x"), ""},
		{value.Int(5), value.Str("\x00"), ""},
	} {
		all, ok := f.FunctionSource.(*function).send([]value.Value{c.price, c.country})
		got := ""
		if ok {
			got = all[0].text + " " + all[1].text
		}
		if got != c.want || f.Accepts([]value.Value{c.price, c.country}) != ok {
			t.Errorf("%s, %s: got %q, want %q", show(c.price), show(c.country), got, c.want)
		}
	}
	if f.Accepts(nil) {
		t.Error("it needs two arguments")
	}
}

// TestLimits exhausts each limit.
func TestLimits(t *testing.T) {
	url, _ := taxes(t)
	f := loadFunction(t, url, "{operation: tax, args: [price, country], with: {year: 2024}, result: /data/0/tax}")
	args := [][]value.Value{{value.Int(1), value.Str("NL")}, {value.Int(2), value.Str("NL")}, {value.Int(3), value.Str("NL")}}
	for _, c := range []struct {
		limits apis.Limits
		want   string
	}{
		{apis.Limits{Calls: 2}, "the statement needs more than 2 requests of APIs; ask for less, such as by more conditions, or raise it in the declaration (limits: {calls: …})"},
		{apis.Limits{Rows: 2}, "the statement needs more than 2 rows of APIs; ask for less, such as by more conditions, or raise it in the declaration (limits: {rows: …})"},
		{apis.Limits{Bytes: 50}, "the statement needs more than 50 bytes of APIs; ask for less, such as by more conditions, or raise it in the declaration (limits: {bytes: …})"},
	} {
		failed := 0
		for _, r := range f.Call(context.Background(), apis.NewMeter(c.limits), args) {
			if r.Err == nil {
				continue
			}
			failed++
			if !errors.Is(r.Err, apis.ErrBudget) || r.Err.Error() != "function f: "+c.want {
				t.Errorf("%+v: %v", c.limits, r.Err)
			}
		}
		if failed == 0 {
			t.Errorf("%+v: nothing failed", c.limits)
		}
	}
}
