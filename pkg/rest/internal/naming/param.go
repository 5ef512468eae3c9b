package naming

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/rest/internal/template"
	"github.com/birdcall/birdcall/pkg/value"
)

// Param is what a parameter is called by.
type Param struct {
	Name        string // unique among those of its endpoint
	Description string // in sentences
	Plain       string // the same without the dataset's own words on values

	operand []string // what it is compared with, in words; nil for limit, offset and as_of
	given   string   // what a sentence calls it after "the given"
	nth     string   // what distinguishes it from others that are called the same, or ""
}

// Params names the parameters of the statement.
func (n *Namer) Params() []Param {
	params := make([]Param, len(n.t.Params))
	rows, _ := n.t.Limits()
	paged := rows >= 0 || !n.t.IsSingle()
	w := n.writer(true)
	taken, given := map[string]bool{}, map[string]int{}
	for i, p := range n.t.Params {
		switch p.Role {
		case template.Condition:
			params[i] = n.compared(w, p)
		case template.Instant:
			params[i] = Param{Name: "as_of", given: "instant", Description: "The instant to take for now, as 2025-01-01 or 2025-01-01T12:00:00Z. Without it, the service's own."}
		default:
			params[i] = limit(p, paged)
		}
		if p.Role != template.Condition {
			params[i].Plain = params[i].Description
		}
		name := params[i].Name
		for k := 2; taken[params[i].Name]; k++ {
			params[i].Name = fmt.Sprintf("%s_%d", name, k)
		}
		taken[params[i].Name] = true
		key := p.Operator + params[i].given
		if given[key]++; given[key] > 1 {
			params[i].nth = ordinal(given[key]) + " "
		}
	}
	n.named = params
	return params
}

// limit names the number of a LIMIT or OFFSET. If paged is set, the endpoint has
// its own limit and offset.
func limit(p *template.Param, paged bool) Param {
	out := Param{Name: "limit", given: "number", Description: "How many rows to take"}
	if p.Role == template.RowOffset {
		out = Param{Name: "offset", given: "number", Description: "How many rows to leave out before the first one that counts"}
	}
	if paged && !p.Outer {
		out.Name = "inner_" + out.Name
		out.Description += " in the inner selection"
	}
	out.Description += "."
	return out
}

var (
	datePattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
)

// IsDate reports whether the values are dates such as 2025-01-01, and there is
// one.
func IsDate(values []value.Value) bool { return allMatch(values, datePattern) }

func allMatch(values []value.Value, pattern *regexp.Regexp) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v value.Value) bool { return !pattern.MatchString(v.Raw()) })
}

// maxGiven bounds what a sentence calls a parameter, in bytes.
const maxGiven = 70

// compared names the value that something is compared with.
func (n *Namer) compared(w *writer, q *template.Param) Param {
	home := n.homes[q.Operand]
	if home == nil {
		home = n.t.Query.Arms[0]
	}
	about := w.phrase(w.view(home), q.Operand)
	if list := words(about); isGeneric(list) {
		if src := sourcesIn(home, q.Operand); len(src) == 1 {
			about = w.sourceNoun(src[0]) + " " + about
		}
	}
	noun := telling(about)
	if len(noun) == 0 {
		noun = []string{"value"}
	}
	if len(about) > maxGiven {
		about = "value"
	}
	isDate := q.Type == template.Text && (IsDate(q.Values) || isDateName(about))
	out := Param{operand: noun, given: about}
	name := noun
	end := "" // of the name, whatever is left out before it
	switch q.Operator {
	case "=":
	case "<>":
		name = append([]string{"excluded"}, noun...)
		out.Plain = "The value to leave out."
	case "in":
		name = pluralize(noun)
		out.Plain = "One or more."
	case "not in":
		name = append([]string{"excluded"}, pluralize(noun)...)
		out.Plain = "The values to leave out, one or more."
	case "glob":
		end = "pattern"
		out.Plain = "* stands for any text, ? for any character."
	case "ilike", "similar to", "~", "~*":
		end = "pattern"
		out.Plain = map[string]string{
			"ilike": "% stands for any text, _ for any character; case does not matter.", "similar to": "A regular expression of SQL's.",
			"~": "A POSIX regular expression.", "~*": "A POSIX regular expression; case does not matter.",
		}[q.Operator]
	case "like", "match", "regexp":
		end = "pattern"
		out.Plain = "% stands for any text, _ for any character; ASCII case does not matter."
	default:
		word, text := bound(q.Operator, isDate)
		switch word {
		case "after", "before", "above", "below":
			name, end = noun, word
		default:
			name = append([]string{word}, noun...)
		}
		out.Plain = capital(text) + "."
	}
	out.Name = paramName(name)
	if end != "" {
		out.Name = snake(strings.Split(out.Name, "_"), maxParam-len(end)-1) + "_" + end
	}
	if n.t.Query.Dialect.LikeMindsCase && q.Operator == "like" {
		out.Plain = "% stands for any text, _ for any character; case matters."
	}
	out.Description = out.Plain
	if c := template.OriginOf(q.Operand); c.Info != nil {
		if text := w.voc.explanation(c.Table.Name, c.Info.Name); text != "" {
			out.Description = strings.TrimSpace(out.Plain + " " + capital(text) + ".")
		}
	}
	return out
}

// bound returns the word in the name and the text for one side of a range.
func bound(op string, isDate bool) (word, text string) {
	switch {
	case op == ">=" && isDate:
		return "from", "the earliest"
	case op == "<=" && isDate:
		return "to", "the latest"
	case op == ">" && isDate:
		return "after", "exclusive lower bound"
	case op == "<" && isDate:
		return "before", "exclusive upper bound"
	case op == ">=":
		return "minimum", "the smallest"
	case op == "<=":
		return "maximum", "the largest"
	case op == ">":
		return "above", "exclusive lower bound"
	}
	return "below", "exclusive upper bound"
}

// maxParam is how long the name of a parameter is in bytes.
const maxParam = 48

// paramName joins words to a name that starts with a letter.
func paramName(list []string) string {
	name := snake(dedupe(list), maxParam)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "value_" + name
	}
	return strings.TrimSuffix(name, "_")
}

// Title returns a name as a title.
func Title(name string) string {
	list := strings.Split(name, "_")
	for i, w := range list {
		if !isStop(w) || i == 0 {
			list[i] = capital(w)
		}
	}
	return strings.Join(list, " ")
}
