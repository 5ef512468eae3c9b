package mixed

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/sqlite"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/inflect"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// candidate is a column of a statement that has a profile and words.
type candidate struct {
	source  *sqltree.Source
	index   int
	profile *profile
	words   string // with the article: the card's artist
	place   placeKind
}

// column returns the column as the statement can name it.
func (c candidate) column() string { return identifier(c.source.Name) + "." + identifier(c.name()) }

func (c candidate) name() string { return c.source.Columns[c.index].Name }

// full returns the column by its table.
func (c candidate) full() string { return c.source.Table.Name + "." + c.name() }

// isPlace reports whether the column is one of places, by its values and its words.
func (c candidate) isPlace() bool { return c.profile.places && c.place != noPlace }

// called returns the words of the column for a measure: a place is meant where its
// name is given.
func (c candidate) called(m measure) string {
	if c.isPlace() && m.links[0].function.Args[0].Name != "string" {
		return strings.TrimSuffix(c.words, " name")
	}
	return c.words
}

// placeKind says what sort of places a column has, by its words.
type placeKind int

const (
	noPlace placeKind = iota
	aPlace
	aCounty
	aProvince
	aCountry
)

// placeOf finds it in the words of a column.
func placeOf(words string) placeKind {
	kinds := map[string]placeKind{
		"country": aCountry, "nation": aCountry, "state": aProvince, "province": aProvince, "region": aProvince, "county": aCounty,
		"city": aPlace, "town": aPlace, "hometown": aPlace, "place": aPlace, "location": aPlace, "locality": aPlace, "municipality": aPlace, "origin": aPlace,
	}
	found := noPlace
	for _, w := range strings.Fields(words) {
		found = max(found, kinds[strings.TrimSuffix(w, "'s")])
	}
	return found
}

// vague are words that many columns have, so that they need their table's name.
var vague = strings.Fields("name title label id number code type date time text value count amount score status description position rank category url year points comment note notes level source")

// wordsOf returns what a question calls a column, or "" if no words are clear: with
// the noun of its table where the question itself uses it, else those of the column
// alone if no other column has them and they say enough.
func (d *Database) wordsOf(s *statement, src *sqltree.Source, index int, question string) string {
	words := d.phrase(src, index)
	if words == "" {
		return ""
	}
	noun := d.noun(src)
	owned := noun != "" && mentions(question, noun) && !slices.Contains(strings.Fields(words), lastWord(noun))
	switch {
	case owned:
		return "the " + noun + "'s " + words
	case slices.Contains(vague, strings.ToLower(words)):
		return ""
	}
	for _, other := range s.arm.Sources {
		for i := range other.Columns {
			if (other != src || i != index) && d.phrase(other, i) == words && !s.equal(src, other, index, i) {
				return ""
			}
		}
	}
	return "the " + words
}

func lastWord(words string) string { return words[strings.LastIndex(words, " ")+1:] }

// fits reports whether what a function says of a column can be said with its words:
// codes and addresses have no syllables, and a list is not one name. A number that is
// a key is called so.
func (p profile) fits(column, words string) bool {
	last := lastWord(head(words))
	key := strings.HasSuffix(strings.ToLower(column), "id")
	if p.numbers {
		return key == (last == "ID") && !inflect.IsPlural(last)
	}
	codes := strings.Fields("code url urls email mail website phone number date time text uuid uid zip symbol abbreviation reference")
	return !key && last != "ID" && !inflect.IsPlural(last) && !slices.Contains(codes, strings.ToLower(last))
}

// head returns the words before the first preposition: average scores of average
// scores in math.
func head(words string) string {
	list := strings.Fields(words)
	for i, w := range list {
		if i > 0 && slices.Contains([]string{"in", "of", "for", "per", "at", "on", "to", "from", "by", "with", "after"}, w) {
			return strings.Join(list[:i], " ")
		}
	}
	return words
}

// phrase returns the words of a column: its readable name, or those of its own name;
// "" if they are no short phrase.
func (d *Database) phrase(src *sqltree.Source, index int) string {
	name := src.Columns[index].Name
	words := ""
	if src.Table != nil {
		words = strings.Join(strings.Fields(strings.ReplaceAll(d.about.Describe(src.Table.Name, name).Readable, "_", " ")), " ")
	}
	if words == "" || !strings.Contains(words, " ") && strings.EqualFold(words, name) {
		words = spelling.Words(name)
	}
	words = lowered(words)
	list := strings.Fields(words)
	const longest = 4
	if len(list) == 0 || len(list) > longest || slices.Contains([]string{"is", "has", "the", "link", "no"}, list[0]) {
		return ""
	}
	for i, w := range list {
		if w == "id" || w == "Id" {
			list[i] = "ID"
			continue
		}
		bare := strings.TrimSuffix(w, "'s")
		if strings.ContainsFunc(bare, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) ||
			!strings.ContainsAny(strings.ToLower(bare), "aeiouy") || len(bare) < 2 || bare != strings.ToLower(bare) && len(bare) > 1 && bare != strings.ToUpper(bare) {
			return ""
		}
	}
	words = strings.Join(list, " ")
	if affinity := src.Columns[index].Affinity; affinity.Numeric() && inflect.IsPlural(lastWord(words)) && len(list) < 3 && !slices.Contains(sums, list[0]) {
		return "number of " + words
	}
	return words
}

// sums are words before things that are not counted.
var sums = strings.Fields("average mean total monthly yearly daily annual percent number maximum minimum")

// noun returns what a row of a table is called, or "" if its name is no noun.
func (d *Database) noun(src *sqltree.Source) string {
	if src.Table == nil {
		return ""
	}
	words := src.Table.Name
	if t := d.about.Table(words); t != nil && t.Readable != "" {
		words = t.Readable
	}
	words = strings.ToLower(spelling.Words(words))
	if words == "" || strings.ContainsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' }) {
		return ""
	}
	last := lastWord(words)
	return strings.TrimSuffix(words, last) + inflect.Singular(last)
}

// mentions reports whether a question has all words of a noun, in the singular or
// another form that begins alike.
func mentions(question, noun string) bool {
	asked := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range strings.Fields(noun) {
		stem := w
		if len(w) > 3 {
			stem = strings.TrimSuffix(w, "y")
		}
		if !slices.ContainsFunc(asked, func(a string) bool { return strings.HasPrefix(a, stem) && len(a) <= len(w)+2 }) {
			return false
		}
	}
	return true
}

// lowered lowers words that begin with a capital, but no acronyms.
func lowered(words string) string {
	list := strings.Fields(words)
	for i, w := range list {
		if r := []rune(w); len(r) > 1 && unicode.IsLower(r[1]) {
			list[i] = strings.ToLower(w)
		}
	}
	return strings.Join(list, " ")
}

// identifier returns a name as SQL writes it, in quotes only where it needs them.
func identifier(name string) string {
	for i, r := range name {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return sqlite.Quote(name)
		}
	}
	if name == "" || token.Lookup(name) != token.ID {
		return sqlite.Quote(name)
	}
	return name
}

// asked returns a question with a mark at its end.
func asked(question string) string {
	question = strings.TrimRight(strings.TrimSpace(question), " ,;")
	if strings.HasSuffix(question, "?") || strings.HasSuffix(question, ".") || strings.HasSuffix(question, "!") {
		return question
	}
	words := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		if slices.Contains([]string{"what", "which", "who", "whose", "whom", "when", "where", "how", "why"}, w) {
			return question + "?"
		}
	}
	if len(words) > 0 && slices.Contains([]string{"is", "are", "was", "were", "do", "does", "did", "has", "have"}, words[0]) {
		return question + "?"
	}
	return question + "."
}
