package pkg_test

import (
	"go/types"
	"os"
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
	var public []string
	names := 0
	for _, p := range publicPackages(t) {
		if name := strings.TrimPrefix(p.Path(), module(p.Path())+"pkg/"); !strings.Contains(name, "/") {
			public = append(public, "`"+name+"`")
		}
		for _, o := range exported(p) {
			names += 1 + exportedMethods(o)
		}
	}
	promised := strings.Split(list, ", ")
	slices.Sort(promised)
	slices.Sort(public)
	if d := cmp.Diff(promised, public); d != "" {
		t.Errorf("packages that docs/compatibility.md promises, and those that are public: %s", d)
	}
	if names > maxExported {
		t.Errorf("%d names are exported, at most %d; do not export what only this module needs", names, maxExported)
	}
}

// exportedMethods returns how many exported methods a type declares.
func exportedMethods(o types.Object) (n int) {
	name, ok := o.(*types.TypeName)
	if !ok || name.IsAlias() {
		return 0
	}
	if named, ok := o.Type().(*types.Named); ok {
		for i := range named.NumMethods() {
			if named.Method(i).Exported() {
				n++
			}
		}
	}
	return n
}
