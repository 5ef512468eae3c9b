package tools

import "github.com/birdcall/birdcall/pkg/value"

// Footprint counts about how many bytes of memory tables take. What several of
// them share is counted once, and columns of a database are its own and do not
// count. The zero Footprint is of no table.
type Footprint struct {
	bytes   int64
	tables  map[*Table]bool
	vectors map[*int32]bool
	columns map[*Column]bool
}

// Bytes returns what the tables take that were added.
func (f *Footprint) Bytes() int64 { return f.bytes }

// Add counts a table, such as the result of a call.
func (f *Footprint) Add(t *Table) {
	if f.tables == nil {
		f.tables, f.vectors, f.columns = map[*Table]bool{}, map[*int32]bool{}, map[*Column]bool{}
	}
	if t == nil || f.tables[t] {
		return
	}
	f.tables[t] = true
	const field = 128 // a field with its key and its place in the index
	f.bytes += int64(len(t.fields)) * field
	for _, v := range t.vectors {
		f.vector(v)
	}
	f.vector(t.positions)
	for _, one := range t.fields {
		if c := one.source.column; c != nil && !f.columns[c] {
			f.columns[c] = true
			f.bytes += c.Bytes()
		}
	}
	if g := t.groups; g != nil {
		f.vector(g.starts)
		f.vector(g.members)
		f.Add(g.source)
	}
}

func (f *Footprint) vector(v []int32) {
	const row = 4
	if len(v) > 0 && !f.vectors[&v[0]] {
		f.vectors[&v[0]] = true
		f.bytes += int64(cap(v)) * row
	}
}

// The bytes of one value of a column, texts and blobs apart.
const numberBytes, codeBytes, textBytes, cellBytes = 8, 4, 16, 32

// Bytes returns about how many bytes of memory the column's values take.
func (c *Column) Bytes() int64 {
	n := int64(len(c.ints)+len(c.reals)+len(c.nulls))*numberBytes + int64(len(c.codes))*codeBytes
	for _, s := range c.dict {
		n += textBytes + int64(len(s))
	}
	for _, v := range c.mixed {
		n += cellBytes
		if k := v.Kind(); k == value.Text || k == value.Blob {
			n += int64(len(v.Raw()))
		}
	}
	return n
}
