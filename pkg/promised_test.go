package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxExported bounds the functions, types, methods, variables and constants that are
// promised.
const maxExported = 900

// TestPromised says that docs/compatibility.md promises the packages that are public,
// and that they stay few enough to be kept.
func TestPromised(t *testing.T) {
	page, err := os.ReadFile("../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "**The packages below `pkg`**: ")
	list, _, _ = strings.Cut(list, " and the packages below them")
	var folders []string
	exported := 0
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() && filepath.Dir(path) == "." && path != ".":
			folders = append(folders, "`"+path+"`")
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				exported += exportedBy(decl)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	promised := strings.Split(list, ", ")
	slices.Sort(promised)
	if d := cmp.Diff(promised, folders); d != "" {
		t.Errorf("packages that docs/compatibility.md promises, and those that are public: %s", d)
	}
	if exported > maxExported {
		t.Errorf("%d names are exported, at most %d; do not export what only this module needs", exported, maxExported)
	}
}

// exportedBy returns how many names a declaration exports.
func exportedBy(decl ast.Decl) (n int) {
	if f, ok := decl.(*ast.FuncDecl); ok {
		if f.Name.IsExported() && (f.Recv == nil || isExportedType(f.Recv.List[0].Type)) {
			n++
		}
		return n
	}
	for _, s := range decl.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				n++
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() {
					n++
				}
			}
		}
	}
	return n
}

// isExportedType reports whether the type of a receiver is exported.
func isExportedType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StarExpr:
		return isExportedType(e.X)
	case *ast.IndexExpr:
		return isExportedType(e.X)
	case *ast.Ident:
		return e.IsExported()
	}
	return false
}
