package template

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/ast"

	"github.com/birdcall/birdcall/pkg/value"
)

// expr reads an expression; nil gives nil.
func (r *reader) expr(e ast.Expr, s *scope) *Expr {
	if e == nil {
		return nil
	}
	outer := span{e.Pos(), e.End()}
	for {
		p, ok := e.(*ast.ParenExpr)
		if !ok {
			break
		}
		e = p.X
	}
	out := &Expr{at: span{e.Pos(), e.End()}, outer: outer}
	r.fill(out, e, s)
	operands := out.Args
	if out.Kind != Call { // an OVER clause does not count
		operands = out.below()
	}
	out.reads = out.reads || out.Query != nil || slices.ContainsFunc(operands, func(x *Expr) bool { return x.reads })
	return out
}

// fill reads what an expression is.
func (r *reader) fill(out *Expr, e ast.Expr, s *scope) {
	args := func(list ...ast.Expr) { out.Args = r.list(list, s) }
	switch e := e.(type) {
	case *ast.Ident:
		r.name(out, e, s)
	case *ast.QualifiedRef:
		n := len(e.Parts)
		out.Kind, out.Op, out.reads = Name, e.Parts[n-1].Name, true
		if out.Column = s.column(lower(e.Parts[n-2].Name), lower(out.Op)); out.Column != nil {
			r.names.add(out)
		}
	case *ast.Literal:
		literal(out, e)
	case *ast.UnaryExpr:
		out.Kind, out.Op = Unary, e.Op.String()
		args(e.X)
	case *ast.BinaryExpr:
		out.Kind, out.Op = Binary, e.Op.String()
		args(e.X, e.Y)
	case *ast.IsExpr:
		out.Kind, out.Op = Is, isOperator(e.Not != e.Distinct)
		args(e.X, e.Y)
	case *ast.NullCheckExpr:
		out.Kind, out.Op = Is, isOperator(e.Test != ast.TestIsNull)
		args(e.X)
		out.Args = append(out.Args, &Expr{Kind: Null, at: span{e.End(), e.End()}, outer: span{e.End(), e.End()}})
	case *ast.LikeExpr:
		out.Kind, out.Op = Like, lower(e.Op.Name)
		args(e.X, e.Y, e.Escape)
	case *ast.BetweenExpr:
		out.Kind = Between
		args(e.X, e.Lo, e.Hi)
	case *ast.InExpr:
		out.Kind, out.Not, out.reads = In, e.Not, e.Table != nil
		args(e.X)
		out.Args, out.rest = append(out.Args, r.list(e.List, s)...), r.list(e.Args, s)
		r.subquery(out, e.Select, s)
	case *ast.CaseExpr:
		out.Kind, out.Operand, out.Else = Case, r.expr(e.Operand, s), r.expr(e.Else, s)
		for _, when := range e.Whens {
			out.Args = append(out.Args, r.expr(when.When, s), r.expr(when.Then, s))
		}
	case *ast.CastExpr:
		out.Kind, out.Op = Cast, e.Type.Name
		args(e.X)
	case *ast.CollateExpr:
		out.Kind = Collate
		args(e.X)
	case *ast.FuncCall:
		out.Kind, out.Op, out.Distinct, out.Window, out.reads = Call, lower(e.Name.Name), e.Distinct, e.Over != nil, e.Star
		args(e.Args...)
		for _, term := range e.OrderBy {
			out.rest = append(out.rest, r.expr(term.Expr, s))
		}
		if e.Filter != nil {
			out.rest = append(out.rest, r.expr(e.Filter, s))
		}
		if e.Over != nil {
			out.rest = append(out.rest, r.below(e.Over, s)...)
		}
	case *ast.ExistsExpr:
		out.Kind = Exists
		r.subquery(out, e.Select, s)
	case *ast.SubqueryExpr:
		out.Kind = Subquery
		r.subquery(out, e.Select, s)
	case *ast.Star:
		out.Kind = Star
	default:
		out.Args = r.below(e, s)
	}
}

func isOperator(not bool) string {
	if not {
		return "<>"
	}
	return "="
}

// list reads expressions; nil ones are left out.
func (r *reader) list(list []ast.Expr, s *scope) []*Expr {
	var all []*Expr
	for _, e := range list {
		if e != nil {
			all = append(all, r.expr(e, s))
		}
	}
	return all
}

func (r *reader) subquery(out *Expr, stmt *ast.SelectStmt, s *scope) {
	if stmt != nil {
		out.Query, _ = r.query(stmt, s)
	}
}

// below reads the expressions below a node that is none itself, such as the
// definition of a window.
func (r *reader) below(n ast.Node, s *scope) []*Expr {
	var all []*Expr
	for _, child := range n.Children() {
		window, ok := n.(*ast.WindowDef)
		if ok && (child == ast.Node(window.Name) || child == ast.Node(window.Base)) {
			continue
		}
		if e, ok := child.(ast.Expr); ok {
			all = append(all, r.expr(e, s))
		} else {
			all = append(all, r.below(child, s)...)
		}
	}
	return all
}

// name reads a name without a qualifier. One in double quotes that names nothing
// is a string to SQLite (https://www.sqlite.org/quirks.html, section 8).
func (r *reader) name(out *Expr, e *ast.Ident, s *scope) {
	out.Kind, out.Op, out.Column = Name, e.Name, s.column("", lower(e.Name))
	if out.Column == nil && e.Quote == ast.QuoteDouble && s.known() {
		out.Kind, out.Value = Quoted, value.Str(e.Name)
		return
	}
	out.reads = true
	r.names.add(out)
}

// literal reads a constant.
func literal(out *Expr, l *ast.Literal) {
	switch l.Kind {
	case ast.LitString:
		out.Kind, out.Value = String, value.Str(l.Value)
	case ast.LitInteger, ast.LitFloat:
		out.Kind, out.Op, out.Value = Number, l.Raw, number(strings.ReplaceAll(l.Raw, "_", ""))
	case ast.LitBlob:
		out.Kind = Blob
	case ast.LitNull:
		out.Kind = Null
	default:
		out.Kind, out.Op = Clock, strings.ToUpper(l.Raw)
	}
}

// number reads a number as SQLite reads its literals
// (https://www.sqlite.org/lang_expr.html, "Literal Values"): digits that are
// too large for 64 bits are a REAL. NULL stands for what is no number.
func number(text string) value.Value {
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		if u, err := strconv.ParseUint(hex, 16, 64); err == nil {
			return value.Int(int64(u))
		}
		return value.NullValue()
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return value.Float(f)
	}
	return value.NullValue()
}
