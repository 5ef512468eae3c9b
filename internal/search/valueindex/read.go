package valueindex

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/cespare/xxhash/v2"

	"github.com/birdcall/birdcall/pkg/value"
)

// The file of an index. Numbers are little-endian.
//
//	8 bytes   magic, whose last byte is the version
//	uint64    xxhash64 of all that follows
//	7 × 16    of each section the number of its entries and its length in bytes
//	          sections, one after another
//
// Sections, in their order:
//
//	columns    of each: table and name, as uvarint length and bytes; then uvarints:
//	           texts, integers, reals, texts left out
//	starts     uint32 of each block of texts: where it begins in texts
//	texts      blocks
//	numbers    8 bytes each: of each column its integers, then its reals
//	keys       table of tokens, dates and symbols to values
//	deletions  table of shortened tokens to hashes of tokens
//	prefixes   filter of beginnings of values
//
// Values are numbered by column, and in a column texts, integers and reals follow
// each other, each in ascending order.
const (
	magic          = "bcvals\x00\x01"
	headerChecksum = len(magic)
	headerSections = headerChecksum + 8
	headerSize     = headerSections + 16*sections
)

const (
	sectionColumns = iota
	sectionStarts
	sectionTexts
	sectionNumbers
	sectionKeys
	sectionDeletions
	sectionPrefixes
	sections
)

// The reasons why Read fails, to be distinguished with errors.Is.
var (
	ErrFormat  = errors.New("not an index of values")
	ErrVersion = errors.New("an index of values of another version")
	ErrBroken  = errors.New("the index of values is broken")
)

// Index has the values of columns. It does not change, and several goroutines may
// use it at once.
type Index struct {
	data      []byte
	columns   []column
	names     []Column
	starts    []byte
	texts     []byte
	numbers   []byte
	keys      table
	deletions table
	prefixes  filter
}

// column says where the values of a column are.
type column struct {
	first              int // the number of its first value
	block              int // its first block
	number             int // its first number
	texts, ints, reals int
	leftOut            int
}

func (c *column) size() int { return c.texts + c.ints + c.reals }

// Read returns the index whose file b is. It keeps b, which must not change.
// Errors are ErrFormat, ErrVersion and ErrBroken.
func Read(b []byte) (*Index, error) {
	if len(b) < headerSize || string(b[:len(magic)-1]) != magic[:len(magic)-1] {
		return nil, ErrFormat
	}
	if b[len(magic)-1] != magic[len(magic)-1] {
		return nil, fmt.Errorf("%w: %d, and not %d; build it again", ErrVersion, b[len(magic)-1], magic[len(magic)-1])
	}
	if xxhash.Sum64(b[headerSections:]) != binary.LittleEndian.Uint64(b[headerChecksum:]) {
		return nil, fmt.Errorf("%w: its checksum is another one; build it again", ErrBroken)
	}
	x := &Index{data: b}
	rest := b[headerSize:]
	var parts [sections][]byte
	var counts [sections]int
	for i := range sections {
		n := binary.LittleEndian.Uint64(b[headerSections+16*i:])
		size := binary.LittleEndian.Uint64(b[headerSections+16*i+8:])
		if size > uint64(len(rest)) || n > math.MaxInt32 {
			return nil, broken("section %d is cut off", i)
		}
		counts[i], parts[i], rest = int(n), rest[:size:size], rest[size:]
	}
	if len(rest) > 0 {
		return nil, broken("it has %d bytes too many", len(rest))
	}
	for i, size := range [sections]int{
		sectionColumns: len(parts[sectionColumns]),
		sectionStarts:  4 * counts[sectionStarts],
		sectionTexts:   len(parts[sectionTexts]),
		sectionNumbers: 8 * counts[sectionNumbers],
		sectionKeys:    tableSize(counts[sectionKeys]), sectionDeletions: tableSize(counts[sectionDeletions]),
		sectionPrefixes: filterBlock * max(counts[sectionPrefixes], 1),
	} {
		if len(parts[i]) != size {
			return nil, broken("section %d has another size", i)
		}
	}
	x.starts, x.texts, x.numbers = parts[sectionStarts], parts[sectionTexts], parts[sectionNumbers]
	x.keys = readTable(parts[sectionKeys], counts[sectionKeys])
	x.deletions = readTable(parts[sectionDeletions], counts[sectionDeletions])
	x.prefixes = filter(parts[sectionPrefixes])
	return x, x.readColumns(parts[sectionColumns], counts[sectionColumns])
}

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: "+format+"; build it again", append([]any{ErrBroken}, args...)...)
}

// readColumns reads the section of columns, whose values must be there.
func (x *Index) readColumns(b []byte, n int) error {
	blocks, numbers, values := 0, 0, 0
	for range n {
		var c column
		var name Column
		var ok bool
		if name.Table, b, ok = cutString(b); ok {
			name.Name, b, ok = cutString(b)
		}
		for _, to := range []*int{&c.texts, &c.ints, &c.reals, &c.leftOut} {
			count, size := binary.Uvarint(b)
			ok = ok && size > 0 && count <= math.MaxInt32
			b = b[max(size, 0):]
			*to = int(count)
		}
		c.first, c.block, c.number = values, blocks, numbers
		blocks += (c.texts + blockTexts - 1) / blockTexts
		numbers += c.ints + c.reals
		values += c.size()
		if !ok || 4*blocks > len(x.starts) || 8*numbers > len(x.numbers) {
			return broken("its columns are cut off")
		}
		x.columns = append(x.columns, c)
		x.names = append(x.names, name)
	}
	if len(b) > 0 || 4*blocks != len(x.starts) || 8*numbers != len(x.numbers) {
		return broken("it has values of no column")
	}
	return nil
}

func cutString(b []byte) (s string, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return "", nil, false
	}
	b = b[size:]
	return string(b[:n]), b[n:], true
}

// Bytes returns the file of the index, which must not be changed.
func (x *Index) Bytes() []byte { return x.data }

// Columns returns the columns, to whose positions values refer.
func (x *Index) Columns() []Column { return slices.Clone(x.names) }

// Distinct returns how many different values of a column are indexed.
func (x *Index) Distinct(column int) int { return x.columns[column].size() }

// LeftOut returns how many texts of a column are too long to be indexed.
func (x *Index) LeftOut(column int) int { return x.columns[column].leftOut }

// columnOf returns the column of a value, or -1 where there is no such value.
func (x *Index) columnOf(id uint32) int {
	i := sort.Search(len(x.columns), func(i int) bool { return x.columns[i].first > int(id) }) - 1
	if i < 0 || int(id)-x.columns[i].first >= x.columns[i].size() {
		return -1
	}
	return i
}

// value returns a value by its place in a column.
func (x *Index) value(c *column, at int) (value.Value, bool) {
	if at >= c.texts {
		bits := binary.LittleEndian.Uint64(x.numbers[8*(c.number+at-c.texts):])
		if at-c.texts < c.ints {
			return value.Int(int64(bits)), true
		}
		return value.Float(math.Float64frombits(bits)), true
	}
	k, ok := x.block(c, at/blockTexts)
	for range at%blockTexts + 1 {
		ok = ok && k.next()
	}
	return value.Str(string(k.text)), ok
}

// block returns a block of a column.
func (x *Index) block(c *column, at int) (block, bool) {
	start := word(x.starts, c.block+at)
	if uint64(start) > uint64(len(x.texts)) {
		return block{}, false
	}
	return block{rest: x.texts[start:]}, true
}
