package query

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/birdcall/birdcall/pkg/tools"
	"github.com/birdcall/birdcall/pkg/value"
)

// member returns a text that an object must have.
func (p *parser) member(at string, args tools.Arguments, name string) string {
	v, ok := given(args, name)
	if !ok {
		p.fail(at, name+" is missing", "give it as a text")
		return ""
	}
	return p.text(at+"."+name, v)
}

func (p *parser) text(at string, v any) string {
	s, ok := v.(string)
	if !ok {
		p.fail(at, "is "+kind(v), "give a text")
	}
	return s
}

func (p *parser) boolean(at string, v any) bool {
	b, ok := v.(bool)
	if !ok {
		p.fail(at, "is "+kind(v), "give true or false")
	}
	return b
}

func (p *parser) list(at string, v any) []any {
	list, ok := v.([]any)
	switch {
	case !ok:
		p.fail(at, "is "+kind(v), "give a list")
	case len(list) > maxItems:
		p.fail(at, fmt.Sprintf("has %d items", len(list)), fmt.Sprintf("give at most %d", maxItems))
		return nil
	}
	return list
}

func (p *parser) texts(at string, v any) []string {
	var out []string
	for i, one := range p.list(at, v) {
		out = append(out, p.text(fmt.Sprintf("%s[%d]", at, i), one))
	}
	return out
}

func (p *parser) object(at string, v any) tools.Arguments {
	args, ok := v.(tools.Arguments)
	if !ok {
		p.fail(at, "is "+kind(v), "give an object")
	}
	return args
}

// whole reads a number that counts.
func (p *parser) whole(at string, v any) int {
	n, ok := scalar(v)
	i, isWhole := n.(int64)
	if f, isReal := n.(float64); isReal && f == math.Trunc(f) && math.Abs(f) < math.MaxInt32 {
		i, isWhole = int64(f), true
	}
	if !ok || !isWhole || i < 0 || i > math.MaxInt32 {
		p.fail(at, "is no count", "give a whole number")
		return 0
	}
	return int(i)
}

// operand reads the value of a filter.
func (p *parser) operand(at string, v any) any {
	if _, ok := v.([]any); ok {
		var out []any
		for i, one := range p.list(at, v) {
			item, ok := scalar(one)
			if !ok {
				p.fail(fmt.Sprintf("%s[%d]", at, i), "is "+kind(one), "give texts, numbers or booleans")
			}
			out = append(out, item)
		}
		return out
	}
	out, ok := scalar(v)
	if !ok {
		p.fail(at, "is "+kind(v), "give a text, a number or a boolean")
	}
	return out
}

// scalar returns a text, number or boolean as a filter has it.
func scalar(v any) (any, bool) {
	switch v := v.(type) {
	case string, bool, int64, float64:
		return v, true
	case int:
		return int64(v), true
	case json.Number:
		n, ok := tools.LiteralValue(v)
		if !ok {
			return nil, false
		}
		return n.Any(), true
	}
	return nil, false
}

// number returns a number as a value.
func number(v any) value.Value {
	if i, ok := v.(int64); ok {
		return value.Int(i)
	}
	f, _ := v.(float64)
	return value.Float(f)
}

// kind says in words what a JSON value is.
func kind(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case tools.Arguments:
		return "an object"
	case nil:
		return "null"
	}
	return "a number"
}
