package mixed

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/internal/text/jsontext"
)

// ServerVariable is the variable of the environment that has the URL of the service
// in declarations.
const ServerVariable = "BIRDCALL_API"

// Asking says how the tables of the service are asked for. A zero field means its
// default.
type Asking struct {
	Cache string // statement, forever or a duration; default statement
	Page  int    // rows of a page; default 1000
	Many  int    // values of a column in one call; default 100
}

func (a Asking) withDefaults() Asking {
	return Asking{Cache: cmp.Or(a.Cache, CacheStatement), Page: cmp.Or(a.Page, 1000), Many: cmp.Or(a.Many, 100)}
}

// APIPlacement is a database with what of it is behind the API.
type APIPlacement struct {
	ID, Segment string
	Tables      []Table
}

// Table is a table or a view of a database, and about how many rows it has.
type Table struct {
	Name string
	Rows int
	View bool
	// Key are the columns of a primary key that the schema allows to be NULL, and
	// that never are. The document of the service names other keys.
	Key []string
}

// Declare writes the declaration of the tables that are behind the API, and of the
// functions if these are wanted: each as a function, and as a table by its
// arguments. It is nil where there is nothing to declare.
func Declare(databases []APIPlacement, functions bool, how Asking) []byte {
	how = how.withDefaults()
	databases = slices.DeleteFunc(slices.Clone(databases), func(d APIPlacement) bool { return len(d.Tables) == 0 })
	if len(databases) == 0 && !functions {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s is the URL of: serve --tables --functions\napis:\n", ServerVariable)
	for _, d := range databases {
		writeAPI(&b, d.ID, d.Segment, how.Cache)
	}
	if functions {
		writeAPI(&b, functionsName, functionsName, how.Cache)
		b.WriteString("tables:\n")
		for _, f := range scalars.Functions() {
			fmt.Fprintf(&b, "  %s: {api: %s, list: %[1]s, many: %[3]d}\n", f.Name, functionsName, scalars.MaxRows)
		}
		b.WriteString("functions:\n")
		for _, f := range scalars.Functions() {
			fmt.Fprintf(&b, "  %s: {api: %s, operation: %[1]s, result: /%[3]s, many: {max: %[4]d, rows: /data}}\n", f.Name, functionsName, f.Result.Name, scalars.MaxRows)
		}
	}
	if len(databases) > 0 {
		b.WriteString("databases:\n")
	}
	for _, d := range databases {
		fmt.Fprintf(&b, "  %s:\n    tables:\n", scalar(d.ID))
		for _, t := range d.Tables {
			path := "GET /v1/tables/" + d.Segment + "/" + url.PathEscape(t.Name)
			fmt.Fprintf(&b, "      %s: {api: %s, list: %s, many: %d, estimate: %d, %spage: {kind: offset, position: offset, limit: limit, size: %d, next: /next_offset}}\n",
				scalar(t.Name), scalar(d.ID), scalar(path), how.Many, t.Rows, t.key(), how.Page)
		}
	}
	return b.Bytes()
}

// key writes the key, if it is to be declared.
func (t Table) key() string {
	if len(t.Key) == 0 {
		return ""
	}
	var names []string
	for _, name := range t.Key {
		names = append(names, scalar(name))
	}
	return "key: [" + strings.Join(names, ", ") + "], "
}

func writeAPI(b *bytes.Buffer, name, segment, cache string) {
	fmt.Fprintf(b, "  %s: {openapi: \"${%s}%s%s.json\", server: \"${%s}\", cache: %s}\n", scalar(name), ServerVariable, documentsPath, segment, ServerVariable, cache)
}

var plainScalar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*( /?[A-Za-z0-9_/]+)?$`)

// reserved are words that YAML takes for something else than texts.
var reserved = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

// scalar writes a text as a scalar of YAML: as it is, or in quotation marks as in
// JSON.
func scalar(s string) string {
	if plainScalar.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	return string(jsontext.AppendString(nil, []byte(s)))
}
