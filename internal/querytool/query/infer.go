package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/value"
)

// collect makes collections of the tables. Those of APIs have no properties yet.
func (d *Database) collect(ctx context.Context) error {
	for _, t := range d.schema.Tables {
		if len(t.Required) > 0 {
			continue // an API that gives no rows unless it is asked by a key
		}
		c := Collection{Name: t.Name}
		if about := d.info.Table(t.Name); about != nil && !strings.EqualFold(about.Readable, t.Name) {
			c.Description = oneLine(about.Readable)
		}
		if t.API == "" {
			var err error
			if c.Properties, err = d.properties(ctx, t); err != nil {
				return err
			}
		}
		d.collections = append(d.collections, c)
	}
	return nil
}

// Described returns the collections as Collections does, all with their properties.
// For the types of those that are tables of APIs, these are listed. Errors are those of
// reading them.
func (d *Database) Described(ctx context.Context) ([]Collection, error) {
	return d.describe(ctx, func(string) bool { return true })
}

// describeOne returns the collections, of which the one of that name has its properties.
func (d *Database) describeOne(ctx context.Context, name string) ([]Collection, error) {
	return d.describe(ctx, func(other string) bool { return spelling.Same(other, name) })
}

func (d *Database) describe(ctx context.Context, wanted func(name string) bool) ([]Collection, error) {
	d.mu.Lock()
	out := d.collections
	d.mu.Unlock()
	for i := range out {
		if out[i].Properties != nil || !wanted(out[i].Name) {
			continue
		}
		properties, err := d.options.Known.of(out[i].Name, func() ([]Property, error) {
			return d.properties(ctx, d.schema.Table(out[i].Name))
		})
		if err != nil {
			return nil, err
		}
		d.mu.Lock()
		out = slices.Clone(d.collections)
		out[i].Properties = properties
		d.collections = out
		d.mu.Unlock()
	}
	return out, nil
}

// Known keeps the properties of collections that are tables of APIs, for all that is
// opened of one database. Several goroutines may use it at once.
type Known struct {
	mu         sync.Mutex
	properties map[string][]Property
}

// of returns the properties of a collection, which it finds if they are not known. A
// nil Known keeps none.
func (k *Known) of(name string, find func() ([]Property, error)) ([]Property, error) {
	if k == nil {
		return find()
	}
	k.mu.Lock()
	known, ok := k.properties[name]
	k.mu.Unlock()
	if ok {
		return known, nil
	}
	found, err := find()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.properties == nil {
		k.properties = map[string][]Property{}
	}
	k.properties[name] = found
	return found, nil
}

// properties describes the columns of a table.
func (d *Database) properties(ctx context.Context, t *sqlite.Table) ([]Property, error) {
	out := make([]Property, 0, len(t.Columns))
	for i := range t.Columns {
		if t.Columns[i].Hidden {
			continue
		}
		p, err := d.property(ctx, t, &t.Columns[i])
		if errors.Is(err, engine.ErrTooLarge) {
			// Queries that read the column meet the limit, and others need not.
			p.Type, err = declaredType(&t.Columns[i]), nil
		}
		if err != nil {
			return nil, fmt.Errorf("the database %s, column %s of %s: %w", d.info.ID, t.Columns[i].Name, t.Name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// property describes a column. Its type follows from the declaration, and where
// that does not declare dates and booleans, from the values.
func (d *Database) property(ctx context.Context, t *sqlite.Table, c *sqlite.Column) (Property, error) {
	about := d.info.Describe(t.Name, c.Name)
	p := Property{Name: c.Name, Description: oneLine(cmp.Or(about.Description, about.Readable)), Values: oneLine(about.ValueDescription), Required: c.NotNull || c.Name == t.IntegerPrimaryKey}
	if strings.EqualFold(p.Description, p.Name) {
		p.Description = ""
	}
	var err error
	if !p.Required && c.PrimaryKey > 0 { // which in SQLite need not mean that there is no NULL
		var null []value.Value
		null, err = d.some(ctx, t, c, aNull, 1)
		p.Required = err == nil && len(null) == 0
	}
	if err == nil {
		p.Type, err = d.typeOf(ctx, t, c)
	}
	return p, err
}

// declaredType returns the type of a column whose values cannot be looked at.
func declaredType(c *sqlite.Column) Type {
	if value.DType(c.Type) != "string" {
		return Number
	}
	return Text
}

// fewValues is how many values say whether a column has dates.
const fewValues = 50

func (d *Database) typeOf(ctx context.Context, t *sqlite.Table, c *sqlite.Column) (Type, error) {
	declared := strings.ToLower(c.Type)
	isNumber := value.DType(c.Type) != "string"
	if isNumber && c.Affinity != value.AffinityReal && c.PrimaryKey == 0 && c.Name != t.IntegerPrimaryKey {
		// At the third value it is known that they are more than true and false.
		values, err := d.some(ctx, t, c, different, 3)
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
	values, err := d.some(ctx, t, c, notNull, fewValues)
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

// which says which values of a column are asked for.
type which int

const (
	notNull which = iota
	different
	aNull
)

// some returns a few values of a column, the first ones.
func (d *Database) some(ctx context.Context, t *sqlite.Table, c *sqlite.Column, of which, most int) ([]value.Value, error) {
	if t.API != "" {
		return d.someOfAPI(ctx, t, c, of, most)
	}
	name := sqlite.Quote(c.Name)
	form := [...]string{
		notNull:   "SELECT %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL LIMIT %[3]d",
		different: "SELECT DISTINCT %[1]s FROM %[2]s WHERE %[1]s IS NOT NULL LIMIT %[3]d",
		aNull:     "SELECT %[1]s FROM %[2]s WHERE %[1]s IS NULL LIMIT %[3]d",
	}[of]
	rows, err := d.Query(ctx, fmt.Sprintf(form, name, sqlite.Quote(t.Name), most))
	out := make([]value.Value, len(rows))
	for i, row := range rows {
		out[i] = row[0]
	}
	return out, err
}

// someOfAPI is some for a table of an API, which is listed for all its columns
// together, and for the queries that read them.
func (d *Database) someOfAPI(ctx context.Context, t *sqlite.Table, c *sqlite.Column, of which, most int) ([]value.Value, error) {
	column, err := d.store.Column(ctx, t.Name, c.Name)
	if err != nil {
		return nil, err
	}
	collation, _ := value.CollationNamed(c.Collation)
	var out []value.Value
	for i := 0; i < column.Len() && len(out) < most; i++ {
		v := column.Value(i)
		isOne := !v.IsNull()
		switch of {
		case aNull:
			isOne = v.IsNull()
		case different:
			isOne = isOne && !slices.ContainsFunc(out, func(o value.Value) bool { return value.Compare(o, v, collation) == 0 })
		}
		if isOne {
			out = append(out, v)
		}
	}
	return out, nil
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
