package mixed

import (
	"context"
	"errors"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/federation/scalars"
	"github.com/birdcall/birdcall/pkg/value"
)

// profile says what the values of a column are fit for.
type profile struct {
	named   bool // texts that are names or other words
	places  bool // texts most of which are names in the gazetteer
	numbers bool // whole numbers, of which there are several
	nulls   bool
}

// profileOf reads a column once.
func (d *Database) profileOf(ctx context.Context, t *engine.Table, c *engine.Column) (*profile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.profiles[c]; p != nil {
		return p, nil
	}
	p, err := d.scan(ctx, t, c)
	if err == nil {
		d.profiles[c] = p
	}
	return p, err
}

// errUnfit ends the scan of a column that is fit for nothing.
var errUnfit = errors.New("the column is fit for nothing")

// scan reads the different values of a column.
func (d *Database) scan(ctx context.Context, t *engine.Table, c *engine.Column) (*profile, error) {
	var f findings
	err := d.db.Each(ctx, "SELECT DISTINCT "+sqlite.Quote(c.Name)+" FROM "+sqlite.Quote(t.Name), func(row []value.Value) error {
		if !f.add(row[0]) {
			return errUnfit
		}
		return nil
	})
	if errors.Is(err, errUnfit) {
		return &profile{}, nil
	}
	return f.profile(), err
}

// findings are what is known of a column's different values.
type findings struct {
	texts, words, places, numbers int
	nulls, several                bool // several: numbers besides 0 and 1
}

// add takes a value, and reports whether the column may still be fit for something.
func (f *findings) add(v value.Value) bool {
	const limit = 120 // bytes of a name
	switch v.Kind() {
	case value.Null:
		f.nulls = true
	case value.Text:
		s := v.Raw()
		if len(s) > limit || !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			return false
		}
		f.texts++
		if isName(s) {
			f.words++
		}
		if _, ok := scalars.Find(s); ok && len(s) > 2 { // codes of two letters are ambiguous
			f.places++
		}
	case value.Integer, value.Real:
		const exact = 1 << 53
		x := v.Float64()
		if x > exact || x < -exact || x != math.Trunc(x) {
			return false
		}
		f.numbers++
		f.several = f.several || x != 0 && x != 1
	default:
		return false
	}
	return true
}

func (f *findings) profile() *profile {
	const few = 4
	return &profile{
		named:   f.numbers == 0 && f.texts >= few && f.words*5 >= f.texts*4,
		places:  f.numbers == 0 && f.texts > 1 && f.places*5 >= f.texts*3,
		numbers: f.texts == 0 && f.numbers >= few && f.several,
		nulls:   f.nulls,
	}
}

// isName reports whether a text is a name or other words, and no code, address or
// time.
func isName(s string) bool {
	letters, others := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case r == '@' || r == '/' || r == '_' || r == '<' || r == '{' || r == '=' || r == '\n':
			return false
		case !unicode.IsSpace(r):
			others++
		}
	}
	return letters > 2 && others*3 <= letters && (strings.ToUpper(s) != s || letters > 5)
}
