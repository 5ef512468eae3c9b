package openapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/federation/fetch"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// Declaration is what a file declares of APIs. Several goroutines may use it at
// once.
type Declaration struct {
	services  []*service
	databases []*apis.Database // the first has what every database has
}

// Load reads a declaration from a YAML file, and the OpenAPI documents that it
// names. ${NAME} is filled in from getenv, such as os.LookupEnv. The error has a
// line for each thing that is wrong, with the file, its line and column.
func Load(ctx context.Context, path string, getenv func(string) (string, bool)) (*Declaration, error) {
	content, err := readFile(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return load(ctx, path, content, getenv)
}

// load reads the content of a file.
func load(ctx context.Context, path string, content []byte, getenv func(string) (string, bool)) (*Declaration, error) {
	l := &loader{
		reader: &reader{file: filepath.ToSlash(path), anchors: map[string]ast.Node{}}, getenv: getenv,
		services: map[string]*service{}, declaration: &Declaration{},
	}
	var form fileForm
	l.parse(content, &form)
	if err := l.err(); err != nil {
		return nil, err // names that are misread would only bring more errors
	}
	l.all(ctx, &form)
	if err := errors.Join(l.err(), ctx.Err()); err != nil {
		l.declaration.Close()
		return nil, err
	}
	return l.declaration, nil
}

// Close ends the connections to the APIs.
func (d *Declaration) Close() {
	for _, s := range d.services {
		s.client.Close()
	}
}

// Databases returns the ids of the databases that have tables or functions of their
// own, as the declaration has them.
func (d *Declaration) Databases() []string {
	var ids []string
	for _, one := range d.databases[1:] {
		ids = append(ids, one.ID)
	}
	return ids
}

// Database returns what the statements on the database of that id may use: what
// every database has, and its own.
func (d *Declaration) Database(id string) *apis.Database {
	for _, one := range d.databases[1:] {
		if one.ID == id {
			return one
		}
	}
	return d.databases[0]
}

// loader makes a declaration of its forms.
type loader struct {
	*reader
	getenv      func(string) (string, bool)
	services    map[string]*service // nil for those that cannot be loaded
	names       []string
	declaration *Declaration
}

func (l *loader) all(ctx context.Context, form *fileForm) {
	if len(form.apis.all) == 0 {
		l.fail(place{1, 1}, "the file declares no API; it needs one under apis, such as apis: {birds: {openapi: birds.json}}")
		return
	}
	for _, n := range form.apis.all {
		name := n.name.s
		l.names = append(l.names, name)
		n.form.at = cmp.Or(n.form.at, n.name.at)
		b := &serviceLoader{loader: l, name: name, form: n.form}
		s := b.load(ctx)
		if l.services[name] = s; s != nil {
			l.declaration.services = append(l.declaration.services, s)
		}
	}
	limits := apis.Limits{Calls: form.limits.calls.n, Rows: form.limits.rows.n, Bytes: int64(form.limits.bytes.n)}
	for _, w := range []whole{form.limits.calls, form.limits.rows, form.limits.bytes} {
		if w.given() && w.n == 0 {
			l.fail(w.at, "a limit is 1 or more")
		}
	}
	shared := &apis.Database{Limits: limits}
	l.fill(shared, form.tables, form.functions)
	l.declaration.databases = []*apis.Database{shared}
	for _, n := range form.databases.all {
		own := &apis.Database{ID: n.name.s, Tables: shared.Tables[:len(shared.Tables):len(shared.Tables)], Functions: shared.Functions[:len(shared.Functions):len(shared.Functions)], Limits: limits}
		l.fill(own, n.form.tables, n.form.functions)
		l.declaration.databases = append(l.declaration.databases, own)
	}
}

// fill adds tables and functions to a database.
func (l *loader) fill(d *apis.Database, tables entries[tableForm, *tableForm], functions entries[functionForm, *functionForm]) {
	for _, n := range tables.all {
		if !l.isName(n.name) {
			continue
		}
		t := l.buildTable(n)
		for _, other := range d.Tables {
			if spelling.Same(other.Name, n.name.s) {
				l.fail(n.name.at, "there is a table %s already; SQL does not tell upper case from lower", other.Name)
			}
		}
		if t != nil {
			d.Tables = append(d.Tables, t)
		}
	}
	for _, n := range functions.all {
		if !l.isName(n.name) {
			continue
		}
		f := l.buildFunction(n)
		for _, other := range d.Functions {
			if spelling.Same(other.Name, n.name.s) {
				l.fail(n.name.at, "there is a function %s already; SQL does not tell upper case from lower", other.Name)
			}
		}
		if f != nil {
			d.Functions = append(d.Functions, f)
		}
	}
}

// isName reports whether a table or function can have a name.
func (l *loader) isName(name text) bool {
	switch {
	case strings.TrimSpace(name.s) == "":
		l.fail(name.at, "the name is empty")
	case strings.ContainsRune(name.s, 0):
		l.fail(name.at, "the name has a NUL character")
	case strings.HasPrefix(spelling.Lower(name.s), "sqlite_"):
		l.fail(name.at, "the name %s is kept for SQLite itself", name.s)
	default:
		return true
	}
	return false
}

// service returns the API of a table or function, which has not to be named if there
// is but one.
func (l *loader) service(of text, name plain) *service {
	at := name.at
	if !name.given() {
		if len(l.names) > 1 {
			l.fail(of.at, "%s: say under api which one it is of; %s", of.s, spelling.Suggest("", l.names))
			return nil
		}
		name.s, at = l.names[0], of.at
	}
	s, ok := l.services[name.s]
	if !ok {
		l.fail(at, "%s: there is no API %q; %s", of.s, name.s, nearest(name.s, l.names))
	}
	return s
}

// keep returns what a cache setting says.
func (l *loader) keep(cache plain, standard apis.Keep) apis.Keep {
	switch {
	case !cache.given():
		return standard
	case cache.s == "statement":
		return apis.Keep{}
	case cache.s == "forever":
		return apis.Keep{Forever: true}
	}
	d, err := time.ParseDuration(cache.s)
	if err != nil || d <= 0 {
		l.fail(cache.at, "cache: %q is none of statement, forever, and a time such as 10m", cache.s)
	}
	return apis.Keep{For: d}
}

// reason returns the reason of a file's error without its path, which is reported by
// the caller as the user wrote it.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// withoutURL returns why a call failed without saying its URL.
func withoutURL(err error) error {
	var failed *fetch.Error
	if errors.As(err, &failed) && failed.Err != nil {
		return failed.Err
	}
	return err
}
