package querygrid

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/querytool/query"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/value"
)

// The bounds of what is looked at.
const (
	maxSampled  = 2000 // objects of a collection, of which larger ones have more
	pieces      = 10   // in which so many are read
	maxText     = 400  // characters of a text
	maxGroups   = 30   // values of a property that groups
	maxNumbers  = 15   // the same of numbers
	shortText   = 40   // characters of a text that names something
	manyObjects = 20_000
	fewTexts    = 100 // different ones in a sample, whose words each find much of it
)

// profile is a collection with what is known of its objects.
type profile struct {
	collection *query.Collection
	noun       string // what its objects are called, plural
	rows       int64
	properties []*property
	searched   []*property // those whose texts have words
	groups     []*property // those that group well
	sample     [][]value.Value
	references []string       // properties that name objects of other tables
	words      map[string]int // how many of the sample have a word; nil before it is asked
}

// property is a property of a profile.
type property struct {
	*query.Property
	name
	kind    query.Type // as the paper's toolset knows it: dates are texts
	at      int
	values  []value.Value // those of the sample that are not NULL
	counts  map[value.Value]int
	isID    bool // names objects, and says nothing else of them
	isProse bool
}

// ofType returns the properties of a type that have values.
func (p *profile) ofType(t query.Type) []*property {
	var out []*property
	for _, one := range p.properties {
		if one.kind == t && len(one.values) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// allows reports whether the collection has properties for a combination.
func (p *profile) allows(c Combination) bool {
	return p.rows > 0 && (!c.Search || len(p.searched) > 0) && (c.Filter == "" || len(p.ofType(c.Filter)) > 0) &&
		(c.Aggregation == "" || len(p.ofType(c.Aggregation)) > 0) && (!c.Grouped || len(p.groups) > 0)
}

// survey reads a sample of each collection.
func (g *grid) survey(ctx context.Context, info *bird.Database) error {
	collections := g.db.Collections()
	for i := range collections {
		c := &collections[i]
		p := &profile{collection: c}
		if err := p.read(ctx, g.db); err != nil {
			return fmt.Errorf("a sample of %s: %w", c.Name, err)
		}
		p.describe(info)
		g.profiles = append(g.profiles, p)
	}
	return nil
}

// read reads a sample of the objects: all of them, or some from each tenth of the
// table's rowids.
func (p *profile) read(ctx context.Context, db *query.Database) error {
	table := sqlite.Quote(p.collection.Name)
	columns := make([]string, len(p.collection.Properties))
	for i, one := range p.collection.Properties {
		columns[i] = sqlite.Quote(one.Name)
		if one.Type == query.Text {
			columns[i] = fmt.Sprintf("CASE typeof(%s) WHEN 'text' THEN substr(%[1]s, 1, %d) ELSE %[1]s END", columns[i], maxText)
		}
	}
	count, err := db.Query(ctx, "SELECT COUNT(*) FROM "+table)
	if err != nil {
		return err
	}
	p.rows = count[0][0].Int64()
	keys, err := db.Query(ctx, `SELECT "from" FROM pragma_foreign_key_list(?)`, value.Str(p.collection.Name))
	if err != nil {
		return err
	}
	for _, key := range keys {
		p.references = append(p.references, key[0].Raw())
	}
	from := fmt.Sprintf("SELECT %s FROM %s", strings.Join(columns, ", "), table)
	if p.rows > maxSampled {
		last, err := db.Query(ctx, "SELECT MAX(rowid) FROM "+table)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && last[0][0].Kind() == value.Integer { // it has rowids
			for i := range int64(pieces) {
				rows, err := db.Query(ctx, fmt.Sprintf("%s WHERE rowid > %d LIMIT %d", from, last[0][0].Int64()/pieces*i, maxSampled/pieces))
				if err != nil {
					return err
				}
				p.sample = append(p.sample, rows...)
			}
			return nil
		}
	}
	p.sample, err = db.Query(ctx, fmt.Sprintf("%s LIMIT %d", from, maxSampled))
	return err
}

// describe finds what the properties are good for.
func (p *profile) describe(info *bird.Database) {
	var about *bird.Table
	if info != nil {
		about = info.Table(p.collection.Name)
	}
	p.noun = nounOf(p.collection.Name, about)
	taken := map[string]int{}
	for i := range p.collection.Properties {
		one := &property{Property: &p.collection.Properties[i], at: i, counts: map[value.Value]int{}}
		one.kind = query.AsPaper(one.Type)
		readable := ""
		if about != nil {
			if c := about.Column(one.Property.Name); c != nil {
				readable = c.Readable
			}
		}
		one.name = nameOf(one.Property.Name, readable)
		taken[one.words]++
		one.look(p.sample)
		one.isID = one.isID || slices.ContainsFunc(p.references, func(key string) bool { return spelling.Same(key, one.Property.Name) })
		p.properties = append(p.properties, one)
	}
	for _, one := range p.properties {
		if taken[one.words] > 1 { // the readable name distinguishes it from no other
			one.name = nameOf(one.Property.Name, one.Property.Name)
		}
		// It takes long to rank many objects.
		rich := p.rows <= manyObjects || len(one.counts) >= fewTexts
		if one.Type == query.Text && rich && slices.ContainsFunc(one.values, func(v value.Value) bool { return len(informative(v)) > 0 }) {
			p.searched = append(p.searched, one)
		}
		most := maxGroups
		if one.kind == query.Number {
			most = maxNumbers
		}
		if different := len(one.counts); different > 1 && different <= most && 2*different <= len(one.values) && !one.isProse && !one.hasLongValues() {
			p.groups = append(p.groups, one)
		}
	}
	p.groups = informativeFirst(p.groups)
	if prose := slices.DeleteFunc(slices.Clone(p.searched), func(one *property) bool { return !one.isProse }); len(prose) > 0 {
		p.searched = prose
	}
}

// informativeFirst returns those of some properties that say something of an object, or
// all if they are only identifiers.
func informativeFirst(list []*property) []*property {
	if out := slices.DeleteFunc(slices.Clone(list), func(one *property) bool { return one.isID }); len(out) > 0 {
		return out
	}
	return list
}

// frequency returns how many objects of the sample have a word in the texts that are
// searched.
func (p *profile) frequency(word string) int {
	if p.words == nil {
		p.words = map[string]int{}
		for _, row := range p.sample {
			seen := map[string]bool{}
			for _, one := range p.searched {
				for _, w := range informative(row[one.at]) {
					if w = strings.ToLower(w); !seen[w] {
						seen[w] = true
						p.words[w]++
					}
				}
			}
		}
	}
	return p.words[strings.ToLower(word)]
}

// look finds what the values of a property are like.
func (p *property) look(sample [][]value.Value) {
	length, spaces := 0, 0
	for _, row := range sample {
		if v := row[p.at]; !v.IsNull() && v.Kind() != value.Blob {
			p.values = append(p.values, v)
			p.counts[v]++
			length += len(v.Raw())
			spaces += strings.Count(v.Raw(), " ")
		}
	}
	n := len(p.values)
	p.isProse = p.Type == query.Text && n > 0 && length > shortText/2*n && spaces > 2*n
	p.isID = p.namesObjects() || p.kind == query.Number && n > 20 && len(p.counts) == n && p.Required
}

// namesObjects reports whether the name of a property is that of an identifier.
func (p *property) namesObjects() bool {
	words := strings.Fields(spelling.Words(p.Property.Name))
	for i, w := range words {
		words[i] = spelling.Lower(w)
	}
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	return slices.Contains([]string{"id", "ids", "key", "uuid", "guid", "code", "url", "hash", "zip", "phone", "fax", "email", "ext", "index", "seqno"}, last)
}

// addsUp reports whether a sum of the numbers says something: one of years or of
// ratings does not.
func (p *property) addsUp() bool {
	last := p.words[strings.LastIndex(p.words, " ")+1:]
	return !p.isYear() && !slices.Contains([]string{"rating", "score", "rate", "percent", "percentage", "age", "rank", "grade", "level", "latitude", "longitude", "position"}, last)
}

func (p *property) hasLongValues() bool {
	return slices.ContainsFunc(p.values, func(v value.Value) bool { return len(v.Raw()) > shortText })
}
