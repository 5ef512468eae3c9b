package openapi

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/birdcall/birdcall/internal/federation/apis"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// The extensions of a document that say how a column is in SQL. With a type, the
// values of a column are exact, as serve writes them.
const (
	extensionType       = "x-sql-type"
	extensionCollation  = "x-sql-collation"
	extensionColumns    = "x-sql-columns" // of the row: the names in their order
	extensionPrimaryKey = "x-sql-primary-key"
	extensionRowID      = "x-sql-rowid"
)

// conversion is how a value of JSON becomes one of SQL.
type conversion uint8

const (
	asWritten conversion = iota // integers are INTEGER, other numbers REAL
	toReal                      // all numbers are REAL
	toInteger                   // whole numbers are INTEGER
	exact                       // as serve writes values
	toText                      // numbers and booleans are the TEXT that SQLite writes for them
)

// columnSource is where a column's values come from.
type columnSource struct {
	path    []string // in the row
	shape   shape
	convert conversion
}

// numbers reports whether the document says that the values are numbers or booleans.
func (c columnSource) numbers() bool { return c.shape.types.only(isInteger | isNumber | isBoolean) }

// sqlTypes are what the columns of JSON types are in SQL.
var sqlTypes = []struct {
	types types
	name  string
	kinds []value.Kind
}{
	{isInteger, "INTEGER", []value.Kind{value.Integer}},
	{isBoolean, "BOOLEAN", []value.Kind{value.Integer}},
	{isInteger | isBoolean, "INTEGER", []value.Kind{value.Integer}},
	{isNumber, "REAL", []value.Kind{value.Real}},
	{isInteger | isNumber | isBoolean, "NUMERIC", []value.Kind{value.Integer, value.Real}},
	{isString | isNested, "TEXT", []value.Kind{value.Text}},
}

// column returns what a schema makes of a column.
func (s *shape) column(name string) (apis.Column, conversion) {
	c := apis.Column{Name: name, Description: s.description, Collation: "BINARY"}
	for _, t := range sqlTypes {
		if s.types.only(t.types) {
			c.Type, c.Kinds = t.name, t.kinds
			break
		}
	}
	if s.types != 0 && c.Kinds == nil {
		if s.types.has(isInteger | isNumber | isBoolean) {
			c.Kinds = append(c.Kinds, value.Integer)
		}
		if s.types.has(isNumber) {
			c.Kinds = append(c.Kinds, value.Real)
		}
		c.Kinds = append(c.Kinds, value.Text)
	}
	convert := conversionOf(c.Type)
	if declared, ok := s.extensions[extensionType].(string); ok {
		c.Type, convert = declaredType(declared), exact
		switch {
		case s.types.has(isObject): // by which a BLOB is written
			c.Kinds = []value.Kind{value.Integer, value.Real, value.Text, value.Blob}
		case s.types.only(isInteger|isNumber) && s.types.has(isNumber):
			c.Kinds = []value.Kind{value.Integer, value.Real} // a number may be either
		}
	}
	if collation, ok := s.extensions[extensionCollation].(string); ok {
		if known, ok := value.CollationNamed(collation); ok {
			c.Collation = known.String()
		}
	}
	c.Enum = s.values(convert)
	return c, convert
}

// conversionOf returns how the values of a declared type are read.
func conversionOf(declared string) conversion {
	switch value.AffinityOf(declared) {
	case value.AffinityReal:
		return toReal
	case value.AffinityInteger:
		return toInteger
	case value.AffinityText:
		return toText
	}
	return asWritten
}

// values returns the values of an enum, or nil if not all can be known.
func (s *shape) values(convert conversion) []value.Value {
	var all []value.Value
	for _, e := range s.enum {
		switch e := e.(type) {
		case nil:
		case string:
			all = append(all, value.Str(e))
		case bool:
			all = append(all, value.Bool(e))
		case float64:
			v := value.AffinityInteger.Apply(value.Float(e))
			if math.Abs(e) >= 1<<53 || v.Kind() == value.Integer && convert == exact {
				return nil // the library has read it as a float64, and 5 and 5.0 as the same
			}
			if convert == toReal {
				v = value.Float(e)
			}
			all = append(all, v)
		default:
			return nil
		}
	}
	return all
}

var typePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*( [A-Za-z_][A-Za-z0-9_]*)*( ?\( ?[0-9]{1,9}( ?, ?[0-9]{1,9})? ?\))?$`)

// constraintWords would be something else than a part of a type's name.
var constraintWords = []string{
	"as", "asc", "autoincrement", "check", "collate", "conflict", "constraint", "default", "desc", "foreign", "generated",
	"hidden", "key", "not", "null", "on", "primary", "references", "unique", "virtual", "stored", "always",
}

// isTypeName reports whether a text can be in a declaration of SQL as a type.
func isTypeName(text string) bool {
	if len(text) > 100 || !typePattern.MatchString(text) {
		return false
	}
	for word := range strings.FieldsFuncSeq(spelling.Lower(text), func(r rune) bool { return r == ' ' || r == '(' }) {
		if slices.Contains(constraintWords, word) {
			return false
		}
	}
	return true
}

// declaredType returns a type of a document as SQL can declare it: the name of its
// affinity where it is no simple name.
func declaredType(text string) string {
	if text == "" || isTypeName(text) {
		return text
	}
	return value.AffinityOf(text).String()
}

// columns fills in the columns of a table from the schema of its rows and the
// declaration.
func (b *tableBuilder) columns(row *shape) {
	if len(row.properties) > maxColumns {
		b.fail(b.form.at, "the rows have more than %d properties", maxColumns)
		return
	}
	for _, p := range row.properties {
		s := b.doc().shapeOf(p.schema)
		c, convert := s.column(p.name)
		c.NotNull = slices.Contains(row.required, p.name) && !s.null && s.types != 0
		b.add(c, columnSource{[]string{p.name}, s, convert})
	}
	if order, ok := row.extensions[extensionColumns].([]any); ok {
		b.sort(order)
	}
	var declared [][]string
	for _, n := range b.form.columns.all {
		if path, ok := b.declare(n, row); ok {
			declared = append(declared, path)
		}
	}
	// An object of which a part is declared is no column by itself.
	for _, path := range declared {
		if len(path) > 1 {
			whole := path[:1]
			if i := b.at(whole); i >= 0 && !slices.ContainsFunc(declared, func(p []string) bool { return slices.Equal(p, whole) }) {
				b.remove(i)
			}
		}
	}
	b.choose()
	for i, c := range b.table.Columns {
		for _, other := range b.table.Columns[:i] {
			if spelling.Same(c.Name, other.Name) {
				b.fail(b.form.at, "the columns %s and %s have one name in SQL; give one another name under columns, or leave it out with only", other.Name, c.Name)
			}
		}
	}
	if len(b.table.Columns) == 0 && !b.failed {
		b.fail(b.form.at, "the document tells no columns of the table; declare them under columns, such as name: /name")
	}
}

func (b *tableBuilder) add(c apis.Column, source columnSource) {
	b.table.Columns = append(b.table.Columns, c)
	b.source.columns = append(b.source.columns, source)
}

func (b *tableBuilder) remove(i int) {
	b.table.Columns = slices.Delete(b.table.Columns, i, i+1)
	b.source.columns = slices.Delete(b.source.columns, i, i+1)
}

// at returns the column of a path, or -1.
func (b *tableBuilder) at(path []string) int {
	return slices.IndexFunc(b.source.columns, func(c columnSource) bool { return slices.Equal(c.path, path) })
}

// sort puts the columns in the order of names.
func (b *tableBuilder) sort(names []any) {
	place := func(c apis.Column) int {
		if i := slices.Index(names, any(c.Name)); i >= 0 {
			return i
		}
		return len(names)
	}
	byName := map[string]columnSource{}
	for i, c := range b.table.Columns {
		byName[c.Name] = b.source.columns[i]
	}
	slices.SortStableFunc(b.table.Columns, func(x, y apis.Column) int { return cmp.Compare(place(x), place(y)) })
	for i, c := range b.table.Columns {
		b.source.columns[i] = byName[c.Name]
	}
}

// declare adds a column of the declaration, or changes the one of its path.
func (b *tableBuilder) declare(n named[columnForm], row *shape) ([]string, bool) {
	path := []string{n.name.s}
	if n.form.path.given() {
		var err error
		if path, err = parsePointer(n.form.path.s); err != nil {
			b.fail(n.form.path.at, "%q is no JSON pointer into the row, such as /name", n.form.path.s)
			return nil, false
		}
	}
	s, known, err := b.doc().walk(*row, path)
	if err != nil && !n.form.typ.given() {
		b.fail(cmp.Or(n.form.path.at, n.name.at), "column %s: the row has no %w", n.name.s, err)
		return nil, false
	}
	c, convert := s.column(n.name.s)
	if t := n.form.typ; t.given() {
		if t.s != "" && !isTypeName(t.s) {
			b.fail(t.at, "%q is no type; use one such as INTEGER, REAL, TEXT, DATE or DECIMAL(10,2)", t.s)
			return nil, false
		}
		c.Type = t.s
		if convert != exact {
			convert = conversionOf(t.s)
			c.Kinds = converted(c.Kinds, convert)
		}
	}
	if given := n.form.collation; given.given() {
		known, ok := value.CollationNamed(given.s)
		if !ok {
			b.fail(given.at, "there is no collation %q; use one of BINARY, NOCASE, RTRIM", given.s)
			return nil, false
		}
		c.Collation = known.String()
	}
	source := columnSource{path, s, convert}
	if i := b.at(path); i >= 0 && known {
		c.NotNull = b.table.Columns[i].NotNull
		b.table.Columns[i], b.source.columns[i] = c, source
		return path, true
	}
	b.add(c, source)
	return path, true
}

// converted returns the storage classes that values have after a conversion.
func converted(kinds []value.Kind, convert conversion) []value.Kind {
	switch {
	case convert == toText:
		return []value.Kind{value.Text}
	case kinds == nil:
		return nil
	}
	var out []value.Kind
	for _, k := range kinds {
		switch {
		case k == value.Integer && convert == toReal:
			out = append(out, value.Real)
		case k == value.Real && convert == toInteger:
			out = append(out, value.Integer, value.Real)
		default:
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// choose keeps the columns that only names.
func (b *tableBuilder) choose() {
	if b.form.only.at.line == 0 {
		return
	}
	var columns []apis.Column
	var sources []columnSource
	for _, name := range b.form.only.all {
		if i, ok := b.column(name.text); ok {
			columns, sources = append(columns, b.table.Columns[i]), append(sources, b.source.columns[i])
		}
	}
	b.table.Columns, b.source.columns = columns, sources
}

// column returns the number of the column that a text names.
func (b *tableBuilder) column(name text) (int, bool) {
	for i, c := range b.table.Columns {
		if spelling.Same(c.Name, name.s) {
			return i, true
		}
	}
	names := make([]string, len(b.table.Columns))
	for i, c := range b.table.Columns {
		names[i] = c.Name
	}
	b.fail(name.at, "there is no column %q; %s", name.s, nearest(name.s, names))
	return 0, false
}

// walk returns what is at a path from a shape, and whether the document says it.
// The error is that of a member which is not among those that the document has.
func (d *document) walk(s shape, path []string) (shape, bool, error) {
	for i, token := range path {
		var next *openapi3.SchemaRef
		switch {
		case s.property(token) != nil:
			next = s.property(token)
		case isIndex(token) && len(s.items) > 0:
			next = s.items[0]
		case len(s.properties) > 0:
			return shape{}, false, fmt.Errorf("%q at %s; %s", token, cmp.Or(writePointer(path[:i]), "its top"), nearest(token, s.names()))
		default:
			return shape{}, false, nil
		}
		s = d.shapeOf(next)
	}
	return s, true, nil
}

// isIndex reports whether a token of a pointer can be the number of an element.
func isIndex(token string) bool {
	return token == "0" || token != "" && token[0] != '0' && strings.Trim(token, "0123456789") == ""
}
