package template

import (
	"sort"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"
)

// names are what the key writes in another way than the statement does.
type names struct {
	columns map[int]*Expr // names that stand for columns, by their offset
	dropped map[int]bool  // offsets of table aliases
}

// add notes a name, so that two statements that differ in aliases only have the
// same key.
func (n names) add(e *Expr) { n.columns[e.at.start] = e }

// text returns how the key writes a name: the column with the label of what it
// is read from. With levels, the depth of subqueries tells equal tables apart.
func (e *Expr) text(levels bool) string {
	c := e.Column
	if c == nil || c.item == nil {
		return "." + lower(e.Op)
	}
	text := c.item.label + "." + lower(c.Name)
	if levels {
		text = strconv.Itoa(c.item.depth) + ":" + text
	}
	return text
}

// keys writes parts of a statement so that case, space, comments, quotes, table
// aliases and words without meaning do not matter.
type keys struct {
	sql    string
	tokens []token.Token
	names  names
}

func newKeys(sql string, n names) *keys { return &keys{sql, lexer.Lex(sql), n} }

// write writes the tokens of a part of the statement. put may give the text for
// a token's offset and where to go on.
func (k *keys) write(part span, levels bool, put func(at int) (string, int)) string {
	var b strings.Builder
	from := part.start
	first := sort.Search(len(k.tokens), func(i int) bool { return k.tokens[i].Pos >= part.start })
	for _, t := range k.tokens[first:] {
		if t.Pos >= part.end || t.Kind == token.EOF {
			break
		}
		if t.Pos < from {
			continue
		}
		if put != nil {
			if text, next := put(t.Pos); text != "" {
				b.WriteString(text + " ")
				if next > t.Pos {
					from = next
					continue
				}
			}
		}
		if e := k.names.columns[t.Pos]; e != nil {
			b.WriteString(e.text(levels) + " ")
			from = e.at.end
		} else if word := k.word(t); word != "" {
			b.WriteString(word + " ")
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// word returns how the key writes a token; "" leaves it out.
func (k *keys) word(t token.Token) string {
	text := t.Text(k.sql)
	switch t.Kind {
	case token.SEMI, token.AS, token.ASC:
		return ""
	case token.STRING:
		return text
	case token.ID:
		if k.names.dropped[t.Pos] {
			return ""
		}
	}
	switch word := lower(strings.Trim(text, "`\"[]")); word {
	case "inner", "outer":
		return ""
	case "==":
		return "="
	case "!=":
		return "<>"
	default:
		return word
	}
}
