// Package pkg_test holds the packages below it to what they promise.
package pkg_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublicTypes says that nothing that a public package exports mentions a
// type of an internal one: nobody else could name it.
func TestPublicTypes(t *testing.T) {
	for _, p := range publicPackages(t) {
		for _, o := range exported(p) {
			for _, hidden := range mentioned(o) {
				t.Errorf("%s.%s mentions %s", p.Path(), o.Name(), hidden)
			}
		}
	}
}

// publicPackages returns the packages that others can import.
func publicPackages(t *testing.T) []*types.Package {
	t.Helper()
	// go test runs a test again when a folder that it has read changes, but
	// does not see what go list reads.
	if err := filepath.WalkDir(".", func(_ string, _ fs.DirEntry, err error) error { return err }); err != nil {
		t.Fatal(err)
	}
	listed, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-json=ImportPath,Export,DepOnly", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{} // the files of compiled packages
	var public []string
	for decoder := json.NewDecoder(bytes.NewReader(listed)); ; {
		var p struct {
			ImportPath, Export string
			DepOnly            bool
		}
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly && p.Export != "" && !isInternal(p.ImportPath) {
			public = append(public, p.ImportPath)
		}
	}
	if len(public) < 8 {
		t.Fatalf("only %v are found", public)
	}
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	packages := make([]*types.Package, len(public))
	for i, path := range public {
		if packages[i], err = load.Import(path); err != nil {
			t.Fatal(err)
		}
	}
	return packages
}

// exported returns what a package exports.
func exported(p *types.Package) (out []types.Object) {
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			out = append(out, o)
		}
	}
	return out
}

// TestMentioned says that the test sees a type wherever it stands.
func TestMentioned(t *testing.T) {
	internal := types.NewPackage("example.com/m/internal/x", "x")
	hidden := types.NewNamed(types.NewTypeName(token.NoPos, internal, "T", nil), types.Typ[types.Int], nil)
	own := types.NewPackage("example.com/m/pkg/y", "y")
	tuple := types.NewTuple(types.NewVar(token.NoPos, own, "v", types.NewMap(types.Typ[types.String], types.NewSlice(types.NewPointer(hidden)))))
	returns := types.NewSignatureType(nil, nil, nil, nil, tuple, false)
	named := func(under types.Type) types.Object {
		name := types.NewTypeName(token.NoPos, own, "Y", nil)
		types.NewNamed(name, under, nil)
		return name
	}
	field := func(name string) types.Type {
		return types.NewStruct([]*types.Var{types.NewField(token.NoPos, own, name, hidden, false)}, nil)
	}
	method := named(types.Typ[types.Int])
	method.Type().(*types.Named).AddMethod(types.NewFunc(token.NoPos, own, "M", returns))
	for _, c := range []struct {
		name   string
		object types.Object
		want   int
	}{
		{"result", types.NewFunc(token.NoPos, own, "F", returns), 1},
		{"variable", types.NewVar(token.NoPos, own, "V", hidden), 1},
		{"field", named(field("F")), 1},
		{"field that is not exported", named(field("f")), 0},
		{"method", method, 1},
		{"alias", types.NewTypeName(token.NoPos, own, "A", hidden), 1},
		{"its own type", named(types.NewSlice(types.Typ[types.Int])), 0},
	} {
		if got := mentioned(c.object); len(got) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func isInternal(path string) bool {
	return strings.Contains(path+"/", "/internal/")
}

// mentioned returns the types of internal packages that an exported object
// shows: in its signature or type, and in a type's exported fields and methods.
func mentioned(o types.Object) []string {
	w := walker{own: o.Pkg()}
	name, isType := o.(*types.TypeName)
	if !isType || name.IsAlias() {
		w.walk(o.Type())
		return w.hidden
	}
	w.walk(o.Type().Underlying())
	methods := types.NewMethodSet(types.NewPointer(o.Type())) // with those of embedded fields
	for i := range methods.Len() {
		if m := methods.At(i); m.Obj().Exported() {
			w.walk(m.Obj().Type())
		}
	}
	return w.hidden
}

// walker collects the internal types that a type is made of.
type walker struct {
	own    *types.Package
	hidden []string
}

func (w *walker) walk(t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		w.walk(types.Unalias(t))
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && isInternal(p.Path()) && strings.HasPrefix(p.Path(), module(w.own.Path())) {
			w.hidden = append(w.hidden, t.String())
		}
		for i := range t.TypeArgs().Len() {
			w.walk(t.TypeArgs().At(i))
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array, map or channel
		if m, ok := t.(*types.Map); ok {
			w.walk(m.Key())
		}
		w.walk(t.Elem())
	case *types.Signature:
		w.tuple(t.Params())
		w.tuple(t.Results())
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Exported() {
				w.walk(f.Type())
			}
		}
	case *types.Interface:
		for i := range t.NumMethods() {
			if m := t.Method(i); m.Exported() {
				w.walk(m.Type())
			}
		}
	}
}

func (w *walker) tuple(t *types.Tuple) {
	for i := range t.Len() {
		w.walk(t.At(i).Type())
	}
}

// module is the part of a public package's path before pkg.
func module(path string) string {
	before, _, _ := strings.Cut(path, "/pkg/")
	return before + "/"
}
