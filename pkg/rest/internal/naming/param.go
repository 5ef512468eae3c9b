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
	Explained   string // the end of Description that is the dataset's own words

	operand []string // what it is compared with, in words; nil for limit, offset and as_of
}

// Params names the parameters of the statement.
func (n *Namer) Params() []Param {
	params := make([]Param, len(n.t.Params))
	rows, _ := n.t.Limits()
	paged := rows >= 0 || !n.t.IsSingle()
	taken := map[string]bool{}
	for i, p := range n.t.Params {
		switch p.Role {
		case template.Condition:
			params[i] = n.words.compared(p)
		case template.Instant:
			params[i] = Param{Name: "as_of", Description: "The instant to take for now, as 2025-01-01 or 2025-01-01T12:00:00Z. Without it, the service's own."}
		default:
			params[i] = limit(p, paged)
		}
		name := params[i].Name
		for k := 2; taken[params[i].Name]; k++ {
			params[i].Name = fmt.Sprintf("%s_%d", name, k)
		}
		taken[params[i].Name] = true
	}
	return params
}

// limit names the number of a LIMIT or OFFSET. If paged is set, the endpoint has
// a limit and an offset of its own.
func limit(p *template.Param, paged bool) Param {
	out := Param{Name: "limit", Description: "How many rows to take"}
	if p.Role == template.RowOffset {
		out = Param{Name: "offset", Description: "How many rows to leave out before the first one that counts"}
	}
	if paged && !p.Outer {
		out.Name = "inner_" + out.Name
		out.Description += " in the inner selection"
	}
	out.Description += fmt.Sprintf(". Without it, %d.", p.Values[0].Int64())
	return out
}

var (
	datePattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	yearPattern = regexp.MustCompile(`^\d{4}%?$`)
)

// IsDate reports whether the values are dates such as 2025-01-01, and there is
// one.
func IsDate(values []value.Value) bool { return allMatch(values, datePattern) }

func allMatch(values []value.Value, pattern *regexp.Regexp) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v value.Value) bool { return !pattern.MatchString(v.Raw()) })
}

// compared names the value that something is compared with.
func (p phrases) compared(q *template.Param) Param {
	noun := orValue(p.expr(q.Operand))
	isDate := q.Type == template.Text && (IsDate(q.Values) || isDateName(noun))
	if q.Type == template.Text && strings.HasSuffix(noun[len(noun)-1], "part") {
		noun = append(slices.Clone(noun[:len(noun)-1]), pick(allMatch(q.Values, yearPattern), "year", "prefix"))
	}
	about := strings.Join(noun, " ")
	out := Param{operand: noun}
	name := noun
	switch q.Operator {
	case "=":
		out.Description = "The " + about + "."
	case "<>":
		name = append([]string{"excluded"}, noun...)
		out.Description = "The " + about + " to leave out."
	case "in":
		name = pluralize(noun)
		out.Description = "Values of the " + about + ", one or more."
	case "not in":
		name = append([]string{"excluded"}, pluralize(noun)...)
		out.Description = "Values of the " + about + " to leave out, one or more."
	case "glob":
		name = append(slices.Clone(noun), "pattern")
		out.Description = "A pattern for the " + about + ": * stands for any text, ? for any character."
	case "like", "match", "regexp":
		name = append(slices.Clone(noun), "pattern")
		out.Description = "A pattern for the " + about + ": % stands for any text, _ for any character; ASCII case does not matter."
	default:
		word, text := bound(q.Operator, isDate)
		switch word {
		case "after", "before", "above", "below":
			name = append(slices.Clone(noun), word)
		default:
			name = append([]string{word}, noun...)
		}
		out.Description = sentence(text) + " of the " + about + "."
	}
	out.Name = paramName(name)
	out.Explained = p.explain(template.OriginOf(q.Operand))
	out.Description += out.Explained
	return out
}

// explain returns what the dataset tells of a column's values, if it is short.
func (p phrases) explain(c template.Origin) string {
	if c.Info == nil {
		return ""
	}
	explained := ""
	d := p.db.Describe(c.Table.Name, c.Info.Name)
	for _, text := range []string{d.Description, d.ValueDescription} {
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
		same := strings.Join(words(text), " ") == strings.Join(p.column(c), " ")
		if text == "" || same || len(text) > 300 || strings.Contains(strings.ToLower(text), "useful") {
			continue
		}
		explained += " " + sentence(strings.TrimRight(text, ".")) + "."
	}
	return explained
}

// bound returns the word in the name and the text for one side of a range.
func bound(op string, isDate bool) (word, text string) {
	switch {
	case op == ">=" && isDate:
		return "from", "earliest value"
	case op == "<=" && isDate:
		return "to", "latest value"
	case op == ">" && isDate:
		return "after", "exclusive lower bound"
	case op == "<" && isDate:
		return "before", "exclusive upper bound"
	case op == ">=":
		return "minimum", "smallest value"
	case op == "<=":
		return "maximum", "largest value"
	case op == ">":
		return "above", "exclusive lower bound"
	}
	return "below", "exclusive upper bound"
}

// paramName joins words to a name that starts with a letter.
func paramName(list []string) string {
	name := snake(dedupe(list), 48)
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
			list[i] = sentence(w)
		}
	}
	return strings.Join(list, " ")
}

// Enumerate joins with commas and a last "and".
func Enumerate(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
