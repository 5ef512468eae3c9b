package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pkg is a package, as go list describes it.
type pkg struct {
	ImportPath, Name, Dir              string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Module                             struct{ Path, Dir string }
}

// hasTests reports whether the package has files of tests.
func (p *pkg) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// under returns the package's path in the module, as in internal/planner/plan.
func (p *pkg) under() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

// module is the packages of the module in the working directory.
type module struct {
	packages map[string]*pkg
	order    []string // paths of the packages, sorted
}

// loadModule reads the packages of the module in the working directory.
func loadModule(ctx context.Context) (*module, error) {
	out, err := goList(ctx, "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports,Module", "./...")
	if err != nil {
		return nil, err
	}
	m := &module{packages: map[string]*pkg{}}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pkg{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		m.packages[p.ImportPath] = p
		m.order = append(m.order, p.ImportPath)
	}
	slices.Sort(m.order)
	return m, nil
}

func goList(ctx context.Context, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return out, nil
}

// shipped returns the packages that the programs and the public packages are made of:
// all but the programs of developers and what only tests import.
func (m *module) shipped() map[string]bool {
	in := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		p := m.packages[path]
		if p == nil || in[path] {
			return
		}
		in[path] = true
		for _, i := range p.Imports {
			add(i)
		}
	}
	for _, path := range m.order {
		switch under := m.packages[path].under(); {
		case strings.HasPrefix(under, "cmd/"), strings.HasPrefix(under, "pkg/") && m.packages[path].Name != "main":
			add(path)
		}
	}
	return in
}

// mutants returns the mutants of the shipped packages that patterns of go list name,
// or of all of them without a pattern, in the order of packages, files and source.
func (m *module) mutants(ctx context.Context, patterns []string) ([]*mutant, error) {
	paths := m.order
	if len(patterns) > 0 {
		out, err := goList(ctx, patterns...)
		if err != nil {
			return nil, err
		}
		paths = strings.Fields(string(out))
		slices.Sort(paths)
	}
	shipped := m.shipped()
	var found []*mutant
	for _, path := range paths {
		if !shipped[path] {
			continue
		}
		p := m.packages[path]
		for _, name := range p.GoFiles {
			source, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			of, err := find(strings.TrimPrefix(p.under()+"/"+name, "/"), source)
			if err != nil {
				return nil, err
			}
			for _, mu := range of {
				mu.pkg = p
			}
			found = append(found, of...)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no mutants: the packages have no code that the programs are made of")
	}
	return found, nil
}

// fingerprint returns the SHA-256 of mutants: of the code, as far as it is changed.
func fingerprint(found []*mutant) string {
	h := sha256.New()
	for _, m := range found {
		fmt.Fprintln(h, m)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// testers returns the packages whose tests a mutant of p meets, in order: its own,
// then at most so many that import it, the nearest first, and of those equally near
// the one that names it most often.
func (m *module) testers(p *pkg, importers int) ([]*pkg, error) {
	var out []*pkg
	if p.hasTests() {
		out = append(out, p)
	}
	limit := len(out) + importers
	seen := map[string]bool{p.ImportPath: true}
	for near := []string{p.ImportPath}; len(near) > 0 && len(out) < limit; {
		var tests []*pkg
		var next []string
		mentions := map[*pkg]int{}
		for _, path := range m.order {
			q := m.packages[path]
			names := func(i string) bool { return slices.Contains(near, i) }
			imports := slices.ContainsFunc(q.Imports, names)
			if seen[path] || !imports && !slices.ContainsFunc(q.TestImports, names) && !slices.ContainsFunc(q.XTestImports, names) {
				continue
			}
			if imports {
				next = append(next, path)
				seen[path] = true
			}
			if q.hasTests() && !slices.Contains(out, q) {
				n, err := q.mentions(near)
				if err != nil {
					return nil, err
				}
				mentions[q] = n
				tests = append(tests, q)
			}
		}
		slices.SortStableFunc(tests, func(a, b *pkg) int { return mentions[b] - mentions[a] })
		out = append(out, tests...)
		near = next
	}
	return out[:min(limit, len(out))], nil
}

// mentions counts how often the package's files name what packages export.
func (p *pkg) mentions(packages []string) (int, error) {
	n := 0
	for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return 0, err
		}
		names := map[string]bool{}
		for _, i := range tree.Imports {
			path, _ := strconv.Unquote(i.Path.Value) // it parses
			switch {
			case !slices.Contains(packages, path):
			case i.Name != nil:
				names[i.Name.Name] = true
			default:
				names[path[strings.LastIndexByte(path, '/')+1:]] = true
			}
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			if s, ok := node.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && names[x.Name] {
					n++
				}
			}
			return true
		})
	}
	return n, nil
}
