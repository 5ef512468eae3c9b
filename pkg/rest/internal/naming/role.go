package naming

import (
	"strings"

	"github.com/birdcall/birdcall/internal/sql/dialect"
	"github.com/birdcall/birdcall/internal/sql/sqltree"
)

// role is what an item of FROM is to the head.
type role struct {
	noun  string
	many  bool            // whether several of its rows may belong to one of the head's
	over  *sqltree.Source // the one between it and the head that it is joined to; nil of the head
	plain string          // the noun without what distinguishes it from others of its table
	loose bool            // joined by an outer join, so that there may be none
}

// assignRoles names the sources as the head sees them.
func (w *writer) assignRoles(v *view) {
	seen := v.from(v.head)
	loose := looseSources(v.s.From)
	for _, src := range v.s.Sources {
		at, ok := seen[src]
		r := &role{noun: w.sourceNoun(src), many: (at.many || !ok) && !isOneRow(src), over: at.over, loose: loose[src]}
		r.plain = r.noun
		if !ok {
			r.over = v.head
		}
		if at.by != nil && !at.many {
			r.noun = w.byReference(at, r.noun)
		}
		v.roles[src] = r
	}
	// Two of one name are distinguished by their place, the head first.
	count := map[string]int{}
	number := func(src *sqltree.Source) {
		r := v.roles[src]
		count[r.noun]++
		if n := count[r.noun]; n > 1 {
			r.noun = ordinal(n) + " " + r.noun
		}
	}
	number(v.head)
	for _, src := range v.s.Sources {
		if src != v.head {
			number(src)
		}
	}
}

// looseSources returns those that an outer join may leave without a row.
func looseSources(j *sqltree.Join) map[*sqltree.Source]bool {
	out := map[*sqltree.Source]bool{}
	var mark func(j *sqltree.Join)
	mark = func(j *sqltree.Join) {
		if j == nil {
			return
		}
		mark(j.Left)
		mark(j.Nested)
		if j.Source != nil {
			out[j.Source] = true
		}
	}
	j.Each(func(j *sqltree.Join) {
		if j.Kind == dialect.Left || j.Kind == dialect.Full {
			if j.Source != nil {
				out[j.Source] = true
			}
			mark(j.Nested)
		}
		if j.Kind == dialect.Right || j.Kind == dialect.Full {
			mark(j.Left)
		}
	})
	return out
}

// byReference returns what a row is called by the column that refers to it: the
// eye colour, for a colour that eye_colour_id refers to.
func (w *writer) byReference(at reached, noun string) string {
	if at.by.Source.Table == nil || at.by.Index < 0 || at.by.Source.Columns[at.by.Index].Info == nil {
		return noun
	}
	if at.by.Source.Columns[at.by.Index].Info.PrimaryKey > 0 {
		return noun
	}
	list := strings.Fields(spelled(at.by.Name))
	last := strings.ToLower(lastWord(noun))
	for i := len(list) - 1; i > 0; i-- {
		if strings.ToLower(list[i]) == last && !strings.EqualFold(list[0], "link") {
			return strings.Join(list[:i+1], " ")
		}
	}
	return noun
}

// sourceNoun returns what one row of a source is called.
func (w *writer) sourceNoun(src *sqltree.Source) string {
	for depth := 0; src.Query != nil && !src.Recursive && depth < 64; depth++ {
		s := src.Query.Arms[0]
		if s.Values || len(s.Sources) == 0 {
			break
		}
		src = w.view(s).head
	}
	if src.Table != nil {
		return w.voc.noun(src.Table)
	}
	if src.TableName != "" && src.Query == nil && !src.Function {
		return spelledOr(src.TableName, "row")
	}
	return "row"
}

func spelledOr(name, other string) string {
	if text := spelled(name); text != "" {
		return text
	}
	return other
}

// rows returns what one row of a SELECT's FROM stands for: the nouns of the
// sources that no other one has as its own.
func (v *view) rows() []*sqltree.Source {
	var out []*sqltree.Source
	owned := map[*sqltree.Source]bool{}
	for _, src := range v.s.Sources {
		for other, at := range v.from(src) {
			if other != src && !at.many {
				owned[other] = true
			}
		}
	}
	for _, src := range v.s.Sources {
		if !owned[src] && !isOneRow(src) {
			out = append(out, src)
		}
	}
	if len(out) == 0 && v.head != nil {
		out = append(out, v.head) // each has the other as its own
	}
	return out
}
