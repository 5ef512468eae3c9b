package scalars

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/rest"
	"github.com/birdcall/birdcall/pkg/value"
)

// Path is what the functions' paths begin with.
const Path = "/v1/functions/"

// MaxRows is how many lists of arguments one request may have.
const MaxRows = 100

// Handler answers GET and HEAD of Path and a function's name, and the OpenAPI
// document at /openapi.json. Each argument is a parameter of the query, which is
// repeated for several lists of arguments, unless all have the same; the answer has a row for each, in their
// order, with the arguments as they came and the result:
//
//	GET /v1/functions/is_prime?number=7&number=8
//	{"data":[{"number":7,"truth":true},{"number":8,"truth":false}]}
//
// Parameters that are missing, unknown or uneven get 400, and arguments that a
// function does not take 422, as problems of RFC 9457.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(Path, answer)
	mux.HandleFunc("/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		if !reads(w, r) {
			return
		}
		text, err := json.Marshal(Document(""))
		if err != nil {
			rest.WriteProblem(w, r, &rest.Problem{Status: http.StatusInternalServerError, Title: "The service failed"})
			return
		}
		send(w, text)
	})
	mux.HandleFunc("/", rest.NotFound)
	return mux
}

// answer computes a function.
func answer(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, Path)
	f := Named(name)
	if f == nil {
		rest.WriteProblem(w, r, &rest.Problem{Status: http.StatusNotFound, Title: "No such function",
			Detail: fmt.Sprintf("There is no function %.80q; %s.", name, spelling.Suggest(name, names()))})
		return
	}
	if !reads(w, r) {
		return
	}
	text, err := f.rows(r.URL.RawQuery)
	var (
		asked *requestError
		wrong *ArgumentError
	)
	switch {
	case errors.As(err, &asked):
		rest.WriteProblem(w, r, &rest.Problem{Status: http.StatusBadRequest, Title: "Bad parameter", Detail: asked.Error() + ".",
			Errors: []rest.ParamProblem{{Parameter: asked.parameter, Reason: asked.reason, Hint: asked.hint}}})
	case errors.As(err, &wrong):
		rest.WriteProblem(w, r, &rest.Problem{Status: http.StatusUnprocessableEntity, Title: "Wrong argument", Detail: wrong.Error() + ".",
			Errors: []rest.ParamProblem{{Parameter: wrong.Argument, Reason: wrong.Reason, Hint: wrong.Hint}}})
	case err != nil:
		rest.WriteProblem(w, r, &rest.Problem{Status: http.StatusInternalServerError, Title: "The service failed"})
	default:
		send(w, text)
	}
}

// reads reports whether a request only reads, or answers that it has to.
func reads(w http.ResponseWriter, r *http.Request) bool {
	if slices.Contains(rest.Methods, r.Method) {
		return true
	}
	rest.NotAllowed(w, r)
	return false
}

func send(w http.ResponseWriter, text []byte) {
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write(text) // a client that is gone
}

func names() []string {
	out := make([]string, len(functions))
	for i := range functions {
		out[i] = functions[i].Name
	}
	return out
}

// requestError says what is wrong with the parameters of a request.
type requestError struct{ parameter, reason, hint string }

func (e *requestError) Error() string {
	return fmt.Sprintf("%s: %s; %s", e.parameter, e.reason, e.hint)
}

// rows computes the function for what a query gives, and writes the answer.
func (f *Function) rows(query string) ([]byte, error) {
	given, err := f.parameters(query)
	if err != nil {
		return nil, err
	}
	b := []byte(`{"data":[`)
	for i := range len(given[0]) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		args := make([]value.Value, len(f.Args))
		for j, a := range f.Args {
			text := given[j][i]
			if args[j], err = f.read(a, text); err != nil {
				return nil, err
			}
			b = append(appendName(b, a.Name), echo(args[j], text)...)
			b = append(b, ',')
		}
		v, err := f.Call(args...)
		if err != nil {
			return nil, err
		}
		b = append(f.Result.append(appendName(b, f.Result.Name), v), '}')
	}
	return append(b, "]}\n"...), nil
}

// parameters returns the values of each argument, as many of each.
func (f *Function) parameters(query string) ([][]string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, &requestError{"query", "it has a broken % escape or a semicolon", "escape the values as URLs ask for it"}
	}
	known := make([]string, len(f.Args))
	given := make([][]string, len(f.Args))
	rows := 0
	for i, a := range f.Args {
		known[i], given[i] = a.Name, values[a.Name]
		rows = max(rows, len(given[i]))
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			return nil, &requestError{fmt.Sprintf("%.80q", name), "it is unknown", spelling.Suggest(name, known)}
		}
	}
	for i, a := range f.Args {
		n := len(given[i])
		switch {
		case n == 0:
			return nil, &requestError{a.Name, "it is missing", "give a " + string(a.Type)}
		case n > MaxRows:
			return nil, &requestError{a.Name, fmt.Sprintf("it is given %d times", n), fmt.Sprintf("give it %d times at most", MaxRows)}
		case n != 1 && n != rows:
			return nil, &requestError{a.Name, fmt.Sprintf("it is given %d times, and another parameter %d times", n, rows), fmt.Sprintf("give it once, or %d times", rows)}
		}
	}
	for i := range given {
		for len(given[i]) < rows {
			given[i] = append(given[i], given[i][0])
		}
	}
	return given, nil
}

// read returns the value of a parameter.
func (f *Function) read(a Value, text string) (value.Value, error) {
	if a.Type == Text {
		return value.Str(text), nil
	}
	number := text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text))
	if !number {
		return value.NullValue(), f.wrong(a.Name, fmt.Sprintf("%.80q is no number", text), "give a number as JSON has it, such as 7 or 7.5")
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(n), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !strings.ContainsAny(text, ".eE") {
		x = math.Inf(1) // which no argument may be; digits only are not rounded
	}
	return value.Float(x), nil
}

// echo returns an argument for JSON: a number as it came, digit by digit.
func echo(v value.Value, text string) []byte {
	if v.Kind() == value.Text {
		return jsontext.AppendText(nil, []byte(text))
	}
	return []byte(text)
}

// append writes a result.
func (a Value) append(b []byte, v value.Value) []byte {
	switch {
	case v.IsNull():
		return append(b, "null"...)
	case a.Type == Boolean:
		return strconv.AppendBool(b, v.Int64() != 0)
	case v.Kind() == value.Integer:
		return strconv.AppendInt(b, v.Int64(), 10)
	case v.Kind() == value.Real:
		return jsontext.AppendReal(b, v.Float64())
	}
	return jsontext.AppendText(b, []byte(v.Raw()))
}

func appendName(b []byte, name string) []byte {
	return append(jsontext.AppendString(b, []byte(name)), ':')
}
