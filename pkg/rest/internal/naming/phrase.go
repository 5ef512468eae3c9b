package naming

import (
	"slices"
	"strings"

	"github.com/birdcall/birdcall/internal/sqlite"
	"github.com/birdcall/birdcall/pkg/bird"
	"github.com/birdcall/birdcall/pkg/rest/internal/template"
)

// phrases puts expressions into words, from what the dataset calls its columns.
type phrases struct {
	db    *bird.Database
	from  *sqlite.Table // what COUNT(*) counts in the SELECT at hand
	known map[about][]string
}

// about is a column that was put into words in a SELECT from that table.
type about struct {
	column template.Origin
	from   *sqlite.Table
}

// maxPhrase bounds the words for an expression. Each subquery of many may use a
// column of the one below it twice.
const maxPhrase = 64

// maxWords bounds the words for one column.
const maxWords = 7

// table returns the noun for one row of a table.
func (p phrases) table(t *sqlite.Table) []string {
	if t == nil {
		return []string{"row"}
	}
	list := words(t.Name)
	if described := p.db.Table(t.Name); described != nil && len(words(described.Readable)) > 0 {
		list = words(described.Readable)
	}
	if len(list) == 0 {
		return []string{"row"}
	}
	out := slices.Clone(list)
	out[len(out)-1] = singular(out[len(out)-1])
	return out
}

// column returns the words for a column. A word that many tables use, such as
// name, comes with the table's.
func (p phrases) column(c template.Origin) []string {
	if c.Item != nil {
		key := about{c, p.from}
		list, known := p.known[key]
		if !known {
			if list = words(c.Name); !isTelling(list) {
				list = p.expr(c.Item.Expr)
			}
			p.known[key] = slices.Clip(list)
		}
		return slices.Clip(list)
	}
	if c.Table == nil {
		return orValue(words(c.Name))
	}
	list := p.readable(c.Table.Name, c.Name)
	noun := p.table(c.Table)
	if len(list) == 0 || isGeneric(list) && !slices.Contains(list, noun[len(noun)-1]) {
		list = append(slices.Clone(noun), list...)
	}
	return list
}

// readable returns the dataset's name of a column in words. What the dataset
// explains and not only repeats goes before the column's own name.
func (p phrases) readable(table, column string) []string {
	own := words(column)
	if len(own) == 1 && own[0] == "id" {
		return own
	}
	d := p.db.Describe(table, column)
	list := withoutArticle(words(d.Readable))
	if len(list) == 0 || strings.Join(list, "") == strings.Join(own, "") {
		list = own
		if explained := withoutArticle(words(d.Description)); !isTelling(own) && len(explained) > 0 && len(explained) <= maxWords {
			list = explained
		}
	}
	if len(list) > maxWords {
		list = list[:maxWords]
	}
	for len(list) > 1 && isStop(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	return list
}

func withoutArticle(list []string) []string {
	for len(list) > 1 && (list[0] == "the" || list[0] == "a" || list[0] == "an") {
		list = list[1:]
	}
	return list
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
		return false
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

func orValue(list []string) []string {
	if len(list) == 0 {
		return []string{"value"}
	}
	return list
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func isDateName(list []string) bool {
	return len(list) > 0 && (slices.Contains(list, "date") || slices.Contains(list, "birthday") || slices.Contains(list, "time"))
}
