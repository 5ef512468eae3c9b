package query

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/value"
)

// collect makes collections of the tables.
func (d *Database) collect(ctx context.Context) error {
	for _, t := range d.schema.Tables {
		if len(t.Required) > 0 {
			continue // an API that gives no rows unless it is asked by a key
		}
		c := Collection{Name: t.Name}
		if about := d.info.Table(t.Name); about != nil && !strings.EqualFold(about.Readable, t.Name) {
			c.Description = oneLine(about.Readable)
		}
		for i := range t.Columns {
			p, err := d.property(ctx, t, &t.Columns[i])
			if err != nil {
				return fmt.Errorf("the database %s, column %s of %s: %w", d.info.ID, t.Columns[i].Name, t.Name, err)
			}
			c.Properties = append(c.Properties, p)
		}
		d.collections = append(d.collections, c)
	}
	return nil
}

// property describes a column. Its type follows from the declaration, and where
// that does not tell dates and booleans, from the values.
func (d *Database) property(ctx context.Context, t *sqlite.Table, c *sqlite.Column) (Property, error) {
	about := d.info.Describe(t.Name, c.Name)
	p := Property{Name: c.Name, Description: oneLine(cmp.Or(about.Description, about.Readable)), Values: oneLine(about.ValueDescription), Required: c.NotNull || c.Name == t.IntegerPrimaryKey}
	if strings.EqualFold(p.Description, p.Name) {
		p.Description = ""
	}
	var err error
	if !p.Required && c.PrimaryKey > 0 { // which in SQLite need not mean that there is no NULL
		var null []value.Value
		null, err = d.some(ctx, t, c, "IS NULL", "", 1)
		p.Required = err == nil && len(null) == 0
	}
	if err == nil {
		p.Type, err = d.typeOf(ctx, t, c)
	}
	return p, err
}

// fewValues is how many values tell whether a column has dates.
const fewValues = 50

func (d *Database) typeOf(ctx context.Context, t *sqlite.Table, c *sqlite.Column) (Type, error) {
	declared := strings.ToLower(c.Type)
	isNumber := value.DType(c.Type) != "string"
	if isNumber && c.Affinity != value.AffinityReal && c.PrimaryKey == 0 && c.Name != t.IntegerPrimaryKey {
		// At the third value it is known that they are more than true and false.
		values, err := d.some(ctx, t, c, "IS NOT NULL", "DISTINCT ", 3)
		if err != nil {
			return "", err
		}
		if len(values) == 2 && isBit(values[0]) && isBit(values[1]) || strings.Contains(declared, "bool") && len(values) < 3 && all(values, isBit) {
			return Boolean, nil
		}
	}
	if isNumber {
		return Number, nil
	}
	values, err := d.some(ctx, t, c, "IS NOT NULL", "", fewValues)
	switch {
	case err != nil:
		return "", err
	case len(values) > 0 && all(values, isDate):
		return Date, nil
	case len(values) > 0 && c.Affinity != value.AffinityText && all(values, isNumeric): // such as a column without a type
		return Number, nil
	}
	return Text, nil
}

// some returns a few values of a column that are, or are not, NULL.
func (d *Database) some(ctx context.Context, t *sqlite.Table, c *sqlite.Column, condition, distinct string, most int) ([]value.Value, error) {
	name := sqlite.Quote(c.Name)
	rows, err := d.Query(ctx, fmt.Sprintf("SELECT %s%s FROM %s WHERE %s %s LIMIT %d", distinct, name, sqlite.Quote(t.Name), name, condition, most))
	out := make([]value.Value, len(rows))
	for i, row := range rows {
		out[i] = row[0]
	}
	return out, err
}

func all(values []value.Value, is func(value.Value) bool) bool {
	for _, v := range values {
		if !is(v) {
			return false
		}
	}
	return true
}

func isBit(v value.Value) bool {
	return v.Kind() == value.Integer && (v.Int64() == 0 || v.Int64() == 1)
}

func isNumeric(v value.Value) bool { return v.Kind() == value.Integer || v.Kind() == value.Real }

// dateForm is how dates begin that SQLite reads (lang_datefunc.html, section 2).
var dateForm = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([ T]|$)`)

func isDate(v value.Value) bool { return v.Kind() == value.Text && dateForm.MatchString(v.Raw()) }

// oneLine returns a text without line breaks and other runs of white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
