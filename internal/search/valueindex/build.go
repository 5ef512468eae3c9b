package valueindex

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/birdcall/birdcall/pkg/value"
)

// MaxBytes is the length of the texts that are indexed.
const MaxBytes = 200

// TooLong stands for a text that is left out: what reads values need not read the
// texts of more than MaxBytes to have them counted.
var TooLong = value.Str(strings.Repeat(" ", MaxBytes+1))

// Column is a column whose values are indexed.
type Column struct{ Table, Name string }

// Build makes the index of some columns. read gives the distinct values of a column
// in any order; it is called once for each, one after another. Values that come
// again count once. NULLs and BLOBs are left out, and so are texts of more than
// MaxBytes, which Index.LeftOut counts.
func Build(ctx context.Context, columns []Column, read func(ctx context.Context, column int, yield func(value.Value) error) error) (*Index, error) {
	b := builder{deletions: map[string]struct{}{}, prefixes: map[uint64]struct{}{}}
	for i, c := range columns {
		var values columnValues
		err := read(ctx, i, func(v value.Value) error {
			values.add(v)
			return nil
		})
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = b.column(c, &values)
		}
		if err != nil {
			return nil, fmt.Errorf("column %s.%s: %w", c.Table, c.Name, err)
		}
	}
	return Read(b.bytes())
}

// columnValues are the values of one column.
type columnValues struct {
	texts   []string
	ints    []int64
	reals   []float64
	leftOut int
}

func (c *columnValues) add(v value.Value) {
	switch v.Kind() {
	case value.Text:
		if len(v.Raw()) > MaxBytes {
			c.leftOut++
			return
		}
		c.texts = append(c.texts, v.Raw())
	case value.Integer:
		c.ints = append(c.ints, v.Int64())
	case value.Real:
		c.reals = append(c.reals, v.Float64())
	case value.Null, value.Blob:
	}
}

// builder gathers what the sections of the file hold.
type builder struct {
	about   []byte // of the columns
	columns int
	values  uint64
	numbers []byte
	starts  []byte // where blocks of texts begin
	texts   []byte
	keys    []entry
	// deletions are the tokens in which typos are looked for, and prefixes the keys
	// of the beginnings of values.
	deletions map[string]struct{}
	prefixes  map[uint64]struct{}
	fold      folder
}

// column adds a column: its texts, integers and reals, each in ascending order.
func (b *builder) column(c Column, values *columnValues) error {
	slices.Sort(values.texts)
	slices.Sort(values.ints)
	slices.SortFunc(values.reals, func(x, y float64) int { // -0.0 and 0.0 are two
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(math.Float64bits(x), math.Float64bits(y)))
	})
	values.ints = slices.Compact(values.ints)
	values.reals = slices.CompactFunc(values.reals, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
	texts := slices.Compact(values.texts)
	for i, d := range datesOfColumn(texts) {
		id := uint32(b.values) + uint32(i)
		b.text(id, texts[i])
		if d.year != 0 {
			b.keys = append(b.keys, entry{d.key(), id})
		}
	}
	b.about = appendString(appendString(b.about, c.Table), c.Name)
	for _, n := range []int{len(texts), len(values.ints), len(values.reals), values.leftOut} {
		b.about = binary.AppendUvarint(b.about, uint64(n))
	}
	for part := range slices.Chunk(texts, blockTexts) {
		b.starts = binary.LittleEndian.AppendUint32(b.starts, uint32(len(b.texts)))
		b.texts = appendBlock(b.texts, part)
	}
	id := uint32(b.values) + uint32(len(texts))
	for _, n := range values.ints {
		b.numbers = binary.LittleEndian.AppendUint64(b.numbers, uint64(n))
		b.number(id, value.Int(n))
		id++
	}
	for _, n := range values.reals {
		b.numbers = binary.LittleEndian.AppendUint64(b.numbers, math.Float64bits(n))
		b.number(id, value.Float(n))
		id++
	}
	b.columns++
	b.values += uint64(len(texts) + len(values.ints) + len(values.reals))
	if b.values > math.MaxInt32 || len(b.texts) > math.MaxInt32 {
		return fmt.Errorf("the columns up to here have %d values, and texts of %d bytes; an index has at most %d of each: leave columns out", b.values, len(b.texts), math.MaxInt32)
	}
	return nil
}

// datesOfColumn returns the dates that texts are, in their order; those that are
// none have the year 0. Digits alone are dates only where all texts are, and times
// count for nothing only where all are the same.
func datesOfColumn(texts []string) []date {
	out := make([]date, len(texts))
	compact := len(texts) > 0
	clock, oneClock := "", true
	found := 0
	for i, s := range texts {
		if compact {
			d, ok := compactDate(s)
			compact = ok && len(s) == len(texts[0])
			out[i] = d
		}
		if _, c, ok := storedDate(s); ok {
			oneClock = oneClock && (found == 0 || c == clock)
			clock = c
			found++
		}
	}
	if compact {
		return out
	}
	clear(out)
	for i, s := range texts {
		if d, c, ok := storedDate(s); ok && (oneClock || isMidnight(c)) {
			out[i] = d
		}
	}
	return out
}

// text adds what a text is found by.
func (b *builder) text(id uint32, s string) {
	b.fold.fold(s)
	words := b.fold.words()
	if len(words) == 0 {
		if s = strings.TrimSpace(s); s != "" {
			b.keys = append(b.keys, entry{symbolKey(s), id})
		}
		return
	}
	tokens := b.fold.tokens
	b.tuple(id, words)
	if together, ok := joined(s, tokens, words); ok {
		b.tuple(id, together)
	}
}

// tuple adds the tokens of a value.
func (b *builder) tuple(id uint32, words []string) {
	key := seedTokens
	for i, w := range words {
		if mayHaveTypo(w) {
			b.deletions[w] = struct{}{}
		}
		if i > 0 {
			b.prefixes[key] = struct{}{}
		}
		key = extendKey(key, tokenHash(w))
	}
	b.keys = append(b.keys, entry{key, id})
}

// number adds what a number is found by: its digits, as an integer and as a real
// where it is both.
func (b *builder) number(id uint32, v value.Value) {
	for _, s := range spellings(v) {
		b.fold.fold(s)
		b.tuple(id, b.fold.words())
	}
}

// spellings returns how a number may be written.
func spellings(v value.Value) []string {
	const exact = 1 << 53 // integers up to which are reals
	out := []string{value.AsText(v)}
	if f := v.Float64(); v.Kind() == value.Real && f == math.Trunc(f) && math.Abs(f) < exact {
		out = append(out, strconv.FormatInt(int64(f), 10))
	}
	return out
}

// bytes writes the file. See Read for its form.
func (b *builder) bytes() []byte {
	deletionEntries := b.deletionEntries()
	prefixes := newFilter(len(b.prefixes))
	for key := range b.prefixes {
		prefixes.add(key)
	}
	out := append(make([]byte, 0, headerSize), magic...)
	out = out[:headerSize]
	section := func(at int, n int, write func([]byte) []byte) {
		start := len(out)
		out = write(out)
		binary.LittleEndian.PutUint64(out[headerSections+16*at:], uint64(n))
		binary.LittleEndian.PutUint64(out[headerSections+16*at+8:], uint64(len(out)-start))
	}
	section(sectionColumns, b.columns, func(out []byte) []byte { return append(out, b.about...) })
	section(sectionStarts, len(b.starts)/4, func(out []byte) []byte { return append(out, b.starts...) })
	section(sectionTexts, 0, func(out []byte) []byte { return append(out, b.texts...) })
	section(sectionNumbers, len(b.numbers)/8, func(out []byte) []byte { return append(out, b.numbers...) })
	table := func(at int, entries []entry) {
		start := len(out)
		var n int
		out, n = appendTable(out, entries)
		binary.LittleEndian.PutUint64(out[headerSections+16*at:], uint64(n))
		binary.LittleEndian.PutUint64(out[headerSections+16*at+8:], uint64(len(out)-start))
	}
	table(sectionKeys, b.keys)
	table(sectionDeletions, deletionEntries)
	section(sectionPrefixes, len(prefixes)/filterBlock, func(out []byte) []byte { return append(out, prefixes...) })
	binary.LittleEndian.PutUint64(out[headerChecksum:], xxhash.Sum64(out[headerSections:]))
	return out
}

func (b *builder) deletionEntries() []entry {
	var out []entry
	var buf [2 * MaxBytes]byte
	for w := range b.deletions {
		hash := tokenHash(w)
		deletions(w, buf[:0], func(rest []byte) { out = append(out, entry{deletionKey(rest), hash}) })
	}
	return out
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
