package rest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/pkg/value"
)

// Param is a query parameter of an endpoint.
type Param struct {
	Name        string
	Title       string
	Description string
	Type        Type
	Format      string // "date", "date-time" or ""
	List        bool   // several values, by repeating the parameter
	MaxItems    int    // of a list
	MaxLength   int    // of a text in bytes
	Minimum     int64  // of limit and offset
	Required    bool
	// Default is what stands for a parameter that is not given; only the
	// optional ones have it, and as_of has none: its default is the service's.
	Default []value.Value
	Example []value.Value // of the first question
	Column  *Column       // whose values it is compared with for equality, or nil

	role      role
	explained string   // the end of Description that is the dataset's own words
	about     []string // what it is compared with, in words
}

// Column is a column of a table of the database.
type Column struct{ Table, Name string }

const (
	maxText    = 64 << 10 // bytes of a text
	maxPattern = 1000     // bytes of a pattern of LIKE or GLOB; SQLite's limit here
)

var (
	datePattern = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	yearPattern = regexp.MustCompile(`^\d{4}%?$`)
)

// newParams names and describes the parameters of a template.
func newParams(t *template, p phrases) []*Param {
	params := make([]*Param, len(t.params))
	rows, _ := t.outerLimit()
	paged := rows >= 0 || !t.isSingle()
	taken := map[string]bool{}
	for i, f := range t.params {
		params[i] = newParam(f, p, paged)
		name := params[i].Name
		for n := 2; taken[params[i].Name]; n++ {
			params[i].Name = fmt.Sprintf("%s_%d", name, n)
		}
		taken[params[i].Name] = true
		params[i].Title = title(params[i].Name)
	}
	return params
}

// newParam makes the parameter of a literal. If paged is set, the endpoint has
// a limit and an offset of its own.
func newParam(f *found, p phrases, paged bool) *Param {
	q := &Param{Type: typeOf(f), List: f.list, Example: f.values, Required: true, role: f.role}
	switch f.role {
	case limit, offset:
		q.Required, q.Default = false, f.values
		q.Name, q.Description = "limit", "How many rows to take"
		if f.role == limit {
			q.Minimum = 1
		} else {
			q.Name, q.Description = "offset", "How many rows to leave out before the first one that counts"
		}
		if paged && !f.outer {
			q.Name = "inner_" + q.Name
			q.Description += " in the inner selection"
		}
		q.Description += fmt.Sprintf(". Without it, %d.", f.values[0].Int64())
		return q
	case instant:
		return asOf()
	}
	if f.list {
		q.MaxItems = f.places()
	}
	q.describe(f, p)
	return q
}

// asOf is the parameter of every statement that reads the clock.
func asOf() *Param {
	return &Param{
		Name: "as_of", Type: String, Format: "date-time", role: instant, MaxLength: 40,
		Description: "The instant to take for now, as 2025-01-01 or 2025-01-01T12:00:00Z. Without it, the service's own.",
	}
}

// describe gives a condition's parameter its name and description.
func (q *Param) describe(f *found, p phrases) {
	noun := p.expr(f.operand, f.scope)
	c := f.scope.reference(f.operand)
	if c != nil {
		c = c.base()
	}
	isDate := q.Type == String && (allMatch(f.values, datePattern) || isDateName(noun))
	if q.Type == String {
		q.MaxLength = maxText
		if allMatch(f.values, datePattern) {
			q.Format = "date"
		}
		if strings.HasSuffix(strings.Join(noun, " "), "part") {
			noun = noun[:len(noun)-1]
			switch {
			case allMatch(f.values, yearPattern):
				noun = append(noun, "year")
			default:
				noun = append(noun, "prefix")
			}
		}
	}
	about := strings.Join(noun, " ")
	q.about = noun
	name := noun
	switch f.operator {
	case "=":
		q.Description = "The " + about + "."
	case "<>":
		name = append([]string{"excluded"}, noun...)
		q.Description = "The " + about + " to leave out."
	case "in":
		name = pluralize(noun)
		q.Description = "Values of the " + about + ", one or more."
	case "not in":
		name = append([]string{"excluded"}, pluralize(noun)...)
		q.Description = "Values of the " + about + " to leave out, one or more."
	case "like", "glob", "match", "regexp":
		q.MaxLength = maxPattern
		name = append(slices.Clone(noun), "pattern")
		q.Description = "A pattern for the " + about + ": % stands for any text, _ for any character; ASCII case does not matter."
		if f.operator == "glob" {
			q.Description = "A pattern for the " + about + ": * stands for any text, ? for any character."
		}
	default:
		word, text := bound(f.operator, isDate)
		switch word {
		case "after", "before", "above", "below":
			name = append(slices.Clone(noun), word)
		default:
			name = append([]string{word}, noun...)
		}
		q.Description = sentence(text) + " of the " + about + "."
	}
	q.Name = paramName(name)
	if c == nil || c.info == nil || c.from == nil || c.from.table == nil {
		return
	}
	switch f.operator {
	case "=", "<>", "in", "not in":
		q.Column = &Column{c.from.table.Name, c.info.Name}
	}
	q.explain(p, c)
}

// explain adds what the dataset tells of a column's values, if it is short.
func (q *Param) explain(p phrases, c *column) {
	d := p.db.Describe(c.from.table.Name, c.info.Name)
	for _, text := range []string{d.Description, d.ValueDescription} {
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
		same := strings.Join(words(text), " ") == strings.Join(p.column(c), " ")
		if text == "" || same || len(text) > 300 || strings.Contains(strings.ToLower(text), "useful") {
			continue
		}
		q.explained += " " + sentence(strings.TrimRight(text, ".")) + "."
	}
	q.Description += q.explained
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

func allMatch(values []value.Value, pattern *regexp.Regexp) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v value.Value) bool { return !pattern.MatchString(v.Raw()) })
}

// paramName joins words to a name that starts with a letter.
func paramName(list []string) string {
	name := snake(dedupe(list), 48)
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "value_" + name
	}
	return strings.TrimSuffix(name, "_")
}

func title(name string) string {
	list := strings.Split(name, "_")
	for i, w := range list {
		if !isStop(w) || i == 0 {
			list[i] = sentence(w)
		}
	}
	return strings.Join(list, " ")
}
