package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// The classes of mutants.
const (
	classBound      = "bound"          // < and <=, > and >=
	classEquality   = "equality"       // == and !=
	classLogic      = "logic"          // && and ||
	classArithmetic = "arithmetic"     // + and -, * and /
	classLiteral    = "literal"        // a small integer and the next one
	classBoolean    = "boolean"        // true and false
	classNegation   = "negation"       // a ! that is dropped
	classCondition  = "condition"      // an if whose condition is negated
	classError      = "returned error" // nil is returned in its place
	classJump       = "jump"           // break and continue
)

// mutant is one change of a file.
type mutant struct {
	Class  string `json:"class"`
	File   string `json:"file"` // from the root of the module, with slashes
	Line   int    `json:"line"`
	Before string `json:"before"` // the line, without indentation
	After  string `json:"after"`

	pkg        *pkg
	source     []byte // of the file
	start, end int    // of what is replaced, in bytes
	text       string // what replaces it
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s → %s", m.File, m.Line, m.Class, m.Before, m.After)
}

// mutated returns the file with the change.
func (m *mutant) mutated() []byte {
	return bytes.Join([][]byte{m.source[:m.start], []byte(m.text), m.source[m.end:]}, nil)
}

// largest is the largest integer literal that is changed: larger ones are limits and
// sizes, which nobody tests to the last one.
const largest = 16

var swapped = map[token.Token]struct {
	class string
	by    token.Token
}{
	token.LSS: {classBound, token.LEQ}, token.LEQ: {classBound, token.LSS},
	token.GTR: {classBound, token.GEQ}, token.GEQ: {classBound, token.GTR},
	token.EQL: {classEquality, token.NEQ}, token.NEQ: {classEquality, token.EQL},
	token.LAND: {classLogic, token.LOR}, token.LOR: {classLogic, token.LAND},
	token.ADD: {classArithmetic, token.SUB}, token.SUB: {classArithmetic, token.ADD},
	token.MUL: {classArithmetic, token.QUO}, token.QUO: {classArithmetic, token.MUL},
	token.ADD_ASSIGN: {classArithmetic, token.SUB_ASSIGN}, token.SUB_ASSIGN: {classArithmetic, token.ADD_ASSIGN},
	token.MUL_ASSIGN: {classArithmetic, token.QUO_ASSIGN}, token.QUO_ASSIGN: {classArithmetic, token.MUL_ASSIGN},
	token.BREAK: {classJump, token.CONTINUE}, token.CONTINUE: {classJump, token.BREAK},
}

// finder collects the mutants of one file in the order of the source.
type finder struct {
	file    string
	source  []byte
	tokens  *token.File
	results []*ast.FieldList // of the functions around a node
	found   []*mutant
}

// find returns the mutants of a Go file, none of one that is generated.
func find(file string, source []byte) ([]*mutant, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	f := &finder{file: file, source: source, tokens: set.File(tree.Pos())}
	for _, d := range tree.Decls {
		f.walk(d)
	}
	return f.found, nil
}

// walk collects the mutants of a node.
func (f *finder) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			f.function(n.Type, n.Body)
			return false
		case *ast.FuncLit:
			f.function(n.Type, n.Body)
			return false
		case *ast.ImportSpec, *ast.ArrayType, *ast.Field:
			return false
		case *ast.CallExpr:
			return !isTextOrSize(n)
		case *ast.IfStmt:
			f.add(classCondition, n.Cond.Pos(), n.Cond.End(), "!("+f.text(n.Cond)+")")
		case *ast.BinaryExpr:
			f.swap(n.OpPos, n.Op, n.X, n.Y)
		case *ast.AssignStmt:
			f.swap(n.TokPos, n.Tok, n.Rhs...)
		case *ast.BranchStmt:
			f.swap(n.TokPos, n.Tok)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				f.add(classNegation, n.OpPos, n.OpPos+1, "")
			}
		case *ast.BasicLit:
			if i, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil && i <= largest {
				f.add(classLiteral, n.Pos(), n.End(), strconv.Itoa(i+1))
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				f.add(classBoolean, n.Pos(), n.End(), "false")
			case "false":
				f.add(classBoolean, n.Pos(), n.End(), "true")
			}
		case *ast.ReturnStmt:
			f.returned(n)
		}
		return true
	})
}

// function collects the mutants of a function's body.
func (f *finder) function(t *ast.FuncType, body *ast.BlockStmt) {
	if body == nil {
		return
	}
	f.results = append(f.results, t.Results)
	f.walk(body)
	f.results = f.results[:len(f.results)-1]
}

// swap adds the mutant of an operator or a keyword. Texts are added, and never
// subtracted.
func (f *finder) swap(at token.Pos, op token.Token, operands ...ast.Expr) {
	by, ok := swapped[op]
	if !ok {
		return
	}
	if by.class == classArithmetic {
		for _, x := range operands {
			if hasText(x) {
				return
			}
		}
	}
	f.add(by.class, at, at+token.Pos(len(op.String())), by.by.String())
}

// returned adds the mutant of a return statement whose last value is an error that
// costs nothing to leave out: a variable, a new error, or a call that makes one for
// other results.
func (f *finder) returned(n *ast.ReturnStmt) {
	results := f.results[len(f.results)-1]
	if results == nil || len(n.Results) == 0 || results.NumFields() != len(n.Results) {
		return
	}
	if t, ok := results.List[len(results.List)-1].Type.(*ast.Ident); !ok || t.Name != "error" {
		return
	}
	last := n.Results[len(n.Results)-1]
	switch x := last.(type) {
	case *ast.Ident:
		if x.Name == "nil" {
			return
		}
	case *ast.UnaryExpr: // &NotFound{…}
	case *ast.CallExpr:
		if len(n.Results) == 1 && !isError(x) {
			return
		}
	default:
		return
	}
	f.add(classError, last.Pos(), last.End(), "nil")
}

// add adds a mutant that replaces what is between two places.
func (f *finder) add(class string, start, end token.Pos, text string) {
	m := &mutant{Class: class, File: f.file, Line: f.tokens.Line(start), source: f.source, start: f.tokens.Offset(start), end: f.tokens.Offset(end), text: text}
	m.Before = lineAt(f.source, m.start)
	m.After = lineAt(m.mutated(), m.start)
	f.found = append(f.found, m)
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.tokens.Offset(n.Pos()):f.tokens.Offset(n.End())])
}

// lineAt returns the line at an offset, without indentation.
func lineAt(source []byte, offset int) string {
	first := bytes.LastIndexByte(source[:offset], '\n') + 1
	line, _, _ := bytes.Cut(source[first:], []byte("\n"))
	return strings.TrimSpace(string(line))
}

// isTextOrSize reports whether the arguments of a call are the text of an error, or
// how much room to make, which no answer depends on.
func isTextOrSize(c *ast.CallExpr) bool {
	f, ok := c.Fun.(*ast.Ident)
	return isError(c) || ok && (f.Name == "panic" || f.Name == "make" && len(c.Args) > 2)
}

// isError reports whether a call makes an error of the standard library.
func isError(c *ast.CallExpr) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := s.X.(*ast.Ident)
	return ok && (from.Name == "fmt" && s.Sel.Name == "Errorf" || from.Name == "errors" && (s.Sel.Name == "New" || s.Sel.Name == "Join"))
}

// hasText reports whether a text literal is among the operands of an expression.
func hasText(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.STRING
	case *ast.BinaryExpr:
		return hasText(x.X) || hasText(x.Y)
	case *ast.ParenExpr:
		return hasText(x.X)
	}
	return false
}
