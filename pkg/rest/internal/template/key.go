package template

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/birdcall/birdcall/internal/db/engine"
	"github.com/birdcall/birdcall/internal/sql/language"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
	"github.com/birdcall/birdcall/internal/text/spelling"
)

// names are the parts of a statement that the key writes in another way, by
// their offset: statements that differ in table aliases only have the same key.
type names struct {
	dialect *engine.Dialect
	written map[int]written
	sources map[*sqltree.Source]label
}

// written is what the key has for a part of a statement, which ends at end. The
// depth of subqueries distinguishes equal tables; 0 is none.
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

func newNames(d *engine.Dialect) names {
	return names{d, map[int]written{}, map[*sqltree.Source]label{}}
}

// addArm labels the items of FROM of an arm. Where it is not known what columns
// an item has, the names of its columns keep its alias.
func (n names) addArm(s *sqltree.Select, depth int) {
	count := map[string]int{}
	for _, src := range s.Sources {
		base := "query"
		if src.TableName != "" {
			base = n.dialect.Fold(src.TableName)
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
		n.add(c.Span(), c.Source, n.dialect.Fold(c.Source.Columns[c.Index].Name))
	case c.Table == "":
		n.written[c.Span().Start] = written{text: "." + n.dialect.Fold(c.Name), end: c.Span().End}
	}
}

// addText enters a text in the quotation marks of a name.
func (n names) addText(l *sqltree.Literal) {
	n.written[l.Span().Start] = written{text: strconv.Quote(l.Value.Raw()), end: l.Span().End}
}

// keys writes parts of a statement so that case, space, comments, quotes, table
// aliases and words without meaning do not matter.
type keys struct {
	*language.Statement
	names names
}

// write writes the tokens of a part of the statement. put may give the text for
// a token's offset and where to go on.
func (k *keys) write(part sqltree.Span, levels bool, put func(at int) (string, int)) string {
	var b strings.Builder
	from := part.Start
	first := sort.Search(len(k.Words), func(i int) bool { return k.Words[i].At.Start >= part.Start })
	for _, t := range k.Words[first:] {
		if t.At.Start >= part.End {
			break
		}
		if t.At.Start < from {
			continue
		}
		if put != nil {
			if text, next := put(t.At.Start); text != "" {
				b.WriteString(text + " ")
				if next > t.At.Start {
					from = next
					continue
				}
			}
		}
		word := t.Text
		if w, ok := k.names.written[t.At.Start]; ok {
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
