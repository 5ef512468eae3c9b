package rest

import (
	"sort"
	"strconv"
	"strings"

	"github.com/sqlc-dev/meyer/ast"
	"github.com/sqlc-dev/meyer/token"
)

// name notes what a column reference stands for, so that two statements that
// differ in aliases only have the same key.
func (w *walker) name(e ast.Expr, at int, s *scope) {
	if id, ok := e.(*ast.Ident); ok && isString(id, s) {
		return
	}
	n := named{end: e.End()}
	if c := s.reference(e); c != nil && c.from != nil {
		n.label, n.column, n.depth = c.from.label, fold(c.name), s.depthOf(c.from)
	} else if id, ok := e.(*ast.Ident); ok {
		n.column = fold(id.Name)
	} else {
		return
	}
	w.names[at] = n
}

// named is a column reference as the key writes it.
type named struct {
	end           int
	label, column string
	depth         int
}

func (s *scope) depthOf(f *source) int {
	for ; s != nil; s = s.parent {
		for _, other := range s.sources {
			if other == f {
				return s.depth
			}
		}
	}
	return 0
}

// canonical writes the tokens between two offsets so that case, space,
// comments, quotes, table aliases and words without meaning do not matter.
// Where levels is set, the depth of subqueries tells equal tables apart. put
// may give the text for a token's offset and where to go on.
func (w *walker) canonical(start, end int, levels bool, put func(at int) (string, int)) string {
	var b strings.Builder
	from := start
	first := sort.Search(len(w.tokens), func(i int) bool { return w.tokens[i].Pos >= start })
	for _, t := range w.tokens[first:] {
		if t.Pos >= end || t.Kind == token.EOF {
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
		if n, ok := w.names[t.Pos]; ok {
			if levels && n.label != "" {
				b.WriteString(strconv.Itoa(n.depth) + ":")
			}
			b.WriteString(n.label + "." + n.column + " ")
			from = n.end
			continue
		}
		if word := w.word(t); word != "" {
			b.WriteString(word + " ")
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

func (w *walker) word(t token.Token) string {
	text := t.Text(w.sql)
	switch t.Kind {
	case token.SEMI, token.AS, token.ASC:
		return ""
	case token.STRING:
		return text
	case token.ID:
		if w.dropped[t.Pos] {
			return ""
		}
	}
	switch word := fold(strings.Trim(text, "`\"[]")); word {
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
