package template

import (
	"fmt"
	"strings"
)

// scope holds the names that an expression may use
// (https://www.sqlite.org/lang_select.html).
type scope struct {
	parent  *scope
	depth   int
	items   []*FromItem
	with    map[string]*FromItem // common table expressions
	aliases map[string]*Column   // of result columns, which the result columns themselves do not see
}

// common returns the common table expression of that name in lower case, or
// nil.
func (s *scope) common(name string) *FromItem {
	for ; s != nil; s = s.parent {
		if item := s.with[name]; item != nil {
			return item
		}
	}
	return nil
}

// column returns what the names stand for, both in lower case, or nil. The
// qualifier may be "".
func (s *scope) column(qualifier, name string) *Column {
	for ; s != nil; s = s.parent {
		for _, item := range s.items {
			if qualifier != "" && item.name != qualifier {
				continue
			}
			if c := item.column(name); c != nil {
				return c
			}
		}
		if c := s.aliases[name]; c != nil && qualifier == "" {
			return c
		}
	}
	return nil
}

// known reports whether all columns that the scope can name are known.
func (s *scope) known() bool {
	for ; s != nil; s = s.parent {
		for _, item := range s.items {
			if !item.known {
				return false
			}
		}
	}
	return true
}

// add enters an item of FROM and gives it its label.
func (s *scope) add(item *FromItem, base string) {
	same := 1
	for _, other := range s.items {
		if strings.HasPrefix(other.label, base+"#") {
			same++
		}
	}
	item.label, item.depth = fmt.Sprintf("%s#%d", base, same), s.depth
	s.items = append(s.items, item)
}

// column returns what the item calls by that name in lower case, or nil.
func (f *FromItem) column(name string) *Column {
	if f.Table != nil {
		info := f.Table.Column(name)
		switch {
		case info != nil:
			return &Column{item: f, Name: info.Name, Info: info}
		case f.Table.RowID && (name == "rowid" || name == "oid" || name == "_rowid_"):
			return &Column{item: f, Name: name}
		}
	}
	for _, c := range f.columns {
		if lower(c.Name) == name {
			return c.readFrom(f)
		}
	}
	return nil
}

// star returns the columns that * stands for.
func (f *FromItem) star() []*Column {
	var all []*Column
	if f.Table == nil {
		for _, c := range f.columns {
			all = append(all, c.readFrom(f))
		}
		return all
	}
	for i := range f.Table.Columns {
		if info := &f.Table.Columns[i]; !info.Hidden {
			all = append(all, &Column{item: f, Name: info.Name, Info: info})
		}
	}
	return all
}

// lower lowers ASCII letters only, as SQLite compares names.
func lower(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
