package plan

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/pkg/value"
)

// subtype says whether a text that an expression gives is JSON for the
// functions that put it into JSON (https://www.sqlite.org/json1.html, section
// 3.5).
type subtype uint8

const (
	plainText subtype = iota
	isJSON
	unknownSubtype
)

// jsonArguments reports which arguments of a function are JSON that it puts into
// JSON.
func (e *env) jsonArguments(name string, args []sqltree.Expr) ([]bool, error) {
	json := make([]bool, len(args))
	for i, a := range args {
		if !value.TakesJSON(name, i) {
			continue
		}
		switch e.subtype(a) {
		case unknownSubtype:
			return nil, unsupported("JSON in JSON", "whether an argument of %s() is JSON or a text is not known before it is computed", name)
		case isJSON:
			json[i] = true
		}
	}
	return json, nil
}

// places lists where the marks are.
func places(marks []bool) []Operand {
	var out []Operand
	for i, marked := range marks {
		if marked {
			out = append(out, constant(value.Int(int64(i))))
		}
	}
	return out
}

// subtype finds out where an expression's text comes from. Operators and most
// functions make a mere text. What passes a value on may or may not keep that it
// is JSON.
func (e *env) subtype(x sqltree.Expr) subtype {
	direct := subtypeOf(x)
	if direct == isJSON && e.group != nil {
		if _, grouped := e.group.known(x); grouped {
			return unknownSubtype
		}
	}
	return direct
}

func subtypeOf(x sqltree.Expr) subtype {
	switch x := x.(type) {
	case *sqltree.Binary:
		if x.Op == sqltree.Arrow {
			return isJSON
		}
		return plainText
	case *sqltree.Call:
		return subtypeOfCall(x)
	case *sqltree.Column:
		return subtypeOfColumn(x)
	case *sqltree.Unary:
		if x.Op == sqltree.Plus {
			return passedOn(x.X)
		}
	case *sqltree.Cast:
		return passedOn(x.X)
	case *sqltree.Collate:
		return passedOn(x.X)
	case *sqltree.Case:
		return passedOn(sqltree.Children(x)...)
	case *sqltree.Subquery:
		return passedOn(firstItems(x.Query)...)
	}
	return plainText
}

// passedOn is the subtype of a value that is one of these.
func passedOn(from ...sqltree.Expr) subtype {
	if slices.ContainsFunc(from, func(x sqltree.Expr) bool { return subtypeOf(x) != plainText }) {
		return unknownSubtype
	}
	return plainText
}

func subtypeOfCall(x *sqltree.Call) subtype {
	switch x.Name {
	case "json", "json_array", "json_object", "json_patch", "json_quote", "json_remove", "json_set", "json_insert", "json_replace":
		return isJSON
	case "json_type", "json_valid", "json_array_length", "json_error_position":
		return plainText
	case "json_extract":
		if len(x.Args) > 2 {
			return isJSON
		}
		return unknownSubtype // JSON where it is an array or object
	}
	switch {
	case sqlfunc.SQLite(x.Name).PassesOn:
		return passedOn(x.Args...)
	case strings.HasPrefix(x.Name, "json"):
		return unknownSubtype
	}
	return plainText
}

func subtypeOfColumn(x *sqltree.Column) subtype {
	switch {
	case x.Alias != nil:
		return subtypeOf(x.Alias.Expr)
	case x.State != sqltree.Bound || x.Index < 0:
		return plainText
	case x.Source.Function:
		if name := x.Source.Columns[x.Index].Name; name == "value" || name == "json" {
			return unknownSubtype
		}
		return plainText
	case x.Source.Query != nil:
		for _, arm := range x.Source.Query.Arms {
			if x.Index < len(arm.Items) && passedOn(arm.Items[x.Index].Expr) != plainText {
				return unknownSubtype
			}
		}
	case x.Source.View():
		return unknownSubtype
	}
	return plainText
}

// firstItems are the first columns of the arms of a query.
func firstItems(q *sqltree.Query) []sqltree.Expr {
	var out []sqltree.Expr
	for _, arm := range q.Arms {
		if len(arm.Items) > 0 {
			out = append(out, arm.Items[0].Expr)
		}
	}
	return out
}
