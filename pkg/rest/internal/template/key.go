package template

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/lexer"
	"github.com/sqlc-dev/meyer/token"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/db/sqlfunc"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// names are the parts of a statement that the key writes in another way, by
// their offset: statements that differ in table aliases only have the same key.
type names struct {
	dialect engine.Dialect
	written map[int]written
	sources map[*sqltree.Source]label
}

// written is what the key has for a part of a statement, which ends at end. The
// depth of subqueries tells equal tables apart; 0 is none.
type written struct {
	text  string
	depth int
	end   int
}

// label is what an item of FROM is called, whatever its alias.
type label struct {
	text  string
	depth int
}

func newNames(d engine.Dialect) names {
	return names{d, map[int]written{}, map[*sqltree.Source]label{}}
}

// lower puts a name into lower case where case does not tell names apart.
func (n names) lower(name string) string {
	if n.dialect == engine.Postgres {
		return name
	}
	return spelling.Lower(name)
}

// addArm labels the items of FROM of an arm. Where it is not known what columns
// an item has, the names of its columns keep its alias.
func (n names) addArm(s *sqltree.Select, depth int) {
	count := map[string]int{}
	for _, src := range s.Sources {
		base := "query"
		if src.TableName != "" {
			base = n.lower(src.TableName)
		}
		count[base]++
		n.sources[src] = label{fmt.Sprintf("%s#%d", base, count[base]), depth}
		if src.Known && src.AliasSpan.End > 0 {
			n.written[src.AliasSpan.Start] = written{end: src.AliasSpan.End}
		}
	}
	for _, star := range s.Stars {
		for _, src := range s.Sources {
			if star.Table != "" && src.Known && spelling.Same(star.Table, src.Name) {
				n.add(star.Span, src, "*")
			}
		}
	}
}

func (n names) add(at sqltree.Span, src *sqltree.Source, column string) {
	l := n.sources[src]
	n.written[at.Start] = written{l.text + "." + column, l.depth, at.End}
}

// addColumn enters a column, with the label of what it is read from.
func (n names) addColumn(c *sqltree.Column) {
	switch {
	case c.State == sqltree.Bound && c.Alias == nil && c.Index == sqltree.RowID:
		n.add(c.Span(), c.Source, "rowid")
	case c.State == sqltree.Bound && c.Alias == nil:
		n.add(c.Span(), c.Source, n.lower(c.Source.Columns[c.Index].Name))
	case c.Table == "":
		n.written[c.Span().Start] = written{text: "." + n.lower(c.Name), end: c.Span().End}
	}
}

// addText enters a text in the quotation marks of a name.
func (n names) addText(l *sqltree.Literal) {
	n.written[l.Span().Start] = written{text: strconv.Quote(l.Value.Raw()), end: l.Span().End}
}

// keys writes parts of a statement so that case, space, comments, quotes, table
// aliases and words without meaning do not matter.
type keys struct {
	sql   string
	words []word
	names names
}

// word is a token, and how the key writes it; "" leaves it out.
type word struct {
	pos, end int
	text     string
}

func newKeys(sql string, n names) *keys {
	k := &keys{sql: sql, names: n}
	toks := lexer.Lex(sql)
	for i, t := range toks {
		if t.Kind == token.EOF {
			break
		}
		text := wordOf(sql, t)
		if i+1 < len(toks) && toks[i+1].Kind == token.LP {
			text = sqlfunc.Canonical(text)
		}
		k.words = append(k.words, word{t.Pos, t.End, text})
	}
	return k
}

// write writes the tokens of a part of the statement. put may give the text for
// a token's offset and where to go on.
func (k *keys) write(part sqltree.Span, levels bool, put func(at int) (string, int)) string {
	var b strings.Builder
	from := part.Start
	first := sort.Search(len(k.words), func(i int) bool { return k.words[i].pos >= part.Start })
	for _, t := range k.words[first:] {
		if t.pos >= part.End {
			break
		}
		if t.pos < from {
			continue
		}
		if put != nil {
			if text, next := put(t.pos); text != "" {
				b.WriteString(text + " ")
				if next > t.pos {
					from = next
					continue
				}
			}
		}
		word := t.text
		if w, ok := k.names.written[t.pos]; ok {
			word, from = w.text, w.end
			if levels && w.depth > 0 {
				word = strconv.Itoa(w.depth) + ":" + word
			}
		}
		if word != "" {
			b.WriteString(word + " ")
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

// wordOf returns how the key writes a token of SQLite's.
func wordOf(sql string, t token.Token) string {
	text := t.Text(sql)
	switch t.Kind {
	case token.SEMI, token.AS, token.ASC:
		return ""
	case token.STRING:
		return text
	}
	switch word := spelling.Lower(strings.Trim(text, "`\"[]")); word {
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
