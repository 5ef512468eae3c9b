package mixed

import (
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/internal/text/jsontext"
	"github.com/birdcall/birdcall/pkg/value"
)

// link is a function whose first argument is a column or what another function
// gives, and whose others are constants.
type link struct {
	function *scalars.Function
	rest     []value.Value
}

func of(name string, rest ...value.Value) link { return link{scalars.Named(name), rest} }

// measure is a chain of functions on a column, from the inside out, and what it
// says of the column in words.
type measure struct {
	links []link
	words string // with %s for the column
}

// predicate is a measure that is compared.
type predicate struct {
	measure
	op    string
	value value.Value
}

// names returns the functions' names, from the inside out.
func (m measure) names() []string {
	out := make([]string, len(m.links))
	for i, l := range m.links {
		out[i] = l.function.Name
	}
	return out
}

// apply computes the measure of a value. What a function refuses is NULL.
func (m measure) apply(v value.Value) value.Value {
	for _, l := range m.links {
		var err error
		if v, err = l.function.Call(append([]value.Value{v}, l.rest...)...); err != nil {
			return value.NullValue()
		}
	}
	return v
}

// holds reports whether a value meets the predicate.
func (p predicate) holds(v value.Value) bool {
	got := p.apply(v)
	if got.IsNull() {
		return false
	}
	order := value.Compare(got, p.value, value.Binary)
	switch p.op {
	case ">":
		return order > 0
	case "<=":
		return order <= 0
	}
	return order == 0
}

// call returns the measure of a column in SQL.
func (m measure) call(column string) string {
	for _, l := range m.links {
		var b strings.Builder
		b.WriteString(l.function.Name + "(" + column)
		for _, v := range l.rest {
			b.WriteString(", " + literal(v))
		}
		column = b.String() + ")"
	}
	return column
}

// aliases are what the functions' tables are called.
var aliases = map[string]string{
	"count_characters": "cc", "count_syllables": "cs", "is_divisible": "idv", "is_prime": "ip", "is_perfect_square": "ips", "is_fibonacci": "ifb",
	"get_latitude_of_place": "glat", "get_longitude_of_place": "glon", "get_country_of_place": "gcp", "get_province_of_place": "gpp",
	"get_county_of_place": "gcy", "get_locality_of_place": "glp", "get_address_of_place": "gap", "calculate_distance": "cd",
}

// joins returns the joins of the functions' tables for a column, and the column that
// has the measure.
func (m measure) joins(s *statement, column string) (sql, result string) {
	var b strings.Builder
	var taken []string
	for _, l := range m.links {
		alias := s.fresh(aliases[l.function.Name], &taken)
		b.WriteString(" JOIN " + l.function.Name + " AS " + alias + " ON " + alias + "." + l.function.Args[0].Name + " = " + column)
		for i, v := range l.rest {
			b.WriteString(" AND " + alias + "." + l.function.Args[i+1].Name + " = " + literal(v))
		}
		column = alias + "." + l.function.Result.Name
	}
	return b.String(), column
}

// literal returns a value as SQL writes it.
func literal(v value.Value) string {
	switch v.Kind() {
	case value.Integer:
		return strconv.FormatInt(v.Int64(), 10)
	case value.Real:
		return string(jsontext.AppendReal(nil, v.Float64()))
	}
	return "'" + strings.ReplaceAll(v.Raw(), "'", "''") + "'"
}

// withCondition returns both forms of the statement with a condition on a column.
func (s *statement) withCondition(column string, p predicate) (function, join string) {
	joins, result := p.joins(s, column)
	compared := " " + p.op + " " + literal(p.value)
	return s.edit("", "", p.call(column)+compared), s.edit("", joins, result+compared)
}

// withColumn returns both forms of the statement with a result column more.
func (s *statement) withColumn(column string, m measure) (function, join string) {
	joins, result := m.joins(s, column)
	return s.edit(", "+m.call(column), "", ""), s.edit(", "+result, joins, "")
}

// edit returns the statement with text after the result columns, after FROM, and a
// condition more.
func (s *statement) edit(items, from, condition string) string {
	var b strings.Builder
	b.WriteString(s.sql[:s.items] + items + s.sql[s.items:s.from[1]] + from)
	at := s.from[1]
	switch {
	case condition == "":
	case s.arm.Where == nil:
		b.WriteString(" WHERE " + condition)
	default:
		before, after := s.sql[at:s.where[0]], s.sql[s.where[0]:s.where[1]]
		if s.hasOr() {
			after = " (" + strings.TrimSpace(after) + ")"
		}
		b.WriteString(before + after + " AND " + condition)
		at = s.where[1]
	}
	b.WriteString(s.sql[at:])
	return b.String()
}

// rows returns a SELECT of columns in the rows that the statement takes.
func (s *statement) rows(columns []string) string {
	sql := "SELECT " + strings.Join(columns, ", ") + " FROM" + s.sql[s.from[0]:s.from[1]]
	if s.arm.Where != nil {
		sql += " WHERE" + s.sql[s.where[0]:s.where[1]]
	}
	return sql
}
