package naming

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/text/spelling"
	"github.com/birdcall/birdcall/pkg/bird"
)

// Vocabulary is what a dataset calls the tables and columns of a database. Its
// endpoints speak of the same ones again and again, so what was found is kept. A
// Vocabulary is for one goroutine.
type Vocabulary struct {
	db *bird.Database
	// dialect says how far the database's own names can be read: those of
	// Postgres are mostly in lower case, and the dataset's show where their words
	// begin.
	dialect *engine.Dialect

	nouns        map[*engine.Table]string
	columns      map[place]string
	explanations map[place]string
}

// place is a column of a table.
type place struct{ table, column string }

// NewVocabulary returns the vocabulary of a database whose engine speaks a dialect.
func NewVocabulary(db *bird.Database, dialect *engine.Dialect) *Vocabulary {
	return &Vocabulary{db: db, dialect: dialect, nouns: map[*engine.Table]string{}, columns: map[place]string{}, explanations: map[place]string{}}
}

// kept returns what find returns for a key, which it is asked for once.
func kept[K comparable](known map[K]string, key K, find func() string) string {
	text, ok := known[key]
	if !ok {
		text = find()
		known[key] = text
	}
	return text
}

// written returns a column's name as it is best read.
func (v *Vocabulary) written(table, column string) string {
	if t := v.db.Table(table); !v.dialect.FoldNames && t != nil {
		if c := t.Column(column); c != nil {
			return c.Name
		}
	}
	return column
}

// maxWords bounds the words for one column.
const maxWords = 16

// noun returns what one row of a table is called.
func (v *Vocabulary) noun(t *engine.Table) string {
	return kept(v.nouns, t, func() string { return v.findNoun(t) })
}

func (v *Vocabulary) findNoun(t *engine.Table) string {
	if t == nil {
		return "row"
	}
	list := strings.Fields(spelled(t.Name))
	if described := v.db.Table(t.Name); described != nil && len(words(described.Readable)) > 0 {
		list = strings.Fields(spelled(described.Readable))
	}
	if len(list) == 0 {
		return "row"
	}
	for len(list) > 1 && strings.ContainsAny(list[len(list)-1][:1], "0123456789") {
		list = list[:len(list)-1] // transactions_1k
	}
	last := v.inFull(t, singular(list[len(list)-1]))
	if strings.HasSuffix(last, "ed") && !strings.HasSuffix(last, "eed") {
		last += " row" // the name is no noun
	}
	list[len(list)-1] = last
	return strings.Join(list, " ")
}

// inFull returns the word that a table's name is short for, where the name of
// its key in words spells it: trans, whose trans_id is the transaction id.
func (v *Vocabulary) inFull(t *engine.Table, word string) string {
	for _, c := range t.Columns {
		if c.PrimaryKey == 0 || !slices.Contains(words(c.Name), word) {
			continue
		}
		for _, w := range words(v.db.Describe(t.Name, c.Name).Readable) {
			if len(w) > len(word)+2 && strings.HasPrefix(w, word) {
				return w
			}
		}
	}
	return word
}

// column returns what a column is called. What the dataset explains and not only
// repeats goes before the column's own name.
func (v *Vocabulary) column(table, column string) string {
	return kept(v.columns, place{table, column}, func() string { return v.findColumn(table, column) })
}

func (v *Vocabulary) findColumn(table, column string) string {
	column = v.written(table, column)
	own := words(column)
	if len(own) == 1 && own[0] == "id" {
		return "ID"
	}
	d := v.db.Describe(table, column)
	name := cleaned(d.Readable)
	list := words(name)
	if len(list) == 0 || len(list) <= len(own) && strings.Join(list, "") == strings.Join(own, "") || isID(list) != isID(own) && isTelling(own) {
		name = column
		if explained := words(d.Description); !isTelling(own) && len(explained) > 0 && len(explained) <= maxWords/2 {
			name = cleaned(d.Description)
		}
	}
	if parts := strings.Fields(name); len(parts) > maxWords {
		name = strings.Join(parts[:maxWords], " ")
	}
	text := trimStopWords(spelled(name))
	if first, rest, ok := strings.Cut(text, " "); ok && (first == "is" || first == "has") {
		return first + "-" + rest + " flag"
	}
	if text != "" {
		return text
	}
	return "value"
}

// maxExplanation bounds what is said of a column, in bytes.
const maxExplanation = 300

// explanation returns what the dataset says of a column and of its values that
// its name does not say, without a full stop, or "".
func (v *Vocabulary) explanation(table, column string) string {
	return kept(v.explanations, place{table, column}, func() string { return v.findExplanation(table, column) })
}

func (v *Vocabulary) findExplanation(table, column string) string {
	if isID(words(v.column(table, column))) || isID(words(column)) || strings.EqualFold(column, "id") {
		return "" // its name says it all
	}
	d := v.db.Describe(table, column)
	name := v.column(table, column) + " " + column + " " + spelled(table) + " the of a an in for this each which is"
	var out []string
	for _, text := range []string{d.Description, heading.ReplaceAllString(d.ValueDescription, "")} {
		text = cleaned(text)
		if len(words(text)) == 0 || len(text) > maxExplanation || hasWords(name, text) || strings.Contains(strings.ToLower(text), "useful") {
			continue
		}
		out = append(out, text)
		name += " " + text
	}
	return strings.Join(out, ". ")
}

// heading is what BIRD's files put before hints.
var heading = regexp.MustCompile(`(?i)\bcommonsense (evidence|reasoning)\b[ :]*`)

// isID reports whether a name is that of a number that identifies.
func isID(list []string) bool {
	return len(list) > 0 && (list[len(list)-1] == "id" || strings.HasSuffix(list[len(list)-1], "id") && len(list) > 1)
}

// cleaned returns a text of the dataset in valid UTF-8 on one line, without control
// characters, an article before it and a full stop after it.
func cleaned(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	list := strings.Fields(text)
	for len(list) > 1 {
		switch strings.ToLower(list[0]) {
		case "the", "a", "an":
			list = list[1:]
			continue
		}
		break
	}
	return strings.TrimRight(strings.Join(list, " "), ".;: ")
}

func trimStopWords(text string) string {
	list := strings.Fields(text)
	for len(list) > 1 && isStop(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return strings.Join(list, " ")
}

// spelled writes a name or a short text for reading within a sentence: its parts
// as words, in lower case but for acronyms.
func spelled(name string) string {
	name = strings.ToValidUTF8(name, "")
	if !strings.ContainsFunc(name, unicode.IsLower) && strings.Contains(name, "_") {
		name = strings.ToLower(name)
	}
	var out []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || unicode.IsSpace(r) || unicode.IsControl(r) }) {
		for _, w := range apart(part) {
			switch lower := strings.ToLower(w); {
			case lower == "id" || lower == "url":
				w = strings.ToUpper(w)
			case lower == "ids" || lower == "urls":
				w = strings.ToUpper(w[:len(w)-1]) + "s"
			case lower == "no." || lower == "num" || lower == "no" && len(out) == 0:
				w = "number"
			case !isMixed(w) && strings.ContainsFunc(w, unicode.IsLower):
				w = lower
			}
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// isMixed reports whether a word has capital letters within, as (IgA).
func isMixed(word string) bool {
	letters := strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) && unicode.IsLetter(rune(letters[i-1])) {
			return true
		}
	}
	return false
}

// apart splits a word where camelCase changes, if it is a plain name.
func apart(word string) []string {
	if strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return []string{word}
	}
	var out []string
	runes, from := []rune(word), 0
	for i := range runes {
		if spelling.StartsWord(runes, i) {
			out = append(out, string(runes[from:i]))
			from = i
		}
	}
	return append(out, string(runes[from:]))
}

// isTelling reports whether a name says something to a reader: it has a word
// of three letters.
func isTelling(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool {
		return len(strings.Trim(w, "0123456789")) >= 3
	})
}

// isGeneric reports whether a name could be a column of anything.
func isGeneric(list []string) bool {
	if len(list) != 1 {
		return len(list) == 0
	}
	switch list[0] {
	case "id", "name", "code", "type", "title", "date", "time", "status", "description", "text", "label",
		"number", "value", "count", "amount", "url", "year", "month", "day", "state", "class", "notes", "note",
		"category", "format", "language", "score", "position", "level", "method", "location", "address",
		"phone", "email", "kind", "group", "points", "rank", "grade", "size", "comment", "remark":
		return true
	}
	return len(list[0]) < 3
}

// isDateName reports whether a phrase is that of a day or a part of one.
func isDateName(text string) bool {
	list := words(text)
	if slices.ContainsFunc(list, func(w string) bool {
		switch w {
		case "difference", "number", "since", "sum", "ratio", "percentage", "minus", "age", "total", "average", "length", "position":
			return true
		}
		return false
	}) {
		return false
	}
	return slices.ContainsFunc(list, func(w string) bool { return w == "date" || w == "birthday" || w == "day" || w == "year" })
}
